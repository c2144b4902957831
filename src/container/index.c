/* SPDX-License-Identifier: MIT
 * Headers and indexes of containers, and the way through a file from its end. */
#include "container/index.h"

#include <stdlib.h>

#include "container/unpack.h"

enum { PAGE_BITS_MOST = 63 };

/* ---- header ---- */

int
trc_header_write(struct trc_buf *b, const struct trc_header *h, struct trc_err *err)
{
	const uint64_t number[] = { h->have, h->block_rows, h->meta.page_bits,
		                    h->meta.guarantee.sad, strlen(h->meta.format) };

	for (size_t i = 0; i < TRC_COUNT(number); i++)
		if (trc_buf_put_num(b, number[i], err))
			return -1;
	return trc_buf_put(b, h->meta.format, strlen(h->meta.format), err) ?
	               -1 :
	               trc_facts_put(b, &h->meta.guarantee, err);
}

int
trc_header_read(struct trc_view *v, struct trc_header *h, struct trc_err *err)
{
	uint64_t rows, page_bits, len;
	const uint8_t *format;

	*h = (struct trc_header){ 0 };
	if (trc_block_columns(v, &h->have, err))
		return -1;
	if (!trc_view_num(v, &rows) || rows == 0 || rows > TRC_BLOCK_MOST ||
	    !trc_view_num(v, &page_bits) || page_bits > PAGE_BITS_MOST ||
	    !trc_view_num(v, &h->meta.guarantee.sad) || !trc_view_num(v, &len) ||
	    len >= sizeof(h->meta.format) || !(format = trc_view_bytes(v, (size_t)len)))
		return trc_fail(err, "the header is damaged");
	h->block_rows = (size_t)rows;
	h->meta.page_bits = (uint32_t)page_bits;
	memcpy(h->meta.format, format, (size_t)len);
	return trc_facts_read(v, &h->meta.guarantee) ? 0 : trc_fail(err, "the header is damaged");
}

/* ---- end ---- */

int
trc_end_write(struct trc_buf *b, const struct trc_end *end, struct trc_err *err)
{
	return trc_buf_put_num(b, end->index, err) || trc_buf_put_num(b, end->start, err) ? -1 : 0;
}

bool
trc_end_read(struct trc_view v, struct trc_end *end)
{
	return trc_view_num(&v, &end->index) && trc_view_num(&v, &end->start) && v.p == v.end &&
	       end->index <= end->start;
}

/* ---- index ---- */

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

/* The numbers in front of the list of blocks, for reading and writing alike. */
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

/* Page bits, and what is known. */
enum { TOTALS = 64, DISTINCT = 128, BITS_MOST = 255 };

/* Rows of each type, up to the last that there are rows of. */
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

/* Types that there are not are those of whoever made them. */
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

int
trc_contents_write(struct trc_buf *b, const struct trc_contents *c, uint32_t have,
                   struct trc_err *err)
{
	uint64_t bits = c->meta.page_bits | (c->meta.totals ? TOTALS : 0) |
	                (c->counts.distinct ? DISTINCT : 0);
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
	return trc_facts_put(b, &c->meta.guarantee, err);
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

/* Blocks stand one behind the other up to the index. */
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
	uint64_t bits, *number[NUMBERS_MOST];
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
	return trc_facts_read(v, &c->meta.guarantee) ? 0 : trc_fail(err, "the index is damaged");
}

/* ---- containers joined ---- */

bool
trc_meta_alike(const struct trc_meta *a, const struct trc_meta *b)
{
	return (a->page_bits == b->page_bits || !a->page_bits || !b->page_bits) &&
	       trc_guarantee_joins(&a->guarantee, &b->guarantee);
}

void
trc_meta_join(struct trc_meta *meta, const struct trc_meta *next)
{
	if (meta->page_bits != next->page_bits)
		meta->page_bits = 0;
	trc_guarantee_join(&meta->guarantee, &next->guarantee);
	meta->rows += next->rows;
	meta->totals = meta->totals && next->totals;
	meta->refs += next->refs;
	meta->insns += next->insns;
	meta->last_time = next->last_time;
}

static void
join_counts(struct trc_counts *k, const struct trc_counts *next, uint32_t have)
{
	const bool empty = k->rows == 0;

	/* Pages of one may be pages of the other. */
	k->distinct = false;
	k->rows += next->rows;
	for (size_t t = 0; t < TRC_TYPES; t++)
		k->by_type[t] += next->by_type[t];
	k->by_kernel += next->by_kernel;
	k->refs += next->refs;
	if (next->rows == 0)
		return;
	k->addr_first = next->addr_first < k->addr_first ? next->addr_first : k->addr_first;
	k->addr_last = next->addr_last > k->addr_last ? next->addr_last : k->addr_last;
	if (have & TRC_HAS_TIME && (empty || next->time_first < k->time_first))
		k->time_first = next->time_first;
	if (have & TRC_HAS_TIME && (empty || next->time_last > k->time_last))
		k->time_last = next->time_last;
}

