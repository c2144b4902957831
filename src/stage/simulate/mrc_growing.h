/* SPDX-License-Identifier: MIT
 *
 * A miss curve in the making: the LRU stack of the pages so far, and what they have counted (mrc.c
 * has the method). Its state can be saved, and be appended to that of the rows before (as PARDA
 * does: Q. Niu, J. Dinan, Q. Lu, P. Sadayappan, "PARDA: a fast parallel reuse distance analysis
 * algorithm", IPDPS 2012):
 *
 *   the distances of references to pages that were referred to before in the part are those of the
 *   whole. The first references to pages, in their order, are taken as references behind what came
 *   before, and get their distances: how many different pages were between, and all those of the
 *   part are among the first references. Then the pages of the part stand on top of the stack, in
 *   the order that they have at its end.
 *
 * Write-backs need, besides the level of each page, one distance more:
 *
 *   open   the largest distance of a page up to its first write in the part, this included, its
 *          first reference not; 0 if there is none
 *
 * Of a level l that a page has before the part, memories of l to open - 1 pages wrote it back, once
 * each, until it was written or the part ended. A page with a level for which nothing is open was
 * written first. So a page is its name, three numbers, and its share of two histograms.
 */
#ifndef TRC_STAGE_SIMULATE_MRC_GROWING_H
#define TRC_STAGE_SIMULATE_MRC_GROWING_H

#include "base/state.h"
#include "stage/simulate/memories.h"
#include "stage/simulate/mrc_ranges.h"
#include "stage/simulate/mrc_requests.h"
#include "stage/simulate/pages.h"
#include "stage/simulate/policy/opt_stack.h"
#include "stage/simulate/replicates.h"
#include "stage/simulate/stack.h"

enum {
	TRC_MRC_RUN = 1024,
	TRC_MRC_MANY = 1 << 17, /* pages: what is counted of them leaves the cache */
};

struct trc_mrc_beside; /* stage/simulate/mrc_beside.h */

/* One curve in the making. */
struct trc_mrc_growing {
	uint32_t space;
	uint64_t refs, first_rtime, last_rtime;
	struct trc_pages pages;
	struct trc_stack stack;        /* of LRU, or */
	struct trc_opt_stack optimal;  /* of MIN */
	bool opt, goes_on;             /* the trace goes on: no page is evicted at its end */
	struct trc_memories *memories; /* or, of other policies; then no more; else NULL */
	uint32_t *level;               /* of each page */
	uint32_t *open;                /* likewise, if it will be saved; else NULL */
	uint64_t *distances;           /* how many there were of each; 0: first references */
	uint64_t *dirty; /* what to add to the write-backs from this size on, modulo 2^64 */
	size_t levels, opens, caps, dirties;
	bool kept;                     /* it will be saved */
	struct trc_replicates *groups; /* NULL: none */
	uint64_t rows, in_ranges;      /* and pages of those that have several */
	struct trc_holes holes;        /* of the LRU stack */
	uint8_t *gone; /* of each page: it was deleted, and not used since; or NULL */
	size_t gones;
	uint64_t again, deletes; /* references to such pages; rows that delete */
	struct trc_mrc_rule rule;
	uint64_t written; /* pages, by those that write at once */
	uint64_t passed;  /* of memories: first references that do not count */
	struct trc_mrc_requests requests;
	const uint32_t *weight; /* of the touches that are being taken; NULL: bytes do not count */
	uint8_t *pass; /* of each page, if it will be saved: its first reference does not */
	size_t passes;
	struct trc_mrc_ranges *ranges; /* instead of all above, once there were too many; or NULL */
	bool may_wait;                 /* references may be counted some time later, */
	struct trc_mrc_beside *beside; /* and do; or NULL */
	struct trc_mrc_joined *joined; /* states that came instead of rows; or NULL */
};

/* trc_grow() that clears the new room. */
int trc_mrc_clear_new(void *mem, size_t *cap, size_t need, size_t size,
                      struct trc_err *err) TRC_MUST_USE;

/* Room for so many pages, and as many distances. */
int trc_mrc_make_room(struct trc_mrc_growing *g, uint32_t pages, struct trc_err *err) TRC_MUST_USE;

/* The same for so many pages, but for what is kept of each. */
int trc_mrc_histograms(struct trc_mrc_growing *g, size_t pages, struct trc_err *err) TRC_MUST_USE;

/* The group of page `id`, in g->joined if that is there. */
unsigned trc_mrc_group(const struct trc_mrc_growing *g, uint32_t id);

/* Memories of at least `level` pages, but fewer than `to`, wrote page `id` back; nothing if it was
 * never written, at level 0. */
void trc_mrc_write_back(struct trc_mrc_growing *g, uint32_t id, uint32_t level, uint32_t to);

/* Adds a reference to page `id` at distance `d`, 0 for the first. */
static inline void
trc_mrc_add(struct trc_mrc_growing *g, uint32_t id, uint32_t d, bool write)
{
	const uint32_t l = g->level[id];
	const uint32_t top = l == 0 || l > d ? l : d;

	if (TRC_UNLIKELY(g->rule.reads && write)) {
		if (g->pass && d == 0)
			g->pass[id] = 1;
	} else {
		g->distances[d]++;
		if (TRC_UNLIKELY(g->groups != NULL))
			trc_replicates_add(g->groups, trc_mrc_group(g, id), d);
	}
	if (TRC_UNLIKELY(g->open != NULL) && l == 0 && d > g->open[id])
		g->open[id] = d;
	if (TRC_UNLIKELY(top != l))
		trc_mrc_write_back(g, id, l, d);
	g->level[id] = write ? 1 : top;
}

/* A row that deletes `pages` pages from `first` on, all if there are none. */
int trc_mrc_delete(struct trc_mrc_growing *g, uint32_t space, uint64_t first, uint64_t pages,
                   struct trc_err *err) TRC_MUST_USE;

/* Of references, where g->gone is there: notes those to pages that were deleted. Of LRU, distances
 * were counted without holes, and become those with them. */
int trc_mrc_after_deletes(struct trc_mrc_growing *g, const uint32_t *id, const uint8_t *type,
                          size_t n, uint32_t *distance, struct trc_err *err) TRC_MUST_USE;

/* A write to `pages` pages that takes them out: it misses at every size. */
int trc_mrc_write_out(struct trc_mrc_growing *g, uint32_t space, uint64_t first, uint64_t pages,
                      uint64_t bytes, struct trc_err *err) TRC_MUST_USE;

/* How many first references do not count. */
uint64_t trc_mrc_passed(const struct trc_mrc_growing *g);

/* What the curve has so far; it is read behind states alone, where no rows came. `counted`:
 * reference times begin anew there. */
void trc_mrc_state(struct trc_mrc_growing *g, struct trc_state *s, bool counted);

#endif
