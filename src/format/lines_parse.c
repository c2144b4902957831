/* SPDX-License-Identifier: MIT
 *
 * Ways to parse lines: many lines in canonical form at once, one by one, or with several rows each.
 */
#include "format/lines.h"

#include <stdio.h>

bool
trc_lines_parse_one(const struct trc_lines *l, size_t i, struct trc_batch *b, trc_line_fn one)
{
	enum trc_line line = one(l->text + trc_line_start(l, i), l->text + l->eol[i], b, b->n);

	b->n += line == TRC_LINE_ROW;
	return line != TRC_LINE_BAD;
}

size_t
trc_lines_parse(const struct trc_lines *l, struct trc_batch *b, trc_line_fn one)
{
	size_t i = 0;

	while (i < l->n && trc_lines_parse_one(l, i, b, one))
		i++;
	return i;
}

/* Scanning for canonical form must not cost much if few lines have it: after a line in another form
 * fewer lines are scanned at once, and if a scan accepted none, the next lines are parsed one by
 * one before another scan. */
size_t
trc_lines_parse_many(const struct trc_lines *l, struct trc_batch *b, trc_many_fn many,
                     trc_one_fn one, const void *how)
{
	enum { LEAST = 8, ONES_MOST = 63 };
	struct trc_lines part = *l;
	size_t step = TRC_LINES_AT_ONCE, ones = 0, i = 0;

	while (i < l->n && b->cap - b->n >= l->rows) {
		size_t good;

		part.n = i + step < l->n ? i + step : l->n;
		good = many(&part, i, b, how);
		i += good;
		if (i == part.n) {
			step = 2 * step < TRC_LINES_AT_ONCE ? 2 * step : TRC_LINES_AT_ONCE;
			ones = 0;
			continue;
		}
		step = good > LEAST ? good : LEAST;
		ones = good ? 1 : 2 * ones + 1 < ONES_MOST ? 2 * ones + 1 : ONES_MOST;
		for (size_t k = 0; k < ones && i < l->n && b->cap - b->n >= l->rows; k++, i++)
			if (!one(l, i, b, how))
				return i;
	}
	return i;
}

size_t
trc_lines_narrow(const uint64_t *v, size_t n, uint32_t *v4)
{
	uint64_t high = 0;
	size_t i;

	for (i = 0; i < n; i++) {
		v4[i] = (uint32_t)v[i];
		high |= v[i] >> 32;
	}
	for (i = 0; high && v[i] >> 32 == 0;)
		i++;
	return high ? i : n;
}

size_t
trc_lines_scan(const struct trc_lines *l, size_t from, struct trc_batch *b, const void *how)
{
	const struct trc_lines_way *way = how;
	const struct trc_text_kernels *kernels = trc_text_kernels(0);
	struct trc_number_fields field[TRC_LINES_NUMBERS];
	uint64_t wide[TRC_LINES_AT_ONCE];
	size_t n = way->scan(l, from, b, field);

	for (size_t k = 0; k < TRC_LINES_NUMBERS && way->number[k].column; k++) {
		const enum trc_column c = way->number[k].column;
		const bool is_wide = trc_column[c].width == sizeof(*wide);
		uint64_t *v = is_wide ? (uint64_t *)trc_batch_column(b, c) + b->n : wide;

		n = (way->number[k].base == 16 ? kernels->hex : kernels->dec)(l->text, field[k].end,
		                                                              field[k].len, n, v);
		if (!is_wide)
			n = trc_lines_narrow(v, n, (uint32_t *)trc_batch_column(b, c) + b->n);
	}
	b->n += n;
	return n;
}

static bool
one_in_way(const struct trc_lines *l, size_t i, struct trc_batch *b, const void *how)
{
	const struct trc_lines_way *way = how;

	return trc_lines_parse_one(l, i, b, way->one);
}

size_t
trc_lines_parse_way(const struct trc_lines *l, struct trc_batch *b, const struct trc_lines_way *way,
                    trc_many_fn many)
{
	if (!many && !way->scan)
		return trc_lines_parse(l, b, way->one);
	return trc_lines_parse_many(l, b, many ? many : trc_lines_scan, one_in_way, way);
}

size_t
trc_lines_rows(const struct trc_format *f, const struct trc_lines *l, struct trc_batch *b)
{
	_Alignas(uint64_t) unsigned char before[TRC_FORMAT_STATE];
	const struct trc_line_more *more = f->more;
	size_t i = 0;

	if (f->line->way.one)
		return trc_lines_parse_way(l, b, &f->line->way, f->line->many);
	if (f->line->parse)
		return f->line->parse(l, b);
	for (; i < l->n && b->cap - b->n >= l->rows; i++) {
		const size_t n = b->n;

		memcpy(before, l->state, more->state_size);
		if (more->take(l->state, l->text + trc_line_start(l, i), l->text + l->eol[i], b)) {
			memcpy(l->state, before, more->state_size);
			b->n = n;
			break;
		}
	}
	return i;
}

void
trc_lines_explain(const struct trc_format *f, const void *state, const uint8_t *s, const uint8_t *e,
                  char *dst, size_t room)
{
	_Alignas(uint64_t) unsigned char copy[TRC_FORMAT_STATE];
	struct trc_batch b;
	struct trc_err err;
	const char *why;

	*dst = 0;
	if (f->more && f->more->explain)
		f->more->explain(state, s, e, dst, room);
	if (!f->more || !f->more->take || trc_batch_init(&b, f->holds, f->line->rows, &err))
		return;
	memcpy(copy, state, sizeof(copy));
	why = f->more->take(copy, s, e, &b);
	snprintf(dst, room, "%s", why ? why : "");
	trc_batch_release(&b);
}
