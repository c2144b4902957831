/* SPDX-License-Identifier: MIT
 *
 * The table uses open addressing with linear probing, and is at most 4/5 full. An entry holds a
 * number and, in the remaining bits, a part of the hash, so that few other names are compared. The
 * home of an object follows from the high bits of its hash, so a table may have any size: it
 * doubles, or grows by a third when it is large. It is then rebuilt from the names, and the old
 * table is freed before the new one is allocated.
 *
 * As with pages, references pass in short runs through loops that prefetch what the next loop
 * needs.
 */
#include "stage/simulate/object/names.h"

#include <stdlib.h>
#include <string.h>

#include "base/hugepages.h"
#include "base/map_find.h"

enum {
	RUN = 256,
	RECENT_BITS = 11,
	RECENT = 1 << RECENT_BITS,
	PLACES_FIRST = 1024,
	PLACES_MANY = 1 << 20
};

static inline size_t
recent_of(uint64_t name, uint32_t space)
{
	return (size_t)((name + space) * UINT64_C(0x9e3779b97f4a7c15) >> (64 - RECENT_BITS));
}

/* Returns the number of objects for which the table has room. */
static size_t
limit(size_t places)
{
	return places / 5 * 4;
}

/* Returns the size of the next larger table. */
static size_t
more(size_t places)
{
	return places + places / (places < PLACES_MANY ? 1 : 3);
}

size_t
trc_names_places(size_t n)
{
	size_t places = PLACES_FIRST;

	while (limit(places) < n)
		places = more(places);
	return places;
}

static inline size_t
home(const struct trc_names *t, uint64_t hash)
{
	return (size_t)((hash >> 32) * t->places >> 32);
}

/* Returns the bits of an entry above the number. */
static inline uint32_t
tag(const struct trc_names *t, uint64_t hash)
{
	return (uint32_t)(hash << t->bits);
}

/* Returns the first entry from `at` on that is free, or has the tag. */
static inline size_t
candidate(const struct trc_names *t, size_t at, uint32_t tag)
{
	while (t->place[at] && (t->place[at] ^ tag) >> t->bits)
		at = at + 1 < t->places ? at + 1 : 0;
	return at;
}

/* Returns the first free entry for a hash. */
static inline size_t
free_entry(const struct trc_names *t, uint64_t hash)
{
	size_t at = home(t, hash);

	while (t->place[at])
		at = at + 1 < t->places ? at + 1 : 0;
	return at;
}

/* Adds numbers from `from` up to `to` to the table. */
static void
fill(struct trc_names *t, uint32_t from, uint32_t to)
{
	uint64_t hash[RUN];

	for (uint32_t id = from; id < to; id++) {
		hash[id - from] = trc_map_hash(trc_names_space(t, id), t->name[id]);
		TRC_PREFETCH(&t->place[home(t, hash[id - from])]);
	}
	for (uint32_t id = from; id < to; id++)
		t->place[free_entry(t, hash[id - from])] = tag(t, hash[id - from]) | (id + 1);
}

static int
set_places(struct trc_names *t, size_t places, struct trc_err *err)
{
	free(t->place);
	t->place = trc_alloc(places, sizeof(*t->place), err);
	if (!t->place)
		return -1;
	trc_hugepages_advise(t->place, places * sizeof(*t->place));
	if (places > PLACES_MANY)
		trc_hugepages_shrink();
	t->places = places;
	for (t->bits = 1; limit(places) >> t->bits; t->bits++)
		;
	for (uint32_t id = 0; id < t->n; id += RUN)
		fill(t, id, t->n - id < RUN ? t->n : id + RUN);
	return 0;
}

int
trc_names_init(struct trc_names *t, struct trc_err *err)
{
	*t = (struct trc_names){ 0 };
	t->recent = trc_alloc(RECENT, sizeof(*t->recent), err);
	if (!t->recent || set_places(t, PLACES_FIRST, err)) {
		trc_names_release(t);
		return -1;
	}
	/* Name 0 marks free entries. Its own entry must not match before it has a number. */
	t->recent[recent_of(0, 0)].name = 1;
	return 0;
}

