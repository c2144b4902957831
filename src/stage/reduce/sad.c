/* SPDX-License-Identifier: MIT
 *
 * Safely allowed drop, SAD (S. F. Kaplan, Y. Smaragdakis, P. R. Wilson, "Trace reduction for
 * virtual memory simulations", SIGMETRICS 1999): of three consecutive surviving references to a
 * page the middle one is dropped if fewer than r distinct other pages lie between the first and the
 * third. If it was a write, the third becomes one, so that the page is equally dirty at every
 * eviction.
 *
 * In one pass, O(1) per reference: the simulated memory is an LRU list of r pages. Let a page be
 * used again at `now`, with its latest record at t2 and the record before that at t1. Fewer than r
 * pages lie in (t1, now) exactly if no page that was last used after t1 was evicted: t1 > evicted.
 * Then the latest record is dropped: it takes the stamps of the new reference and moves to the
 * newest end. A record is final when it is not the latest of its page any more, or could not be
 * dropped at any later reference; it comes out after all older ones. A page has at most two records
 * with t1 > evicted, so at most 2r are pending.
 *
 * Windows. Denning's working set with window T has, at every time, the pages used at most T ago. A
 * reference faults exactly if the last use of its page was more than T ago; so it does with VMIN,
 * which removes a page at once if it will not be used for T. The middle of three references may be
 * dropped for all windows of at least T exactly if the third is at most T after the first. With r
 * and T the middle one is dropped if both rules allow it, and both guarantees hold. A page that is
 * not used for T leaves the memory.
 *
 * Deletes. All deletes are kept. They take their page out of the simulated memory, whose frame is
 * free then; the next reference begins anew. Memories of at least r pages hold the same pages with
 * or without the middle reference: by the rule no page used after t1 is evicted from the r-memory,
 * which is contained in the larger ones, so none of them evicts this page.
 *
 * Slices. In a slice of a trace, which record of a page is the one before its latest may depend on
 * what came before the slice. But there are few candidates: a record becomes the one before because
 * an older one may not be it any more, and if that one is outside the slice, it ceases to be so
 * only when a page is fetched. So each page has a list of all candidates. Its latest record is kept
 * as soon as one of them ends, and replaces all that end with it. The kept records are at most a
 * few percent more than in the whole trace, and include all that the reduction of the whole keeps.
 * When they are reduced again, after the remaining rows before the slice, the result is exactly
 * that reduction, since the records that decide are there. decided.h shows which of them are
 * decided already.
 *
 * Groups. If pages have memories of their own, for each space or each set of a cache, the records
 * of all memories still come out in one order of time, and an idle memory holds the others back. So
 * a latest record that is followed by PATIENCE references is not dropped any more: it is always
 * correct to keep more. The distance is measured in reference times, which slices share with the
 * whole trace.
 */
#include "stage/reduce/lru.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "stage/reduce/guarantee.h"
#include "stage/reduce/join.h"
#include "stage/wrap.h"

enum { PATIENCE = 1 << 22 };

/* A candidate for the record before the latest of its page. */
struct candidate {
	uint64_t now, clock;
	uint32_t next; /* next candidate of the page, or of the unused ones; 0: none */
};

/* The stage. */
struct sad {
	struct trc_wrap wrap;
	struct trc_reduction how;
	uint64_t r;        /* how.r, or more than the number of pages if that is unlimited */
	uint64_t patience; /* in references */
	uint64_t now;      /* rows processed */
	uint64_t clock;    /* of the latest row, if there are windows */
	uint64_t began;    /* clock of the first row */
	uint64_t rtime;    /* of the latest row, if there are groups */
	struct candidate *candidate; /* in a slice; from 1 */
	size_t candidates, candidate_cap;
	uint32_t spare_candidate;
	struct trc_lru lru;
	bool ended; /* end of a slice: all further records are kept */

	/* In a slice with one memory and no windows: what is known about the records that came out,
	 * the `now` of those of the last pages, and `now` of the first eviction. */
	bool decides;
	struct trc_decided decided;
	uint64_t evicts;
	uint64_t *recent;
	size_t recent_first, recents, recent_cap;
};

/* The kind of reduction, as a constant for the compiler. */
enum kind {
	PLAIN, /* one memory, no windows, the whole trace */
	PART,  /* one memory, no windows, a slice */
	ANY,
};

/* Returns true if the record before the latest of a page, at `before`, is too old now: too many
 * pages were fetched since, or too much time passed. */
