/* SPDX-License-Identifier: MIT
 *
 * What a reduced trace is exact for. If all members are 0, it was not reduced. If some are not,
 * nothing is guaranteed for the members that are 0.
 */
#ifndef TRC_BATCH_GUARANTEE_H
#define TRC_BATCH_GUARANTEE_H

#include <stdbool.h>
#include <stdint.h>

/* How a trace was reduced, in addition to the numbers. */
enum {
	TRC_LRU_ONLY = 1 << 0,  /* guarantees for LRU memories do not extend to OPT */
	TRC_BY_SPACE = 1 << 1,  /* for a separate memory per address space, not for a shared one */
	TRC_CANONICAL = 1 << 2, /* for canonical pages, not for virtual ones */
	TRC_BELOW_CACHE = 1 << 3, /* the rows are the traffic below a cache */
	TRC_SPLIT_CACHE = 1 << 5, /* caches are split into instruction and data caches */
	TRC_MERGED = 1 << 4,      /* consecutive references to a page are one: only for LRU */
	TRC_PART = 1 << 6,        /* some rows of such a trace, but the totals of all */
};

/* What a reduced trace is exact for, each from a smallest size on. */
struct trc_guarantee {
	uint64_t sad;    /* LRU memories of at least this many pages */
	uint64_t window; /* working sets and VMIN with windows of at least this length */
	uint64_t clock;  /* of the window: TRC_COL_RTIME, TRC_COL_ITIME or TRC_COL_TIME */
	/* LRU caches with at least these sets and ways, and lines of this many bytes; unless the
	 * rows are the traffic below a cache. */
	uint64_t sets, ways, line;
	/* Approximate: one page in this many was kept, so a memory of m pages behaves like one of m
	 * / sample pages here, with misses / sample. */
	uint64_t sample;
	uint64_t reduced; /* TRC_LRU_ONLY and others */
};

/* Returns true if nothing is guaranteed, because the trace was not reduced. */
bool trc_guarantee_none(const struct trc_guarantee *p);

/* Returns true if both guarantee the same. */
bool trc_guarantee_same(const struct trc_guarantee *a, const struct trc_guarantee *b);

/* Returns true if two traces, one after the other, are together exact for something. Traces with no
 * guarantee in common cannot be joined: all members of the result would be 0, which means exact for
 * everything. */
bool trc_guarantee_joins(const struct trc_guarantee *a, const struct trc_guarantee *b);

/* Sets *p to what holds for both, if they can be joined. */
void trc_guarantee_join(struct trc_guarantee *p, const struct trc_guarantee *next);

#endif
