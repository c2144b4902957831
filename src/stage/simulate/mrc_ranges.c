/* SPDX-License-Identifier: MIT */
#include "stage/simulate/mrc_ranges.h"

#include <stdlib.h>

void
trc_mrc_ranges_init(struct trc_mrc_ranges *r)
{
	*r = (struct trc_mrc_ranges){ .write = false };
	trc_extents_init(&r->extents, true);
}

void
trc_mrc_ranges_release(struct trc_mrc_ranges *r)
{
	trc_extents_release(&r->extents);
	free(r->change);
	r->change = NULL;
}

/* ---- changes ---- */

static int
by_size(const void *a, const void *b)
{
	const struct trc_mrc_change *x = a, *y = b;

	return x->at < y->at ? -1 : x->at > y->at;
}

/* Sorts the changes, and merges those of the same size. */
static void
put_together(struct trc_mrc_ranges *r)
{
	size_t n = 0;

	if (r->changes == 0)
		return;
	qsort(r->change, r->changes, sizeof(*r->change), by_size);
	for (size_t i = 1; i < r->changes; i++) {
		if (r->change[i].at != r->change[n].at) {
			r->change[++n] = r->change[i];
			continue;
		}
		r->change[n].refs += r->change[i].refs;
		r->change[n].writebacks += r->change[i].writebacks;
		r->change[n].slope += r->change[i].slope;
	}
	r->changes = n + 1;
}

static int
change(struct trc_mrc_ranges *r, struct trc_mrc_change c, struct trc_err *err)
{
	if (r->changes == r->cap) {
		put_together(r);
		if (r->changes >= r->cap / 2 &&
		    trc_grow(&r->change, &r->cap, 2 * r->cap + 64, sizeof(*r->change), err))
			return -1;
	}
	r->change[r->changes++] = c;
	return 0;
}

int
trc_mrc_ranges_change(struct trc_mrc_ranges *r, uint64_t at, uint64_t refs, uint64_t writebacks,
                      struct trc_err *err)
{
	return change(r, (struct trc_mrc_change){ at, refs, writebacks, 0 }, err);
}

/* ---- references ---- */

/* Counts as trc_mrc_add() does, for all pages with one distance and level. */
static uint64_t
use(void *what, uint64_t pages, uint64_t d, uint64_t level)
{
	struct trc_mrc_ranges *r = what;
	const uint64_t top = level == 0 || level > d ? level : d;

	if (r->reads && r->write)
		r->passed += d == 0 ? pages : 0;
	else if (!r->failed && d > 0)
		r->failed = trc_mrc_ranges_change(r, d, pages, 0, r->err);
	if (!r->failed && top != level)
		r->failed = trc_mrc_ranges_change(r, level, 0, pages, r->err) ||
		            trc_mrc_ranges_change(r, d, 0, 0 - pages, r->err);
	return r->write ? 1 : top;
}

int
trc_mrc_ranges_refer(struct trc_mrc_ranges *r, uint32_t space, uint64_t first, uint64_t pages,
                     bool write, struct trc_err *err)
{
	r->write = write;
	r->err = err;
	if (trc_extents_refer(&r->extents, space, first, pages, use, r, err))
		return -1;
	return r->failed ? -1 : 0;
}

static uint64_t
have_level(void *what, uint64_t pages, uint64_t d, uint64_t level)
{
	(void)pages, (void)d, (void)level;
	return *(const uint64_t *)what;
}

int
trc_mrc_ranges_put(struct trc_mrc_ranges *r, uint32_t space, uint64_t page, uint64_t level,
                   struct trc_err *err)
{
	return trc_extents_refer(&r->extents, space, page, 1, have_level, &level, err);
}

/* ---- the end ---- */

/* Counts the write-backs of an extent's pages that were evicted and not used again. With `above`
 * pages above the extent, page k from its end is at position above + k of the stack. It was written
 * back by memories of fewer pages than that, from its level on. So a memory of m pages wrote back
 * as many pages as have positions above m. */
static int
add_last_evictions(struct trc_mrc_ranges *r, const struct trc_extent *e, uint64_t above,
                   struct trc_err *err)
{
	const uint64_t last = above + e->pages, from = e->mark > above ? e->mark : above;

	if (e->mark == 0 || e->mark >= last)
		return 0;
	if (e->mark <= above && trc_mrc_ranges_change(r, e->mark, 0, e->pages, err))
		return -1;
	if (e->mark > above && trc_mrc_ranges_change(r, e->mark, 0, last - e->mark, err))
		return -1;
	return change(r, (struct trc_mrc_change){ from + 1, 0, 0, UINT64_MAX }, err) ||
	                       change(r, (struct trc_mrc_change){ last + 1, 0, 0, 1 }, err) ?
	               -1 :
	               0;
}

int
trc_mrc_ranges_finish(struct trc_mrc_ranges *r, struct trc_mrc_step **step, size_t *n,
                      struct trc_err *err)
{
	struct trc_mrc_step at = { .from = 0 };
	const struct trc_extent *e;
	uint64_t above = 0;
	uint32_t id = 0;

	for (; (e = trc_extents_before(&r->extents, &id)); above += e->pages)
		if (add_last_evictions(r, e, above, err))
			return -1;
	if (trc_mrc_ranges_change(r, 0, 0, 0, err))
		return -1;
	put_together(r);
	*step = trc_alloc(r->changes, sizeof(**step), err);
	if (!*step)
		return -1;
	for (size_t i = 0; i < r->changes; i++)
		at.misses += r->change[i].refs;
	for (size_t i = 0; i < r->changes; i++) {
		const struct trc_mrc_change *c = &r->change[i];

		/* The slope applied from the previous size on. */
		at.writebacks += at.slope * (c->at - at.from) + c->writebacks + c->slope;
		at.from = c->at;
		at.misses -= c->refs;
		at.slope += c->slope;
		(*step)[i] = at;
	}
	*n = r->changes;
	return 0;
}
