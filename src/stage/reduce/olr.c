/* SPDX-License-Identifier: MIT
 *
 * OLR-S: the shortest subsequence of a trace that is still exact for LRU memories of r pages and
 * more (after optimal LRU reduction, OLR, of Kaplan, Smaragdakis and Wilson, "Flexible reference
 * trace reduction for VM simulations", ACM TOMACS 2003, whose traces may have references that never
 * occurred).
 *
 * A trace that is exact for LRU with r pages is exact for all larger sizes, so only the faults and
 * victims of that size must be preserved. Let eviction i happen at fault e_i, with victim v_i. The
 * last reference kept of the residency of v_i is
 *
 *   L_i = the fetch of v_i, if that is after L_{i-1}, else its first reference after L_{i-1}
 *
 * which is as early as possible, since victims leave in the order of their last references. Every
 * other page in memory then needs a kept reference in (L_i, e_i), so that v_i is older. For the
 * intervals of one page, whose ends both move forward, the least number of such references is found
 * from the left: when an interval has none, keep the last reference before e_i, which serves the
 * most later intervals. When the page itself is evicted, the reference kept after its L is replaced
 * by L, which serves the same intervals.
 *
 * So at eviction i all records up to L_i are final: kept or dropped. Each page in memory has, after
 * L_i,
 *
 *   first   its oldest record: its L if it were evicted next
 *   kept    the only record that is kept so far
 *   last    its newest: the next one to keep
 *
 * The write of a dropped record is passed to the next kept record of its residency, or back to the
 * last one if there is none later, so that pages are equally dirty when they are evicted, at every
 * size.
 *
 * Few references can ever be an L. Each L is the first reference to its page after the previous L,
 * so those between two faults form a chain, which has each page at most once. The first reference
 * to a page since the last fault is one step from there; any other is one step more than the
 * nearest reference among those since the previous reference to its page. A reference that is more
 * than STEPS away, and not the latest of its page, is dropped at once. For r <= STEPS nothing is
 * lost. Larger memories could lose, but all that we tried had the shortest trace with these STEPS,
 * and a quarter of a percent more with 2.
 *
 * Pending records. Of the next r victims at least one was fetched after e_i, so L_{i+r} >= e_i: at
 * most r + 1 faults lie between the oldest pending record and now, with at most ROOM * r records
 * after each, and then two for each page. Groups of pages with memories of their own come out in
 * one order of time: an idle group holds back what the others kept meanwhile.
 */
#include "stage/reduce/lru.h"

#include <assert.h>

#include "stage/reduce/guarantee.h"
#include "stage/wrap.h"

enum { STEPS = TRC_LRU_STEPS, ROOM = 128 };

/* The stage. */
struct olr {
	struct trc_wrap wrap;
	struct trc_reduction how;
	uint64_t now; /* rows processed */
	uint64_t deletes;
	struct trc_lru lru;
};

/* ---- the pending records of a group, in order of time ---- */

static void
group_append(struct trc_lru *l, struct trc_group *g, uint32_t id)
{
	struct trc_record *x = &l->record[id];

	x->group = (struct trc_links){ g->records.older, 0 };
	if (g->records.older)
		l->record[g->records.older].group.newer = id;
	else
		g->records.newer = id;
	g->records.older = id;
}

static void
group_remove(struct trc_lru *l, struct trc_group *g, const struct trc_record *x)
{
	if (x->group.older)
		l->record[x->group.older].group.newer = x->group.newer;
	else
		g->records.newer = x->group.newer;
	if (x->group.newer)
		l->record[x->group.newer].group.older = x->group.older;
	else
		g->records.older = x->group.older;
}

static void
drop(struct trc_lru *l, struct trc_group *g, uint32_t id)
{
	group_remove(l, g, &l->record[id]);
	trc_lru_drop(l, id);
}

/* ---- evictions ---- */

/* Keeps or drops the oldest record of the group, which is the first of its page. */
static void
decide_oldest(struct trc_lru *l, struct trc_group *g, uint32_t id)
{
	struct trc_record *x = &l->record[id];
	struct trc_lru_page *page = &l->page[x->page];

	if (!x->page) { /* L of the page that is evicted */
		group_remove(l, g, x);
		return;
	}
	assert(page->first == id && x->next);
	page->first = x->next;
	if (!x->kept) {
		l->record[x->next].type |= x->type;
		drop(l, g, id);
		return;
	}
	page->kept = page->last;
	l->record[page->last].kept = true;
	x->page = 0;
	group_remove(l, g, x);
}

/* Evicts the oldest page of a group. */
static void
evict(struct trc_lru *l, struct trc_group *g)
{
	const uint32_t victim = g->lru.newer, last = l->page[victim].first;
	struct trc_record *x = &l->record[last];

	for (uint32_t id = x->next, next; id; id = next) {
		next = l->record[id].next;
		x->type |= l->record[id].type;
		drop(l, g, id);
	}
	x->kept = true;
	x->page = 0;
	trc_lru_remove(l, victim);
	while (g->records.newer != last)
		decide_oldest(l, g, g->records.newer);
	decide_oldest(l, g, last);
}

/* ---- references ---- */

