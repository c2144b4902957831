/* SPDX-License-Identifier: MIT
 *
 * References through levels of caches. Most references hit the most recently used line of their
 * set, which is one comparison here. All others go down the levels by recursion, in the order of
 * dineroIV: a missing line is fetched before the line that it replaces is written back.
 */
#include "stage/simulate/cache/cache_sink.h"

#include <stdlib.h>

#include "stage/simulate/cache/cache_sweep.h"

enum {
	/* With slices: limit of the lines of large references, processed one by one. */
	RANGES_FREE = 1 << 21,
	RANGES_PER_ROW = 4096, /* added to the limit for each row */
};

/* ---- a level ---- */

static void
write_back(struct trc_cache_level *l, uint64_t entry, enum trc_type cause)
{
	l->count->writebacks[cause]++;
	if (l->below)
		trc_cache_level_refer(l->below, entry >> TRC_WAY_SHIFT << l->line_bits, l->line,
		                      TRC_WRITE);
}

/* Handles a reference to a line that is not in the cache; `whole`: it covers the line. */
static void
miss(struct trc_cache_level *l, uint64_t line, bool whole, enum trc_type type)
{
	uint64_t gone;

	if (l->miss) {
		l->miss(l, line, whole, type);
		return;
	}
	l->count->misses[type]++;
	gone = trc_ways_add(&l->ways, line, type == TRC_WRITE ? TRC_WAY_DIRTY : 0);
	l->count->evictions[type] += gone != 0;
	if (type != TRC_WRITE || !whole) {
		l->count->filled++;
		if (l->below)
			trc_cache_level_refer(l->below, line << l->line_bits, l->line,
			                      type == TRC_WRITE ? TRC_READ : type);
	}
	if (gone & TRC_WAY_DIRTY)
		write_back(l, gone, type);
}

/* Handles a reference within a line. */
static void
line_reference(struct trc_cache_level *l, uint64_t line, bool whole, enum trc_type type)
{
	l->count->refs[type]++;
	if (!trc_ways_use(&l->ways, line, type == TRC_WRITE ? TRC_WAY_DIRTY : 0))
		miss(l, line, whole, type);
}

/* Prefetches a line because of a reference of that type. */
static void
prefetch(struct trc_cache_level *l, uint64_t line, enum trc_type type)
{
	l->count->prefetches[type]++;
	if (trc_ways_use(&l->ways, line, 0))
		return;
	miss(l, line, false, type);
	l->count->misses[type]--; /* nothing waited for it */
	l->count->prefetched[type]++;
	trc_prefetch_brought(l->prefetcher, &l->ways, line);
}

/* Handles a demand reference within a line of a level with a prefetcher, and prefetches. */
TRC_NO_INLINE static void
demand_ahead(struct trc_cache_level *l, uint64_t addr, bool whole, bool first, enum trc_type type)
{
	struct trc_prefetcher *p = l->prefetcher;
	const uint64_t line = addr >> l->line_bits;
	const enum trc_prefetch_use use = trc_prefetch_use(p, &l->ways, line);
	uint64_t next[TRC_PREFETCH_MOST];
	size_t n;

	l->count->useful[type] += use == TRC_PREFETCH_FIRST_USE;
	line_reference(l, line, whole, type);
	if (type != TRC_READ && type != TRC_FETCH)
		return;
	n = trc_prefetch_next(p, addr, l->line_bits, first, use, next);
	for (size_t i = 0; i < n; i++)
		prefetch(l, next[i], type);
}

/* Handles a demand reference within the line of `addr`; `first`: it is the first line of the
 * row. */
static inline void
demand(struct trc_cache_level *l, uint64_t addr, bool whole, bool first, enum trc_type type)
{
	if (TRC_LIKELY(!l->prefetcher))
		line_reference(l, addr >> l->line_bits, whole, type);
	else
		demand_ahead(l, addr, whole, first, type);
}

void
trc_cache_level_refer(struct trc_cache_level *l, uint64_t addr, uint32_t size, enum trc_type type)
{
	const uint32_t lines = size > l->line ? size >> l->line_bits : 1;

	for (uint32_t i = 0; i < lines; i++)
		demand(l, addr + ((uint64_t)i << l->line_bits), size >= l->line, i == 0, type);
}

