/* SPDX-License-Identifier: MIT
 *
 * Joins slices that SAD reduced (decided.h lists what it knows). The head of a slice goes
 * through the memory as any trace does, continuing with what the slice before left there. After the
 * head the memory is cleared: whether the latest record of each page is dropped follows from its
 * mark, and from which of its candidates is the previous record. Later rows are copied, except
 * those with marks. The tail goes through an empty memory, which then has the pages that the slice
 * leaves, in their order, with the records before their latest. None of its rows is dropped, since
 * the slice has already dropped what could be.
 */
#include "stage/reduce/join.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/map_find.h"
#include "stage/reduce/guarantee.h"
#include "stage/reduce/lru.h"
#include "stage/wrap.h"

/* The records of a page in memory, by its number. */
struct chain {
	uint64_t part;   /* the slice that this is about */
	uint32_t rows;   /* records of the page in that slice; the last one is its latest */
	uint32_t before; /* which of them is the previous one; 0: one of another slice */
	uint32_t pops;   /* mark of the last record; 0: none */
};

/* A page with several candidates for its previous record. */
struct open {
	uint32_t space;
	uint64_t name;
	uint32_t queue, place; /* number of candidates; index of the true one, from 0, the oldest */
	bool write;            /* a dropped record was a write */
};

/* The stage. */
struct join {
	struct trc_wrap wrap;
	trc_decided_fn *decided_of;
	struct trc_reduction how;
	bool block, merged;

	const struct trc_decided *decided; /* of the slice, valid while it has rows */
	uint64_t part, row, rows;          /* its number, its next row, its number of rows */
	size_t mark;                       /* index of the next mark */
	bool all;                          /* all pending rows are final */
	bool past_head;

	struct trc_lru lru;
	uint64_t now;
	struct chain *chain;
	size_t chain_cap;
	struct trc_map places; /* index of pages in the list: */
	struct open *open;
	size_t opens, open_cap;
	uint32_t hint[TRC_LRU_HINTS]; /* 1 + the index of one of them; 0: look in the map */
};

/* ---- the memory ---- */

static bool
may_drop(const struct join *s, const struct trc_lru_page *x)
{
	return x->last && x->before > s->lru.group[0].evicted;
}

/* Returns the chain of page `id` in the current slice. */
static struct chain *
chain_of(struct join *s, uint32_t id)
{
	struct chain *c = &s->chain[id];

	if (c->part != s->part)
		*c = (struct chain){ .part = s->part };
	return c;
}

static void
evict(struct join *s)
{
	struct trc_group *g = &s->lru.group[0];
	const uint32_t id = g->lru.newer;
	const struct trc_lru_page *x = &s->lru.page[id];

	g->evicted = x->now;
	if (x->last)
		s->lru.record[x->last].page = 0;
	trc_lru_remove(&s->lru, id);
}

/* Processes row `i`, which deletes its page. */
static int
delete_page(struct join *s, const struct trc_batch *in, size_t i, struct trc_err *err)
{
	const uint32_t id = trc_lru_find(&s->lru, in, i);

	if (id) {
		s->lru.record[s->lru.page[id].last].page = 0;
		trc_lru_remove(&s->lru, id);
	}
	return trc_lru_append(&s->lru, in, i, s->now, err) ? 0 : -1;
}

static uint32_t
fetch(struct join *s, const struct trc_batch *in, size_t i, struct trc_err *err)
{
	uint32_t id;

	while (s->lru.group[0].pages >= s->how.r)
		evict(s);
	id = trc_lru_add(&s->lru, 0, in, i, err);
	if (!id || trc_grow(&s->chain, &s->chain_cap, id + 1, sizeof(*s->chain), err))
		return 0;
	s->chain[id] = (struct chain){ .part = s->part };
	return id;
}

static uint8_t
type_behind(uint8_t type, bool wrote)
{
	return wrote || (type & TRC_WRITE) ? (type & TRC_KERNEL) | TRC_WRITE : type;
}

