/* SPDX-License-Identifier: MIT
 *
 * Safely allowed drop, SAD (S. F. Kaplan, Y. Smaragdakis, P. R. Wilson, "Trace reduction for
 * virtual memory simulations", SIGMETRICS 1999): of three consecutive surviving references to a
 * page the middle one is dropped if fewer than r distinct other pages lie between the first and
 * the third. What it held of writing goes to the third, so that the page is as dirty at every
 * eviction.
 *
 * In one pass, O(1) a reference: the simulated memory is an LRU list of r pages. A page seen again
 * at `now`, whose latest record is at t2 and whose record before that is at t1, has fewer than r
 * pages in (t1, now) just if nothing that was last used after t1 was evicted: t1 > evicted. Then
 * the latest record is dropped: it takes the stamps of the new reference and moves to the newest
 * end. A record is final when it is not the latest of its page any more, or could not be dropped at
 * any later reference; it leaves when all older ones did. A page has at most two records with t1 >
 * evicted, so there are never more than 2r that wait.
 *
 * Windows. Denning's working set with window T has, at every time, the pages used at most T ago; a
 * reference faults just if the page was used last more than T ago, and so it does by VMIN, which
 * removes a page at once if it will not be used for T. The middle of three references may go for
 * all windows of T and more just if the third is at most T behind the first. With r and T the
 * middle is dropped if both rules allow it, and both guarantees hold. A page not used for T leaves
 * the memory.
 *
 * Groups. If pages have memories of their own, for each space or each set of a cache, records of
 * all of them still leave in order of time, and one that rests holds the others back. So a latest
 * record behind which PATIENCE references came is not dropped any more: keeping more is always
 * right.
 */
#include "stage/reduce/lru.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "stage/reduce/guarantee.h"
#include "stage/wrap.h"

enum { PATIENCE = 1 << 22 };

/* The stage. */
struct sad {
	struct trc_wrap wrap;
	struct trc_reduction how;
	uint64_t r;        /* how.r, or more than there will be */
	uint64_t patience; /* references */
	uint64_t now;      /* rows seen */
	uint64_t clock;    /* of the latest, if there are windows */
	struct trc_lru lru;
};

/* True if a reference to `x` now, or later, may drop its latest record. `plain`: there is one
 * memory, and no windows. */
static TRC_ALWAYS_INLINE bool
may_drop(const struct sad *s, const struct trc_lru_page *x, bool plain)
{
	if (!x->last || x->before <= s->lru.group[plain ? 0 : x->group].evicted)
		return false;
	return plain || ((!s->how.window || s->clock - x->clock_before <= s->how.window) &&
	                 s->now - x->now <= s->patience);
}

/* The oldest page of a group leaves its memory: its latest record is final. */
static void
evict(struct sad *s, struct trc_group *g)
{
	const uint32_t id = g->lru.newer;
	const struct trc_lru_page *x = &s->lru.page[id];

	g->evicted = x->now;
	if (x->last)
		s->lru.record[x->last].page = 0;
	trc_lru_remove(&s->lru, id);
}

/* Row `i` as the latest record of its page. */
static int
add_record(struct sad *s, uint32_t id, const struct trc_batch *in, size_t i, struct trc_err *err)
{
	const uint32_t record = trc_lru_append(&s->lru, in, i, s->now, err);
	struct trc_lru_page *x = &s->lru.page[id];

	if (!record)
		return -1;
	s->lru.record[record].page = id;
	x->last = record;
	x->now = s->now;
	x->clock = s->clock;
	return 0;
}

/* True if the oldest page was not used for a window. */
static bool
too_old(const struct sad *s, const struct trc_group *g)
{
	return s->how.window && s->clock - s->lru.page[g->lru.newer].clock > s->how.window;
}

static int
fetch(struct sad *s, const struct trc_batch *in, size_t i, struct trc_err *err)
{
	const uint32_t group = trc_lru_group(&s->lru, in, i, err);
	struct trc_group *g;
	uint32_t id;

	if (group == UINT32_MAX)
		return -1;
	g = &s->lru.group[group];
	while (g->pages == s->r || (g->pages > 0 && too_old(s, g)))
		evict(s, g);
	id = trc_lru_add(&s->lru, group, in, i, err);
	return id ? add_record(s, id, in, i, err) : -1;
}

