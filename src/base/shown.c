/* SPDX-License-Identifier: MIT */
#include "base/shown.h"

#include <string.h>

size_t
trc_shown_utf8(const char *text)
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
	const unsigned char *s = (const unsigned char *)text;

	for (size_t i = 0; i < sizeof(form) / sizeof(form[0]); i++) {
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

unsigned
trc_shown_point(const char *s, size_t len)
{
	unsigned point = len == 1 ? (unsigned char)*s : (unsigned char)*s & (0xffu >> (len + 1));

	for (size_t i = 1; i < len; i++)
		point = point << 6 | ((unsigned char)s[i] & 0x3f);
	return point;
}

bool
trc_shown_control(const char *text)
{
	static const char *const orders[] = { "\xd8\x9c", "\xe2\x80\x8b", "\xe2\x80\x8e",
		                              "\xe2\x80\x8f", "\xef\xbb\xbf" };
	const unsigned char *s = (const unsigned char *)text;

	for (size_t i = 0; i < sizeof(orders) / sizeof(orders[0]); i++)
		if (strncmp(text, orders[i], strlen(orders[i])) == 0)
			return true;
	/* U+2028 to U+202E, and U+2060 to U+206F. */
	if (s[0] == 0xe2 && ((s[1] == 0x80 && s[2] >= 0xa8 && s[2] <= 0xae) ||
	                     (s[1] == 0x81 && s[2] >= 0xa0 && s[2] <= 0xaf)))
		return true;
	return s[0] < ' ' || s[0] == 0x7f || (s[0] == 0xc2 && s[1] < 0xa0);
}

void
trc_shown(char *text)
{
	char *to = text;

	while (*text) {
		const size_t len = trc_shown_utf8(text);

		if (len == 0 || trc_shown_control(text)) {
			*to++ = '?';
		} else {
			memmove(to, text, len);
			to += len;
		}
		text += len ? len : 1;
	}
	*to = '\0';
}