/* Replaces the address of row `i` by one of its region if there are several spaces, or small lines,
 * whose numbers have more bits than ways can store. */
static inline int
place(struct trc_caches *s, const struct trc_batch *b, size_t i, uint64_t *addr,
      struct trc_err *err)
{
	if (TRC_LIKELY(!b->asid && !s->placed))
		return 0;
	return trc_regions_place(&s->regions, b->asid ? b->asid[i] : 0, addr, err);
}

void
trc_cache_level_copy_back(struct trc_cache_level *l, uint64_t *count)
{
	for (uint64_t set = l->ways.set_mask + 1; set-- > 0;) {
		uint64_t entry;
		size_t at = 0;

		while ((entry = trc_ways_clean_next(&l->ways, set, &at))) {
			++*count;
			if (l->below)
				trc_cache_level_refer(l->below,
				                      entry >> TRC_WAY_SHIFT << l->line_bits,
				                      l->line, TRC_WRITE);
		}
	}
}

/* Copies lines of both halves back: a half for fetches can hold dirty lines, too, which came from
 * an exclusive level below. */
static void
copy_back(struct trc_caches *s, uint64_t addr, bool all)
{
	for (size_t i = 0; i < s->levels; i++) {
		struct trc_cache_level *l = &s->level[i];
		const uint64_t line = addr >> l->line_bits;

		if (all)
			trc_cache_level_copy_back(l, &l->count->writebacks[TRC_COPY_BACK]);
		else if (trc_ways_clean(&l->ways, line))
			write_back(l, line << TRC_WAY_SHIFT, TRC_COPY_BACK);
	}
}

/* Drops those of `n` lines that are in the cache, where fewer than `n` are; for policies that do
 * not remember lines. */
static int
invalidate_many(struct trc_cache_level *l, uint64_t first, uint64_t n, size_t there,
                struct trc_err *err)
{
	uint64_t *entry = trc_alloc_room(there, sizeof(*entry), err);

	if (!entry)
		return -1;
	trc_ways_copy(&l->ways, entry);
	for (size_t i = 0; i < there; i++) {
		const uint64_t line = entry[i] >> TRC_WAY_SHIFT;

		if (!entry[i] || line - first >= n)
			continue;
		(void)trc_inclusion_drop(l, line, TRC_INVALIDATE, false);
		trc_ways_drop(&l->ways, line);
	}
	free(entry);
	return 0;
}

/* Drops the lines of the bytes of row `i`, or all if its size is 0. */
static int
invalidate(struct trc_caches *s, struct trc_cache_level *l, const struct trc_batch *b, size_t i,
           struct trc_err *err)
{
	const bool all = b->size && b->size[i] == 0;
	const uint64_t last = b->addr[i] + (b->size && !all ? b->size[i] - 1 : 0);

	for (; l; l = l->next) {
		const unsigned bits = l->line_bits;
		const uint64_t first = b->addr[i] >> bits, n = (last >> bits) - first + 1;
		const size_t there = ((size_t)l->ways.set_mask + 1) * l->ways.ways;

		if (all)
			trc_ways_delete(&l->ways, NULL);
		if (!all && n > there && !b->asid && !s->placed && !l->ways.rules) {
			if (invalidate_many(l, first, n, there, err))
				return -1;
			continue;
		}
		for (uint64_t k = first; !all && k <= last >> bits; k++) {
			uint64_t at = k << bits;

			if (place(s, b, i, &at, err))
				return -1;
			at >>= bits;
			(void)trc_inclusion_drop(l, at, TRC_INVALIDATE, false);
			trc_ways_delete(&l->ways, &at);
		}
	}
	return 0;
}

/* ---- rows ---- */

/* The references of a sweep; `begins` if the first line is the first of its row. */
struct sweep {
	struct trc_cache_level *level;
	enum trc_type type;
	const uint64_t *first;
};

static void
refer(void *what, uint64_t first, uint64_t n)
{
	const struct sweep *s = what;

	for (uint64_t i = 0; i < n; i++)
		demand(s->level, (first + i) << s->level->line_bits, true,
		       s->first && first + i == *s->first, s->type);
}

/* Refers to all of `n` lines, entering at `l`; `begins` if the row begins there. The other half of
 * a split first level takes part in the sweep if it may hold lines of a level below. */
