/* SPDX-License-Identifier: MIT */
#include "cmd/report.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "base/shown.h"

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
	return trc_report(out, err, "%-26s%20llu\n", name, (ull)value);
}

/* Returns the number of leading bytes that need no escape in any form. */
static size_t
plain_letters(const char *text)
{
	size_t n = 0;

	while (text[n] >= ' ' && text[n] < 0x7f && text[n] != '"' && text[n] != '\\')
		n++;
	return n;
}

int
trc_report_line(struct trc_out *out, const char *text, struct trc_err *err)
{
	while (*text) {
		const size_t plain = plain_letters(text),
		             len = plain ? plain : trc_shown_utf8(text);
		const bool hidden = len == 0 || (!plain && trc_shown_control(text));

		if (trc_out_put(out, hidden ? "?" : text, hidden ? 1 : len, err))
			return -1;
		text += len ? len : 1;
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
		const size_t plain = plain_letters(text),
		             len = plain ? plain : trc_shown_utf8(text);
		int failed;

		if (plain)
			failed = trc_out_put(out, text, len, err);
		else if (len == 0)
			failed = trc_report(out, err, "\\ufffd");
		else if (trc_shown_control(text))
			failed = trc_report(out, err, "\\u%04x", trc_shown_point(text, len));
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
trc_report_csv(struct trc_out *out, const char *text, struct trc_err *err)
{
	if (!strpbrk(text, ",\"\r\n"))
		return trc_out_put(out, text, strlen(text), err);
	if (trc_report(out, err, "\""))
		return -1;
	for (; *text; text++)
		if (trc_report(out, err, *text == '"' ? "\"\"" : "%c", *text))
			return -1;
	return trc_report(out, err, "\"");
}

int
trc_report_xml(struct trc_out *out, const char *text, struct trc_err *err)
{
	while (*text) {
		const unsigned char *s = (const unsigned char *)text;
		const size_t len = trc_shown_utf8(text);
		/* U+FFFE and U+FFFF are valid in UTF-8 but not in XML. */
		const bool none = len == 0 || (s[0] == 0xef && s[1] == 0xbf && s[2] >= 0xbe);
		const char *as = none                    ? "\xef\xbf\xbd" :
		                 trc_shown_control(text) ? "?" :
		                 *s == '<'               ? "&lt;" :
		                 *s == '>'               ? "&gt;" :
		                 *s == '&'               ? "&amp;" :
		                                           NULL;

		if (as ? trc_report(out, err, "%s", as) : trc_out_put(out, text, len, err))
			return -1;
		text += len ? len : 1;
	}
	return 0;
}

unsigned
trc_report_columns(const struct trc_out *out)
{
	enum { COLUMNS_LEAST = 30 };
	unsigned columns = 80;
#ifdef TIOCGWINSZ
	struct winsize size;

	if (trc_out_terminal(out) && ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col)
		columns = size.ws_col;
#else
	(void)out;
#endif
	return columns < COLUMNS_LEAST      ? COLUMNS_LEAST :
	       columns > TRC_REPORT_COLUMNS ? TRC_REPORT_COLUMNS :
	                                      columns;
}

void
trc_report_note(const char *fmt, ...)
{
	char text[TRC_NOTE_MOST];
	va_list args;
	size_t end;

	va_start(args, fmt);
	vsnprintf(text, sizeof(text), fmt, args);
	va_end(args);
	end = strlen(text);
	if (end > 0 && text[end - 1] == '\n')
		text[end - 1] = 0;
	trc_shown(text);
	fprintf(stderr, "%s\n", text);
}
