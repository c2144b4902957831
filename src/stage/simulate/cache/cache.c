/* SPDX-License-Identifier: MIT
 *
 * The sink of caches: its levels, their joining, its end and its state. cache_rows.c simulates.
 */
#include "stage/simulate/cache/cache.h"

#include <stdlib.h>

#include "base/bytes.h"
#include "stage/simulate/cache/cache_sink.h"

static void
opt_miss(struct trc_cache_level *l, uint64_t line, bool whole, enum trc_type type)
{
	trc_cache_opt_refer(l->opt, &l->ways, l->count, line, whole, type);
}

static int
begin_prefetch(struct trc_caches *s, size_t i, const struct trc_cache_shape *shape,
               struct trc_err *err)
{
	s->level[i].prefetcher = &s->prefetcher[i];
	s->any_prefetch = true;
	s->any_stride |= shape->prefetch.how == TRC_PREFETCH_STRIDE;
	return trc_prefetcher_init(&s->prefetcher[i], shape->prefetch, shape->size / shape->line,
	                           &s->at, err);
}

static int
begin_opt(struct trc_caches *s, size_t i, struct trc_err *err)
{
	struct trc_cache_level *l = &s->level[i];

	l->opt = &s->opt[i];
	l->miss = opt_miss;
	s->any_opt = true;
	return trc_cache_opt_init(l->opt, (size_t)l->ways.set_mask + 1, err);
}

static void
slice_miss(struct trc_cache_level *l, uint64_t line, bool whole, enum trc_type type)
{
	trc_cache_slice_miss(l->slice, line, whole, type);
}

/* Called before the first row or state: caches whose state will be saved begin with unknown
 * contents. */
static int
begin_slices(struct trc_caches *s, struct trc_err *err)
{
	if (!s->sink.partial || s->sliced)
		return 0;
	s->sliced = true;
	for (size_t i = 0; i < s->levels; i++) {
		struct trc_cache_level *l = &s->level[i];

		if (trc_cache_slice_init(&s->slice[i], &l->ways, l->count, l->line_bits, err))
			return -1;
		s->slice[i].shares = s->shares;
		s->slice[i].cache = i;
		l->slice = &s->slice[i];
		l->miss = slice_miss;
	}
	return 0;
}

/* Returns the failures that occurred within references. */
static int
check_failed(const struct trc_caches *s, struct trc_err *err)
{
	if (s->at.err.code != TRC_OK) {
		*err = s->at.err;
		return -1;
	}
	for (size_t i = 0; i < s->levels && s->any_opt; i++)
		if (s->opt[i].err.code != TRC_OK) {
			*err = s->opt[i].err;
			return -1;
		}
	return 0;
}

static int
cache_put(struct trc_sink *sink, const struct trc_batch *b, struct trc_err *err)
{
	struct trc_caches *s = (struct trc_caches *)sink;

	if (begin_slices(s, err))
		return -1;
	if (!b->addr)
		return trc_fail(err, "the trace has no addresses, which caches need");
	return trc_caches_put_rows(s, b, err) || check_failed(s, err) ? -1 : 0;
}

static int
cache_finish(struct trc_sink *sink, const struct trc_meta *meta, struct trc_err *err)
{
	struct trc_caches *s = (struct trc_caches *)sink;

	(void)meta;
	if (s->orders)
		return trc_fail(err,
		                "copy-backs and invalidates (%llu records) depend on the content "
		                "of the cache, which opt only knows later; drop them with 'trc "
		                "encode --drop copy-back,invalidate'",
		                (ull)s->orders);
	for (size_t i = 0; i < s->levels && s->sliced; i++)
		trc_cache_slice_finish(&s->slice[i]);
	for (size_t i = 0; i < s->levels; i++)
		trc_cache_level_copy_back(&s->level[i], &s->level[i].count->writebacks_end);
	for (size_t i = 0; i < s->levels; i++)
		if (s->level[i].opt)
			trc_cache_opt_finish(&s->opt[i], &s->level[i].ways, s->level[i].count);
	return check_failed(s, err);
}

