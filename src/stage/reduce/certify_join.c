/* SPDX-License-Identifier: MIT
 *
 * Certifying in parts. Each part of the original compares its own references with the records that
 * are of these, which reference times show. What it cannot know is what two memories of r pages
 * (twins.h) had in front of it: so of its first r pages whether they were there, and of what was
 * there, whether it was written. Comparisons that depend on this wait, in their order, at most four
 * for each of r pages: the first touches and the first evictions of both sides. Where a record has
 * a stamp of a kind, none before may have one of the other: the first of each kind waits.
 *
 * To append a part is to do its first touches, in their order, behind what is there: r pages are
 * in memory, those of the part among them, and what has to leave was touched before it, which is
 * known. So each wait is settled, or waits on, if what is there is not the beginning of the trace.
 * Then the pages that the part had at its end, in their order, are the ones used last.
 *
 * A part that is not equal anywhere ends there: what comes behind that, nobody asks.
 *
 * The state is numbers, as in base/buf.h:
 *
 *   flags, r
 *   references, faults, evictions, dirty evictions, read faults made writes
 *   totals             three, of the original by the reduced trace, if it has them
 *   stamps             the kinds of each so far
 *   record, waiting    how many records are in front of what waits; its time, page and space
 *   rows               if any: first and last time, records in front of the first
 *   pages              how many; each as a difference to the one before, with its space if there
 *                      are any
 *   waits              how many; each its time as a difference, page, flags, events
 *   memories           how many; each its space, how many pages of both sides, these, used longest
 *                      ago first, one of each side by turns, with two flags
 *   why                bytes: where they part, and how; none if they do not
 */
#include "stage/reduce/certify_part.h"

#include <stdlib.h>
#include <string.h>

#define NOBODY TRC_TWINS_NOBODY

/* A state that is read: what has to be known of it, and its pages by their numbers here. */
struct reading {
	struct trc_certify *s;
	struct trc_view *v;
	bool bad;
	uint64_t flags, r, count[5], from, record, rtime, page, space, first, last, first_record;
	struct trc_page_totals total;
	uint32_t *id;
	uint64_t pages;
	bool drop; /* they part before it */
};

static uint64_t
get(struct reading *r)
{
	uint64_t v = 0;

	r->bad = r->bad || !trc_view_num(r->v, &v);
	return r->bad ? 0 : v;
}

static uint64_t
get_more(struct reading *r, uint64_t *before)
{
	return *before += trc_unzigzag(get(r));
}

static void
get_head(struct reading *r)
{
	r->flags = get(r);
	r->r = get(r);
	for (size_t i = 0; i < TRC_COUNT(r->count); i++)
		r->count[i] = get(r);
	if (r->flags & TRC_PART_TOTALS) {
		r->total.refs = get(r);
		r->total.insns = get(r);
		r->total.last_time = get(r);
	}
	r->from = get(r);
	r->record = get(r);
	if (!(r->flags & TRC_PART_ENDED)) {
		r->rtime = get(r);
		r->page = get(r);
		r->space = get(r);
	}
	if (r->flags & TRC_PART_ANY) {
		r->first = get(r);
		r->last = get(r);
		r->first_record = get(r);
	}
	r->bad = r->bad || r->flags > TRC_PART_FLAGS_MOST || r->r == 0 || r->from > 15 ||
	         r->space > UINT32_MAX || r->first > r->last || r->first_record > r->record;
}

/* The same comparison, of parts in their order. */
static int
check_head(const struct reading *r, struct trc_err *err)
{
	const struct trc_certify *s = r->s;
	const struct trc_scope *scope = &s->twins.scope;
	const uint64_t same = TRC_PART_BY_SPACE | TRC_PART_CANONICAL | TRC_PART_TOTALS |
	                      TRC_PART_COUNTED;
	const uint64_t flags = (scope->by_space ? TRC_PART_BY_SPACE : 0) |
	                       (scope->canonical ? TRC_PART_CANONICAL : 0) |
	                       (s->part.totals ? TRC_PART_TOTALS : 0) |
	                       (s->sink.counted & TRC_HAS_RTIME ? TRC_PART_COUNTED : 0);

	if (r->bad)
		return trc_sink_damaged(err);
	if (!s->joined)
		return 0;
	if (r->flags & TRC_PART_FIRST ||
	    (r->flags & TRC_PART_SPACES) != (s->spaces ? TRC_PART_SPACES : 0) ||
	    r->r != s->twins.r || (r->flags & same) != flags ||
	    memcmp(&r->total, &s->part.total, sizeof(r->total)) != 0)
		return trc_sink_damaged(err);
	if (!(r->flags & TRC_PART_ANY) || !s->any || s->why)
		return 0;
	if (r->flags & TRC_PART_COUNTED && r->first != s->last + 1)
		return trc_fail(err, "does not begin behind the shard before it: the trace has "
		                     "changed between them");
	if (r->first <= s->last)
		return trc_fail(err,
		                "begins at reference %llu, at which the shard before it ends: "
		                "only the whole can be certified, or another number of shards",
		                (unsigned long long)r->first);
	return 0;
}

