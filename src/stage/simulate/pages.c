/* SPDX-License-Identifier: MIT
 *
 * Numbers for pages. References pass in short runs through four loops. The first looks into the
 * small cache, without a branch that depends on the result. The second prefetches the table entries
 * of those that were not found, so that they arrive while others are still being requested. The
 * third guesses a number by the hash alone and prefetches its name. The fourth compares the name.
 *
 * The table uses open addressing with linear probing. An entry has 32 bits of the hash, the lowest
 * of which select its home. Names are compared only if these bits are equal, and when the table
 * grows it is read and written in order, without access to the names.
 *
 * The small cache is allocated at the first growth of the table, or after some thousand references:
 * of hundreds of thousands of spaces most have few pages and few references.
 */
#include "stage/simulate/pages.h"

#include <stdlib.h>

#include "base/hugepages.h"
#include "base/map_find.h"

enum { RECENT = 1 << TRC_PAGES_RECENT_BITS, RUN = 256, PLACES_FIRST = 256, FEW_MOST = 8192 };

static inline size_t
place_of(uint64_t page, uint32_t space)
{
	return (size_t)((page + space) * UINT64_C(0x9e3779b97f4a7c15) >>
	                (64 - TRC_PAGES_RECENT_BITS));
}

int
trc_pages_init(struct trc_pages *p, struct trc_err *err)
{
	*p = (struct trc_pages){ 0 };
	p->place = trc_alloc(PLACES_FIRST, sizeof(*p->place), err);
	p->mask = PLACES_FIRST - 1;
	return p->place ? 0 : -1;
}

void
trc_pages_release(struct trc_pages *p)
{
	free(p->name);
	free(p->place);
	free(p->recent);
	*p = (struct trc_pages){ 0 };
}

size_t
trc_pages_places(size_t n)
{
	size_t places = PLACES_FIRST;

	while (places / 2 < n)
		places *= 2;
	return places;
}

int
trc_pages_too_many(struct trc_err *err)
{
	return trc_fail(err, "more than %u pages; use larger pages", (unsigned)TRC_PAGES_MOST);
}

static int
add_recent(struct trc_pages *p, struct trc_err *err)
{
	p->recent = trc_alloc(RECENT, sizeof(*p->recent), err);
	if (!p->recent)
		return -1;
	/* A page in an entry where it does not belong is never found. So page 0 marks free entries,
	 * except in its own entry. */
	p->recent[place_of(0, 0)].page = 1;
	return 0;
}

static int
grow(struct trc_pages *p, struct trc_err *err)
{
	const size_t places = 2 * (p->mask + 1);
	struct trc_page_place *place = trc_alloc(places, sizeof(*place), err);

	if (!place)
		return -1;
	if (!p->recent && add_recent(p, err)) {
		free(place);
		return -1;
	}
	trc_hugepages_advise(place, places * sizeof(*place));
	for (size_t i = 0; i <= p->mask; i++) {
		size_t at = p->place[i].hash;

		if (!p->place[i].after)
			continue;
		while (place[at & (places - 1)].after)
			at++;
		place[at & (places - 1)] = p->place[i];
	}
	free(p->place);
	p->place = place;
	p->mask = places - 1;
	return 0;
}

/* Gives the next number to a page that has none. */
static int
add(struct trc_pages *p, uint64_t page, uint32_t space, uint32_t hash, struct trc_err *err)
{
	size_t at = hash;

	if (p->n == TRC_PAGES_MOST)
		return trc_pages_too_many(err);
	if ((p->n >= (p->mask + 1) / 2 && grow(p, err)) ||
	    trc_grow(&p->name, &p->names, (size_t)p->n + 1, sizeof(*p->name), err))
		return -1;
	while (p->place[at & p->mask].after)
		at++;
	p->name[p->n] = (struct trc_page_name){ page, space };
	p->place[at & p->mask] = (struct trc_page_place){ ++p->n, hash };
	return 0;
}

/* Returns 1 + the number of a page; 0 if it has none. */
static uint32_t
look_up(const struct trc_pages *p, uint64_t page, uint32_t space, uint32_t hash)
{
	const struct trc_page_place *place;

	for (size_t at = hash; (place = &p->place[at & p->mask])->after; at++) {
		const struct trc_page_name *name = &p->name[place->after - 1];

		if (place->hash == hash && name->page == page && name->space == space)
			break;
	}
	return place->after;
}