/* Drops the latest record of `x`, or makes it final, now that row `i` follows; returns true if it
 * is dropped. */
static bool
drop_latest(struct join *s, uint32_t id, struct chain *c, const struct trc_batch *in, size_t i)
{
	struct trc_lru_page *x = &s->lru.page[id];
	struct trc_record *latest = &s->lru.record[x->last];

	trc_lru_touch(&s->lru, id);
	if (may_drop(s, x)) {
		trc_lru_renew(&s->lru, x->last);
		latest->type = type_behind(in->type[i], latest->type & TRC_WRITE);
		trc_lru_stamp(latest, in, i, s->now);
		x->now = s->now;
		return true;
	}
	if (x->last)
		latest->page = 0;
	x->before = x->now;
	c->before = c->rows;
	return false;
}

/* Processes row `i`, whose mark is `pops`, in the memory. */
static int
take_row(struct join *s, const struct trc_batch *in, size_t i, uint32_t pops, struct trc_err *err)
{
	struct trc_lru *l = &s->lru;
	struct chain *c;
	uint32_t id, record;

	if (trc_batch_is_event(in, i))
		return trc_lru_append(l, in, i, s->now, err) ? 0 : -1;
	if (in->type[i] == TRC_INVALIDATE)
		return delete_page(s, in, i, err);
	s->now++;
	id = trc_lru_find(l, in, i);
	if (id) {
		c = chain_of(s, id);
		c->pops = pops;
		if (drop_latest(s, id, c, in, i)) {
			c->rows++;
			return 0;
		}
	} else {
		id = fetch(s, in, i, err);
		if (!id)
			return -1;
		c = &s->chain[id];
		c->pops = pops;
	}
	c->rows++;
	record = trc_lru_append(l, in, i, s->now, err);
	l->record[record].page = id;
	l->page[id].last = record;
	l->page[id].now = s->now;
	return record ? 0 : -1;
}

/* Outputs final records. The last one may still be merged with the first row of the next slice. */
static void
emit_final(struct join *s, struct trc_batch *b)
{
	struct trc_lru *l = &s->lru;
	const struct trc_links *end = &l->record[0].all;

	while (b->n < b->cap && end->newer) {
		const uint32_t id = l->record[end->newer].page;

		if (!s->all && ((id && may_drop(s, &l->page[id])) || end->newer == end->older))
			break;
		if (id)
			l->page[id].last = 0;
		trc_lru_emit(l, b);
		end = &l->record[0].all;
	}
	s->all &= end->newer != 0;
}

/* ---- pages with several candidates ---- */

static struct open *
find_open(struct join *s, uint32_t space, uint64_t name)
{
	const uint32_t at = s->hint[name % TRC_LRU_HINTS];
	const struct trc_map_entry *e;

	if (at && s->open[at - 1].name == name && s->open[at - 1].space == space)
		return &s->open[at - 1];
	e = trc_map_find(&s->places, space, name);
	if (e->value == TRC_MAP_NONE)
		return NULL;
	s->hint[name % TRC_LRU_HINTS] = e->value + 1;
	return &s->open[e->value];
}

static int
add_open(struct join *s, const struct open *o, struct trc_err *err)
{
	if (trc_grow(&s->open, &s->open_cap, s->opens + 1, sizeof(*s->open), err) ||
	    trc_map_add(&s->places, o->space, o->name, (uint32_t)s->opens, err))
		return -1;
	s->open[s->opens++] = *o;
	return 0;
}

static void
forget_open(struct join *s)
{
	for (size_t i = 0; i < s->opens; i++) {
		trc_map_remove(&s->places, s->open[i].space, s->open[i].name);
		s->hint[s->open[i].name % TRC_LRU_HINTS] = 0;
	}
	s->opens = 0;
}

/* A record replaces the `pops` oldest candidates of its page. Returns true if the true one is among
 * them, so that the record is kept, and becomes the true one. */
