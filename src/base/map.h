/* SPDX-License-Identifier: MIT
 *
 * A hash map from a page of an address space to a small number, with open addressing, linear
 * probing, and deletion by shifting back, which leaves no tombstones. Pages are hashed with XXH3
 * and a seed, so traces do not collide by accident. How to look a page up is in map_find.h, which
 * takes as long to compile as half of a usual file.
 */
#ifndef TRC_BASE_MAP_H
#define TRC_BASE_MAP_H

#include <stdbool.h>
#include <stdint.h>

#include "base/base.h"

#define TRC_MAP_NONE UINT32_MAX

/* An entry of the map. */
struct trc_map_entry {
	uint64_t page;
	uint32_t space;
	uint32_t value; /* TRC_MAP_NONE: the entry is free */
};

/* A map from (space, page) to a number. */
struct trc_map {
	struct trc_map_entry *entry;
	size_t mask, n; /* number of entries - 1; entries in use, at most half of them */
};

int trc_map_init(struct trc_map *m, struct trc_err *err) TRC_MUST_USE;
void trc_map_release(struct trc_map *m);

/* Adds a page, which must not be present. `value` must not be TRC_MAP_NONE. */
int trc_map_add(struct trc_map *m, uint32_t space, uint64_t page, uint32_t value,
                struct trc_err *err) TRC_MUST_USE;

/* Removes a page, which must be present. */
void trc_map_remove(struct trc_map *m, uint32_t space, uint64_t page);

#endif