static int
fetch(struct olr *s, const struct trc_batch *in, size_t i, struct trc_err *err)
{
	struct trc_lru *l = &s->lru;
	const uint32_t group = trc_lru_group(l, in, i, err);
	uint32_t id, record;

	if (group == UINT32_MAX)
		return -1;
	if (l->group[group].pages == s->how.r)
		evict(l, &l->group[group]);
	id = trc_lru_add(l, group, in, i, err);
	record = id ? trc_lru_append(l, in, i, s->now, err) : 0;
	if (!record)
		return -1;
	l->record[record].page = id;
	l->record[record].kept = true;
	l->group[group].fault = l->page[id].now = s->now;
	l->group[group].since = 0;
	l->page[id].first = l->page[id].kept = l->page[id].last = record;
	group_append(l, &l->group[group], record);
	return 0;
}

/* Returns how many steps from the last fault a reference to `x` is now; STEPS + 1 if there are
 * more. */
static inline unsigned
steps(const struct olr *s, struct trc_group *g, const struct trc_lru_page *x)
{
	unsigned k = 0;

	if (g->since == ROOM * s->how.r)
		return STEPS + 1;
	if (x->now > g->fault)
		for (k = 1; k <= STEPS && g->step[k - 1] <= x->now; k++)
			;
	return k + 1;
}

/* Processes a reference to a page in memory. */
static int
touch(struct olr *s, uint32_t id, const struct trc_batch *in, size_t i, struct trc_err *err)
{
	struct trc_lru *l = &s->lru;
	struct trc_lru_page *x = &l->page[id];
	struct trc_group *g = &l->group[x->group];
	const unsigned k = steps(s, g, x);
	const bool far = x->far && !l->record[x->last].kept;

	if (k <= STEPS)
		g->step[k - 1] = s->now;
	x->now = s->now;
	x->far = k > STEPS;
	trc_lru_touch(l, id);
	if (far) {
		struct trc_record *last = &l->record[x->last];

		group_remove(l, g, last);
		trc_lru_renew(l, x->last);
		last->type |= in->type[i];
		trc_lru_stamp(last, in, i, s->now);
	} else {
		const uint32_t record = trc_lru_append(l, in, i, s->now, err);

		if (!record)
			return -1;
		l->record[record].page = id;
		l->record[x->last].next = record;
		x->last = record;
		g->since += !x->far;
	}
	group_append(l, g, x->last);
	return 0;
}

static int
reference(struct olr *s, const struct trc_batch *in, size_t i, struct trc_err *err)
{
	uint32_t id;

	if (trc_batch_is_event(in, i))
		return trc_lru_append(&s->lru, in, i, s->now, err) ? 0 : -1;
	if (in->type[i] == TRC_INVALIDATE) {
		s->deletes++;
		return 0;
	}
	s->now++;
	id = trc_lru_find(&s->lru, in, i);
	return id ? touch(s, id, in, i, err) : fetch(s, in, i, err);
}

/* At the end no page is evicted any more: kept records stay kept. */
static int
end(struct olr *s, struct trc_err *err)
{
	struct trc_lru *l = &s->lru;

	if (s->deletes)
		return trc_fail(err,
		                "--olr does not support deletes, and the trace has %llu (records "
		                "of type invalidate); use --sad, or --drop invalidate",
		                (ull)s->deletes);
	for (uint32_t id = l->record[0].all.newer, next; id; id = next) {
		struct trc_record *x = &l->record[id];

		next = x->all.newer;
		if (!x->kept) {
			l->record[l->page[x->page].kept].type |= x->type;
			trc_lru_drop(l, id);
		}
	}
	for (uint32_t id = l->record[0].all.newer; id; id = l->record[id].all.newer)
		l->record[id].page = 0;
	return trc_guarantee_reduce(&s->wrap.src.meta.guarantee, &s->how, err);
}

static void
emit_final(struct trc_lru *l, struct trc_batch *b)
{
	while (b->n < b->cap && l->record[0].all.newer && !l->record[l->record[0].all.newer].page)
		trc_lru_emit(l, b);
}

static enum trc_flow
olr_next(struct trc_source *src, struct trc_batch *b, struct trc_err *err)
{
	struct olr *s = (struct olr *)src;
	struct trc_wrap *w = &s->wrap;

	emit_final(&s->lru, b);
	while (b->n < b->cap) {
		enum trc_flow flow = trc_wrap_pull(w, err);

		if (flow == TRC_FLOW_FAILED || (flow == TRC_FLOW_END && end(s, err)))
			return TRC_FLOW_FAILED;
		if (flow == TRC_FLOW_ROWS)
			for (; w->at < w->in.n; w->at++)
				if (reference(s, &w->in, w->at, err))
					return TRC_FLOW_FAILED;
		emit_final(&s->lru, b);
		if (flow == TRC_FLOW_END)
			break;
	}
	return b->n ? TRC_FLOW_ROWS : TRC_FLOW_END;
}

static void
olr_close(struct trc_source *src)
{
	trc_lru_release(&((struct olr *)src)->lru);
	trc_wrap_close(src);
}

struct trc_source *
trc_stage_olr(struct trc_source *from, const struct trc_reduction *how, struct trc_err *err)
{
	struct olr *s;

	assert((from->have & TRC_HAS_RTIME) && (from->have & TRC_HAS_VPN) && how->r > 0);
	if (trc_lru_check(how->r, err))
		return NULL;
	s = trc_wrap_open(sizeof(*s), from, from->have, olr_next, err);
	if (!s)
		return NULL;
	s->wrap.src.close = olr_close;
	s->how = *how;
	s->how.lru_only = true;
	if (trc_lru_init(&s->lru, &how->scope, err))
		return trc_wrap_fail(&s->wrap.src);
	return &s->wrap.src;
}
