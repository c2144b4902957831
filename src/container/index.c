/* SPDX-License-Identifier: MIT
 * Indexes of containers. */
#include "container/index.h"

#include <stdlib.h>

#include "base/io/frame.h"
#include "container/container.h"
#include "container/header.h"

void
trc_parts_release(struct trc_parts *p)
{
	free(p->part);
	*p = (struct trc_parts){ 0 };
}

int
trc_parts_add(struct trc_parts *p, const struct trc_part *part, struct trc_err *err)
{
	if (trc_grow(&p->part, &p->cap, p->n + 1, sizeof(*p->part), err))
		return -1;
	p->part[p->n++] = *part;
	return 0;
}

void
trc_times_range(const uint64_t *time, size_t n, uint64_t *first, uint64_t *last)
{
	uint64_t low = UINT64_MAX, high = 0; /* locals, because *first and *last might alias
	                                      * `time` */

	for (size_t i = 0; i < n; i++) {
		low = time[i] < low ? time[i] : low;
		high = time[i] > high ? time[i] : high;
	}
	*first = low;
	*last = high;
}

/* The numbers before the list of blocks; reading and writing use the same list. */
enum { NUMBERS_MOST = 16 };

static size_t
numbers_of(struct trc_contents *c, uint32_t have, uint64_t *bits, uint64_t **number)
{
	uint64_t *const meta[] = { &c->meta.guarantee.sad, &c->meta.refs, &c->meta.insns,
		                   &c->meta.last_time };
	struct trc_counts *k = &c->counts;
	size_t n = 0;

	number[n++] = bits;
	for (size_t i = 0; i < TRC_COUNT(meta); i++)
		number[n++] = meta[i];
	number[n++] = &k->refs;
	number[n++] = &k->by_kernel;
	number[n++] = &k->pages;
	number[n++] = &k->spaces;
	number[n++] = &k->tasks;
	if (have & TRC_HAS_ADDR) {
		number[n++] = &k->addr_first;
		number[n++] = &k->addr_last;
	}
	if (have & TRC_HAS_TIME) {
		number[n++] = &k->time_first;
		number[n++] = &k->time_last;
	}
	return n;
}

/* Flags besides the page bits: totals, numbers of distinct values, or the provenance are
 * present. */
enum { TOTALS = 64, DISTINCT = 128, PROVENANCE = 256, BITS_MOST = 511 };

/* Writes the number of rows of each type, up to the last type that has rows. */
static int
write_types(struct trc_buf *b, const struct trc_counts *k, struct trc_err *err)
{
	size_t n = TRC_TYPES;

	while (n > 0 && k->by_type[n - 1] == 0)
		n--;
	if (trc_buf_put_num(b, n, err))
		return -1;
	for (size_t t = 0; t < n; t++)
		if (trc_buf_put_num(b, k->by_type[t], err))
			return -1;
	return 0;
}

/* Skips the numbers of unknown types, which other versions of trc may have written. */
static bool
read_types(struct trc_view *v, struct trc_counts *k)
{
	uint64_t n, rows;

	if (!trc_view_num(v, &n) || n > TRC_TYPE_MASK + 1)
		return false;
	for (uint64_t t = 0; t < n; t++) {
		if (!trc_view_num(v, &rows))
			return false;
		if (t < TRC_TYPES)
			k->by_type[t] = rows;
	}
	return true;
}

static int
write_part(struct trc_buf *b, const struct trc_part *p, bool times, uint64_t *last,
           struct trc_err *err)
{
	if (trc_buf_put_num(b, p->rows << 1 | p->fresh, err) || trc_buf_put_num(b, p->bytes, err))
		return -1;
	if (times && (trc_buf_put_num(b, trc_zigzag(p->time_first - *last), err) ||
	              trc_buf_put_num(b, p->time_last - p->time_first, err)))
		return -1;
	*last = p->time_last;
	return 0;
}

static int
write_provenance(struct trc_buf *b, struct trc_view list, struct trc_err *err)
{
	const size_t len = (size_t)(list.end - list.p);

	if (len == 0)
		return 0;
	return trc_buf_put_counted(b, list.p, len, err);
}

static bool
read_provenance(struct trc_view *v, struct trc_view *list)
{
	return trc_view_counted(v, TRC_PROVENANCE_MOST, list) && trc_provenance_good(*list);
}

