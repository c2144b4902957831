/* SPDX-License-Identifier: MIT
 *
 * Text traces: lines, parsing and formatting of numbers. The kernels read up to 16 bytes before a
 * field and 64 after a line, which is the slack of trc_in. What is inlined here is used in the
 * innermost loops of the formats.
 */
#ifndef TRC_BASE_TEXT_H
#define TRC_BASE_TEXT_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "base/base.h"
#include "base/bytes.h"

#if defined(__SSE2__) && defined(__x86_64__)
#define TRC_SSE2 1
#include <emmintrin.h>
#else
#define TRC_SSE2 0
#endif

enum { TRC_LINES_SLACK = 72 };

/* The labels of a format, and what each means, at the index that its lowest four bits are; 0 at
 * others, but text[0] is not 0. After the number comes a blank and a size of 1 to `digits` digits,
 * at most 2; or the line ends, if these are 0. */
struct trc_text_labels {
	uint8_t text[16], meaning[16];
	unsigned digits;
	bool decimal;
};

/* Kernels that process many lines at once, in versions for different processors. */
struct trc_text_kernels {
	const char *name;

	/* Finds up to `most` newlines and characters `c` in [p, stop), which must end with a
	 * newline: mark[i] is the offset of the i-th from p. Returns how many it found. mark must
	 * have room for TRC_LINES_SLACK more than `most`. */
	size_t (*marks)(const uint8_t *p, const uint8_t *stop, uint8_t c, uint32_t *mark,
	                size_t most);

	/* Finds words in the same way, which are between newlines and characters of `between`:
	 * edge[2 i] is where the i-th begins, edge[2 i + 1] where it ends. */
	size_t (*edges)(const uint8_t *p, const uint8_t *stop, const char *between, uint32_t *edge,
	                size_t most);

	/* Parses the len[i] hexadecimal digits before text + end[i]. Returns how many were valid:
	 * less than n if the next one is not a number, or has more than 16 digits. len must have 8
	 * bytes of slack. */
	size_t (*hex)(const uint8_t *text, const uint32_t *end, const uint8_t *len, size_t n,
	              uint64_t *v);

	/* Does the same for decimal numbers of up to 20 digits that fit 64 bits; fastest up to 16
	 * digits. */
	size_t (*dec)(const uint8_t *text, const uint32_t *end, const uint8_t *len, size_t n,
	              uint64_t *v);

	/* Parses lines of a label, a blank, hexadecimal digits and, if labels->digits, a blank and
	 * a size: of 3 to 18 characters. The i-th ends at eol[i], the first begins at `start`. Sets
	 * meaning[i] to that of the label. Returns how many lines it parsed: a multiple of 4, and
	 * at most 3 fewer than are in this form; more are overwritten. NULL: a scan and `hex` are
	 * as fast. */
	size_t (*labelled)(const uint8_t *text, const uint32_t *eol, uint32_t start, size_t n,
	                   const struct trc_text_labels *labels, uint8_t *meaning, uint64_t *v,
	                   uint32_t *size);
};

/* Returns version `i` of those that this processor can run, the fastest first; NULL after the
 * last. */
const struct trc_text_kernels *trc_text_kernels(size_t i);

/* A field of a line. */
struct trc_field {
	const uint8_t *p;
	size_t len;
};

/* Splits [s, e) at blanks and tabs into at most `most` fields, ignoring a carriage return at the
 * end. Returns the number of fields, `most` + 1 if there are more. */
size_t trc_text_fields(const uint8_t *s, const uint8_t *e, struct trc_field *field, size_t most);

/* Sets of the characters between words, a bit for each: these are below 64. */
#define TRC_TEXT_BLANK (UINT64_C(1) << ' ')
#define TRC_TEXT_BLANKS (TRC_TEXT_BLANK | UINT64_C(1) << '\t')
#define TRC_TEXT_RETURN (UINT64_C(1) << '\r')

/* Without a branch on the character: in hexadecimal numbers letters and digits alternate. */
static inline bool
trc_text_is_in(uint64_t set, uint8_t c)
{
	return (c < 64) & (unsigned)(set >> (c & 63));
}

/* Skip characters of a set, at the beginning and at the end of [s, e). */
static inline const uint8_t *
trc_text_pass(const uint8_t *s, const uint8_t *e, uint64_t set)
{
	while (s < e && trc_text_is_in(set, *s))
		s++;
	return s;
}

static inline const uint8_t *
trc_text_trim(const uint8_t *s, const uint8_t *e, uint64_t set)
{
	while (e > s && trc_text_is_in(set, e[-1]))
		e--;
	return e;
}

/* Takes the next word of [*s, e), between characters of a set; returns false if there is none. */
static inline bool
trc_text_word(const uint8_t **s, const uint8_t *e, uint64_t between, struct trc_field *word)
{
	const uint8_t *p = word->p = trc_text_pass(*s, e, between);

	while (p < e && !trc_text_is_in(between, *p))
		p++;
	word->len = (size_t)(p - word->p);
	*s = p;
	return word->len > 0;
}

/* Returns true if [s, e) begins with `word`. */
static inline bool
trc_text_begins(const uint8_t *s, const uint8_t *e, const char *word)
{
	const size_t len = strlen(word);

	return (size_t)(e - s) >= len && memcmp(s, word, len) == 0;
}

/* Returns the end of the first `word` in [s, e); NULL: it is not there. */
const uint8_t *trc_text_after(const uint8_t *s, const uint8_t *e, const char *word);

/* Returns true if the field begins with 0x and has more than that. */
static inline bool
trc_field_is_marked(struct trc_field f)
{
	return f.len > 2 && f.p[0] == '0' && (f.p[1] | 0x20) == 'x';
}

