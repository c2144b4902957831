/* SPDX-License-Identifier: MIT */
#include "stage/simulate/cache/cache_opt.h"
#include "base/map_find.h"

#include <stdlib.h>

int
trc_cache_opt_init(struct trc_cache_opt *o, size_t sets, struct trc_err *err)
{
	*o = (struct trc_cache_opt){ .sets = 0 };
	o->stack = trc_alloc(sets, sizeof(*o->stack), err);
	o->lines = o->stack ? trc_alloc(sets, sizeof(*o->lines), err) : NULL;
	if (!o->lines || trc_map_init(&o->map, err))
		return -1;
	for (; o->sets < sets; o->sets++)
		if (trc_opt_stack_init(&o->stack[o->sets], err))
			return -1;
	return 0;
}

void
trc_cache_opt_release(struct trc_cache_opt *o)
{
	for (size_t i = 0; i < o->sets; i++)
		trc_opt_stack_release(&o->stack[i]);
	free(o->stack);
	free(o->lines);
	free(o->line);
	trc_map_release(&o->map);
	*o = (struct trc_cache_opt){ .sets = 0 };
}

/* Returns the entry of the line, which may be new; NULL without memory. */
static struct trc_cache_opt_line *
find_line(struct trc_cache_opt *o, uint64_t line, size_t set)
{
	const size_t n = o->map.n;
	const uint32_t at = trc_map_find(&o->map, 0, line)->value;

	if (at != TRC_MAP_NONE)
		return &o->line[at];
	if (n >= TRC_MAP_NONE) {
		trc_fail(&o->err, "more than 2^32 lines");
		return NULL;
	}
	if (trc_grow(&o->line, &o->cap, n + 1, sizeof(*o->line), &o->err) ||
	    trc_map_add(&o->map, 0, line, (uint32_t)n, &o->err))
		return NULL;
	o->line[n] = (struct trc_cache_opt_line){ .number = o->lines[set]++ };
	return &o->line[n];
}

static bool
is_dirty(const struct trc_cache_opt_line *x, const struct trc_ways *w)
{
	return x->level > 0 && x->level <= w->ways;
}

void
trc_cache_opt_refer(struct trc_cache_opt *o, struct trc_ways *w, struct trc_cache_counts *count,
                    uint64_t line, bool whole, enum trc_type type)
{
	const size_t set = (size_t)(line & w->set_mask);
	struct trc_cache_opt_line *x = o->err.code ? NULL : find_line(o, line, set);
	uint32_t distance;

	if (!x ||
	    trc_opt_stack_refs(&o->stack[set], &x->number, 1, o->lines[set], &distance, &o->err))
		return;
	if (distance == 0 || distance > w->ways) {
		count->misses[type]++;
		count->filled += type != TRC_WRITE || !whole;
		count->evictions[type] += o->lines[set] > w->ways;
		count->writebacks[type] += is_dirty(x, w);
	}
	if (type == TRC_WRITE)
		x->level = 1;
	else if (x->level > 0 && x->level < distance)
		x->level = distance;
	w->recent[set * w->stride] = line << TRC_WAY_SHIFT | TRC_WAY_HELD |
	                             (is_dirty(x, w) ? TRC_WAY_DIRTY : 0);
}

void
trc_cache_opt_finish(const struct trc_cache_opt *o, const struct trc_ways *w,
                     struct trc_cache_counts *count)
{
	for (size_t i = 0; i < o->map.n; i++)
		count->writebacks_end += is_dirty(&o->line[i], w);
}
