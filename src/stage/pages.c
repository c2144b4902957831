/* SPDX-License-Identifier: MIT
 *
 * Numbers for pages. References go in short runs through three loops: the first looks into the
 * small cache, without a branch that depends on what it finds; the second asks memory for the
 * places in the map of those that were not there, so that they come while others are still asked
 * for; the third looks them up.
 */
#include "stage/pages.h"

#include <stdlib.h>

enum { RECENT = 1 << TRC_PAGES_RECENT_BITS, RUN = 256 };

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
	p->recent = trc_alloc(RECENT, sizeof(*p->recent), err);
	if (!p->recent || trc_map_init(&p->map, err)) {
		trc_pages_release(p);
		return -1;
	}
	/* A page that stands where it does not belong is never found: page 0 is free everywhere but
	 * in its own place. */
	p->recent[place_of(0, 0)].page = 1;
	return 0;
}

void
trc_pages_release(struct trc_pages *p)
{
	trc_map_release(&p->map);
	free(p->recent);
	*p = (struct trc_pages){ 0 };
}

static int
number(struct trc_pages *p, uint64_t page, uint32_t space, uint32_t *id, struct trc_err *err)
{
	*id = trc_map_find(&p->map, space, page)->value;
	if (*id == TRC_MAP_NONE) {
		if (p->n == TRC_PAGES_MOST)
			return trc_fail(err, "more than %u pages; larger pages are fewer",
			                (unsigned)TRC_PAGES_MOST);
		if (trc_map_add(&p->map, space, page, p->n, err))
			return -1;
		*id = p->n++;
	}
	p->recent[place_of(page, space)] = (struct trc_recent_page){ page, space, *id };
	return 0;
}

/* At most RUN pages. */
static int
number_run(struct trc_pages *p, const uint64_t *page, const uint32_t *space, size_t n, uint32_t *id,
           struct trc_err *err)
{
	uint32_t miss[RUN];
	size_t misses = 0;

	for (size_t i = 0; i < n; i++) {
		const uint32_t sp = space ? space[i] : 0;
		const struct trc_recent_page *r = &p->recent[place_of(page[i], sp)];

		id[i] = r->id;
		miss[misses] = (uint32_t)i;
		misses += (r->page != page[i]) | (r->space != sp);
	}
	for (size_t k = 0; k < misses; k++)
		trc_map_prefetch(&p->map, space ? space[miss[k]] : 0, page[miss[k]]);
	for (size_t k = 0; k < misses; k++)
		if (number(p, page[miss[k]], space ? space[miss[k]] : 0, &id[miss[k]], err))
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