static int
whole_lines(struct trc_caches *sink, struct trc_cache_level *l, uint64_t first, uint64_t n,
            bool begins, enum trc_type type, struct trc_err *err)
{
	struct trc_cache_level *other = l == sink->data ? sink->fetches : sink->data;
	struct trc_swept level[TRC_CACHES_MOST];
	struct sweep what = { l, type, begins ? &first : NULL };
	struct trc_sweep s = { level, 0, first, n, refer, &what };

	sink->in_ranges += n;
	if (l->slice && sink->in_ranges > RANGES_FREE + RANGES_PER_ROW * sink->rows)
		return trc_fail_as(err, TRC_ONLY_WHOLE,
		                   "single references span so many lines that slices cannot be "
		                   "joined; use larger lines, or run it without --shard");
	/* A sweep may not skip open lines, lines of opt, or prefetches. */
	if (l->slice || sink->any_opt || sink->any_prefetch) {
		refer(&what, first, n);
		return 0;
	}
	if (other == l || !l->included)
		other = NULL;
	for (; l; l = l->next)
		level[s.levels++] = (struct trc_swept){ &l->ways, l->count, l->line_bits };
	if (other)
		level[s.levels++] = (struct trc_swept){ &other->ways, other->count,
			                                other->line_bits };
	return trc_cache_sweep(&s, err);
}

/* Returns the number of bytes after `at` up to the end of its region, or the last address. */
static uint64_t
unbroken(const struct trc_caches *s, const struct trc_batch *b, uint64_t at)
{
	return b->asid || s->placed ? (UINT64_C(1) << TRC_REGION_BITS) - (uint32_t)at :
	                              UINT64_MAX - at;
}

/* Processes one reference line by line, in parts that lie in one region. */
static int
by_lines(struct trc_caches *s, const struct trc_batch *b, size_t i, enum trc_type type,
         struct trc_err *err)
{
	struct trc_cache_level *l = type == TRC_FETCH ? s->fetches : s->data;
	uint64_t addr = b->size ? b->addr[i] : b->addr[i] & ~(uint64_t)(TRC_CACHE_WORD - 1);
	uint64_t size = b->size ? b->size[i] + (b->size[i] == 0) : TRC_CACHE_WORD;
	bool first = true;

	if (trc_batch_past_end(b, i))
		return trc_batch_fail_past_end(b, i, err);
	while (size > 0) {
		const uint64_t room = l->line - (addr & (l->line - 1));
		uint64_t n = size < room ? size : room, at = addr, whole;

		if (place(s, b, i, &at, err))
			return -1;
		whole = unbroken(s, b, at);
		whole = (size < whole ? size : whole) >> l->line_bits;
		if (room == l->line && whole > 1) {
			if (whole_lines(s, l, at >> l->line_bits, whole, first, type, err))
				return -1;
			n = whole << l->line_bits;
		} else {
			demand(l, at, n == l->line, first, type);
		}
		first = false;
		addr += n;
		size -= n;
	}
	return 0;
}

/* Processes a row of any kind. */
static int
row(struct trc_caches *s, const struct trc_batch *b, size_t i, struct trc_err *err)
{
	const uint8_t type = trc_batch_type(b, i);
	const bool all = b->size && b->size[i] == 0;
	uint64_t at = b->addr[i];

	if (s->any_stride && trc_prefetch_row(&s->at, b, i, err))
		return -1;
	if (s->any_opt && (type == TRC_COPY_BACK || type == TRC_INVALIDATE)) {
		s->orders++;
		return 0;
	}
	switch (type) {
	case TRC_MODIFY:
		if (by_lines(s, b, i, TRC_READ, err))
			return -1;
		return by_lines(s, b, i, TRC_WRITE, err);
	case TRC_COPY_BACK:
	case TRC_INVALIDATE:
		if (s->sliced)
			return trc_fail_as(err, TRC_ONLY_WHOLE,
			                   "copy-backs and invalidates depend on the content of "
			                   "the cache, which is unknown in a part of a trace");
		if (type == TRC_INVALIDATE && trc_batch_past_end(b, i))
			return trc_batch_fail_past_end(b, i, err);
		if (type == TRC_INVALIDATE)
			return invalidate(s, s->fetches, b, i, err) ||
			                       invalidate(s, s->data, b, i, err) ?
			               -1 :
			               0;
		if (place(s, b, i, &at, err))
			return -1;
		copy_back(s, at, all);
		return 0;
	case TRC_READ:
	case TRC_WRITE:
	case TRC_FETCH:
	case TRC_MISC: return by_lines(s, b, i, (enum trc_type)type, err);
	default: return 0;
	}
}

