/* SPDX-License-Identifier: MIT */
#include "cmd/report.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

int
trc_report(struct trc_out *out, struct trc_err *err, const char *fmt, ...)
{
	char text[2048];
	va_list args;

	va_start(args, fmt);
	vsnprintf(text, sizeof(text), fmt, args);
	va_end(args);
	return trc_out_put(out, text, strlen(text), err);
}

int
trc_report_fact(struct trc_out *out, const char *name, uint64_t value, struct trc_err *err)
{
	return trc_report(out, err, "%-26s%20llu\n", name, (unsigned long long)value);
}

int
trc_report_line(struct trc_out *out, const char *text, struct trc_err *err)
{
	for (; *text; text++) {
		const unsigned char c = (unsigned char)*text;

		if (trc_out_put(out, c < ' ' || c == 0x7f ? "?" : text, 1, err))
			return -1;
	}
	return 0;
}

/* Bytes of the UTF-8 character at `s`; 0 if there is none. Surrogates and overlong forms are none
 * (RFC 3629). */
static size_t
utf8_len(const unsigned char *s)
{
	static const struct {
		unsigned char first, last, second_least, second_most;
		size_t len;
	} form[] = {
		{ 0x00, 0x7f, 0, 0, 1 },       { 0xc2, 0xdf, 0x80, 0xbf, 2 },
		{ 0xe0, 0xe0, 0xa0, 0xbf, 3 }, { 0xe1, 0xec, 0x80, 0xbf, 3 },
		{ 0xed, 0xed, 0x80, 0x9f, 3 }, { 0xee, 0xef, 0x80, 0xbf, 3 },
		{ 0xf0, 0xf0, 0x90, 0xbf, 4 }, { 0xf1, 0xf3, 0x80, 0xbf, 4 },
		{ 0xf4, 0xf4, 0x80, 0x8f, 4 },
	};

	for (size_t i = 0; i < TRC_COUNT(form); i++) {
		if (s[0] < form[i].first || s[0] > form[i].last)
			continue;
		if (form[i].len > 1 && (s[1] < form[i].second_least || s[1] > form[i].second_most))
			return 0;
		for (size_t k = 2; k < form[i].len; k++)
			if ((s[k] & 0xc0) != 0x80)
				return 0;
		return form[i].len;
	}
	return 0;
}

int
trc_report_json(struct trc_out *out, const char *text, struct trc_err *err)
{
	if (trc_out_put(out, "\"", 1, err))
		return -1;
	while (*text) {
		const unsigned char *s = (const unsigned char *)text;
		const size_t len = utf8_len(s);
		int failed;

		if (len == 0)
			failed = trc_report(out, err, "\\ufffd");
		else if (*s < ' ' || *s == 0x7f)
			failed = trc_report(out, err, "\\u%04x", *s);
		else if (*s == '"' || *s == '\\')
			failed = trc_report(out, err, "\\%c", *s);
		else
			failed = trc_out_put(out, text, len, err);
		if (failed)
			return -1;
		text += len ? len : 1;
	}
	return trc_out_put(out, "\"", 1, err);
}

int
trc_report_xml(struct trc_out *out, const char *text, struct trc_err *err)
{
	while (*text) {
		const unsigned char *s = (const unsigned char *)text;
		const size_t len = utf8_len(s);
		/* Two characters of UTF-8 are none of XML: U+FFFE and U+FFFF. */
		const bool none = len == 0 || (s[0] == 0xef && s[1] == 0xbf && s[2] >= 0xbe);
		const char *as = none                   ? "\xef\xbf\xbd" :
		                 *s < ' ' || *s == 0x7f ? "?" :
		                 *s == '<'              ? "&lt;" :
		                 *s == '>'              ? "&gt;" :
		                 *s == '&'              ? "&amp;" :
		                                          NULL;

		if (as ? trc_report(out, err, "%s", as) : trc_out_put(out, text, len, err))
			return -1;
		text += len ? len : 1;
	}
	return 0;
}