/* Parse a number as people write it: with "0x" and leading zeros allowed, and at most `max`. */
bool trc_field_hex(struct trc_field f, uint64_t max, uint64_t *v);
bool trc_field_dec(struct trc_field f, uint64_t max, uint64_t *v);

/* Returns true if the field is `word`. */
bool trc_field_is(struct trc_field f, const char *word);

/* Appends a decimal digit to a number; returns false if that exceeds 64 bits. */
static inline bool
trc_text_add_digit(uint64_t *sum, unsigned digit)
{
	const uint64_t d = digit - '0';

	if (*sum > (UINT64_MAX - d) / 10)
		return false;
	*sum = *sum * 10 + d;
	return true;
}

/* For fields in canonical form: parse the number at *p, of 1 to 19 decimal or 1 to 16 hexadecimal
 * digits, and advance *p past it. Return false, with *p unchanged, if there is none. */
static inline bool
trc_text_take_dec(const uint8_t **p, const uint8_t *e, uint64_t *v)
{
	const uint8_t *s = *p, *at = s;
	uint64_t sum = 0;

	for (; at < e && (unsigned)*at - '0' < 10; at++)
		sum = sum * 10 + (*at - '0');
	if (at == s || at - s > 19)
		return false;
	*p = at;
	*v = sum;
	return true;
}

static inline bool
trc_text_take_hex(const uint8_t **p, const uint8_t *e, uint64_t *v)
{
	const uint8_t *s = *p, *at = s;
	uint64_t sum = 0;

	for (; at < e; at++) {
		const unsigned digit = (unsigned)*at - '0', letter = (*at | 0x20u) - 'a';

		if (digit < 10)
			sum = sum << 4 | digit;
		else if (letter < 6)
			sum = sum << 4 | (letter + 10);
		else
			break;
	}
	if (at == s || at - s > 16)
		return false;
	*p = at;
	*v = sum;
	return true;
}

/* Returns the offset of the first character `c` in the 16 at `p`; 16: none. */
static TRC_ALWAYS_INLINE unsigned
trc_text_find(const uint8_t *p, uint8_t c)
{
#if TRC_SSE2
	const __m128i x = _mm_loadu_si128((const __m128i *)(const void *)p);
	const __m128i hit = _mm_cmpeq_epi8(x, _mm_set1_epi8((char)c));

	return (unsigned)trc_ctz64((uint64_t)(unsigned)_mm_movemask_epi8(hit) | 1 << 16);
#else
	unsigned i = 0;

	while (i < 16 && p[i] != c)
		i++;
	return i;
#endif
}

/* Parses the `len` decimal digits before `e`. Returns false if they are not digits, or not 1 to
 * 8. */
static TRC_ALWAYS_INLINE bool
trc_text_short_dec(const uint8_t *e, size_t len, uint32_t *v)
{
	const uint64_t all = UINT64_MAX / 255;
	uint64_t x;

	if (TRC_UNLIKELY(len - 1 > 7))
		return false;
	/* Bytes before the first digit become 0; they are the low bytes. */
	x = (trc_le64(e - 8) ^ all * '0') >> (64 - 8 * len) << (64 - 8 * len);
	*v = 0;
	if (TRC_UNLIKELY((x | (x + all * (127 - 9))) & all * 128))
		return false;
	x = x * 10 + (x >> 8);
	x = (x & UINT64_C(0xff000000ff)) * (UINT64_C(1000000) << 32 | 100) +
	    (x >> 16 & UINT64_C(0xff000000ff)) * (UINT64_C(10000) << 32 | 1);
	*v = (uint32_t)(x >> 32);
	return true;
}

/* Returns true if the whole text is UTF-8 without overlong characters. */
bool trc_text_is_utf8(const char *text);

/* Writes `v` in hexadecimal without leading zeros and returns the end; may overwrite 16 bytes at
 * `dst`. */
static inline uint8_t *
trc_text_put_hex_portable(uint8_t *dst, uint64_t v)
{
	const int digits = 16 - trc_clz64(v | 1) / 4;

	for (int i = digits; i-- > 0;)
		*dst++ = (uint8_t)("0123456789abcdef"[v >> 4 * i & 15]);
	return dst;
}

/* Does the same, with vectors if possible. */
static TRC_ALWAYS_INLINE uint8_t *
trc_text_put_hex(uint8_t *dst, uint64_t v)
{
#if TRC_SSE2
	const unsigned zeros = (unsigned)trc_clz64(v | 1) & ~3u;

	v <<= zeros;
	trc_put_be64(&v, v);

	const __m128i x = _mm_loadl_epi64((const __m128i *)(const void *)&v);
	const __m128i low = _mm_and_si128(x, _mm_set1_epi8(15));
	const __m128i high = _mm_and_si128(_mm_srli_epi16(x, 4), _mm_set1_epi8(15));
	const __m128i d = _mm_unpacklo_epi8(high, low);
	const __m128i letter = _mm_and_si128(_mm_cmpgt_epi8(d, _mm_set1_epi8(9)),
	                                     _mm_set1_epi8('a' - '0' - 10));

	_mm_storeu_si128((__m128i *)(void *)dst,
	                 _mm_add_epi8(_mm_add_epi8(d, _mm_set1_epi8('0')), letter));
	return dst + 16 - zeros / 4;
#else
	return trc_text_put_hex_portable(dst, v);
#endif
}

/* Does the same in decimal, at most 20 bytes. */
static inline uint8_t *
trc_text_put_dec(uint8_t *dst, uint64_t v)
{
	uint8_t digit[20];
	int n = 0;

	do
		digit[n++] = (uint8_t)('0' + v % 10);
	while (v /= 10);
	while (n > 0)
		*dst++ = digit[--n];
	return dst;
}

#endif