void
trc_file_index_release(struct trc_file_index *f)
{
	trc_parts_release(&f->parts);
	free(f->joined);
	*f = (struct trc_file_index){ 0 };
}

/* Goes from end to end of all containers, the last first. */
static int
find_joined(struct trc_file_index *f, struct trc_in *in, struct trc_buf *payload, bool *good,
            struct trc_err *err)
{
	uint64_t end = trc_in_size(in);
	struct trc_frame frame;
	struct trc_end e;

	for (*good = end > 0; *good && end > 0; end = f->joined[f->n - 1].start) {
		if (trc_frame_read_before(in, end, TRC_KIND_END, TRC_END_MOST, payload, &frame,
		                          good, err))
			return -1;
		if (!*good || !trc_end_read(trc_buf_view(payload), &e) || e.start > frame.offset) {
			*good = false;
			break;
		}
		if (trc_grow(&f->joined, &f->cap, f->n + 1, sizeof(*f->joined), err))
			return -1;
		f->joined[f->n++] = (struct trc_joined){ .start = frame.offset - e.start,
			                                 .index = frame.offset - e.index,
			                                 .first = frame.number,
			                                 .end = frame.offset };
	}
	return 0;
}

static void
turn_around(struct trc_file_index *f)
{
	for (size_t i = 0; i < f->n / 2; i++) {
		const struct trc_joined j = f->joined[i];

		f->joined[i] = f->joined[f->n - 1 - i];
		f->joined[f->n - 1 - i] = j;
	}
}

static int
add_contents(struct trc_file_index *f, size_t i, const struct trc_header *h,
             const struct trc_contents *c, struct trc_err *err)
{
	struct trc_joined *j = &f->joined[i];

	j->block_rows = h->block_rows;
	j->first = f->index.counts.rows;
	for (size_t k = 0; k < c->parts.n; k++) {
		struct trc_part p = c->parts.part[k];

		p.first += j->first;
		p.at += j->start;
		if (trc_parts_add(&f->parts, &p, err))
			return -1;
	}
	if (i > 0) {
		trc_meta_join(&f->index.meta, &c->meta);
		join_counts(&f->index.counts, &c->counts, h->have);
		return 0;
	}
	f->index.counts = c->counts;
	f->index.meta = c->meta;
	memcpy(f->index.meta.format, h->meta.format, sizeof(h->meta.format));
	return 0;
}

/* Reads header and index of container `i`. */
static int
read_joined(struct trc_file_index *f, size_t i, struct trc_in *in, uint32_t have, size_t most,
            struct trc_buf *payload, bool *good, struct trc_err *err)
{
	const struct trc_joined *j = &f->joined[i];
	struct trc_contents c = { 0 };
	struct trc_header h = { 0 };
	struct trc_frame frame;
	struct trc_view v;
	int ret = -1;

	if (trc_frame_read_at(in, j->start, most, payload, &frame, good, err))
		return -1;
	v = trc_buf_view(payload);
	*good = *good && frame.kind == TRC_KIND_TRACE && frame.number == TRC_VERSION_NUMBER &&
	        trc_header_read(&v, &h, err) == 0 && h.have == have;
	if (!*good)
		return 0;
	if (trc_frame_read_at(in, j->index, most, payload, &frame, good, err))
		return -1;
	*good = *good && frame.kind == TRC_KIND_INDEX &&
	        j->index + trc_frame_bytes(&frame) == j->end;
	if (!*good)
		return 0;
	v = trc_buf_view(payload);
	if (trc_contents_read(&v, j->index - j->start, frame.number, have, &c, err)) {
		*good = false;
		ret = err->code == TRC_NO_MEMORY ? -1 : 0;
	} else if (c.counts.rows != j->first) {
		/* The end knows, too, how many rows there are. */
		*good = false;
		ret = 0;
	} else if (i > 0 && !trc_meta_alike(&f->index.meta, &c.meta)) {
		/* Whoever reads that far says why. */
		*good = false;
		ret = 0;
	} else {
		ret = add_contents(f, i, &h, &c, err);
	}
	trc_parts_release(&c.parts);
	return ret;
}

int
trc_file_index_read(struct trc_file_index *f, struct trc_in *in, uint32_t have, size_t most,
                    bool *found, struct trc_err *err)
{
	struct trc_buf payload = { 0 };
	bool good;
	int ret = find_joined(f, in, &payload, &good, err);

	turn_around(f);
	for (size_t i = 0; ret == 0 && good && i < f->n; i++)
		ret = read_joined(f, i, in, have, most, &payload, &good, err);
	trc_buf_release(&payload);
	*found = ret == 0 && good;
	if (!*found)
		trc_file_index_release(f);
	f->index.part = f->parts.part;
	f->index.parts = f->parts.n;
	return ret;
}
