/* SPDX-License-Identifier: MIT */
#include "stage/simulate/cache/prefetch.h"

#include <stdlib.h>

#include "base/map_find.h"
#include "stage/simulate/cache/cache_ways.h"

enum { UNUSED_LEAST = 1024 };

const char *const trc_prefetch_name[TRC_PREFETCH_HOWS] = {
	[TRC_PREFETCH_NEXT] = "next-line",
	[TRC_PREFETCH_NEXT_MISS] = "next-line-miss",
	[TRC_PREFETCH_NEXT_TAGGED] = "next-line-tagged",
	[TRC_PREFETCH_STRIDE] = "stride",
};

/* An instruction: the address of its last reference, and the stride to it from the one before. */
struct trc_prefetch_insn {
	uint64_t last, stride;
};

int
trc_prefetch_row(struct trc_prefetch_row *row, const struct trc_batch *b, size_t i,
                 struct trc_err *err)
{
	int known = 0;

	row->space = b->asid ? b->asid[i] : 0;
	if (b->pc) {
		row->pc = b->pc[i];
		known = 1;
	} else if (trc_last_fetch_shows(b->have)) {
		known = trc_last_fetch_row(&row->fetched, b, i, &row->pc, err);
	}
	row->known = known > 0;
	return known < 0 ? -1 : 0;
}

int
trc_prefetcher_init(struct trc_prefetcher *p, struct trc_prefetch is, uint64_t held,
                    struct trc_prefetch_row *row, struct trc_err *err)
{
	*p = (struct trc_prefetcher){ .is = is, .row = row, .held = held };
	return trc_map_init(&p->unused, err) || trc_map_init(&p->at, err) ? -1 : 0;
}

void
trc_prefetcher_release(struct trc_prefetcher *p)
{
	trc_map_release(&p->unused);
	trc_map_release(&p->at);
	free(p->insn);
}

enum trc_prefetch_use
trc_prefetch_use(struct trc_prefetcher *p, struct trc_ways *w, uint64_t line)
{
	const bool there = trc_ways_has(w, line);
	const bool unused = trc_map_find(&p->unused, 0, line)->value != TRC_MAP_NONE;

	if (unused)
		trc_map_remove(&p->unused, 0, line);
	return !there ? TRC_PREFETCH_MISS : unused ? TRC_PREFETCH_FIRST_USE : TRC_PREFETCH_HIT;
}

/* Forgets unused lines that are no longer in the cache. */
static int
forget_gone(struct trc_prefetcher *p, struct trc_ways *w, struct trc_err *err)
{
	struct trc_map kept;

	if (trc_map_init(&kept, err))
		return -1;
	for (size_t i = 0; i <= p->unused.mask; i++) {
		const struct trc_map_entry *e = &p->unused.entry[i];

		if (e->value != TRC_MAP_NONE && trc_ways_has(w, e->page) &&
		    trc_map_add(&kept, 0, e->page, 0, err)) {
			trc_map_release(&kept);
			return -1;
		}
	}
	trc_map_release(&p->unused);
	p->unused = kept;
	return 0;
}

/* A line that was evicted unused, and is prefetched again, is in the map already. */
void
trc_prefetch_brought(struct trc_prefetcher *p, struct trc_ways *w, uint64_t line)
{
	struct trc_err *err = &p->row->err;

	if (err->code != TRC_OK || trc_map_find(&p->unused, 0, line)->value != TRC_MAP_NONE)
		return;
	if (p->unused.n > 2 * p->held + UNUSED_LEAST && forget_gone(p, w, err))
		return;
	(void)!trc_map_add(&p->unused, 0, line, 0, err);
}

/* ---- which lines ---- */

/* Returns the instruction of the row, or NULL. A new one refers to `addr` for the first time. */
static struct trc_prefetch_insn *
insn_of(struct trc_prefetcher *p, uint32_t space, uint64_t addr)
{
	struct trc_prefetch_row *r = p->row;
	const uint32_t at = trc_map_find(&p->at, space, r->pc)->value;

	if (at != TRC_MAP_NONE)
		return &p->insn[at];
	if (trc_grow(&p->insn, &p->cap, p->n + 1, sizeof(*p->insn), &r->err) ||
	    trc_map_add(&p->at, space, r->pc, (uint32_t)p->n, &r->err))
		return NULL;
	p->insn[p->n++] = (struct trc_prefetch_insn){ addr, 0 };
	return NULL;
}

/* Returns the stride to the next reference in two's complement; 0: unknown. */
static uint64_t
stride_to(struct trc_prefetcher *p, uint32_t space, uint64_t addr, uint64_t line)
{
	struct trc_prefetch_insn *insn = p->row->known ? insn_of(p, space, addr) : NULL;
	uint64_t stride, before;

	if (!insn)
		return 0;
	stride = addr - insn->last;
	before = insn->stride;
	*insn = (struct trc_prefetch_insn){ addr, stride };
	if (stride == 0 || stride != before)
		return 0;
	if (stride >> 63)
		return -stride < line ? -line : stride;
	return stride < line ? line : stride;
}

static bool
is_wanted(const struct trc_prefetcher *p, bool first, enum trc_prefetch_use use)
{
	switch (p->is.how) {
	case TRC_PREFETCH_STRIDE: return first;
	case TRC_PREFETCH_NEXT_MISS: return use == TRC_PREFETCH_MISS;
	case TRC_PREFETCH_NEXT_TAGGED: return use != TRC_PREFETCH_HIT;
	default: return true;
	}
}

size_t
trc_prefetch_next(struct trc_prefetcher *p, uint64_t addr, unsigned line_bits, bool first,
                  enum trc_prefetch_use use, uint64_t next[TRC_PREFETCH_MOST])
{
	struct trc_prefetch_row *r = p->row;
	const uint64_t line = UINT64_C(1) << line_bits;
	uint32_t space = r->space;
	uint64_t step = line, last;
	size_t n = 0;

	if (r->err.code != TRC_OK || !is_wanted(p, first, use))
		return 0;
	if (r->regions)
		addr = trc_regions_origin(r->regions, addr, &space);
	if (p->is.how == TRC_PREFETCH_STRIDE)
		step = stride_to(p, space, addr, line);
	for (; step && n < p->is.lines; n++) {
		last = addr;
		addr += step;
		if (step >> 63 ? addr > last : addr < last)
			break;
		next[n] = addr;
		if (r->regions && trc_regions_place(r->regions, space, &next[n], &r->err))
			break;
		next[n] >>= line_bits;
	}
	return n;
}
