/* SPDX-License-Identifier: MIT
 * Compares and joins guarantees of reduced traces. */
#include "batch/guarantee.h"

bool
trc_guarantee_none(const struct trc_guarantee *p)
{
	return trc_guarantee_same(p, &(const struct trc_guarantee){ 0 });
}

bool
trc_guarantee_same(const struct trc_guarantee *a, const struct trc_guarantee *b)
{
	return a->sad == b->sad && a->window == b->window && a->clock == b->clock &&
	       a->sets == b->sets && a->ways == b->ways && a->line == b->line &&
	       a->sample == b->sample && a->reduced == b->reduced;
}

/* Returns true if the trace is exact only from some size of memories, working sets or caches on.
 * One that was not reduced is exact for all sizes. */
static bool
has_least(const struct trc_guarantee *p)
{
	return p->sad || p->window || p->sets;
}

bool
trc_guarantee_joins(const struct trc_guarantee *a, const struct trc_guarantee *b)
{
	const bool both_hold = (a->sad && b->sad) ||
	                       (a->window && b->window && a->clock == b->clock) ||
	                       (a->sets && b->sets && a->line == b->line);

	return a->sample == b->sample && a->reduced == b->reduced &&
	       (both_hold || !has_least(a) || !has_least(b));
}

/* Returns the size from which both are exact; 0: never. */
static uint64_t
exact_in_both(uint64_t a, uint64_t b)
{
	return !a || !b ? 0 : a > b ? a : b;
}

void
trc_guarantee_join(struct trc_guarantee *p, const struct trc_guarantee *next)
{
	if (!has_least(p)) {
		*p = *next;
		return;
	}
	if (!has_least(next))
		return;
	if (p->clock != next->clock)
		p->window = p->clock = 0;
	if (p->line != next->line)
		p->sets = p->ways = p->line = 0;
	p->sad = exact_in_both(p->sad, next->sad);
	p->window = exact_in_both(p->window, next->window);
	p->sets = exact_in_both(p->sets, next->sets);
	p->ways = exact_in_both(p->ways, next->ways);
}