static TRC_ALWAYS_INLINE bool
ends(const struct sad *s, const struct trc_group *g, uint64_t before, uint64_t clock)
{
	return before <= g->evicted || (s->how.window && s->clock - clock > s->how.window);
}

/* Returns true if the latest record of `x` is older than PATIENCE. */
static bool
out_of_patience(const struct sad *s, const struct trc_lru_page *x)
{
	return s->patience != UINT64_MAX && s->rtime - x->rtime > s->patience;
}

/* Returns true if a reference to `x`, now or later, may drop its latest record. */
static TRC_ALWAYS_INLINE bool
may_drop(const struct sad *s, const struct trc_lru_page *x, enum kind kind)
{
	const struct trc_group *g = &s->lru.group[kind == ANY ? x->group : 0];

	if (kind == PLAIN || (kind == PART && !x->outside))
		return x->last && x->before > g->evicted;
	if (!x->last || out_of_patience(s, x))
		return false;
	if (x->outside && (s->how.window || x->now <= g->fetched))
		return false;
	return (x->outside && !x->before) || !ends(s, g, x->before, x->clock_before);
}

/* Removes the oldest candidate of a page, if there is one. */
static void
remove_candidate(struct sad *s, struct trc_lru_page *x)
{
	const uint32_t id = x->second;
	struct candidate *c;

	x->before = x->clock_before = 0;
	if (!id)
		return;
	c = &s->candidate[id];
	x->before = c->now;
	x->clock_before = c->clock;
	x->second = c->next;
	c->next = s->spare_candidate;
	s->spare_candidate = id;
}

/* Makes the latest record of a page its newest candidate. */
static int
add_candidate(struct sad *s, struct trc_lru_page *x, struct trc_err *err)
{
	uint32_t id = s->spare_candidate;

	if (!x->before) {
		x->before = x->now;
		x->clock_before = x->clock;
		return 0;
	}
	if (id) {
		s->spare_candidate = s->candidate[id].next;
	} else {
		if (trc_grow(&s->candidate, &s->candidate_cap, s->candidates + 2,
		             sizeof(*s->candidate), err))
			return -1;
		id = (uint32_t)++s->candidates;
	}
	s->candidate[id] = (struct candidate){ x->now, x->clock, 0 };
	*(x->second ? &s->candidate[x->newest].next : &x->second) = id;
	x->newest = id;
	return 0;
}

/* Keeps the latest record of a page: it replaces the candidates that end. */
static int
replace_candidates(struct sad *s, struct trc_lru_page *x, struct trc_err *err)
{
	const struct trc_group *g = &s->lru.group[x->group];
	const bool all = out_of_patience(s, x);
	const uint32_t queue = x->queue;

	while (x->before && (all || ends(s, g, x->before, x->clock_before))) {
		remove_candidate(s, x);
		x->queue--;
	}
	if (x->outside && (all || ends(s, g, 1, s->began))) {
		x->outside = false;
		x->queue--;
	}
	if (x->last && queue > 1)
		s->lru.record[x->last].pops = queue - x->queue;
	x->queue++;
	return add_candidate(s, x, err);
}

/* Makes the latest record of a page final, since no reference follows. */
static void
end_record(struct sad *s, const struct trc_lru_page *x)
{
	struct trc_record *latest = &s->lru.record[x->last];

	latest->page = 0;
	latest->pops = x->queue > 1 ? x->queue : 0;
}

/* Removes a page from its memory, and makes its latest record final. */
static void
remove_page(struct sad *s, uint32_t id)
{
	struct trc_lru_page *x = &s->lru.page[id];

	if (x->last)
		end_record(s, x);
	while (x->second)
		remove_candidate(s, x);
	trc_lru_remove(&s->lru, id);
}

/* Evicts the oldest page of a group. */
static void
evict(struct sad *s, struct trc_group *g)
{
	g->evicted = s->lru.page[g->lru.newer].now;
	if (s->evicts == UINT64_MAX)
		s->evicts = s->now;
	remove_page(s, g->lru.newer);
}

/* Processes row `i`, which deletes its page. The effect depends on the trace before a slice, so
 * from the first delete on, a slice keeps everything for the reduction of the whole. */
static int
delete_page(struct sad *s, const struct trc_batch *in, size_t i, struct trc_err *err)
{
	const uint32_t id = s->how.part ? 0 : trc_lru_find(&s->lru, in, i);

	if (id)
		remove_page(s, id);
	for (size_t k = 0; s->how.part && k < s->lru.groups; k++)
		while (s->lru.group[k].pages > 0)
			remove_page(s, s->lru.group[k].lru.newer);
	s->ended = s->how.part;
	return trc_lru_append(&s->lru, in, i, s->now, err) ? 0 : -1;
}

