/* SPDX-License-Identifier: MIT
 *
 * Looking a page up in a map, inline. XXH3 of a key of known length is a few multiplications then.
 */
#ifndef TRC_BASE_MAP_FIND_H
#define TRC_BASE_MAP_FIND_H

#define XXH_INLINE_ALL
#include <xxhash.h>

#include "base/map.h"

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
