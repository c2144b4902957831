/* SPDX-License-Identifier: MIT
 *
 * A miss curve under construction: the LRU stack of the pages so far, and the counts (mrc.c
 * explains the method). Its state can be saved, and be appended to the state of the rows before it,
 * as in PARDA (Q. Niu, J. Dinan, Q. Lu, P. Sadayappan, "PARDA: a fast parallel reuse distance
 * analysis algorithm", IPDPS 2012):
 *
 *   If a page was referred to before in the same slice, the distance of the reference is the same
 *   as in the whole trace. The first references to pages of the slice, in their order, are treated
 *   as references after those before the slice. Their distances count the different pages in
 *   between, and those of the slice are all among the first references. Then the pages of the
 *   slice are put on top of the stack, in their order at the end of the slice.
 *
 * Write-backs need one more distance for each page, besides its level:
 *
 *   open   the largest distance up to and including the first write to the page in the slice,
 *          without its first reference; 0 if there is none
 *
 * If a page had level l before the slice, memories of l to open - 1 pages wrote it back once each,
 * until it was written or the slice ended. A page with a level but no open distance was first used
 * by a write. So the state of a page is its name, three numbers, and its part of two histograms.
 */
#ifndef TRC_STAGE_SIMULATE_MRC_GROWING_H
#define TRC_STAGE_SIMULATE_MRC_GROWING_H

#include "base/state.h"
#include "stage/simulate/memories.h"
#include "stage/simulate/mrc_ranges.h"
#include "stage/simulate/mrc_requests.h"
#include "stage/simulate/pages.h"
#include "stage/simulate/policy/around_stack.h"
#include "stage/simulate/policy/opt_stack.h"
#include "stage/simulate/replicates.h"
#include "stage/simulate/stack.h"

enum {
	TRC_MRC_RUN = 1024,
	TRC_MRC_MANY = 1 << 17, /* pages from which on the counts leave the cache */
};

struct trc_mrc_companion; /* stage/simulate/mrc_companion.h */
struct trc_mrc_curve;     /* stage/simulate/mrc.h */

/* A curve under construction. */
struct trc_mrc_growing {
	uint32_t space;
	uint64_t refs, first_rtime, last_rtime;
	struct trc_pages pages;
	struct trc_stack stack;         /* of LRU */
	struct trc_opt_stack optimal;   /* of MIN */
	struct trc_around_stack around; /* of LRU, with rule.around */
	bool opt, unfinished;           /* more rows follow: pages are not evicted at the end */

	/* Of other policies, and then nothing below is used; else NULL. */
	struct trc_memories *memories;
	uint32_t *level;     /* dirty level of each page; with rule.around, 1 if it is known */
	uint32_t *open;      /* open distance of each page, if the state will be saved; else NULL */
	uint64_t *distances; /* number of references at each distance; 0: first references */
	uint64_t *dirty;     /* change of the write-backs from each size on, modulo 2^64 */
	size_t levels, opens, caps, dirties;
	bool kept;                     /* the state will be saved */
	struct trc_replicates *groups; /* NULL: none */
	uint64_t rows, in_ranges;      /* rows; and pages in rows of several pages */
	struct trc_holes holes;        /* of the LRU stack */
	uint8_t *gone; /* for each page: deleted and not used since; NULL: no deletes */
	size_t gones;

	/* References that miss at every size other than the first ones, as those to deleted pages;
	 * and rows that delete. */
	uint64_t again, deletes;
	struct trc_mrc_rule rule;
	uint64_t written; /* pages written, with write-through */
	uint64_t passed;  /* with memories: first references that do not count */
	struct trc_mrc_requests requests;
	const uint32_t *weight; /* of the references being processed; NULL: bytes do not count */

	/* For each page, if the state will be saved: its first reference does not count. */
	uint8_t *pass;
	size_t passes;

	/* Used instead of all above, once there were too many pages; or NULL. */
	struct trc_mrc_ranges *ranges;
	bool may_wait;                       /* references may wait to be counted, */
	struct trc_mrc_companion *companion; /* and do; or NULL */
	struct trc_mrc_joined *joined; /* states that were appended instead of rows; or NULL */
};

/* trc_grow() that clears the new room. */
int trc_mrc_clear_new(void *mem, size_t *cap, size_t need, size_t size,
                      struct trc_err *err) TRC_MUST_USE;

/* Makes room for `pages` pages, and as many distances. */
int trc_mrc_make_room(struct trc_mrc_growing *g, uint32_t pages, struct trc_err *err) TRC_MUST_USE;

/* Makes room for `pages` distances, without that for single pages. */
int trc_mrc_histograms(struct trc_mrc_growing *g, size_t pages, struct trc_err *err) TRC_MUST_USE;

/* Returns the group of page `id`, which is an index of g->joined if that exists. */
unsigned trc_mrc_group(const struct trc_mrc_growing *g, uint32_t id);

/* Counts a write-back of page `id` by memories of at least `level` pages, but fewer than `to`.
 * Level 0, of a page that was never written, counts nothing. */
void trc_mrc_write_back(struct trc_mrc_growing *g, uint32_t id, uint32_t level, uint32_t to);

/* Counts a reference to page `id` at distance `d`, 0 for the first. */
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

/* Processes a row that deletes `pages` pages from `first` on, or all pages if that is 0. */
int trc_mrc_delete(struct trc_mrc_growing *g, uint32_t space, uint64_t first, uint64_t pages,
                   struct trc_err *err) TRC_MUST_USE;

/* Marks references to deleted pages, if g->gone exists. For LRU, converts distances that were
 * counted without holes to those with holes. */
int trc_mrc_after_deletes(struct trc_mrc_growing *g, const uint32_t *id, const uint8_t *type,
                          size_t n, uint32_t *distance, struct trc_err *err) TRC_MUST_USE;

/* Processes a write to `pages` pages that removes them: it misses at every size. */
int trc_mrc_write_out(struct trc_mrc_growing *g, uint32_t space, uint64_t first, uint64_t pages,
                      uint64_t bytes, struct trc_err *err) TRC_MUST_USE;

/* Returns the number of first references that do not count. */
uint64_t trc_mrc_passed(const struct trc_mrc_growing *g);

/* Completes the curve: turns the number of references at each distance into misses at each size,
 * and the changes of write-backs into write-backs. *curve takes over their memory. */
int trc_mrc_finish(struct trc_mrc_growing *g, struct trc_mrc_curve *curve,
                   struct trc_err *err) TRC_MUST_USE;

/* Releases what is stored for single pages; and everything, and frees *g. */
void trc_mrc_release_pages(struct trc_mrc_growing *g);
void trc_mrc_growing_close(struct trc_mrc_growing *g);

/* Saves or restores the state of the curve. It can only be restored after other states, not after
 * rows. `counted`: reference times are relative to the slice. */
void trc_mrc_state(struct trc_mrc_growing *g, struct trc_state *s, bool counted);

#endif
