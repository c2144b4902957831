/* SPDX-License-Identifier: MIT
 *
 * Levels that include or exclude the levels above them, as cache.h specifies. The order of
 * operations at a miss ensures that
 *
 *   a line that is written back is still in the inclusive levels below: it is written before any of
 *   them is asked for another line, which could replace it;
 *
 *   a line in an exclusive level is found there: it is moved up before the line that it replaces is
 *   moved down, which could replace it;
 *
 *   otherwise a line is fetched before the line that it replaces is moved down, as in cache_rows.c.
 */
#include "stage/simulate/cache/cache_level.h"

/* Returns the exclusive level directly below `l`, or NULL. */
static struct trc_cache_level *
victims_of(const struct trc_cache_level *l)
{
	return l->next && l->next->inclusion == TRC_CACHE_EXCLUSIVE ? l->next : NULL;
}

bool
trc_inclusion_drop(struct trc_cache_level *l, uint64_t line, enum trc_type cause, bool count)
{
	bool dirty = false;

	for (size_t i = 0; i < l->n_above; i++) {
		struct trc_cache_level *u = l->above[i];
		const unsigned more = l->line_bits - u->line_bits;

		for (uint64_t k = line << more; k >> more == line; k++) {
			if (!trc_ways_has(&u->ways, k))
				continue;
			if (count && trc_ways_is_dirty(&u->ways, k)) {
				u->count->writebacks[cause]++;
				dirty = true;
			}
			u->count->invalidated += count;
			trc_ways_drop(&u->ways, k);
		}
	}
	return dirty;
}

static void pass_down(struct trc_cache_level *l, uint64_t gone, enum trc_type cause);

/* Inserts a line of the level above into an exclusive level. The line may be there already if one
 * half of a split level had it and the other half moved it. */
static void
take_in(struct trc_cache_level *l, uint64_t entry, enum trc_type cause)
{
	const uint64_t line = entry >> TRC_WAY_SHIFT, dirty = entry & TRC_WAY_DIRTY;

	uint64_t gone;

	if (trc_ways_use(&l->ways, line, dirty))
		return;
	gone = trc_ways_add(&l->ways, line, dirty);
	l->count->evictions[cause] += gone != 0;
	pass_down(l, gone, cause);
}

/* Handles the replaced line, or 0: moves it to the level below if that is exclusive, else writes it
 * there if it is dirty. */
static void
pass_down(struct trc_cache_level *l, uint64_t gone, enum trc_type cause)
{
	struct trc_cache_level *victims = victims_of(l);

	if (!gone)
		return;
	if (trc_inclusion_drop(l, gone >> TRC_WAY_SHIFT, cause, true))
		gone |= TRC_WAY_DIRTY;
	if (gone & TRC_WAY_DIRTY)
		l->count->writebacks[cause]++;
	else if (victims)
		l->count->victims++;
	if (victims)
		take_in(victims, gone, cause);
	else if (gone & TRC_WAY_DIRTY && l->below)
		l->refer(l->below, gone >> TRC_WAY_SHIFT << l->line_bits, l->line, TRC_WRITE);
}

/* Takes a line out of the exclusive levels from `l` down; returns its entry, or 0. */
static uint64_t
take_up(struct trc_cache_level *l, uint64_t line, enum trc_type type)
{
	for (; l; l = victims_of(l)) {
		l->count->refs[type]++;
		if (trc_ways_has(&l->ways, line)) {
			const bool dirty = trc_ways_is_dirty(&l->ways, line);

			trc_ways_drop(&l->ways, line);
			return TRC_WAY_HELD | (dirty ? TRC_WAY_DIRTY : 0);
		}
		l->count->misses[type]++;
	}
	return 0;
}

static void
miss(struct trc_cache_level *l, uint64_t line, bool whole, enum trc_type type)
{
	const enum trc_type want = type == TRC_WRITE ? TRC_READ : type;
	struct trc_cache_level *victims = victims_of(l);
	const bool fetch = type != TRC_WRITE || !whole || victims || l->included;
	const uint64_t found = take_up(victims, line, want);
	const uint64_t dirty = type == TRC_WRITE ? TRC_WAY_DIRTY : found & TRC_WAY_DIRTY;
	uint64_t gone;

	l->count->misses[type]++;
	l->count->filled += fetch;
	gone = trc_ways_add(&l->ways, line, dirty);
	l->count->evictions[type] += gone != 0;
	if (l->included)
		pass_down(l, gone, type);
	if (fetch && !found && l->below)
		l->refer(l->below, line << l->line_bits, l->line, want);
	if (!l->included)
		pass_down(l, gone, type);
}

/* Returns true if a level below `l` includes it. */
static bool
is_included(const struct trc_cache_level *l)
{
	while ((l = l->next))
		if (l->inclusion == TRC_CACHE_INCLUSIVE)
			return true;
	return false;
}

void
trc_inclusion_join(struct trc_cache_level *level, const struct trc_cache_shape *shape, size_t n,
                   size_t first)
{
	for (size_t i = first; i < n; i++)
		level[i].inclusion = shape[i].inclusion;
	for (size_t i = 0; i < n; i++) {
		struct trc_cache_level *l = &level[i];

		l->below = l->next;
		while (l->below && l->below->inclusion == TRC_CACHE_EXCLUSIVE)
			l->below = l->below->next;
		for (size_t k = 0; k < i && l->inclusion == TRC_CACHE_INCLUSIVE; k++)
			l->above[l->n_above++] = &level[k];
		l->included = is_included(l);
		if (l->included || victims_of(l) || l->inclusion != TRC_CACHE_NINE)
			l->miss = miss;
	}
}