void
trc_names_release(struct trc_names *t)
{
	free(t->name);
	free(t->space);
	free(t->place);
	free(t->recent);
	*t = (struct trc_names){ 0 };
}

/* Allocates the spaces of all objects when the first object of another space appears. */
static int
add_space(struct trc_names *t, uint32_t space, struct trc_err *err)
{
	if (!t->space && space == 0)
		return 0;
	if (trc_grow_zeros(&t->space, &t->spaces, (size_t)t->n + 1, sizeof(*t->space), err))
		return -1;
	t->space[t->n] = space;
	return 0;
}

/* Gives the next number to an object that has none; `at` is its free entry. */
static int
add(struct trc_names *t, uint64_t name, uint32_t space, uint64_t hash, size_t at,
    struct trc_err *err)
{
	if (t->n == TRC_NAMES_MOST)
		return trc_fail(err, "more than %u objects", (unsigned)TRC_NAMES_MOST);
	if (trc_grow_tight(&t->name, &t->names, (size_t)t->n + 1, sizeof(*t->name), err) ||
	    add_space(t, space, err))
		return -1;
	t->name[t->n] = name;
	if (t->n + (size_t)1 > limit(t->places)) {
		if (set_places(t, more(t->places), err))
			return -1;
		at = free_entry(t, hash);
	}
	t->place[at] = tag(t, hash) | ++t->n;
	return 0;
}

static int
number(struct trc_names *t, uint64_t name, uint32_t space, uint64_t hash, uint32_t *id,
       struct trc_err *err)
{
	const uint32_t mask = (UINT32_C(1) << t->bits) - 1, bits = tag(t, hash);
	size_t at = candidate(t, home(t, hash), bits);

	while (t->place[at]) {
		*id = (t->place[at] & mask) - 1;
		if (t->name[*id] == name && trc_names_space(t, *id) == space)
			break;
		at = candidate(t, at + 1 < t->places ? at + 1 : 0, bits);
	}
	if (!t->place[at]) {
		*id = t->n;
		if (add(t, name, space, hash, at, err))
			return -1;
	}
	t->recent[recent_of(name, space)] = (struct trc_recent_name){ name, space, *id };
	return 0;
}

/* Numbers at most RUN objects. */
static int
number_run(struct trc_names *t, const uint64_t *name, const uint32_t *space, size_t n, uint32_t *id,
           struct trc_err *err)
{
	uint64_t hash[RUN];
	uint32_t miss[RUN];
	size_t misses = 0;

	for (size_t i = 0; i < n; i++) {
		const struct trc_recent_name *r = &t->recent[recent_of(name[i], space[i])];

		id[i] = r->id;
		miss[misses] = (uint32_t)i;
		misses += (r->name != name[i]) | (r->space != space[i]);
	}
	for (size_t k = 0; k < misses; k++) {
		hash[k] = trc_map_hash(space[miss[k]], name[miss[k]]);
		TRC_PREFETCH(&t->place[home(t, hash[k])]);
	}
	for (size_t k = 0; k < misses; k++) {
		const uint32_t mask = (UINT32_C(1) << t->bits) - 1;
		const uint32_t after = t->place[candidate(t, home(t, hash[k]), tag(t, hash[k]))];

		if (after)
			TRC_PREFETCH(&t->name[(after & mask) - 1]);
	}
	for (size_t k = 0; k < misses; k++)
		if (number(t, name[miss[k]], space[miss[k]], hash[k], &id[miss[k]], err))
			return -1;
	return 0;
}

int
trc_names_number(struct trc_names *t, const uint64_t *name, const uint32_t *space, size_t n,
                 uint32_t *id, struct trc_err *err)
{
	for (size_t i = 0; i < n; i += RUN)
		if (number_run(t, name + i, space + i, n - i < RUN ? n - i : RUN, id + i, err))
			return -1;
	return 0;
}