static bool
pop(struct open *o, uint32_t pops)
{
	const bool kept = o->place < pops;

	pops = pops < o->queue ? pops : o->queue;
	o->queue -= pops - 1;
	o->place = kept ? o->queue - 1 : o->place - pops;
	return kept;
}

/* Processes row `i`, which has a mark; returns false if it is dropped. */
static bool
keeps_row(struct join *s, struct trc_batch *in, size_t i, uint32_t pops)
{
	struct open *o = find_open(s, trc_lru_space(&s->lru, in, i), trc_lru_name(&s->lru, in, i));

	if (!o)
		return true;
	in->type[i] = type_behind(in->type[i], o->write);
	if (!pop(o, pops)) {
		o->write = in->type[i] & TRC_WRITE;
		return false;
	}
	o->write = false;
	return true;
}

/* At the end of the head: decides about the latest record of a page, which leaves the memory. */
static int
settle_page(struct join *s, uint32_t id, struct trc_err *err)
{
	const struct trc_lru_page *x = &s->lru.page[id];
	const struct chain *c = chain_of(s, id);
	struct open o = { x->space, x->page, c->rows, c->before, false };
	struct trc_record *latest = &s->lru.record[x->last];

	if (c->rows && c->pops && !pop(&o, c->pops) && x->last) {
		o.write = latest->type & TRC_WRITE;
		latest->page = 0;
		trc_lru_drop(&s->lru, x->last);
	} else if (x->last) {
		latest->page = 0;
	}
	if (c->rows && c->pops && o.queue > 1 && add_open(s, &o, err))
		return -1;
	trc_lru_remove(&s->lru, id);
	return 0;
}

static int
decide_all(struct join *s, struct trc_err *err)
{
	struct trc_group *g = &s->lru.group[0];

	forget_open(s);
	while (g->pages > 0)
		if (settle_page(s, g->lru.newer, err))
			return -1;
	s->all = s->lru.record[0].all.newer != 0;
	return 0;
}

/* ---- the rows of a slice ---- */

/* Returns true if row 0 of a slice continues the run of the same page that ended the slice
 * before. */
static bool
continues_run(const struct join *s, const struct trc_batch *in)
{
	const struct trc_lru *l = &s->lru;
	const struct trc_record *x = &l->record[l->record[0].all.older];

	return s->block && l->record[0].all.older && !x->event && !trc_batch_is_event(in, 0) &&
	       x->vpn == in->vpn[0] && x->type != TRC_INVALIDATE && in->type[0] != TRC_INVALIDATE &&
	       (!in->asid || x->asid == in->asid[0]) && (!in->task || x->task == in->task[0]);
}

/* Returns the mark of the next row; 0: none. */
static uint32_t
take_mark(struct join *s)
{
	const struct trc_decided *t = s->decided;

	return s->mark < t->marks && t->mark[s->mark].row == s->row ? t->mark[s->mark++].pops : 0;
}

/* Begins a slice with the pending rows. */
static void
begin_part(struct join *s)
{
	const struct trc_batch *in = &s->wrap.in;
	struct trc_record *newest = &s->lru.record[s->lru.record[0].all.older];
	uint32_t pops;

	s->decided = s->decided_of(s->wrap.from);
	s->rows = s->decided->rows;
	s->part++;
	s->past_head = false;
	s->row = s->mark = 0;
	if (!continues_run(s, in))
		return;
	s->merged = true;
	newest->type |= in->type[0];
	pops = take_mark(s);
	if (newest->page) {
		struct chain *c = chain_of(s, newest->page);

		c->rows = 1;
		c->pops = pops;
	}
	s->row = s->wrap.at = 1;
}

/* Processes rows in the memory, up to row `stop` of the slice. */
static int
take_rows(struct join *s, uint64_t stop, struct trc_err *err)
{
	struct trc_wrap *w = &s->wrap;

	for (; w->at < w->in.n && s->row < stop; w->at++, s->row++) {
		const bool decided = s->row >= s->decided->head;
		const uint32_t pops = take_mark(s);

		if (decided && pops && !keeps_row(s, &w->in, w->at, pops))
			continue;
		if (take_row(s, &w->in, w->at, decided ? 0 : pops, err))
			return -1;
	}
	return 0;
}

