/* SPDX-License-Identifier: MIT */
#include "stage/simulate/extents.h"

#include <stdlib.h>

enum { LEFT, RIGHT };

/* A position in one of the orders; the space does not matter in the order of time. */
struct place {
	enum trc_extent_order order;
	uint32_t space;
	uint64_t at;
};

void
trc_extents_init(struct trc_extents *x, bool timed)
{
	*x = (struct trc_extents){ .timed = timed };
}

void
trc_extents_release(struct trc_extents *x)
{
	free(x->extent);
	*x = (struct trc_extents){ .n = 0 };
}

/* ---- treaps ---- */

static struct place
place_of(const struct trc_extent *e, enum trc_extent_order order)
{
	return order == TRC_EXTENTS_BY_TIME ? (struct place){ order, 0, e->time } :
	                                      (struct place){ order, e->space, e->first };
}

static bool
begins_before(const struct trc_extent *e, struct place p)
{
	if (p.order == TRC_EXTENTS_BY_TIME)
		return e->time < p.at;
	return e->space != p.space ? e->space < p.space : e->first < p.at;
}

static void
sum_up(struct trc_extents *x, uint32_t id)
{
	struct trc_extent *e = &x->extent[id];
	const uint32_t *child = e->child[TRC_EXTENTS_BY_TIME];

	e->sum = e->pages + x->extent[child[LEFT]].sum + x->extent[child[RIGHT]].sum;
}

/* Splits a treap: the extents before `p` go to *left, the others to *right. */
static void
split(struct trc_extents *x, uint32_t id, struct place p, uint32_t *left, uint32_t *right)
{
	uint32_t *child = x->extent[id].child[p.order];

	if (id == 0) {
		*left = *right = 0;
		return;
	}
	if (begins_before(&x->extent[id], p)) {
		split(x, child[RIGHT], p, &child[RIGHT], right);
		*left = id;
	} else {
		split(x, child[LEFT], p, left, &child[LEFT]);
		*right = id;
	}
	if (p.order == TRC_EXTENTS_BY_TIME)
		sum_up(x, id);
}

/* Joins two treaps, where all of `left` come before all of `right`. */
static uint32_t
merge(struct trc_extents *x, enum trc_extent_order order, uint32_t left, uint32_t right)
{
	uint32_t id, *child;

	if (left == 0 || right == 0)
		return left | right;
	if (x->extent[left].priority > x->extent[right].priority) {
		id = left;
		child = &x->extent[id].child[order][RIGHT];
		*child = merge(x, order, *child, right);
	} else {
		id = right;
		child = &x->extent[id].child[order][LEFT];
		*child = merge(x, order, left, *child);
	}
	if (order == TRC_EXTENTS_BY_TIME)
		sum_up(x, id);
	return id;
}

static void
insert(struct trc_extents *x, enum trc_extent_order order, uint32_t id)
{
	struct trc_extent *e = &x->extent[id];
	const struct place p = place_of(e, order);
	uint32_t *at = &x->root[order];

	while (*at && x->extent[*at].priority >= e->priority) {
		struct trc_extent *above = &x->extent[*at];

		if (order == TRC_EXTENTS_BY_TIME)
			above->sum += e->pages;
		at = &above->child[order][begins_before(above, p) ? RIGHT : LEFT];
	}
	split(x, *at, p, &e->child[order][LEFT], &e->child[order][RIGHT]);
	*at = id;
	if (order == TRC_EXTENTS_BY_TIME)
		sum_up(x, id);
}

static void
take_out(struct trc_extents *x, enum trc_extent_order order, uint32_t id)
{
	const struct trc_extent *e = &x->extent[id];
	const struct place p = place_of(e, order);
	uint32_t *at = &x->root[order];

	while (*at != id) {
		struct trc_extent *above = &x->extent[*at];

		if (order == TRC_EXTENTS_BY_TIME)
			above->sum -= e->pages;
		at = &above->child[order][begins_before(above, p) ? RIGHT : LEFT];
	}
	*at = merge(x, order, e->child[order][LEFT], e->child[order][RIGHT]);
}

/* Adds `more`, modulo 2^64, to the pages of an extent. */
static void
resize(struct trc_extents *x, uint32_t id, uint64_t more)
{
	struct trc_extent *e = &x->extent[id];
	uint32_t at = x->root[TRC_EXTENTS_BY_TIME];

	e->pages += more;
	if (!x->timed)
		return;
	for (;;) {
		struct trc_extent *above = &x->extent[at];

		above->sum += more;
		if (at == id)
			return;
		at = above->child[TRC_EXTENTS_BY_TIME][above->time < e->time ? RIGHT : LEFT];
	}
}

/* Returns the number of pages in extents that were used after `time`. */
static uint64_t
pages_since(const struct trc_extents *x, uint64_t time)
{
	uint64_t n = 0;

	for (uint32_t at = x->root[TRC_EXTENTS_BY_TIME]; at;) {
		const struct trc_extent *e = &x->extent[at];

		if (e->time > time) {
			n += e->pages + x->extent[e->child[TRC_EXTENTS_BY_TIME][RIGHT]].sum;
			at = e->child[TRC_EXTENTS_BY_TIME][LEFT];
		} else {
			at = e->child[TRC_EXTENTS_BY_TIME][RIGHT];
		}
	}
	return n;
}

/* ---- extents ---- */

