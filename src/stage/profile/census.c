/* SPDX-License-Identifier: MIT */
#include "stage/profile/census.h"
#include "base/map_find.h"

#include <stdlib.h>

static int
add(struct trc_census *t, uint32_t space, uint64_t key, struct trc_err *err)
{
	if (t->n >= TRC_MAP_NONE)
		return trc_fail(err, "more than 2^32 different keys");
	if ((!t->map.entry && trc_map_init(&t->map, err)) ||
	    trc_grow(&t->entry, &t->cap, t->n + 1, sizeof(*t->entry), err) ||
	    trc_map_add(&t->map, space, key, (uint32_t)t->n, err))
		return -1;
	t->entry[t->n++] = (struct trc_census_entry){ .space = space, .key = key };
	return 0;
}

/* Returns the index of a key, or TRC_MAP_NONE. */
static uint32_t
find_key(const struct trc_census *t, uint32_t space, uint64_t key)
{
	return t->map.entry ? trc_map_find(&t->map, space, key)->value : TRC_MAP_NONE;
}

int
trc_census_count(struct trc_census *t, const struct trc_census_entry *next,
                 trc_census_seam_fn *seam, void *of, struct trc_err *err)
{
	uint32_t at = find_key(t, next->space, next->key);
	struct trc_census_entry *e;

	if (at == TRC_MAP_NONE) {
		if (add(t, next->space, next->key, err))
			return -1;
		at = (uint32_t)t->n - 1;
		t->entry[at].first = next->first;
	} else if (seam && seam(of, &t->entry[at], next, err)) {
		return -1;
	}
	e = &t->entry[at];
	e->last = next->last;
	e->n += next->n;
	return 0;
}

/* ---- a state: the number of keys, then an array for each member of the entries ---- */

static void
entries_state(struct trc_census_entry *e, size_t n, struct trc_state *s)
{
	const unsigned near = TRC_STATE_DELTA | TRC_STATE_SIGNED;

	if (n == 0 || s->failed)
		return;
	trc_state_array(s, TRC_STRIDED(&e->space, sizeof(*e)), n, 0, UINT32_MAX);
	trc_state_array(s, TRC_STRIDED(&e->key, sizeof(*e)), n, near, UINT64_MAX);
	trc_state_array(s, TRC_STRIDED(&e->n, sizeof(*e)), n, 0, UINT64_MAX);
	trc_state_array(s, TRC_STRIDED(&e->first, sizeof(*e)), n, near, UINT64_MAX);
	trc_state_array(s, TRC_STRIDED(&e->last, sizeof(*e)), n, near, UINT64_MAX);
}

void
trc_census_state(struct trc_census *t, struct trc_state *s, trc_census_seam_fn *seam, void *of)
{
	struct trc_census_entry *next = NULL;
	size_t n = t->n;

	trc_state_count(s, &n, TRC_MAP_NONE - 1);
	if (!s->writes)
		next = trc_state_room(s, n, sizeof(*next));
	entries_state(s->writes ? t->entry : next, n, s);
	for (size_t i = 0; !s->writes && i < n && !s->failed; i++)
		s->failed = trc_census_count(t, &next[i], seam, of, s->err) != 0;
	free(next);
}

/* ---- at the end ---- */

void
trc_census_subtract(struct trc_census *t, const struct trc_census *first)
{
	size_t n = 0;

	for (size_t i = 0; i < t->n; i++) {
		const uint32_t at = find_key(first, t->entry[i].space, t->entry[i].key);

		t->entry[n] = t->entry[i];
		t->entry[n].n -= at == TRC_MAP_NONE ? 0 : first->entry[at].n;
		n += t->entry[n].n > 0;
	}
	t->n = n;
}

static int
by_count(const void *a, const void *b)
{
	const struct trc_census_entry *x = a, *y = b;

	if (x->n != y->n)
		return x->n > y->n ? -1 : 1;
	if (x->space != y->space)
		return x->space < y->space ? -1 : 1;
	return x->key < y->key ? -1 : x->key > y->key;
}

uint64_t
trc_census_rank(struct trc_census *t)
{
	uint64_t sum = 0;

	for (size_t i = 0; i < t->n; i++)
		sum += t->entry[i].n;
	if (t->n)
		qsort(t->entry, t->n, sizeof(*t->entry), by_count);
	return sum;
}

void
trc_census_release(struct trc_census *t)
{
	trc_map_release(&t->map);
	free(t->entry);
	*t = (struct trc_census){ .n = 0 };
}