/* Saves or restores: whether there are spaces, then the shares if there are any, and each cache. */
static void
cache_state(struct trc_sink *sink, struct trc_state *t)
{
	struct trc_caches *s = (struct trc_caches *)sink;
	bool spaces = s->regions.map.n > 0;

	if (trc_state_failed(t, begin_slices(s, t->err)))
		return;
	trc_state_flag(t, &spaces);
	if (s->shares)
		trc_cache_shares_state(s->shares, t);
	for (size_t i = 0; i < s->levels; i++)
		trc_cache_slice_state(&s->slice[i], spaces ? &s->regions : NULL, t);
}

static void
cache_close(struct trc_sink *sink)
{
	struct trc_caches *s = (struct trc_caches *)sink;

	for (size_t i = 0; i < s->levels; i++) {
		trc_ways_release(&s->level[i].ways);
		trc_cache_opt_release(&s->opt[i]);
		trc_prefetcher_release(&s->prefetcher[i]);
	}
	trc_last_fetch_release(&s->at.fetched);
	for (size_t i = 0; i < s->levels && s->sliced; i++)
		trc_cache_slice_release(&s->slice[i]);
	trc_regions_release(&s->regions);
	/* If the state was saved, the shares are not used. */
	if (sink->partial && s->shares)
		trc_cache_shares_release(s->shares);
	free(s);
}

/* Sets where a type enters if it is exactly one reference and a hit has no further effect. All
 * other types go through row(). */
static void
add_entry(struct trc_caches *s, enum trc_type type)
{
	struct trc_cache_level *l = type == TRC_FETCH ? s->fetches : s->data;

	if (trc_type_refs((uint8_t)type) == 1 && !l->prefetcher && !s->any_stride)
		s->entry[type] =
		        (struct trc_cache_entry){ .level = l,
			                          .clean = type == TRC_WRITE ? 0 : TRC_WAY_DIRTY,
			                          .recent = l->ways.recent,
			                          .set_mask = l->ways.set_mask,
			                          .stride = l->ways.stride,
			                          .bits = l->line_bits };
}

/* Connects the levels, and finds which types enter the first level as exactly one reference. */
static void
join(struct trc_caches *s, const struct trc_cache_shape *shape)
{
	const size_t first = shape[0].part == TRC_CACHE_UNIFIED ? 1 : 2;

	s->fetches = &s->level[0];
	s->data = &s->level[first - 1];
	for (size_t i = 0; i < s->levels; i++) {
		const size_t below = i + 1 < first ? first : i + 1;

		s->level[i].refer = trc_cache_level_refer;
		s->level[i].next = below < s->levels ? &s->level[below] : NULL;
	}
	trc_inclusion_join(s->level, shape, s->levels, first);
	for (int type = 0; type <= TRC_TYPE_MASK; type++)
		add_entry(s, (enum trc_type)type);
}

struct trc_sink *
trc_cache_sink(const struct trc_cache_shape *shape, size_t n, struct trc_cache_counts *count,
               struct trc_err *err)
{
	struct trc_caches *s = trc_alloc(1, sizeof(*s), err);

	if (!s)
		return NULL;
	s->sink =
	        (struct trc_sink){ .put = cache_put, .finish = cache_finish, .close = cache_close };
	if (trc_regions_init(&s->regions, err) || trc_last_fetch_init(&s->at.fetched, err))
		goto out;
	for (size_t i = 0; i < n; i++) {
		struct trc_cache_level *l = &s->level[s->levels++];

		count[i] = (struct trc_cache_counts){ 0 };
		l->count = &count[i];
		l->line = (uint32_t)shape[i].line;
		l->line_bits = (unsigned)trc_ctz64(shape[i].line);
		s->placed |= shape[i].line < 1 << TRC_WAY_SHIFT;
		if (trc_ways_init(&l->ways, &shape[i], err) ||
		    (shape[i].policy == TRC_CACHE_OPT && begin_opt(s, i, err)) ||
		    (shape[i].prefetch.how && begin_prefetch(s, i, &shape[i], err)))
			goto out;
	}
	join(s, shape);
	s->sink.state = trc_cache_parts(shape, n) ? cache_state : NULL;
	return &s->sink;
out:
	cache_close(&s->sink);
	return NULL;
}

void
trc_cache_share(struct trc_sink *caches, struct trc_cache_shares *shares)
{
	((struct trc_caches *)caches)->shares = shares;
}
