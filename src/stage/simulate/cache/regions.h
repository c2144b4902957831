/* SPDX-License-Identifier: MIT
 *
 * Addresses of several spaces as addresses of one: numbers for regions of 2^32 bytes, in order of
 * appearance, take the place of the upper halves. So caches keep lines of different spaces apart,
 * and choose sets by the lower half of the address alone.
 */
#ifndef TRC_STAGE_SIMULATE_REGIONS_H
#define TRC_STAGE_SIMULATE_REGIONS_H

#include "base/map.h"

enum { TRC_REGION_BITS = 32, TRC_REGIONS_RECENT = 256 };

/* A region of 2^32 bytes of a space, and its number. */
struct trc_region {
	uint64_t high;
	uint32_t space, number; /* number 1 + */
};

/* All regions, with a direct-mapped cache in front. */
struct trc_regions {
	struct trc_map map;
	struct trc_region recent[TRC_REGIONS_RECENT];
	struct trc_region *region; /* by number */
	size_t cap;
};

/* Release what init left, also when it failed. */
int trc_regions_init(struct trc_regions *r, struct trc_err *err) TRC_MUST_USE;
void trc_regions_release(struct trc_regions *r);

/* Makes the region `high` of `space` the recent one at its place. */
int trc_regions_refresh(struct trc_regions *r, uint32_t space, uint64_t high,
                        struct trc_err *err) TRC_MUST_USE;

/* Puts the number of its region into *addr. */
static inline int
trc_regions_place(struct trc_regions *r, uint32_t space, uint64_t *addr, struct trc_err *err)
{
	const uint64_t high = *addr >> TRC_REGION_BITS;
	const struct trc_region *recent = &r->recent[(high ^ space) % TRC_REGIONS_RECENT];

	if ((!recent->number || recent->high != high || recent->space != space) &&
	    trc_regions_refresh(r, space, high, err))
		return -1;
	*addr = (uint64_t)(recent->number - 1) << TRC_REGION_BITS | (uint32_t)*addr;
	return 0;
}

/* The address and the space that became `place`. */
uint64_t trc_regions_origin(const struct trc_regions *r, uint64_t place, uint32_t *space);

#endif