/* Makes room for what a range may add while it passes one extent. */
static int
make_room(struct trc_extents *x, struct trc_err *err)
{
	const bool first = x->cap == 0;

	if (x->n > UINT32_MAX - 4)
		return trc_fail(err, "too many ranges");
	if (trc_grow(&x->extent, &x->cap, (size_t)x->n + 4, sizeof(*x->extent), err))
		return -1;
	if (first)
		x->extent[0] = (struct trc_extent){ .pages = 0 };
	return 0;
}

/* Adds a new extent to both orders. */
static uint32_t
add(struct trc_extents *x, struct trc_extent e)
{
	uint32_t id = x->spare, hash;

	if (id)
		x->spare = x->extent[id].child[TRC_EXTENTS_BY_ADDRESS][LEFT];
	else
		id = ++x->n;
	hash = (id ^ id >> 16) * UINT32_C(0x7feb352d);
	hash = (hash ^ hash >> 15) * UINT32_C(0x846ca68b);
	e.priority = hash ^ hash >> 16;
	x->extent[id] = e;
	insert(x, TRC_EXTENTS_BY_ADDRESS, id);
	if (x->timed)
		insert(x, TRC_EXTENTS_BY_TIME, id);
	return id;
}

static void
drop(struct trc_extents *x, uint32_t id)
{
	take_out(x, TRC_EXTENTS_BY_ADDRESS, id);
	if (x->timed)
		take_out(x, TRC_EXTENTS_BY_TIME, id);
	x->extent[id].child[TRC_EXTENTS_BY_ADDRESS][LEFT] = x->spare;
	x->spare = id;
	if (x->top == id)
		x->top = 0;
}

/* Finds the extent that has a page. If there is none, returns 0 and sets *free to the number of
 * pages up to the next extent. */
static uint32_t
find_extent(const struct trc_extents *x, uint32_t space, uint64_t page, uint64_t *free)
{
	uint32_t below = 0, above = 0;

	for (uint32_t at = x->root[TRC_EXTENTS_BY_ADDRESS]; at;) {
		const struct trc_extent *e = &x->extent[at];
		const bool later = e->space != space ? e->space > space : e->first > page;

		if (later)
			above = at;
		else
			below = at;
		at = e->child[TRC_EXTENTS_BY_ADDRESS][later ? LEFT : RIGHT];
	}
	if (below && x->extent[below].space == space &&
	    page - x->extent[below].first < x->extent[below].pages)
		return below;
	*free = above && x->extent[above].space == space ? x->extent[above].first - page :
	                                                   UINT64_MAX;
	return 0;
}

/* Takes `n` pages, from the `skip`th on, out of an extent. */
static void
cut(struct trc_extents *x, uint32_t id, uint64_t skip, uint64_t n)
{
	struct trc_extent *e = &x->extent[id];
	const struct trc_extent rest = { .first = e->first + skip + n,
		                         .pages = e->pages - skip - n,
		                         .time = e->time + skip + n,
		                         .mark = e->mark,
		                         .space = e->space };

	if (skip == 0 && rest.pages == 0) {
		drop(x, id);
	} else if (skip == 0) {
		/* Its positions in both orders stay the same. */
		resize(x, id, 0 - n);
		e->first = rest.first;
		e->time = rest.time;
	} else {
		resize(x, id, skip - e->pages);
		if (rest.pages)
			add(x, rest);
	}
}

/* Puts pages that are in no extent on top. They extend the top extent if possible. */
static void
put(struct trc_extents *x, uint32_t space, uint64_t first, uint64_t pages, uint64_t mark)
{
	const struct trc_extent *top = &x->extent[x->top];

	if (x->top && first > 0 && top->space == space && top->first + top->pages == first &&
	    top->time + top->pages == x->clock && top->mark == mark)
		resize(x, x->top, pages);
	else
		x->top = add(x, (struct trc_extent){ .first = first,
		                                     .pages = pages,
		                                     .time = x->clock,
		                                     .mark = mark,
		                                     .space = space });
	x->clock += pages;
}

int
trc_extents_refer(struct trc_extents *x, uint32_t space, uint64_t first, uint64_t pages,
                  trc_extent_use *use, void *what, struct trc_err *err)
{
	while (pages > 0) {
		uint64_t n, mark, skip;
		uint32_t id;

		if (make_room(x, err))
			return -1;
		id = find_extent(x, space, first, &n);
		if (id) {
			const struct trc_extent *e = &x->extent[id];

			skip = first - e->first;
			n = e->pages - skip < pages ? e->pages - skip : pages;
			mark = use(what, n,
			           x->timed ? pages_since(x, e->time) + e->pages - skip : 1,
			           e->mark);
			cut(x, id, skip, n);
		} else {
			n = n < pages ? n : pages;
			mark = use(what, n, 0, 0);
			x->pages += n;
		}
		put(x, space, first, n, mark);
		first += n;
		pages -= n;
	}
	return 0;
}

const struct trc_extent *
trc_extents_before(const struct trc_extents *x, uint32_t *at)
{
	const enum trc_extent_order order = x->timed ? TRC_EXTENTS_BY_TIME : TRC_EXTENTS_BY_ADDRESS;
	const struct place p = *at ? place_of(&x->extent[*at], order) : (struct place){ 0 };
	uint32_t found = 0;

	for (uint32_t id = x->root[order]; id;) {
		const struct trc_extent *e = &x->extent[id];
		const bool before = *at == 0 || begins_before(e, p);

		if (before)
			found = id;
		id = e->child[order][before ? RIGHT : LEFT];
	}
	*at = found;
	return found ? &x->extent[found] : NULL;
}
