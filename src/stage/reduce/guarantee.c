/* SPDX-License-Identifier: MIT
 *
 * A reduction loses what it does not preserve: a trace that was reduced for LRU has no exact
 * working sets any more. A guarantee never becomes stronger: a trace that was reduced for memories
 * of 64 pages keeps that limit when it is reduced again for 16. The requirements may be known only
 * at the end of a trace, so guarantees are computed there.
 */
#include "stage/reduce/guarantee.h"

static uint64_t
larger(uint64_t a, uint64_t b)
{
	return a > b ? a : b;
}

/* Fails because the trace was reduced, but not for this. */
static int
refuse(const struct trc_guarantee *p, const char *what, struct trc_err *err)
{
	return trc_fail_as(err, TRC_USAGE,
	                   "the trace was already reduced for %s only, and is not exact for %s; "
	                   "reduce the original",
	                   p->sad    ? "LRU memories" :
	                   p->window ? "working sets" :
	                               "caches",
	                   what);
}

static bool
stripped(const struct trc_guarantee *p)
{
	return p->sets && !(p->reduced & TRC_BELOW_CACHE);
}

static int
guarantee_memories(const struct trc_guarantee *before, struct trc_guarantee *p,
                   const struct trc_reduction *how, struct trc_err *err)
{
	if ((before->window || stripped(before)) && !before->sad)
		return refuse(before, "LRU memories", err);
	if (before->reduced & TRC_BY_SPACE && !how->scope.by_space)
		return trc_fail_as(err, TRC_USAGE,
		                   "the trace was reduced for separate memories of address "
		                   "spaces; use --by-space");
	p->sad = larger(before->sad, how->r);
	p->reduced |= (how->scope.by_space ? TRC_BY_SPACE : 0u) |
	              (how->lru_only ? TRC_LRU_ONLY : 0u) |
	              (before->reduced & (TRC_BY_SPACE | TRC_LRU_ONLY));
	return 0;
}

static int
guarantee_windows(const struct trc_guarantee *before, struct trc_guarantee *p,
                  const struct trc_reduction *how, struct trc_err *err)
{
	if ((before->sad || stripped(before)) && !before->window)
		return refuse(before, "working sets", err);
	if (before->reduced & TRC_MERGED)
		return trc_fail_as(err, TRC_USAGE,
		                   "neighbours of the trace were merged, so the time of the last "
		                   "use of a page is unknown");
	if (before->window && before->clock != how->clock)
		return trc_fail_as(err, TRC_USAGE,
		                   "the trace was reduced for windows by %s, not "
		                   "by %s",
		                   trc_column[before->clock].name, trc_column[how->clock].name);
	p->window = larger(before->window, how->window);
	p->clock = how->clock;
	return 0;
}

struct trc_guarantee
trc_cache_guarantee(const struct trc_cache_shape *shape, size_t shapes, bool below)
{
	struct trc_guarantee caches = { .line = shape[0].line,
		                        .reduced = (below ? TRC_BELOW_CACHE : 0u) |
		                                   (shapes > 1 ? TRC_SPLIT_CACHE : 0u) };

	for (size_t i = 0; i < shapes; i++) {
		caches.sets = larger(caches.sets, shape[i].size / shape[i].line / shape[i].ways);
		caches.ways = larger(caches.ways, shape[i].ways);
	}
	return caches;
}

int
trc_guarantee_cache(struct trc_guarantee *p, const struct trc_guarantee *caches,
                    struct trc_err *err)
{
	const bool again = stripped(p);

	if (p->sad || p->window)
		return refuse(p, "caches", err);
	if (p->sample)
		return trc_fail_as(err, TRC_USAGE,
		                   "the trace is a sample, but caches need the whole trace");
	if (again && (p->line != caches->line || (p->reduced ^ caches->reduced) & TRC_SPLIT_CACHE ||
	              (caches->reduced & TRC_BELOW_CACHE &&
	               (caches->sets < p->sets || caches->ways < p->ways))))
		return trc_fail_as(
		        err, TRC_USAGE,
		        "the trace was stripped for %scaches of %llu sets, %llu ways or more, "
		        "with lines of %llu bytes, and is not exact for others",
		        p->reduced & TRC_SPLIT_CACHE ? "split " : "", (ull)p->sets, (ull)p->ways,
		        (ull)p->line);
	p->sets = again ? larger(p->sets, caches->sets) : caches->sets;
	p->ways = again ? larger(p->ways, caches->ways) : caches->ways;
	p->line = caches->line;
	p->reduced = caches->reduced | (p->reduced & TRC_PART);
	if (caches->reduced & TRC_BELOW_CACHE) {
		p->sets = caches->sets;
		p->ways = caches->ways;
	}
	return 0;
}

int
trc_guarantee_reduce(struct trc_guarantee *p, const struct trc_reduction *how, struct trc_err *err)
{
	const struct trc_guarantee before = *p;

	if (how->scope.sets)
		return 0;
	if (before.reduced & TRC_CANONICAL && !how->scope.canonical)
		return trc_fail_as(err, TRC_USAGE,
		                   "the trace was reduced for canonical pages; use --canonical");
	p->sad = p->window = p->clock = 0;
	p->reduced &= TRC_BELOW_CACHE | TRC_CANONICAL | TRC_MERGED | TRC_PART;
	p->reduced |= how->scope.canonical ? TRC_CANONICAL : 0u;
	if ((how->r && guarantee_memories(&before, p, how, err)) ||
	    (how->window && guarantee_windows(&before, p, how, err)))
		return -1;
	return 0;
}
