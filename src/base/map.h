/* SPDX-License-Identifier: MIT
 *
 * A hash map from a page of an address space to a small number: open addressing, linear probing,
 * removal by shifting back, so that it never fills with the traces of what was removed. Hashed with
 * XXH3 and a seed, so that no trace collides by accident.
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

/* A place of the map. */
struct trc_map_entry {
	uint64_t page;
	uint32_t space;
	uint32_t value; /* TRC_MAP_NONE: the place is free */
};

/* A map from (space, page) to a number. */
struct trc_map {
	struct trc_map_entry *entry;
	size_t mask, n; /* places - 1; entries in use, at most half of the places */
};

int trc_map_init(struct trc_map *m, struct trc_err *err) TRC_MUST_USE;
void trc_map_release(struct trc_map *m);

/* Adds a page that is not there. `value` is not TRC_MAP_NONE. */
int trc_map_add(struct trc_map *m, uint32_t space, uint64_t page, uint32_t value,
                struct trc_err *err) TRC_MUST_USE;

/* Removes a page that is there. */
void trc_map_remove(struct trc_map *m, uint32_t space, uint64_t page);

static inline size_t
trc_map_hash(uint32_t space, uint64_t page)
{
	const uint64_t key[2] = { page, space };

	return (size_t)XXH3_64bits_withSeed(key, sizeof(key), 0x7472632d6d6170u);
}

/* Where the page stands, or not far in front of it. */
static inline const struct trc_map_entry *
trc_map_place(const struct trc_map *m, uint32_t space, uint64_t page)
{
	return &m->entry[trc_map_hash(space, page) & m->mask];
}

/* The entry of the page, or the free place where it would stand. */
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