static void
take_params(struct trc_certify *s, const struct reading *r)
{
	s->joined = true;
	s->spaces = r->flags & TRC_PART_SPACES;
	s->twins.r = r->r;
	s->twins.scope.by_space = r->flags & TRC_PART_BY_SPACE;
	s->twins.scope.canonical = r->flags & TRC_PART_CANONICAL;
	s->twins.unknown = !(r->flags & TRC_PART_FIRST);
	s->part.first = r->flags & TRC_PART_FIRST;
	s->part.totals = r->flags & TRC_PART_TOTALS;
	s->part.total = r->total;
	s->sink.counted = r->flags & TRC_PART_COUNTED ? TRC_HAS_RTIME : 0;
}

/* Goes on in the reduced trace, where the part does. */
static int
take_place(struct reading *r, struct trc_err *err)
{
	struct trc_certify *s = r->s;
	const bool known = s->any || (s->part.first && s->joined);

	if (known && r->flags & TRC_PART_ANY && s->record < r->first_record)
		return trc_certify_fail_waiting(s, err);
	if (!(r->flags & TRC_PART_ANY) && known)
		return 0;
	if (!s->any && r->flags & TRC_PART_ANY) {
		s->first = r->first;
		s->first_record = r->first_record;
	}
	s->any |= (r->flags & TRC_PART_ANY) != 0;
	s->last = r->last;
	s->record = r->record;
	s->ended = r->flags & TRC_PART_ENDED;
	s->waiting.rtime = r->rtime;
	s->waiting.page = r->page;
	s->waiting.space = (uint32_t)r->space;
	return 0;
}

static int
get_pages(struct reading *r, struct trc_err *err)
{
	struct trc_twins *t = &r->s->twins;
	uint64_t number = 0, space = 0;

	r->pages = get(r);
	if (r->bad || r->pages > (uint64_t)(r->v->end - r->v->p))
		return trc_sink_damaged(err);
	r->id = trc_alloc((size_t)r->pages + 1, sizeof(*r->id), err);
	if (!r->id)
		return -1;
	for (uint64_t i = 0; i < r->pages; i++) {
		uint32_t of;

		get_more(r, &number);
		of = (uint32_t)(r->flags & TRC_PART_SPACES ? get_more(r, &space) : 0);
		if (r->bad || space > UINT32_MAX)
			return trc_sink_damaged(err);
		if (trc_twins_number(t, &number, &of, 1, &r->id[i], err))
			return -1;
		t->page[r->id[i]].seen = true;
	}
	return 0;
}

/* A page that the state has by its number. */
static uint32_t
get_page(struct reading *r, uint64_t number)
{
	r->bad = r->bad || number >= r->pages;
	return r->bad ? NOBODY : r->id[number];
}

static void
get_event(struct reading *r, struct trc_twins_event *e)
{
	const uint64_t flags = get(r);

	r->bad = r->bad || flags > TRC_PART_EVENT_MOST;
	*e = (struct trc_twins_event){ .open = flags & TRC_PART_OPEN,
		                       .fault = flags & TRC_PART_FAULT,
		                       .dirty = flags & TRC_PART_DIRTY,
		                       .dirty_open = flags & TRC_PART_DIRTY_OPEN,
		                       .victim = NOBODY };
	if (flags & TRC_PART_VICTIM)
		e->victim = get_page(r, get(r));
	r->bad = r->bad || (e->dirty_open && e->victim == NOBODY);
}

static void
get_wait(struct reading *r, uint64_t *rtime, uint64_t *id, struct trc_certify_wait *w)
{
	uint64_t flags, stamp;

	*w = (struct trc_certify_wait){ .rtime = get_more(r, rtime) };
	w->id = get_page(r, get_more(r, id));
	++*id;
	flags = get(r);
	r->bad = r->bad || flags > TRC_PART_WAIT_MOST;
	w->kept = flags & TRC_PART_KEPT;
	w->write = flags & TRC_PART_WRITE;
	w->kept_write = flags & TRC_PART_KEPT_WRITE;
	if (flags & TRC_PART_STAMP) {
		stamp = get(r);
		w->from = (enum trc_certify_from)(stamp >> 1);
		w->stamp = (enum trc_certify_stamp)(stamp & 1);
		r->bad = r->bad ||
		         (stamp >> 1 != TRC_CERTIFY_ORIGINAL && stamp >> 1 != TRC_CERTIFY_MADE_UP);
		w->original = get(r);
		w->reduced = get(r);
		return;
	}
	get_event(r, &w->e[TRC_TWIN_ORIGINAL]);
	if (w->kept)
		get_event(r, &w->e[TRC_TWIN_REDUCED]);
}

/* What is in front of the part, which is here, settles what it left open. */
static void
settle_event(struct trc_certify *s, struct trc_twins_pair *pair, enum trc_twin side, uint32_t id,
             struct trc_twins_event *e)
{
	const struct trc_twins_place *victim;

