/* SPDX-License-Identifier: MIT
 *
 * What a reduced trace is exact for. All members are 0: it was not reduced. Some are not: what
 * those that are 0 stand for is not guaranteed.
 */
#ifndef TRC_BATCH_GUARANTEE_H
#define TRC_BATCH_GUARANTEE_H

#include <stdbool.h>
#include <stdint.h>

/* How a trace was reduced, besides the numbers. */
enum {
	TRC_LRU_ONLY = 1 << 0,  /* what holds for LRU memories does not for OPT */
	TRC_BY_SPACE = 1 << 1,  /* it holds for a memory of each space, not for one of them all */
	TRC_CANONICAL = 1 << 2, /* it holds for canonical pages, not for virtual ones */
	TRC_BEHIND_CACHE = 1 << 3, /* the rows are what a cache and the memory behind it exchange */
	TRC_SPLIT_CACHE = 1 << 5,  /* caches are split: for instructions and for data */
	TRC_MERGED = 1 << 4,       /* neighbours of a page are one: fine for LRU, no working sets */
	TRC_PART = 1 << 6,         /* some rows of such a trace, whose totals are of all */
};

/* The guarantee of a reduced trace: what it is exact for, and from which size on. */
struct trc_guarantee {
	uint64_t sad;              /* LRU memories of this many pages and more */
	uint64_t window;           /* working sets and VMIN with windows of this length and more, */
	uint64_t clock;            /* of the window: TRC_COL_RTIME, TRC_COL_ITIME or TRC_COL_TIME */
	uint64_t sets, ways, line; /* LRU caches of as many sets and ways, or more, and lines of
	                            * as many bytes; if the trace is not what is behind a cache */
	uint64_t sample;  /* approximate: of one page in so many; a memory of m pages acts here
	                     * like one of m / sample, with misses / sample */
	uint64_t reduced; /* TRC_LRU_ONLY, ... */
};

/* True if nothing is guaranteed: the trace was not reduced. */
bool trc_guarantee_none(const struct trc_guarantee *p);

bool trc_guarantee_same(const struct trc_guarantee *a, const struct trc_guarantee *b);

/* True if something holds of two traces as one, the second behind the first. What is not reduced is
 * exact for everything, so two for which different things hold would seem to be that together. */
bool trc_guarantee_joins(const struct trc_guarantee *a, const struct trc_guarantee *b);

/* Makes *p what holds of both, if they join. */
void trc_guarantee_join(struct trc_guarantee *p, const struct trc_guarantee *next);

#endif
