/* SPDX-License-Identifier: MIT
 *
 * The LRU stack (stack.h) of pages that are referred to in ranges, as ranges: where a reference is
 * to a million lines, they are not taken one by one.
 *
 * A range is references to its pages one behind the other, in order of addresses. An extent is
 * pages side by side of one mark that were used last one behind the other, in that order: so its
 * pages stand side by side in the stack, too, the last on top. When pages x, x + 1, ... of an
 * extent are used again in order, they have the same distance: above page x are the pages that
 * were used since the extent, and the rest of the extent; and once x is on top, above x + 1 are
 * the same, with x in place of x + 1. So a range costs O(log n) for each of the n extents that
 * it meets. It leaves one, or more if their marks differ, and cuts two at its ends.
 *
 * Extents are in two treaps (C. R. Aragon and R. G. Seidel, "Randomized search trees", FOCS 1989),
 * by address and by time: a clock counts references to pages. Zeroed memory may be released.
 */
#ifndef TRC_STAGE_SIMULATE_EXTENTS_H
#define TRC_STAGE_SIMULATE_EXTENTS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/base.h"

enum trc_extent_order { TRC_EXTENTS_BY_ADDRESS, TRC_EXTENTS_BY_TIME, TRC_EXTENT_ORDERS };

/* Pages side by side, and what is known of each. */
struct trc_extent {
	uint64_t first, pages;
	uint64_t time; /* when the first was used last; the next ones each 1 later */
	uint64_t mark; /* the caller's */
	uint32_t space;

	/* Private. */
	uint32_t child[TRC_EXTENT_ORDERS][2];
	uint32_t priority;
	uint64_t sum; /* pages in this extent, and those below it by time */
};

/* All of them. */
struct trc_extents {
	uint64_t pages; /* distinct ones so far */

	/* Private. */
	bool timed;
	struct trc_extent *extent; /* from 1 */
	size_t cap;
	uint32_t n, spare;
	uint32_t root[TRC_EXTENT_ORDERS];
	uint32_t top; /* the one used last; 0: none */
	uint64_t clock;
};

/* Takes `pages` pages that are used at one distance, 0 for the first time, and had one mark, 0 for
 * the first time; returns their new one. Without times the distance is 0 or 1. */
typedef uint64_t trc_extent_use(void *what, uint64_t pages, uint64_t distance, uint64_t mark);

/* True if `rows` references, of which some are to `pages` pages in ranges, are better taken as
 * ranges than page by page: an extent takes as long as dozens of pages. */
static inline bool
trc_extents_pay(uint64_t pages, uint64_t rows)
{
	enum { PAGES_FREE = 1 << 20, PAGES_PER_ROW = 64 };

	return pages > PAGES_FREE + PAGES_PER_ROW * rows;
}

/* Without `timed` there are marks, and no distances. */
void trc_extents_init(struct trc_extents *x, bool timed);
void trc_extents_release(struct trc_extents *x);

/* A reference to `pages` > 0 pages of a space from `first` on, not past the last one; `use` gets
 * them in order. After a failure they can only be released. */
int trc_extents_refer(struct trc_extents *x, uint32_t space, uint64_t first, uint64_t pages,
                      trc_extent_use *use, void *what, struct trc_err *err) TRC_MUST_USE;

/* The extent before *at, from the one used last on, by time, or from the highest address on; NULL
 * behind the last. *at is 0 at first. */
const struct trc_extent *trc_extents_before(const struct trc_extents *x, uint32_t *at);

#endif