/* Returns the same, if the first entry with that hash is the right one. */
static inline uint32_t
guess(const struct trc_pages *p, uint32_t hash)
{
	const struct trc_page_place *place;

	for (size_t at = hash; (place = &p->place[at & p->mask])->after; at++)
		if (place->hash == hash)
			break;
	return place->after;
}

/* Numbers a page; `after` was guessed, or is 0. */
static inline int
number(struct trc_pages *p, uint64_t page, uint32_t space, uint32_t hash, uint32_t after,
       uint32_t *id, struct trc_err *err)
{
	if (after == 0 || p->name[after - 1].page != page || p->name[after - 1].space != space)
		after = look_up(p, page, space, hash);
	if (after == 0) {
		if (add(p, page, space, hash, err))
			return -1;
		after = p->n;
	}
	*id = after - 1;
	if (p->recent)
		p->recent[place_of(page, space)] = (struct trc_recent_page){ page, space, *id };
	return 0;
}

/* Numbers pages without the small cache, until there are many. */
static int
number_few(struct trc_pages *p, const uint64_t *page, const uint32_t *space, size_t n, uint32_t *id,
           struct trc_err *err)
{
	for (size_t i = 0; i < n; i++) {
		const uint32_t sp = space ? space[i] : 0;

		if (number(p, page[i], sp, (uint32_t)trc_map_hash(sp, page[i]), 0, &id[i], err))
			return -1;
	}
	p->few += (unsigned)n;
	return p->few > FEW_MOST && !p->recent ? add_recent(p, err) : 0;
}

/* Numbers at most RUN pages. */
static int
number_run(struct trc_pages *p, const uint64_t *page, const uint32_t *space, size_t n, uint32_t *id,
           struct trc_err *err)
{
	uint32_t miss[RUN], hash[RUN], after[RUN];
	size_t misses = 0;

	if (!p->recent)
		return number_few(p, page, space, n, id, err);
	for (size_t i = 0; i < n; i++) {
		const uint32_t sp = space ? space[i] : 0;
		const struct trc_recent_page *r = &p->recent[place_of(page[i], sp)];

		id[i] = r->id;
		miss[misses] = (uint32_t)i;
		misses += (r->page != page[i]) | (r->space != sp);
	}
	for (size_t k = 0; k < misses; k++) {
		hash[k] = (uint32_t)trc_map_hash(space ? space[miss[k]] : 0, page[miss[k]]);
		TRC_PREFETCH(&p->place[hash[k] & p->mask]);
	}
	for (size_t k = 0; k < misses; k++) {
		after[k] = guess(p, hash[k]);
		if (after[k])
			TRC_PREFETCH(&p->name[after[k] - 1]);
	}
	for (size_t k = 0; k < misses; k++)
		if (number(p, page[miss[k]], space ? space[miss[k]] : 0, hash[k], after[k],
		           &id[miss[k]], err))
			return -1;
	return 0;
}

int
trc_pages_number(struct trc_pages *p, const uint64_t *page, const uint32_t *space, size_t n,
                 uint32_t *id, struct trc_err *err)
{
	for (size_t i = 0; i < n; i += RUN)
		if (number_run(p, page + i, space ? space + i : NULL, n - i < RUN ? n - i : RUN,
		               id + i, err))
			return -1;
	return 0;
}

int
trc_pages_each(const struct trc_pages *p, uint32_t space, uint64_t first, uint64_t pages,
               trc_pages_fn *what, void *of, struct trc_err *err)
{
	/* Look pages up by name if that takes fewer steps than going through all pages. */
	for (; pages > 0 && pages <= p->n; first++, pages--) {
		const uint32_t hash = (uint32_t)trc_map_hash(space, first);
		const uint32_t after = look_up(p, first, space, hash);

		if (after && what(of, after - 1, err))
			return -1;
		if (pages == 1)
			return 0;
	}
	for (uint32_t id = 0; id < p->n; id++)
		if ((pages == 0 ||
		     (p->name[id].space == space && p->name[id].page - first < pages)) &&
		    what(of, id, err))
			return -1;
	return 0;
}

int
trc_pages_no_deletes(bool many, uint64_t deletes, struct trc_err *err)
{
	return trc_fail_as(err, many ? TRC_FAILED : TRC_ONLY_WHOLE,
	                   "the trace has deletes (at least %llu records of type invalidate), and "
	                   "%s; drop them with 'trc encode --drop invalidate'",
	                   (ull)deletes,
	                   many ? "single references span too many pages to count them; use "
	                          "larger pages" :
	                          "their effect is unknown in a part of a trace; run it without "
	                          "--shard");
}