/* Adds row `i` as the latest record of its page. */
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
	x->rtime = s->rtime;
	return 0;
}

/* Returns true if the oldest page was not used for a window. */
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
	if (!id)
		return -1;
	g->fetched = s->now;
	s->lru.page[id].outside = s->how.part && !ends(s, g, 1, s->began);
	s->lru.page[id].queue = s->lru.page[id].outside;
	return add_record(s, id, in, i, err);
}

static TRC_ALWAYS_INLINE int
reference(struct sad *s, const struct trc_batch *in, size_t i, enum kind kind, struct trc_err *err)
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
	if (may_drop(s, x, kind)) {
		trc_lru_renew(&s->lru, x->last);
		latest->type = (latest->type | type) & TRC_WRITE ? (type & TRC_KERNEL) | TRC_WRITE :
		                                                   type;
		trc_lru_stamp(latest, in, i, s->now);
		x->now = s->now;
		x->clock = s->clock;
		if (kind == ANY)
			x->rtime = s->rtime;
		return 0;
	}
	if (x->last)
		latest->page = 0;
	if (kind == PLAIN || (kind == ANY && !s->how.part)) {
		x->before = x->now;
		x->clock_before = x->clock;
	} else if (replace_candidates(s, x, err)) {
		return -1;
	}
	return add_record(s, id, in, i, err);
}

/* Sets the clock of windows to row `i`. */
static int
tick(struct sad *s, uint64_t time, struct trc_err *err)
{
	if (time < s->clock)
		return trc_fail(err,
		                "%s runs backwards, from %llu to %llu, so windows are not defined",
		                trc_column[s->how.clock].name, (ull)s->clock, (ull)time);
	s->began = s->now ? s->began : time;
	s->clock = time;
	return 0;
}

/* Remembers what is known about the next record of a slice that comes out. */
static int
note_decided(struct sad *s, const struct trc_record *x, struct trc_err *err)
{
	struct trc_decided *t = &s->decided;
	const uint64_t evicted = s->lru.group[0].evicted;

	while (s->recent_first < s->recents && s->recent[s->recent_first] <= evicted)
		s->recent_first++;
	if (s->recent_first > s->recents / 2) {
		s->recents -= s->recent_first;
		memmove(s->recent, s->recent + s->recent_first, s->recents * sizeof(*s->recent));
		s->recent_first = 0;
	}
	if (trc_grow(&s->recent, &s->recent_cap, s->recents + 1, sizeof(*s->recent), err))
		return -1;
	s->recent[s->recents++] = x->now;
	if (x->now < s->evicts)
		t->head++;
	if (x->pops && trc_decided_mark(t, t->rows, x->pops, err))
		return -1;
	t->rows++;
	return 0;
}

static int
emit_final(struct sad *s, struct trc_batch *b, struct trc_err *err)
{
	struct trc_lru *l = &s->lru;

	while (b->n < b->cap && l->record[0].all.newer) {
		struct trc_record *first = &l->record[l->record[0].all.newer];

		/* In a slice the outcome of the record must be known, too. */
		if (first->page && (s->decides || may_drop(s, &l->page[first->page], ANY)))
			break;
		if (first->page)
			l->page[first->page].last = 0;
		if (s->decides && note_decided(s, first, err))
			return -1;
		trc_lru_emit(l, b);
	}
	return 0;
}

/* Returns true if the latest record of the page of row `i` may be dropped. */
static TRC_ALWAYS_INLINE bool
row_drops(struct sad *s, const struct trc_batch *in, size_t i, enum kind kind)
{
	const uint32_t id = trc_lru_find(&s->lru, in, i);

	return id && may_drop(s, &s->lru.page[id], kind);
}

/* Returns the first row from `i` on that has an effect, where two pages take turns. Each row before
 * it drops the previous record of its page, so only the last record of each page stays. If one of
 * these rows is a write, the next record of its page becomes a write. */
static TRC_ALWAYS_INLINE size_t
skip_turns(struct sad *s, const struct trc_batch *in, size_t i, enum kind kind)
{
	const uint64_t *vpn = in->vpn;
	size_t k = i;

	if (in->n - i < 3 || vpn[i + 2] != vpn[i] || !row_drops(s, in, i, kind) ||
	    !row_drops(s, in, i + 1, kind))
		return i;
	for (; k + 2 < in->n && vpn[k + 2] == vpn[k]; k++)
		in->type[k + 2] |= in->type[k] & TRC_WRITE;
	s->now += k - i;
	return k;
}

