/* SPDX-License-Identifier: MIT */
#include "stage/simulate/cache/regions.h"
#include "base/map_find.h"

#include <stdlib.h>

int
trc_regions_init(struct trc_regions *r, struct trc_err *err)
{
	*r = (struct trc_regions){ .region = NULL };
	return trc_map_init(&r->map, err);
}

void
trc_regions_release(struct trc_regions *r)
{
	trc_map_release(&r->map);
	free(r->region);
	r->region = NULL;
}

static int
add(struct trc_regions *r, uint32_t space, uint64_t high, struct trc_err *err)
{
	const size_t n = r->map.n;

	if (trc_grow(&r->region, &r->cap, n + 1, sizeof(*r->region), err) ||
	    trc_map_add(&r->map, space, high, (uint32_t)n + 1, err))
		return -1;
	r->region[n] = (struct trc_region){ high, space, (uint32_t)n + 1 };
	return 0;
}

int
trc_regions_refresh(struct trc_regions *r, uint32_t space, uint64_t high, struct trc_err *err)
{
	uint32_t number = trc_map_find(&r->map, space, high)->value;

	if (number == TRC_MAP_NONE) {
		if (add(r, space, high, err))
			return -1;
		number = (uint32_t)r->map.n;
	}
	r->recent[(high ^ space) % TRC_REGIONS_RECENT] = r->region[number - 1];
	return 0;
}

uint64_t
trc_regions_origin(const struct trc_regions *r, uint64_t place, uint32_t *space)
{
	const struct trc_region *region = &r->region[place >> TRC_REGION_BITS];

	*space = region->space;
	return region->high << TRC_REGION_BITS | (uint32_t)place;
}