static TRC_ALWAYS_INLINE int
reference(struct sad *s, const struct trc_batch *in, size_t i, bool plain, struct trc_err *err)
{
	const uint32_t id = trc_lru_find(&s->lru, in, i);
	const uint8_t type = in->type[i];
	struct trc_record *latest;
	struct trc_lru_page *x;

	s->now++;
	if (!id)
		return fetch(s, in, i, err);
	x = &s->lru.page[id];
	trc_lru_touch(&s->lru, id);
	latest = &s->lru.record[x->last];
	if (may_drop(s, x, plain)) {
		trc_lru_renew(&s->lru, x->last);
		latest->type = (latest->type | type) & TRC_WRITE ? (type & TRC_KERNEL) | TRC_WRITE :
		                                                   type;
		trc_lru_stamp(latest, in, i, s->now);
		x->now = s->now;
		x->clock = s->clock;
		return 0;
	}
	if (x->last)
		latest->page = 0;
	x->before = x->now;
	x->clock_before = x->clock;
	return add_record(s, id, in, i, err);
}

/* Sets the clock of windows to row `i`. */
static int
tick(struct sad *s, uint64_t time, struct trc_err *err)
{
	if (time < s->clock)
		return trc_fail(err,
		                "%s runs backwards, from %llu to %llu: there are no windows of "
		                "such a time",
		                trc_column[s->how.clock].name, (unsigned long long)s->clock,
		                (unsigned long long)time);
	s->clock = time;
	return 0;
}

static void
emit_final(struct sad *s, struct trc_batch *b)
{
	struct trc_lru *l = &s->lru;

	while (b->n < b->cap && l->record[0].all.newer) {
		const uint32_t id = l->record[l->record[0].all.newer].page;

		if (id && may_drop(s, &l->page[id], false))
			break;
		if (id)
			l->page[id].last = 0;
		trc_lru_emit(l, b);
	}
}

/* Rows of references alone, with one memory and no windows: what most traces are. */
static int
take_plain(struct sad *s, struct trc_err *err)
{
	struct trc_wrap *w = &s->wrap;
	const struct trc_batch in = w->in;
	size_t i;

	for (i = w->at; i < in.n; i++)
		if (reference(s, &in, i, true, err))
			break;
	w->at = i;
	return i < in.n ? -1 : 0;
}

static int
take_rows(struct sad *s, struct trc_err *err)
{
	struct trc_wrap *w = &s->wrap;
	const uint64_t *time = trc_batch_column(&w->in, (enum trc_column)s->how.clock);

	if (s->patience == UINT64_MAX && !s->how.window && !w->in.event)
		return take_plain(s, err);
	for (; w->at < w->in.n; w->at++) {
		if (trc_batch_is_event(&w->in, w->at)) {
			if (!trc_lru_append(&s->lru, &w->in, w->at, s->now, err))
				return -1;
			continue;
		}
		if ((s->how.window && tick(s, time[w->at], err)) ||
		    reference(s, &w->in, w->at, false, err))
			return -1;
	}
	return 0;
}

/* All records are final when no reference comes. */
static int
end(struct sad *s, struct trc_err *err)
{
	struct trc_lru *l = &s->lru;

	for (uint32_t id = l->record[0].all.newer; id; id = l->record[id].all.newer)
		l->record[id].page = 0;
	return trc_guarantee_reduce(&s->wrap.src.meta.guarantee, &s->how, err);
}

static enum trc_flow
sad_next(struct trc_source *src, struct trc_batch *b, struct trc_err *err)
{
	struct sad *s = (struct sad *)src;

	emit_final(s, b);
	while (b->n < b->cap) {
		enum trc_flow flow = trc_wrap_pull(&s->wrap, err);

		if (flow == TRC_FLOW_FAILED ||
		    (flow == TRC_FLOW_END ? end(s, err) : take_rows(s, err)))
			return TRC_FLOW_FAILED;
		emit_final(s, b);
		if (flow == TRC_FLOW_END)
			break;
	}
	return b->n ? TRC_FLOW_ROWS : TRC_FLOW_END;
}

static void
sad_close(struct trc_source *src)
{
	trc_lru_release(&((struct sad *)src)->lru);
	trc_wrap_close(src);
}

struct trc_source *
trc_stage_drop(struct trc_source *from, const struct trc_reduction *how, struct trc_err *err)
{
	struct sad *s;

	assert((from->have & TRC_HAS_RTIME) && (from->have & TRC_HAS_VPN));
	assert(how->r || how->window);
	if (trc_lru_check(how->r, err))
		return NULL;
	s = trc_wrap_open(sizeof(*s), from, from->have, sad_next, err);
	if (!s)
		return NULL;
	s->wrap.src.close = sad_close;
	s->how = *how;
	s->r = how->r ? how->r : TRC_LRU_PAGES_MOST;
	s->patience = how->scope.by_space || how->scope.sets ? PATIENCE : UINT64_MAX;
	if (trc_lru_init(&s->lru, &how->scope, err)) {
		s->wrap.from = NULL;
		sad_close(&s->wrap.src);
		return NULL;
	}
	return &s->wrap.src;
}
