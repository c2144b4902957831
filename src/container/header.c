/* SPDX-License-Identifier: MIT
 * Headers of containers. */
#include "container/header.h"

#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "container/container.h"
#include "version.def"

enum { PAGE_BITS_MOST = 63 };

static const char read_it_with[] = "; read it with ";

int
trc_fail_unknown(const char *what, uint64_t number, uint64_t needs, struct trc_err *err)
{
	char later[48] = "a later trc";

	if (needs)
		snprintf(later, sizeof(later), "trc %llu.%llu or later", (ull)(needs >> 16),
		         (ull)(needs & 0xffff));
	return trc_fail(err, "%s %llu is unknown to this trc%s%s", what, (ull)number, read_it_with,
	                later);
}

/* The first version with column `ttl`, encoded as TRC_FACT_NEEDS. */
enum { TTL_SINCE = 1 << 16 | 2 };

/* Returns this version, encoded as TRC_FACT_NEEDS. */
static uint64_t
own_version(void)
{
	char *minor;
	const unsigned long major = strtoul(TRC_VERSION, &minor, 10);

	return (uint64_t)major << 16 | (*minor ? strtoul(minor + 1, NULL, 10) : 0);
}

void
trc_err_needs(struct trc_err *err, uint64_t needs)
{
	const size_t n = strlen(err->text);

	if (err->code == TRC_FAILED && needs > own_version() && !strstr(err->text, read_it_with))
		snprintf(err->text + n, sizeof(err->text) - n, "%strc %llu.%llu or later",
		         read_it_with, (ull)(needs >> 16), (ull)(needs & 0xffff));
}

/* Stores the known ones of `columns`; fails if one of the others may not be ignored. */
static int
known_columns(uint64_t columns, uint64_t needs, uint32_t *have, struct trc_err *err)
{
	const uint64_t unknown = columns & ~(uint64_t)TRC_HAS_ALL;

	*have = (uint32_t)(columns & TRC_HAS_ALL);
	for (unsigned c = 0; c < 64; c++)
		if (unknown >> c & 1 && !trc_may_pass(c))
			return trc_fail_unknown("a column of number", c, needs, err);
	return 0;
}

int
trc_columns_read(struct trc_view *v, uint64_t needs, uint32_t *have, struct trc_err *err)
{
	uint64_t columns;

	*have = 0;
	if (!trc_view_num(v, &columns))
		return trc_fail(err, "the list of columns is damaged");
	return known_columns(columns, needs, have, err);
}

/* ---- facts ---- */

/* Facts by their numbers in the file, from 1. */
static const size_t fact[] = {
	offsetof(struct trc_guarantee, window),  offsetof(struct trc_guarantee, clock),
	offsetof(struct trc_guarantee, sets),    offsetof(struct trc_guarantee, ways),
	offsetof(struct trc_guarantee, line),    offsetof(struct trc_guarantee, sample),
	offsetof(struct trc_guarantee, reduced),
};

static int
put_fact(struct trc_buf *b, uint64_t number, uint64_t value, struct trc_err *err)
{
	return trc_buf_put_num(b, number, err) || trc_buf_put_num(b, value, err) ? -1 : 0;
}

int
trc_facts_write(struct trc_buf *b, const struct trc_meta *meta, struct trc_err *err)
{
	for (size_t i = 0; i < TRC_COUNT(fact); i++) {
		uint64_t v;

		memcpy(&v, (const char *)&meta->guarantee + fact[i], sizeof(v));
		if (v && put_fact(b, i + 1, v, err))
			return -1;
	}
	for (size_t i = 0; i < meta->facts; i++)
		if (put_fact(b, meta->fact[i].number, meta->fact[i].value, err))
			return -1;
	return 0;
}

/* Stores a fact, or its number in *unknown if it is unknown and may not be ignored. */
static void
take_fact(struct trc_meta *meta, uint64_t number, uint64_t value, uint64_t *needs,
          uint64_t *unknown)
{
	if (number >= 1 && number <= TRC_COUNT(fact))
		memcpy((char *)&meta->guarantee + fact[number - 1], &value, sizeof(value));
	else if (number == TRC_FACT_NEEDS)
		*needs = value;
	else if (number == TRC_FACT_TOUCHES)
		meta->touches = value;
	else if (!trc_may_pass(number))
		*unknown = number;
	else if (trc_may_copy(number) && meta->facts < TRC_FACTS_COPIED)
		meta->fact[meta->facts++] = (struct trc_fact){ number, value };
}

int
trc_facts_read(struct trc_view *v, const char *where, struct trc_meta *meta, uint64_t *needs,
               struct trc_err *err)
{
	const struct trc_guarantee *p = &meta->guarantee;
	uint64_t number, value, unknown = TRC_FACT_NEEDS;

	while (v->p < v->end) {
		if (!trc_view_num(v, &number) || !trc_view_num(v, &value))
			return trc_fail(err, "%s is damaged", where);
		take_fact(meta, number, value, needs, &unknown);
	}
	if (unknown != TRC_FACT_NEEDS)
		return trc_fail_unknown("a fact of number", unknown, *needs, err);
	if (p->window && p->clock != TRC_COL_TIME && p->clock != TRC_COL_ITIME &&
	    p->clock != TRC_COL_RTIME)
		return trc_fail(err, "%s is damaged", where);
	return 0;
}

/* ---- header ---- */

int
trc_header_write(struct trc_buf *b, const struct trc_header *h, struct trc_err *err)
{
	const uint64_t number[] = { h->have, h->block_rows, h->meta.page_bits,
		                    h->meta.guarantee.sad, strlen(h->meta.format) };

	for (size_t i = 0; i < TRC_COUNT(number); i++)
		if (trc_buf_put_num(b, number[i], err))
			return -1;
	if (trc_buf_put(b, h->meta.format, strlen(h->meta.format), err) ||
	    (h->have & TRC_HAS_TTL && put_fact(b, TRC_FACT_NEEDS, TTL_SINCE, err)))
		return -1;
	return trc_facts_write(b, &h->meta, err);
}

int
trc_header_read(struct trc_view *v, struct trc_header *h, struct trc_err *err)
{
	uint64_t columns, rows, page_bits;
	struct trc_view format;

	*h = (struct trc_header){ 0 };
	if (!trc_view_num(v, &columns) || !trc_view_num(v, &rows) || rows == 0 ||
	    rows > TRC_BLOCK_MOST || !trc_view_num(v, &page_bits) || page_bits > PAGE_BITS_MOST ||
	    !trc_view_num(v, &h->meta.guarantee.sad) ||
	    !trc_view_counted(v, sizeof(h->meta.format) - 1, &format))
		return trc_fail(err, "the header is damaged");
	h->block_rows = (size_t)rows;
	h->meta.page_bits = (uint32_t)page_bits;
	memcpy(h->meta.format, format.p, (size_t)(format.end - format.p));
	/* The facts come first because they hold the version that knows all columns. */
	return trc_facts_read(v, "the header", &h->meta, &h->needs, err) ||
	                       known_columns(columns, h->needs, &h->have, err) ?
	               -1 :
	               0;
}
