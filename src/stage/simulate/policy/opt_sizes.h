/* SPDX-License-Identifier: MIT
 *
 * MIN (opt_stack.h) of a few sizes, each by itself: faster than the stack of all sizes while they
 * are few. What hits does not depend on what comes later, as there:
 *
 *   A page that is used again hits if it was held since its last use. MIN has as many hits as there
 *   can be if every page is admitted, and so many are found by taking each as it comes, if it can
 *   still be had: if at all times since that use fewer than m - 1 other pages were to be held for
 *   the hits before.
 *
 * (U. Faigle, W. M. Nawijn, "Note on scheduling intervals on-line", Discrete Applied Mathematics
 * 58(1), 1995, of intervals and machines; A. Jain, C. Lin, "Back to the future: leveraging Belady's
 * algorithm for improved cache replacement", ISCA 2016, of caches.) opt_sizes.c has how that is
 * looked up, in O(log n) on average, whatever the trace. Misses and write-backs are those of the
 * stack; pages that are not used again go in its order. The memory is O(n) for n pages, at most 21
 * bytes each, and 21 more for each size.
 *
 * Pages are given by number (stage/simulate/pages.h). Zeroed memory may be released.
 */
#ifndef TRC_STAGE_SIMULATE_POLICY_OPT_SIZES_H
#define TRC_STAGE_SIMULATE_POLICY_OPT_SIZES_H

#include <stdbool.h>
#include <stdint.h>

#include "base/base.h"

enum { TRC_OPT_SIZES_MOST = 4 }; /* of more, the stack is faster */

/* A block of times, at its end (opt_sizes.c); or a time within one. */
struct trc_opt_block {
	uint32_t places; /* 0: it is within */
	uint32_t at;     /* the end of the block before; or a time nearer to the end of its own */
};

/* A memory. */
struct trc_opt_size {
	uint64_t misses, writebacks; /* misses with first references */

	/* Private. */
	struct trc_opt_block *block; /* of each time */
	size_t cap;
	uint32_t full; /* the last time that is full */
};

/* Memories of several sizes. */
struct trc_opt_sizes {
	struct trc_opt_size size[TRC_OPT_SIZES_MOST];
	size_t n;

	/* Private. */
	uint32_t newest;    /* the page used last */
	uint32_t *used;     /* of each page, the time of its last use */
	uint8_t *dirty;     /* of each page, a bit for each size, if it is held there */
	size_t uses, dirts; /* room */
	uint32_t *owner;    /* of each time, the page that was used */
	size_t times, next; /* room, the next */
};

/* Of `n` sizes in pages, above 0, at most TRC_OPT_SIZES_MOST. Release what init left, also when it
 * failed. */
int trc_opt_sizes_init(struct trc_opt_sizes *s, const uint64_t *size, size_t n,
                       struct trc_err *err) TRC_MUST_USE;
void trc_opt_sizes_release(struct trc_opt_sizes *s);

/* References to `n` pages, all of number below `pages`; those of type `write` are writes. After a
 * failure they can only be released. */
int trc_opt_sizes_refer(struct trc_opt_sizes *s, const uint32_t *id, const uint8_t *type,
                        uint8_t write, size_t n, uint32_t pages, struct trc_err *err) TRC_MUST_USE;

/* A page is deleted: its next reference is as the first to it, and where it would have been missed
 * now, it was evicted. */
void trc_opt_sizes_remove(struct trc_opt_sizes *s, uint32_t id);

/* The trace ends: counts the write-backs of pages that were evicted and not used again. */
int trc_opt_sizes_end(struct trc_opt_sizes *s, struct trc_err *err) TRC_MUST_USE;

#endif
