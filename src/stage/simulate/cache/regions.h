/* SPDX-License-Identifier: MIT
 *
 * Maps addresses of several spaces to one space: the upper half of an address is replaced by the
 * number of its region of 2^32 bytes, in order of appearance. So caches keep lines of different
 * spaces apart, and choose sets by the lower half of the address only.
 */
#ifndef TRC_STAGE_SIMULATE_REGIONS_H
#define TRC_STAGE_SIMULATE_REGIONS_H

#include "base/map.h"

enum { TRC_REGION_BITS = 32, TRC_REGIONS_RECENT = 256 };

/* A region of 2^32 bytes of a space, and its number. */
struct trc_region {
	uint64_t high;
	uint32_t space, number; /* number: 1 + the number of the region; 0: none */
};

/* All regions, with a direct-mapped cache of recent ones. */
struct trc_regions {
	struct trc_map map;
	struct trc_region recent[TRC_REGIONS_RECENT];
	struct trc_region *region; /* by number */
	size_t cap;
};

/* Release the struct also if init failed. */
int trc_regions_init(struct trc_regions *r, struct trc_err *err) TRC_MUST_USE;
void trc_regions_release(struct trc_regions *r);

/* Puts the region `high` of `space` into the direct-mapped cache, with a new number if
 * necessary. */
int trc_regions_refresh(struct trc_regions *r, uint32_t space, uint64_t high,
                        struct trc_err *err) TRC_MUST_USE;

/* Replaces the upper half of *addr by the number of its region. */
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

/* Returns the address and the space that were mapped to `place`. */
uint64_t trc_regions_origin(const struct trc_regions *r, uint64_t place, uint32_t *space);

#endif