/* Copies rows between head and tail, except dropped ones. */
static void
copy_rows(struct join *s, struct trc_batch *b)
{
	const struct trc_decided *t = s->decided;
	struct trc_wrap *w = &s->wrap;
	const uint64_t end = s->row + (w->in.n - w->at);
	const uint64_t stop = end < t->tail ? end : t->tail, begin = s->row;
	const size_t at = w->at, room = b->cap - b->n;
	const size_t n = stop - begin < room ? (size_t)(stop - begin) : room;
	size_t copied = 0;

	for (; s->mark < t->marks && t->mark[s->mark].row < begin + n; s->mark++) {
		const size_t marked = (size_t)(t->mark[s->mark].row - begin);

		if (keeps_row(s, &w->in, at + marked, t->mark[s->mark].pops))
			continue;
		trc_batch_append(b, &w->in, at + copied, marked - copied);
		copied = marked + 1;
	}
	trc_batch_append(b, &w->in, at + copied, n - copied);
	w->at += n;
	s->row += n;
}

/* Processes some of the pending rows. */
static int
take_pending(struct join *s, struct trc_batch *b, struct trc_err *err)
{
	const struct trc_decided *t;

	if (s->row == s->rows)
		begin_part(s);
	t = s->decided;
	if (s->wrap.at == s->wrap.in.n)
		return 0;
	if (s->row < t->head)
		return take_rows(s, t->head, err);
	if (!s->past_head) {
		s->past_head = true;
		return decide_all(s, err);
	}
	if (s->row < t->tail) {
		copy_rows(s, b);
		return 0;
	}
	return take_rows(s, t->rows, err);
}

/* ---- the stage ---- */

static int
end(struct join *s, struct trc_err *err)
{
	struct trc_meta *meta = &s->wrap.src.meta;

	s->all = s->lru.record[0].all.newer != 0;
	return s->merged && trc_meta_merged(meta, err) ?
	               -1 :
	               trc_guarantee_reduce(&meta->guarantee, &s->how, err);
}

static enum trc_flow
join_next(struct trc_source *src, struct trc_batch *b, struct trc_err *err)
{
	struct join *s = (struct join *)src;

	emit_final(s, b);
	while (b->n < b->cap) {
		const enum trc_flow flow = trc_wrap_pull(&s->wrap, err);

		if (flow == TRC_FLOW_FAILED ||
		    (flow == TRC_FLOW_END ? end(s, err) : take_pending(s, b, err)))
			return TRC_FLOW_FAILED;
		emit_final(s, b);
		if (flow == TRC_FLOW_END)
			break;
	}
	return b->n ? TRC_FLOW_ROWS : TRC_FLOW_END;
}

static void
join_close(struct trc_source *src)
{
	struct join *s = (struct join *)src;

	trc_lru_release(&s->lru);
	trc_map_release(&s->places);
	free(s->chain);
	free(s->open);
	trc_wrap_close(src);
}

struct trc_source *
trc_stage_join(struct trc_source *from, trc_decided_fn *decided, const struct trc_reduction *how,
               bool block, struct trc_err *err)
{
	struct join *s;

	assert((from->have & TRC_HAS_RTIME) && (from->have & TRC_HAS_VPN));
	if (trc_lru_check(how->r, err))
		return NULL;
	s = trc_wrap_open(sizeof(*s), from, from->have, join_next, err);
	if (!s)
		return NULL;
	s->wrap.src.close = join_close;
	s->decided_of = decided;
	s->how = *how;
	s->block = block;
	if (trc_lru_init(&s->lru, &how->scope, err) || trc_map_init(&s->places, err))
		return trc_wrap_fail(&s->wrap.src);
	return &s->wrap.src;
}
