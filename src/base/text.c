/* SPDX-License-Identifier: MIT
 * Fields and numbers of text traces, as people write them. */
#include "base/text.h"

#define NO 0xff
#define NO16 NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO
#define LETTERS NO, 10, 11, 12, 13, 14, 15, NO, NO, NO, NO, NO, NO, NO, NO, NO

static const uint8_t hex_value[256] = {
	NO16, NO16, NO16, 0,    1,    2,    3,    4,    5,       6,    7,
	8,    9,    NO,   NO,   NO,   NO,   NO,   NO,   LETTERS, NO16, LETTERS,
	NO16, NO16, NO16, NO16, NO16, NO16, NO16, NO16, NO16,
};

size_t
trc_text_fields(const uint8_t *s, const uint8_t *e, struct trc_field *field, size_t most)
{
	struct trc_field word;
	size_t n = 0;

	if (s < e && e[-1] == '\r')
		e--;
	for (; trc_text_word(&s, e, TRC_TEXT_BLANKS, &word); n++) {
		if (n == most)
			return most + 1;
		field[n] = word;
	}
	return n;
}

const uint8_t *
trc_text_after(const uint8_t *s, const uint8_t *e, const char *word)
{
	const size_t len = strlen(word);

	for (; (size_t)(e - s) >= len && (s = memchr(s, *word, (size_t)(e - s))); s++)
		if (trc_text_begins(s, e, word))
			return s + len;
	return NULL;
}

bool
trc_field_hex(struct trc_field f, uint64_t max, uint64_t *v)
{
	uint64_t sum = 0;

	if (trc_field_is_marked(f)) {
		f.p += 2;
		f.len -= 2;
	}
	while (f.len > 16 && *f.p == '0') {
		f.p++;
		f.len--;
	}
	if (f.len == 0 || f.len > 16)
		return false;
	for (size_t i = 0; i < f.len; i++) {
		uint8_t digit = hex_value[f.p[i]];

		if (digit == NO)
			return false;
		sum = sum << 4 | digit;
	}
	*v = sum;
	return sum <= max;
}

bool
trc_field_dec(struct trc_field f, uint64_t max, uint64_t *v)
{
	uint64_t sum = 0;

	if (trc_field_is_marked(f))
		return trc_field_hex(f, max, v);
	if (f.len == 0)
		return false;
	for (size_t i = 0; i < f.len; i++) {
		unsigned digit = (unsigned)f.p[i] - '0';

		/* Nineteen digits always fit. */
		if (digit > 9 || (i >= 19 && sum > (UINT64_MAX - digit) / 10))
			return false;
		sum = sum * 10 + digit;
	}
	*v = sum;
	return sum <= max;
}

bool
trc_field_is(struct trc_field f, const char *word)
{
	return strlen(word) == f.len && memcmp(f.p, word, f.len) == 0;
}

bool
trc_text_is_utf8(const char *text)
{
	const uint8_t *p = (const uint8_t *)text;

	while (*p) {
		const unsigned more = *p < 0x80 ? 0 : *p < 0xe0 ? 1 : *p < 0xf0 ? 2 : 3;
		uint32_t v = more ? *p & (0x3fu >> more) : *p;

		if ((*p >= 0x80 && *p < 0xc2) || *p > 0xf4)
			return false;
		p++;
		for (unsigned i = 0; i < more; i++, p++) {
			if (*p >> 6 != 2)
				return false;
			v = v << 6 | (*p & 0x3fu);
		}
		if ((more == 2 && v < 0x800) || v >> 11 == 0xd800 >> 11 ||
		    (more == 3 && (v < 0x10000 || v > 0x10ffff)))
			return false;
	}
	return true;
}