int
trc_contents_write(struct trc_buf *b, const struct trc_contents *c, uint32_t have,
                   struct trc_err *err)
{
	uint64_t bits = c->meta.page_bits | (c->meta.totals ? TOTALS : 0) |
	                (c->counts.distinct ? DISTINCT : 0) |
	                (c->meta.provenance.p < c->meta.provenance.end ? PROVENANCE : 0);
	struct trc_contents copy = *c;
	uint64_t *number[NUMBERS_MOST], last = 0;
	const size_t n = numbers_of(&copy, have, &bits, number);

	for (size_t i = 0; i < n; i++)
		if (trc_buf_put_num(b, *number[i], err))
			return -1;
	if (write_types(b, &c->counts, err))
		return -1;
	for (size_t i = 0; i < c->parts.n; i++)
		if (write_part(b, &c->parts.part[i], have & TRC_HAS_TIME, &last, err))
			return -1;
	if (write_provenance(b, c->meta.provenance, err))
		return -1;
	if (trc_facts_write(b, &c->meta, err))
		return -1;
	/* Written here because it is known only at the end, like the other totals. */
	return c->meta.touches && (trc_buf_put_num(b, TRC_FACT_TOUCHES, err) ||
	                           trc_buf_put_num(b, c->meta.touches, err)) ?
	               -1 :
	               0;
}

static bool
read_part(struct trc_view *v, bool times, uint64_t *last, struct trc_part *p)
{
	uint64_t rows, first, span;

	if (!trc_view_num(v, &rows) || rows >> 1 == 0 || rows >> 1 > TRC_BLOCK_MOST ||
	    !trc_view_num(v, &p->bytes) || p->bytes < TRC_FRAME_HEAD_LEAST)
		return false;
	p->rows = rows >> 1;
	p->fresh = rows & 1;
	if (!times)
		return true;
	if (!trc_view_num(v, &first) || !trc_view_num(v, &span))
		return false;
	p->time_first = *last + trc_unzigzag(first);
	*last = p->time_last = p->time_first + span;
	return p->time_last >= p->time_first;
}

/* Reads the list of blocks. Blocks are contiguous up to the index, so their sizes give their
 * offsets. */
static int
read_parts(struct trc_view *v, uint64_t at, uint64_t blocks, uint32_t have, struct trc_contents *c,
           struct trc_err *err)
{
	uint64_t bytes = 0, last = 0;

	c->parts.n = 0;
	for (uint64_t i = 0; i < blocks; i++) {
		struct trc_part p = { .first = c->counts.rows };

		if (!read_part(v, have & TRC_HAS_TIME, &last, &p) || (i == 0 && !p.fresh) ||
		    p.bytes > at - bytes)
			return trc_fail(err, "the index is damaged");
		if (trc_parts_add(&c->parts, &p, err))
			return -1;
		bytes += p.bytes;
		c->counts.rows += p.rows;
	}
	for (size_t i = 0; i < c->parts.n; i++) {
		c->parts.part[i].at = at - bytes;
		bytes -= c->parts.part[i].bytes;
	}
	return 0;
}

int
trc_contents_read(struct trc_view *v, uint64_t at, uint64_t blocks, uint32_t have,
                  struct trc_contents *c, struct trc_err *err)
{
	uint64_t bits, needs = 0, *number[NUMBERS_MOST];
	const size_t n = numbers_of(c, have, &bits, number);

	c->meta = (struct trc_meta){ 0 };
	c->counts = (struct trc_counts){ .addr_first = UINT64_MAX };
	for (size_t i = 0; i < n; i++)
		if (!trc_view_num(v, number[i]))
			return trc_fail(err, "the index is damaged");
	if (bits > BITS_MOST || !read_types(v, &c->counts))
		return trc_fail(err, "the index is damaged");
	c->meta.page_bits = bits % TOTALS;
	c->meta.totals = bits & TOTALS;
	c->counts.distinct = bits & DISTINCT;
	if (read_parts(v, at, blocks, have, c, err))
		return -1;
	c->meta.rows = c->counts.rows;
	if (bits & PROVENANCE && !read_provenance(v, &c->meta.provenance))
		return trc_fail(err, "the index is damaged");
	return trc_facts_read(v, "the index", &c->meta, &needs, err);
}
