/* SPDX-License-Identifier: MIT
 *
 * The LRU stack (stack.h) for references to ranges of pages: a reference to a million lines is not
 * processed line by line.
 *
 * A range is one reference to each of its pages, in order of address. An extent is a run of
 * adjacent pages with the same mark whose last uses were consecutive, in order of address. So its
 * pages are adjacent in the stack, too, the last one on top. When pages x, x + 1, ... of an extent
 * are used again in order, all have the same distance: above page x are the pages used since the
 * extent, and the rest of the extent; once x is on top, the same pages are above x + 1, with x in
 * place of x + 1. So a range costs O(log n) for each extent that it meets, where n is the number of
 * extents. It leaves one extent, or more if the marks differ, and splits at most two at its ends.
 *
 * The extents are in two treaps (C. R. Aragon and R. G. Seidel, "Randomized search trees", FOCS
 * 1989), by address and by time; time counts references to pages. A zeroed struct may be released.
 */
#ifndef TRC_STAGE_SIMULATE_EXTENTS_H
#define TRC_STAGE_SIMULATE_EXTENTS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/base.h"

enum trc_extent_order { TRC_EXTENTS_BY_ADDRESS, TRC_EXTENTS_BY_TIME, TRC_EXTENT_ORDERS };

/* A run of adjacent pages that were used together. */
struct trc_extent {
	uint64_t first, pages;
	uint64_t time; /* of the last use of the first page; each next page was used 1 later */
	uint64_t mark; /* set by the caller */
	uint32_t space;

	/* Private. */
	uint32_t child[TRC_EXTENT_ORDERS][2];
	uint32_t priority;
	uint64_t sum; /* pages in this extent and in its subtree by time */
};

/* All extents. */
struct trc_extents {
	uint64_t pages; /* number of distinct pages so far */

	/* Private. */
	bool timed;
	struct trc_extent *extent; /* index 0 is unused */
	size_t cap;
	uint32_t n, spare;
	uint32_t root[TRC_EXTENT_ORDERS];
	uint32_t top; /* the extent used last; 0: none */
	uint64_t clock;
};

/* Called for `pages` pages that are used at the same distance, 0 if for the first time, and had the
 * same mark, 0 if for the first time. Returns their new mark. Without times the distance is only 0
 * or 1. */
typedef uint64_t trc_extent_use(void *what, uint64_t pages, uint64_t distance, uint64_t mark);

/* Returns true if `rows` references, some of them to `pages` pages in ranges, are processed faster
 * as ranges than page by page. An extent costs as much as dozens of pages. */
static inline bool
trc_extents_pay(uint64_t pages, uint64_t rows)
{
	enum { PAGES_FREE = 1 << 20, PAGES_PER_ROW = 64 };

	return pages > PAGES_FREE + PAGES_PER_ROW * rows;
}

/* Makes an empty stack. Without `timed` it keeps marks only, no distances. */
void trc_extents_init(struct trc_extents *x, bool timed);
void trc_extents_release(struct trc_extents *x);

/* Refers to `pages` > 0 pages of a space from `first` on, at most up to the last address; calls
 * `use` for them in order. After a failure the stack can only be released. */
int trc_extents_refer(struct trc_extents *x, uint32_t space, uint64_t first, uint64_t pages,
                      trc_extent_use *use, void *what, struct trc_err *err) TRC_MUST_USE;

/* Iterates over the extents, from the one used last if timed, else from the highest address. *at is
 * 0 at first. Returns NULL after the last one. */
const struct trc_extent *trc_extents_before(const struct trc_extents *x, uint32_t *at);

#endif
