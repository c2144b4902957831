/* SPDX-License-Identifier: MIT */
#include "stage/simulate/cache/tlb.h"

#include <stdlib.h>

/* a bit of an entry's address, which no page number reaches */
#define HUGE_PAGE (UINT64_C(1) << 63)

/* The sink of a TLB. */
struct tlb_sink {
	struct trc_sink sink;
	struct trc_sink *caches;
	struct trc_tlb_pages pages;
	struct trc_batch rows; /* rows of entries for the caches */
	size_t recent;         /* index of the last range used, or n */
};

/* ---- pages ---- */

static int
by_first(const void *a, const void *b)
{
	const struct trc_tlb_range *x = a, *y = b;

	return x->first < y->first ? -1 : x->first > y->first;
}

/* Rounds a range to whole huge pages; returns false if it has none. */
static bool
round_range(struct trc_tlb_range *r, unsigned bits)
{
	const uint64_t mask = (UINT64_C(1) << bits) - 1;
	const uint64_t first = (r->first + mask) & ~mask;

	if (first < r->first || r->last < mask)
		return false;
	r->first = first;
	r->last = r->last == UINT64_MAX ? UINT64_MAX : ((r->last + 1) & ~mask) - 1;
	return r->last > first;
}

void
trc_tlb_pages_sort(struct trc_tlb_pages *p)
{
	size_t n = 0, k = 0;

	if (p->n > 1)
		qsort(p->huge, p->n, sizeof(*p->huge), by_first);
	for (size_t i = 1; i < p->n; i++) {
		struct trc_tlb_range *r = &p->huge[k];

		if (p->huge[i].first > r->last && p->huge[i].first - 1 > r->last)
			p->huge[++k] = p->huge[i];
		else if (p->huge[i].last > r->last)
			r->last = p->huge[i].last;
	}
	for (size_t i = 0; i < p->n && i <= k; i++)
		if (round_range(&p->huge[i], p->huge_bits))
			p->huge[n++] = p->huge[i];
	p->n = n;
}

/* Returns the first range that does not end before an address, or n. */
static size_t
range_at(struct tlb_sink *s, uint64_t addr)
{
	const struct trc_tlb_range *r = s->pages.huge;
	size_t low = 0, high = s->pages.n;

	if (s->recent < high && r[s->recent].last >= addr &&
	    (s->recent == 0 || r[s->recent - 1].last < addr))
		return s->recent;
	while (low < high) {
		const size_t middle = low + (high - low) / 2;

		if (r[middle].last < addr)
			low = middle + 1;
		else
			high = middle;
	}
	return s->recent = low;
}

/* ---- rows ---- */

static int
flush(struct tlb_sink *s, struct trc_err *err)
{
	const int ret = s->rows.n ? trc_sink_put(s->caches, &s->rows, err) : 0;

	s->rows.n = 0;
	return ret;
}

/* Looks up `pages` consecutive pages. */
static int
look_up(struct tlb_sink *s, uint32_t space, uint64_t page, uint64_t pages, bool huge,
        enum trc_type type, struct trc_err *err)
{
	struct trc_batch *b = &s->rows;

	if (b->n == b->cap && flush(s, err))
		return -1;
	b->addr[b->n] = page * TRC_TLB_LINE | (huge ? HUGE_PAGE : 0);
	b->size[b->n] = (uint32_t)((pages - 1) * TRC_TLB_LINE + 1);
	b->type[b->n] = (uint8_t)(!s->pages.by_size ? type : huge ? TRC_READ : TRC_FETCH);
	if (b->asid)
		b->asid[b->n] = space;
	b->n++;
	return 0;
}