/* Returns true if a reference of `more` + 1 bytes is within the most recently used line of its set:
 * then it only needs to be counted. */
static TRC_ALWAYS_INLINE bool
is_recent(const struct trc_cache_entry *e, uint64_t addr, uint64_t more)
{
	const uint64_t line = addr >> e->bits;
	const uint64_t dirty = line << TRC_WAY_SHIFT | TRC_WAY_HELD | TRC_WAY_DIRTY;

	return (addr + more) >> e->bits == line &&
	       (e->recent[(line & e->set_mask) * e->stride] | e->clean) == dirty;
}

/* Counts rows from `i` on for which that is true; returns the first for which it is not.
 * Consecutive rows use different counters, since incrementing the same one would wait for its last
 * store. */
static TRC_ALWAYS_INLINE size_t
count_recent(const struct trc_caches *s, const struct trc_batch *b, size_t i, bool sizes,
             uint64_t hits[2][TRC_TYPE_MASK + 1])
{
	const uint64_t *const addr = b->addr;
	const uint32_t *const size = b->size;
	const uint8_t *const types = b->type;
	const size_t n = b->n;

	for (; i < n; i++) {
		const uint8_t type = types[i] & TRC_TYPE_MASK;
		const struct trc_cache_entry *e = &s->entry[type];

		if (TRC_UNLIKELY(!e->level) ||
		    !is_recent(e, addr[i], sizes ? size[i] - (uint64_t)(size[i] > 0) : 0))
			break;
		hits[i % 2][type]++;
	}
	return i;
}

/* Processes a row that is one reference within a line and enters at `e`; returns false for other
 * rows. */
static bool
in_line(const struct trc_cache_entry *e, const struct trc_batch *b, size_t i, uint64_t addr,
        uint64_t more)
{
	const uint64_t size = b->size ? more + 1 : TRC_CACHE_WORD;
	const enum trc_type type = (enum trc_type)trc_batch_type(b, i);

	if ((addr + more) >> e->bits != addr >> e->bits)
		return false;
	if (is_recent(e, addr, more))
		e->level->count->refs[type]++;
	else
		line_reference(e->level, addr >> e->bits, size == e->level->line, type);
	return true;
}

/* Processes any row. */
static int
put_row(struct trc_caches *s, const struct trc_batch *b, size_t i, struct trc_err *err)
{
	/* in smaller lines it is several references */
	const uint64_t bare = s->placed ? TRC_CACHE_WORD : 0;
	const uint64_t more = !b->size ? bare : b->size[i] ? b->size[i] - 1 : 0;
	const struct trc_cache_entry *e = &s->entry[trc_batch_type(b, i)];
	uint64_t addr = b->addr[i];

	if (trc_batch_is_event(b, i))
		return 0;
	if (TRC_LIKELY(e->level)) {
		if (place(s, b, i, &addr, err))
			return -1;
		if (TRC_LIKELY(in_line(e, b, i, addr, more)))
			return 0;
	}
	return row(s, b, i, err);
}

int
trc_caches_put_rows(struct trc_caches *s, const struct trc_batch *b, struct trc_err *err)
{
	const bool placed = b->asid || s->placed, plain = b->type && !b->event && !placed;
	uint64_t hits[2][TRC_TYPE_MASK + 1] = { { 0 } };

	s->rows += b->n;
	s->at.regions = placed ? &s->regions : NULL;
	for (size_t i = 0; i < b->n; i++) {
		if (plain)
			i = b->size ? count_recent(s, b, i, true, hits) :
			              count_recent(s, b, i, false, hits);
		if (i < b->n && put_row(s, b, i, err))
			return -1;
	}
	for (size_t type = 0; plain && type <= TRC_TYPE_MASK; type++)
		if (s->entry[type].level)
			s->entry[type].level->count->refs[type] += hits[0][type] + hits[1][type];
	return 0;
}