	if (e->open) {
		*e = trc_twins_refer(&s->twins, pair, side, id, false);
		return;
	}
	if (!e->dirty_open)
		return;
	victim = &s->twins.page[e->victim].place[side];
	e->dirty = victim->dirty;
	e->dirty_open = victim->open && !victim->dirty;
}

static int
settle(struct trc_certify *s, struct trc_certify_wait *w, struct trc_err *err)
{
	const unsigned before = s->from[w->stamp];
	struct trc_twins_pair *pair;

	if (w->from) {
		if (before & ~(unsigned)w->from)
			return trc_certify_fail_stamp(s, w, err);
		s->from[w->stamp] |= w->from;
		return !before && s->twins.unknown ? trc_certify_wait(s, w, err) : 0;
	}
	pair = trc_twins_pair(&s->twins, s->twins.page[w->id].space, err);
	if (!pair)
		return -1;
	for (int side = 0; side < (w->kept ? TRC_TWINS : 1); side++)
		settle_event(s, pair, (enum trc_twin)side, w->id, &w->e[side]);
	return trc_certify_events(s, w, err);
}

/* Fails, or notes where they part and drops the rest. */
static int
fail(struct reading *r, struct trc_err *err)
{
	r->drop = true;
	return trc_certify_keep(r->s, err);
}

static int
get_waits(struct reading *r, struct trc_err *err)
{
	const uint64_t n = get(r);
	uint64_t rtime = r->first, id = 0;

	for (uint64_t i = 0; i < n; i++) {
		struct trc_certify_wait w;

		get_wait(r, &rtime, &id, &w);
		if (r->bad)
			return trc_sink_damaged(err);
		if (!r->drop && settle(r->s, &w, err) && fail(r, err))
			return -1;
	}
	return 0;
}

static int
get_memory(struct reading *r, struct trc_err *err)
{
	struct trc_twins *t = &r->s->twins;
	const uint64_t space = get(r);
	const uint64_t n[TRC_TWINS] = { get(r), get(r) };
	struct trc_twins_pair *pair;
	uint64_t at = 0;

	if (r->bad || n[0] > t->r || n[1] > t->r || n[0] > r->pages || n[1] > r->pages ||
	    space > UINT32_MAX)
		return trc_sink_damaged(err);
	pair = trc_twins_pair(t, (uint32_t)space, err);
	if (!pair)
		return -1;
	for (uint64_t i = 0; i < n[0] || i < n[1]; i++)
		for (int side = 0; side < TRC_TWINS; side++) {
			const uint64_t v = i < n[side] ? get(r) : 0;
			uint32_t id;

			if (i >= n[side])
				continue;
			id = get_page(r, at += trc_unzigzag(v >> 2));
			if (r->bad || (t->scope.by_space && t->page[id].space != space))
				return trc_sink_damaged(err);
			if (!r->drop)
				trc_twins_put(t, pair, (enum trc_twin)side, id, v & 1, v & 2);
		}
	for (int side = 0; side < TRC_TWINS; side++)
		trc_twins_shrink(t, pair, (enum trc_twin)side);
	return 0;
}

static int
get_why(struct reading *r, struct trc_err *err)
{
	const uint64_t n = get(r), where = get(r);
	const uint8_t *why;

	if (n > 0)
		r->bad = r->bad || n - 1 > sizeof(err->text) || n == 1;
	if (r->bad)
		return trc_sink_damaged(err);
	if (n == 0)
		return 0;
	why = trc_view_bytes(r->v, (size_t)n - 1);
	if (!why)
		return trc_sink_damaged(err);
	if (r->drop)
		return 0;
	r->s->why = trc_alloc((size_t)n, 1, err);
	if (!r->s->why)
		return -1;
	memcpy(r->s->why, why, (size_t)n - 1);
	r->s->c->parted = true;
	r->s->c->where = where;
	return 0;
}

static int
append(struct reading *r, struct trc_err *err)
{
	struct trc_certify *s = r->s;
	uint64_t memories;

	get_head(r);
	if (check_head(r, err))
		return -1;
	r->drop = s->why;
	if (!r->drop && take_place(r, err) && fail(r, err))
		return -1;
	if (!s->joined)
		take_params(s, r);
	if (get_pages(r, err) || get_waits(r, err))
		return -1;
	memories = get(r);
	for (uint64_t i = 0; i < memories; i++)
		if (get_memory(r, err))
			return -1;
	if (get_why(r, err))
		return -1;
	s->c->references += r->count[0];
	s->c->faults += r->count[1];
	s->c->evictions += r->count[2];
	s->c->dirty += r->count[3];
	s->c->became_writes += r->count[4];
	s->from[TRC_CERTIFY_CYCLE] |= (unsigned)r->from & 3;
	s->from[TRC_CERTIFY_INSN] |= (unsigned)r->from >> 2;
	return 0;
}

int
trc_certify_append(struct trc_sink *sink, struct trc_view *state, struct trc_err *err)
{
	struct reading r = { .s = (struct trc_certify *)sink, .v = state };
	const int ret = append(&r, err);

	free(r.id);
	return ret;
}