/* Looks up the pages from `addr` to `last`, some of which may be huge. */
static int
refer(struct tlb_sink *s, uint32_t space, uint64_t addr, uint64_t last, enum trc_type type,
      struct trc_err *err)
{
	for (;;) {
		const size_t k = range_at(s, addr);
		const struct trc_tlb_range *r = k < s->pages.n ? &s->pages.huge[k] : NULL;
		const bool huge = r && r->first <= addr;
		const unsigned bits = huge ? s->pages.huge_bits : s->pages.bits;
		const uint64_t end = huge ? r->last : r ? r->first - 1 : UINT64_MAX;
		const uint64_t to = last < end ? last : end;

		if (look_up(s, space, addr >> bits, (to >> bits) - (addr >> bits) + 1, huge, type,
		            err))
			return -1;
		if (to == last)
			return 0;
		addr = to + 1;
	}
}

static int
row(struct tlb_sink *s, const struct trc_batch *b, size_t i, struct trc_err *err)
{
	const uint8_t type = trc_batch_type(b, i);
	const uint64_t size = b->addr && b->size && b->size[i] ? b->size[i] : 1;
	const uint64_t addr = b->addr ? b->addr[i] : b->vpn[i] << s->pages.bits;
	const uint32_t space = b->asid ? b->asid[i] : 0;

	if (trc_batch_is_event(b, i) || trc_type_refs(type) == 0)
		return 0;
	if (trc_batch_past_end(b, i))
		return trc_batch_fail_past_end(b, i, err);
	if (!b->addr && b->vpn[i] > UINT64_MAX >> s->pages.bits)
		return trc_fail(err, "page %llu has no address of 64 bits", (ull)b->vpn[i]);
	if (type != TRC_MODIFY)
		return refer(s, space, addr, addr + (size - 1),
		             type == TRC_FETCH ? TRC_FETCH :
		             type == TRC_WRITE ? TRC_MISC :
		                                 TRC_READ,
		             err);
	return refer(s, space, addr, addr + (size - 1), TRC_READ, err) ?
	               -1 :
	               refer(s, space, addr, addr + (size - 1), TRC_MISC, err);
}

static int
tlb_put(struct trc_sink *sink, const struct trc_batch *b, struct trc_err *err)
{
	struct tlb_sink *s = (struct tlb_sink *)sink;

	trc_sink_inherit(sink, s->caches);
	for (size_t i = 0; i < b->n; i++)
		if (row(s, b, i, err))
			return -1;
	/* Callers may take the counts after each batch. */
	return flush(s, err);
}

static int
tlb_finish(struct trc_sink *sink, const struct trc_meta *meta, struct trc_err *err)
{
	struct tlb_sink *s = (struct tlb_sink *)sink;

	trc_sink_inherit(sink, s->caches);
	return trc_sink_finish(s->caches, meta, err);
}

static void
tlb_state(struct trc_sink *sink, struct trc_state *t)
{
	struct tlb_sink *s = (struct tlb_sink *)sink;

	trc_sink_inherit(sink, s->caches);
	s->caches->state(s->caches, t);
}

static void
tlb_close(struct trc_sink *sink)
{
	struct tlb_sink *s = (struct tlb_sink *)sink;

	trc_sink_inherit(sink, s->caches);
	trc_sink_close(s->caches);
	trc_batch_release(&s->rows);
	free(s);
}

struct trc_sink *
trc_tlb_sink(struct trc_sink *caches, const struct trc_tlb_pages *pages, uint32_t have,
             struct trc_err *err)
{
	struct tlb_sink *s = trc_alloc(1, sizeof(*s), err);

	if (!s)
		return NULL;
	s->sink = (struct trc_sink){ .put = tlb_put, .finish = tlb_finish, .close = tlb_close };
	s->sink.state = caches->state ? tlb_state : NULL;
	s->pages = *pages;
	if (trc_batch_init(&s->rows,
	                   TRC_HAS_TYPE | TRC_HAS_ADDR | TRC_HAS_SIZE | (have & TRC_HAS_ASID),
	                   TRC_BATCH_ROWS, err)) {
		free(s);
		return NULL;
	}
	s->caches = caches;
	return &s->sink;
}
