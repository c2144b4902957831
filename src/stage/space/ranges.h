/* SPDX-License-Identifier: MIT
 *
 * The mappings of an address space: ranges of pages, sorted and without overlaps.
 */
#ifndef TRC_STAGE_SPACE_RANGES_H
#define TRC_STAGE_SPACE_RANGES_H

#include <stdint.h>

#include "base/base.h"

/* A mapping. */
struct trc_range {
	uint64_t first, last; /* pages, both inclusive */
	uint32_t object;      /* file or shared memory segment; 0: anonymous */
	uint64_t index;       /* page of the object at `first` */
};

/* A sorted list of mappings. A zeroed struct is empty. */
struct trc_ranges {
	struct trc_range *range;
	size_t n, cap;
};

void trc_ranges_release(struct trc_ranges *r);

/* Returns the index of the first range that ends at or after `page`; r->n if there is none. */
size_t trc_ranges_at(const struct trc_ranges *r, uint64_t page);

/* Returns the range that contains `page`, or NULL. */
const struct trc_range *trc_ranges_find(const struct trc_ranges *r, uint64_t page);

/* Removes pages first to last from all ranges. */
int trc_ranges_cut(struct trc_ranges *r, uint64_t first, uint64_t last,
                   struct trc_err *err) TRC_MUST_USE;

/* Adds a range, replacing everything in its place. Merges it with the range before it if it
 * continues the same object there. */
int trc_ranges_put(struct trc_ranges *r, struct trc_range range, struct trc_err *err) TRC_MUST_USE;

#endif