/* Processes rows that are all references, with one memory and no windows, which is the common
 * case. */
static TRC_ALWAYS_INLINE int
take_references(struct sad *s, enum kind kind, struct trc_err *err)
{
	struct trc_wrap *w = &s->wrap;
	const struct trc_batch in = w->in;
	const bool turns = !in.asid && !in.cpn;
	size_t i;

	for (i = w->at; i < in.n; i++) {
		if (turns)
			i = skip_turns(s, &in, i, kind);
		if (reference(s, &in, i, kind, err))
			break;
	}
	w->at = i;
	return i < in.n ? -1 : 0;
}

static int
take_rows(struct sad *s, struct trc_err *err)
{
	struct trc_wrap *w = &s->wrap;
	const uint64_t *time = trc_batch_column(&w->in, (enum trc_column)s->how.clock);

	if (s->patience == UINT64_MAX && !s->how.window && !w->in.event && !s->ended &&
	    !memchr(w->in.type + w->at, TRC_INVALIDATE, w->in.n - w->at))
		return s->how.part ? take_references(s, PART, err) : take_references(s, PLAIN, err);
	for (; w->at < w->in.n; w->at++) {
		if (trc_batch_is_event(&w->in, w->at)) {
			if (!trc_lru_append(&s->lru, &w->in, w->at, s->now, err))
				return -1;
			continue;
		}
		if (s->ended) {
			s->now++;
			if (!trc_lru_append(&s->lru, &w->in, w->at, s->now, err))
				return -1;
			continue;
		}
		if (w->in.type[w->at] == TRC_INVALIDATE) {
			if (delete_page(s, &w->in, w->at, err))
				return -1;
			continue;
		}
		s->rtime = w->in.rtime[w->at] > s->rtime ? w->in.rtime[w->at] : s->rtime;
		if ((s->how.window && tick(s, time[w->at], err)) ||
		    reference(s, &w->in, w->at, ANY, err))
			return -1;
	}
	return 0;
}

/* At the end all records are final. */
static int
end(struct sad *s, struct trc_err *err)
{
	struct trc_lru *l = &s->lru;

	for (uint32_t id = l->record[0].all.newer; id; id = l->record[id].all.newer)
		if (l->record[id].page)
			end_record(s, &l->page[l->record[id].page]);
	return trc_guarantee_reduce(&s->wrap.src.meta.guarantee, &s->how, err);
}

static enum trc_flow
sad_next(struct trc_source *src, struct trc_batch *b, struct trc_err *err)
{
	struct sad *s = (struct sad *)src;

	if (emit_final(s, b, err))
		return TRC_FLOW_FAILED;
	while (b->n < b->cap) {
		enum trc_flow flow = trc_wrap_pull(&s->wrap, err);

		if (flow == TRC_FLOW_FAILED ||
		    (flow == TRC_FLOW_END ? end(s, err) : take_rows(s, err)) ||
		    emit_final(s, b, err))
			return TRC_FLOW_FAILED;
		if (flow == TRC_FLOW_END)
			break;
	}
	return b->n ? TRC_FLOW_ROWS : TRC_FLOW_END;
}

static void
sad_close(struct trc_source *src)
{
	struct sad *s = (struct sad *)src;

	trc_lru_release(&s->lru);
	free(s->candidate);
	free(s->recent);
	trc_decided_release(&s->decided);
	trc_wrap_close(src);
}

bool
trc_drop_decides(const struct trc_reduction *how)
{
	return how->r && !how->window && !how->lru_only && !how->scope.by_space && !how->scope.sets;
}

void
trc_drop_decided(struct trc_source *src, struct trc_decided *decided)
{
	struct sad *s = (struct sad *)src;
	struct trc_decided *t = &s->decided;
	const uint64_t evicted = s->lru.group[0].evicted;

	while (s->recent_first < s->recents && s->recent[s->recent_first] <= evicted)
		s->recent_first++;
	t->tail = t->rows - (s->recents - s->recent_first);
	if (!evicted || t->tail <= t->head || s->ended)
		t->head = t->tail = t->rows;
	*decided = *t;
	*t = (struct trc_decided){ 0 };
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
	s->decides = how->part && trc_drop_decides(how);
	s->evicts = UINT64_MAX;
	s->patience = how->scope.by_space || how->scope.sets ? PATIENCE : UINT64_MAX;
	if (trc_lru_init(&s->lru, &how->scope, err))
		return trc_wrap_fail(&s->wrap.src);
	return &s->wrap.src;
}
