/* SPDX-License-Identifier: MIT
 *
 * Lines of differences. Lines in canonical form, with one blank between fields, are split into
 * fields eight bytes at a time, and the numbers of many lines are parsed by one call of a kernel.
 */
#include "format/text/diff.h"

enum { LINES = 128, ONES = 17 };

/* The numbers, letters and signs of some lines, as found by a scan. */
struct fields {
	uint64_t number[LINES * TRC_DIFF_NUMBERS];
	uint32_t end[LINES * TRC_DIFF_NUMBERS];
	uint8_t len[LINES * TRC_DIFF_NUMBERS + 8];
	uint8_t letter[LINES];
	bool minus[LINES];
};

/* Returns the number of characters at `p` before the first blank or newline; more than 16 if there
 * are more. Reads 16 bytes. */
static TRC_ALWAYS_INLINE unsigned
field_len(const uint8_t *p)
{
	const uint64_t ones = UINT64_MAX / 255, tops = ones * 128;

	/* Bytes below '!' borrow from their top bit; the result is exact up to the first of
	 * them. */
	for (unsigned at = 0; at <= 8; at += 8) {
		const uint64_t x = trc_le64(p + at);
		const uint64_t below = (x - ones * '!') & ~x & tops;

		if (TRC_LIKELY(below))
			return at + (unsigned)trc_ctz64(below) / 8;
	}
	return p[16] <= ' ' ? 16 : ONES;
}

/* Splits line [p, e) into its fields; returns false if it is not in canonical form. */
static TRC_ALWAYS_INLINE bool
cut(const struct trc_lines *l, const uint8_t *p, const uint8_t *e, unsigned numbers, size_t k,
    struct fields *f)
{
	const size_t first = k * numbers;

	/* A comment may look like a line. */
	if (*p == '#')
		return false;
	f->letter[k] = *p++;
	for (unsigned i = 0; i < numbers; i++) {
		if (i == numbers - 1) {
			if (p[0] != ' ' || (p[1] != '+' && p[1] != '-'))
				return false;
			f->minus[k] = p[1] == '-';
			p += 2;
		}
		if (*p++ != ' ')
			return false;

		const unsigned len = field_len(p);

		p += len;
		if (len == 0 || len > 16 || p > e)
			return false;
		f->len[first + i] = (uint8_t)len;
		f->end[first + i] = (uint32_t)(p - l->text);
	}
	return p == e;
}

/* Parses any line; returns false if it is invalid. */
static bool
parse_one(const uint8_t *s, const uint8_t *e, struct trc_batch *b, unsigned numbers,
          trc_diff_fn take, void *state)
{
	struct trc_field field[TRC_DIFF_NUMBERS + 2];
	uint64_t number[TRC_DIFF_NUMBERS];
	const size_t fields = trc_text_fields(s, e, field, numbers + 2);
	const struct trc_field *sign = &field[numbers];

	if (fields == 0 || *field[0].p == '#')
		return true;
	if (fields != numbers + 2 || field[0].len != 1 ||
	    (!trc_field_is(*sign, "+") && !trc_field_is(*sign, "-")))
		return false;
	for (unsigned i = 0; i < numbers; i++)
		if (!trc_field_hex(field[i < numbers - 1 ? i + 1 : i + 2], UINT64_MAX, &number[i]))
			return false;
	if (!take(state, b, b->n, *field[0].p, number, *sign->p == '-'))
		return false;
	b->n++;
	return true;
}

static const uint8_t *
line_start(const struct trc_lines *l, size_t i)
{
	return l->text + trc_line_start(l, i);
}

size_t
trc_diff_parse(const struct trc_lines *l, struct trc_batch *b, unsigned numbers, trc_diff_fn take)
{
	const struct trc_text_kernels *kernels = trc_text_kernels(0);
	struct fields f;
	size_t i = 0;

	while (i < l->n) {
		const size_t most = l->n - i < LINES ? l->n - i : LINES;
		size_t n, k;

		for (n = 0; n < most; n++)
			if (!cut(l, line_start(l, i + n), l->text + l->eol[i + n], numbers, n, &f))
				break;
		k = kernels->hex(l->text, f.end, f.len, n * numbers, f.number);
		n = k / numbers < n ? k / numbers : n;
		for (k = 0; k < n; k++, b->n++)
			if (!take(l->state, b, b->n, f.letter[k], f.number + k * numbers,
			          f.minus[k]))
				return i + k;
		i += n;
		if (n == most)
			continue;
		if (!parse_one(line_start(l, i), l->text + l->eol[i], b, numbers, take, l->state))
			return i;
		i++;
	}
	return i;
}

uint8_t *
trc_diff_refuse_time(const char *column, uint64_t last, uint64_t time, struct trc_err *err)
{
	trc_fail(err,
	         "%s goes back from %llx to %llx, but differences are unsigned; use a format "
	         "without differences",
	         column, (unsigned long long)last, (unsigned long long)time);
	return NULL;
}

uint8_t *
trc_diff_refuse_space(uint32_t last, struct trc_err *err)
{
	trc_fail(err,
	         "asid changes from %lx to 0, which would mean no change; use a format without "
	         "differences",
	         (unsigned long)last);
	return NULL;
}
