/* SPDX-License-Identifier: MIT
 *
 * MIN (opt_stack.h) for a few sizes, each by itself: with few sizes this is faster than the stack
 * of all sizes. As there, whether a reference hits does not depend on the future:
 *
 *   A page that is used again hits if it was held since its last use. If every page is admitted,
 *   MIN has the largest possible number of hits. That number is also reached by taking each hit
 *   that is still possible when it comes: if at all times since the last use, fewer than m - 1
 *   other pages had to be held for earlier hits.
 *
 * (U. Faigle, W. M. Nawijn, "Note on scheduling intervals on-line", Discrete Applied Mathematics
 * 58(1), 1995, for intervals and machines; A. Jain, C. Lin, "Back to the future: leveraging
 * Belady's algorithm for improved cache replacement", ISCA 2016, for caches.) opt_sizes.c shows how
 * this is looked up, in O(log n) on average for every trace. Misses and write-backs are those of
 * the stack; pages that are not used again are evicted in its order. The memory is O(n) for n
 * pages, at most 21 bytes each, and 21 more for each size.
 *
 * Pages are given by number (stage/simulate/pages.h). A zeroed struct may be released.
 */
#ifndef TRC_STAGE_SIMULATE_POLICY_OPT_SIZES_H
#define TRC_STAGE_SIMULATE_POLICY_OPT_SIZES_H

#include <stdbool.h>
#include <stdint.h>

#include "base/base.h"

enum { TRC_OPT_SIZES_MOST = 4 }; /* with more, the stack is faster */

/* A block of times, stored at its end (opt_sizes.c); or a time within a block. */
struct trc_opt_block {
	uint32_t places; /* 0: within a block */
	uint32_t at;     /* the end of the previous block; or a time closer to the end of its own */
};

/* A memory of one size. */
struct trc_opt_size {
	uint64_t misses, writebacks; /* misses include first references */

	/* Private. */
	struct trc_opt_block *block; /* for each time */
	size_t cap;
	uint32_t full; /* the last full time */
};

/* Memories of several sizes. */
struct trc_opt_sizes {
	struct trc_opt_size size[TRC_OPT_SIZES_MOST];
	size_t n;

	/* Private. */
	uint32_t newest;    /* the most recently used page */
	uint32_t *used;     /* for each page, the time of its last use */
	uint8_t *dirty;     /* for each page, a bit for each size in which it is dirty */
	size_t uses, dirts; /* room */
	uint32_t *owner;    /* for each time, the page that was used */
	size_t times, next; /* room; the next time */
};

/* Initialises memories of `n` sizes in pages, each above 0. Release them also if this fails. */
int trc_opt_sizes_init(struct trc_opt_sizes *s, const uint64_t *size, size_t n,
                       struct trc_err *err) TRC_MUST_USE;
void trc_opt_sizes_release(struct trc_opt_sizes *s);

/* Refers to `n` pages, all with numbers below `pages`; references of type `write` are writes. After
 * a failure the struct can only be released. */
int trc_opt_sizes_refer(struct trc_opt_sizes *s, const uint32_t *id, const uint8_t *type,
                        uint8_t write, size_t n, uint32_t pages, struct trc_err *err) TRC_MUST_USE;

/* Deletes a page: its next reference is a first one again, and sizes in which a reference would
 * have missed now have evicted it. */
void trc_opt_sizes_remove(struct trc_opt_sizes *s, uint32_t id);

/* Ends the trace: counts the write-backs of pages that were evicted and not used again. */
int trc_opt_sizes_end(struct trc_opt_sizes *s, struct trc_err *err) TRC_MUST_USE;

#endif
