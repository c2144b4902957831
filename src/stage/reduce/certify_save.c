/* SPDX-License-Identifier: MIT */
#include "stage/reduce/certify_part.h"

#include <stdlib.h>
#include <string.h>

#define NOBODY TRC_TWINS_NOBODY

/* What is more than the one before. */
static uint64_t
less(uint64_t v, uint64_t *before)
{
	const uint64_t d = trc_zigzag(v - *before);

	*before = v;
	return d;
}

/* A state that is written. */
struct saving {
	const struct trc_certify *s;
	struct trc_buf *state;
	uint32_t *at; /* of pages of the original: their numbers among these */
	struct trc_err *err;
	bool failed;
};

static void
put(struct saving *w, uint64_t v)
{
	w->failed = w->failed || trc_buf_put_num(w->state, v, w->err);
}

static void
put_head(struct saving *w)
{
	const struct trc_certify *s = w->s;
	const struct trc_scope *scope = &s->twins.scope;
	const struct trc_certificate *c = s->c;

	put(w, (s->part.first ? TRC_PART_FIRST : 0) | (s->any ? TRC_PART_ANY : 0) |
	               (s->ended ? TRC_PART_ENDED : 0) | (s->spaces ? TRC_PART_SPACES : 0) |
	               (scope->by_space ? TRC_PART_BY_SPACE : 0) |
	               (scope->canonical ? TRC_PART_CANONICAL : 0) |
	               (s->part.totals ? TRC_PART_TOTALS : 0) |
	               (s->sink.counted & TRC_HAS_RTIME ? TRC_PART_COUNTED : 0));
	put(w, s->twins.r);
	put(w, c->references);
	put(w, c->faults);
	put(w, c->evictions);
	put(w, c->dirty);
	put(w, c->became_writes);
	if (s->part.totals) {
		put(w, s->part.total.refs);
		put(w, s->part.total.insns);
		put(w, s->part.total.last_time);
	}
	put(w, s->from[TRC_CERTIFY_CYCLE] | s->from[TRC_CERTIFY_INSN] << 2);
	put(w, s->record);
	if (!s->ended) {
		put(w, s->waiting.rtime);
		put(w, s->waiting.page);
		put(w, s->waiting.space);
	}
	if (s->any) {
		put(w, s->first);
		put(w, s->last);
		put(w, s->first_record);
	}
}

static void
put_pages(struct saving *w)
{
	const struct trc_twins *t = &w->s->twins;
	uint64_t number = 0, space = 0;
	uint32_t n = 0;

	for (uint32_t id = 0; id < t->known; id++)
		w->at[id] = t->page[id].seen ? n++ : NOBODY;
	put(w, n);
	for (uint32_t id = 0; id < t->known; id++) {
		if (!t->page[id].seen)
			continue;
		put(w, less(t->page[id].number, &number));
		if (w->s->spaces)
			put(w, less(t->page[id].space, &space));
	}
}

static void
put_event(struct saving *w, const struct trc_twins_event *e)
{
	put(w, (e->open ? TRC_PART_OPEN : 0) | (e->fault ? TRC_PART_FAULT : 0) |
	               (e->dirty ? TRC_PART_DIRTY : 0) | (e->dirty_open ? TRC_PART_DIRTY_OPEN : 0) |
	               (e->victim != NOBODY ? TRC_PART_VICTIM : 0));
	if (e->victim != NOBODY)
		put(w, w->at[e->victim]);
}

static void
put_waits(struct saving *w)
{
	uint64_t rtime = w->s->first, id = 0;

	put(w, w->s->waits);
	for (size_t i = 0; i < w->s->waits; i++) {
		const struct trc_certify_wait *v = &w->s->wait[i];

		put(w, less(v->rtime, &rtime));
		put(w, less(w->at[v->id], &id));
		id++; /* they are first touches, most of them */
		put(w, (v->kept ? TRC_PART_KEPT : 0) | (v->write ? TRC_PART_WRITE : 0) |
		               (v->kept_write ? TRC_PART_KEPT_WRITE : 0) |
		               (v->from ? TRC_PART_STAMP : 0));
		if (v->from) {
			put(w, (unsigned)v->from << 1 | v->stamp);
			put(w, v->original);
			put(w, v->reduced);
			continue;
		}
		put_event(w, &v->e[TRC_TWIN_ORIGINAL]);
		if (v->kept)
			put_event(w, &v->e[TRC_TWIN_REDUCED]);
	}
}

static void
put_memories(struct saving *w)
{
	const struct trc_twins *t = &w->s->twins;

	put(w, t->n);
	for (size_t i = 0; i < t->n; i++) {
		const struct trc_twins_pair *pair = &t->pair[i];
		uint32_t at[TRC_TWINS] = { pair->of[0].oldest, pair->of[1].oldest };
		uint64_t id = 0;

		put(w, pair->space);
		put(w, pair->of[0].n);
		put(w, pair->of[1].n);
		while (at[0] != NOBODY || at[1] != NOBODY)
			for (int side = 0; side < TRC_TWINS; side++) {
				const struct trc_twins_place *p;

				if (at[side] == NOBODY)
					continue;
				p = &t->page[at[side]].place[side];
				put(w, less(w->at[at[side]], &id) << 2 | (p->dirty ? 1 : 0) |
				               (p->open ? 2 : 0));
				at[side] = p->newer;
			}
	}
}

/* What waits of the reduced trace, for a part that knows where it is in it. */
static int
note_waiting(struct trc_certify *s, struct trc_err *err)
{
	if (!s->source || s->why || (!s->any && !s->part.first))
		return 0;
	if (trc_certify_pull(s, err))
		return -1;
	if (s->ended)
		return 0;
	s->waiting.rtime = s->in.rtime[s->at];
	s->waiting.page = s->twins.scope.canonical ? s->in.cpn[s->at] : s->in.vpn[s->at];
	s->waiting.space = s->twins.scope.canonical || !s->in.asid ? 0 : s->in.asid[s->at];
	return 0;
}

int
trc_certify_save(struct trc_sink *sink, struct trc_buf *state, struct trc_err *err)
{
	struct trc_certify *s = (struct trc_certify *)sink;
	struct saving w = { .s = s, .state = state, .err = err };

	if (note_waiting(s, err))
		return -1;
	w.at = trc_alloc(s->twins.known + 1, sizeof(*w.at), err);
	if (!w.at)
		return -1;
	put_head(&w);
	put_pages(&w);
	put_waits(&w);
	put_memories(&w);
	put(&w, s->why ? strlen(s->why) + 1 : 0);
	put(&w, s->c->where);
	if (s->why && !w.failed)
		w.failed = trc_buf_put(state, s->why, strlen(s->why), err);
	free(w.at);
	return w.failed ? -1 : 0;
}
