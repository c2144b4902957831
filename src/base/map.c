/* SPDX-License-Identifier: MIT */
#include "base/map.h"

#include <assert.h>
#include <stdlib.h>

#include "base/map_find.h"

enum { PLACES_FIRST = 256 };

static int
make_places(struct trc_map *m, size_t places, struct trc_err *err)
{
	m->entry = trc_alloc(places, sizeof(*m->entry), err);
	if (!m->entry)
		return -1;
	memset(m->entry, 0xff, places * sizeof(*m->entry));
	m->mask = places - 1;
	return 0;
}

int
trc_map_init(struct trc_map *m, struct trc_err *err)
{
	*m = (struct trc_map){ 0 };
	return make_places(m, PLACES_FIRST, err);
}

void
trc_map_release(struct trc_map *m)
{
	free(m->entry);
	*m = (struct trc_map){ 0 };
}

static int
grow(struct trc_map *m, struct trc_err *err)
{
	struct trc_map old = *m;

	if (make_places(m, 2 * (old.mask + 1), err)) {
		*m = old;
		return -1;
	}
	for (size_t i = 0; i <= old.mask; i++)
		if (old.entry[i].value != TRC_MAP_NONE)
			*trc_map_find(m, old.entry[i].space, old.entry[i].page) = old.entry[i];
	free(old.entry);
	return 0;
}

int
trc_map_add(struct trc_map *m, uint32_t space, uint64_t page, uint32_t value, struct trc_err *err)
{
	assert(value != TRC_MAP_NONE);
	if (m->n >= (m->mask + 1) / 2 && grow(m, err))
		return -1;
	*trc_map_find(m, space, page) = (struct trc_map_entry){ page, space, value };
	m->n++;
	return 0;
}

void
trc_map_remove(struct trc_map *m, uint32_t space, uint64_t page)
{
	size_t hole = (size_t)(trc_map_find(m, space, page) - m->entry);

	/* Moves back entries after the hole that belong to the hole or before it. */
	for (size_t at = (hole + 1) & m->mask; m->entry[at].value != TRC_MAP_NONE;
	     at = (at + 1) & m->mask) {
		size_t home = trc_map_hash(m->entry[at].space, m->entry[at].page) & m->mask;

		if (((at - home) & m->mask) < ((at - hole) & m->mask))
			continue;
		m->entry[hole] = m->entry[at];
		hole = at;
	}
	m->entry[hole].value = TRC_MAP_NONE;
	m->n--;
}
