/* SPDX-License-Identifier: MIT
 *
 * A hash map from a page of an address space to a small number, with open addressing, linear
 * probing, and deletion by shifting back, which leaves no tombstones. Pages are hashed with XXH3
 * and a seed, so traces do not collide by accident.
 */
#ifndef TRC_BASE_MAP_H
#define TRC_BASE_MAP_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

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

static inline size_t
trc_map_hash(uint32_t space, uint64_t page)
{
	const uint64_t key[2] = { page, space };

	return (size_t)XXH3_64bits_withSeed(key, sizeof(key), 0x7472632d6d6170u);
}

/* Returns where the search for a page begins: at or near its entry. */
static inline const struct trc_map_entry *
trc_map_place(const struct trc_map *m, uint32_t space, uint64_t page)
{
	return &m->entry[trc_map_hash(space, page) & m->mask];
}

/* Returns the entry of a page, or the free entry where it would be added. */
static inline struct trc_map_entry *
trc_map_find(const struct trc_map *m, uint32_t space, uint64_t page)
{
	struct trc_map_entry *e;
	size_t at = trc_map_hash(space, page);

	do
		e = &m->entry[at++ & m->mask];
	while ((e->page != page || e->space != space) && e->value != TRC_MAP_NONE);
	return e;
}

#endif
