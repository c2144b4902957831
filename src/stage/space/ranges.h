/* SPDX-License-Identifier: MIT
 *
 * The mappings of one address space: ranges of pages in order, none of which overlap.
 */
#ifndef TRC_STAGE_SPACE_RANGES_H
#define TRC_STAGE_SPACE_RANGES_H

#include <stdint.h>

#include "base/base.h"

/* A mapping. */
struct trc_range {
	uint64_t first, last; /* pages, both inclusive */
	uint32_t object;      /* file or shared memory; 0: anonymous */
	uint64_t index;       /* page of the object that `first` is */
};

/* Zeroed it is empty. */
struct trc_ranges {
	struct trc_range *range;
	size_t n, cap;
};

void trc_ranges_release(struct trc_ranges *r);

/* The place of the first range that ends at `page` or behind it; r->n if there is none. */
size_t trc_ranges_at(const struct trc_ranges *r, uint64_t page);

/* The range that holds `page`, or NULL. */
const struct trc_range *trc_ranges_find(const struct trc_ranges *r, uint64_t page);

/* Takes pages first to last out of the ranges that hold them. */
int trc_ranges_cut(struct trc_ranges *r, uint64_t first, uint64_t last,
                   struct trc_err *err) TRC_MUST_USE;

/* Adds a range in the place of all that was there. One that goes on where another of the same
 * object ends becomes part of it. */
int trc_ranges_put(struct trc_ranges *r, struct trc_range range, struct trc_err *err) TRC_MUST_USE;

#endif
