/* SPDX-License-Identifier: MIT
 *
 * Safely allowed drop, SAD (S. F. Kaplan, Y. Smaragdakis, P. R. Wilson, "Trace reduction for virtual
 * memory simulations", SIGMETRICS 1999): of three consecutive surviving references to a page the
 * middle one is dropped if fewer than r distinct other pages lie between the first and the third.
 * What it held of writing goes to the third, so that the page is as dirty at every eviction.
 *
 * In one pass, O(1) a reference, O(r) memory. The simulated memory is an LRU list of r pages. Since
 * the list is in order of last reference, and the records that are not yet decided are in order of
 * time, one list serves both:
 *
 *   oldest                                                             newest
 *   [a] -> [b] -> [a'] -> [c] -> [b'] -> ...
 *
 * Each record is the latest of its page (a', c, b') or the one before it that could not be dropped
 * (a, b). The least recently used page is that of the first latest record from the oldest end. When
 * it is evicted at a reference, everything up to its latest record is decided and leaves; `evicted`
 * remembers the time of that record. A page seen again at `now` whose latest record is at t2 and
 * whose record before that is at t1 has fewer than r pages in (t1, now) just if nothing that was
 * last used after t1 was evicted: t1 > evicted. Then the latest record is dropped: it takes the
 * stamps of the new reference and moves to the newest end.
 *
 * A page has at most two records in the list, so there are never more than 2r, and kernel events
 * among them, which wait for their turn and are never dropped.
 */
#include "stage/stage.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/map.h"
#include "stage/wrap.h"

enum { END = 0 }; /* record 0 is both ends of the list */

struct record {
	uint64_t now;    /* place in the trace, from 1 */
	uint64_t before; /* that of the page's surviving record before this; 0: none in memory */
	uint32_t older, newer;
	char *event; /* its text, if it is one */
	bool latest;
	uint8_t type;
	uint32_t asid, task;
	uint64_t vpn, cpn, time, itime, rtime;
};

struct sad {
	struct trc_wrap wrap;
	uint64_t r;
	uint64_t now;     /* rows seen */
	uint64_t evicted; /* `now` of the latest record of the last page evicted; 0: none was */
	uint64_t pages;   /* in memory, at most r */
	struct trc_map map; /* page in memory -> its latest record */
	struct record *record;
	size_t records, cap; /* used at some time, room */
	uint32_t spare;      /* list, through `newer`, of records that are not in use */
};

static void
unlink_record(struct sad *s, struct record *x)
{
	s->record[x->older].newer = x->newer;
	s->record[x->newer].older = x->older;
}

static void
append_record(struct sad *s, struct record *x)
{
	struct record *end = &s->record[END];
	const uint32_t id = (uint32_t)(x - s->record);

	x->older = end->older;
	x->newer = END;
	s->record[end->older].newer = id;
	end->older = id;
}

/* A record that is not in use; 0 if there is no memory. */
static uint32_t
new_record(struct sad *s, struct trc_err *err)
{
	uint32_t id = s->spare;

	if (id) {
		s->spare = s->record[id].newer;
		return id;
	}
	if (trc_grow(&s->record, &s->cap, s->records + 1, sizeof(*s->record), err))
		return 0;
	return (uint32_t)s->records++;
}

static inline void
stamp(struct record *x, const struct trc_batch *in, size_t i, uint64_t now)
{
	x->now = now;
	x->itime = in->itime[i];
	x->rtime = in->rtime[i];
	if (in->time)
		x->time = in->time[i];
	if (in->task)
		x->task = in->task[i];
	if (in->cpn)
		x->cpn = in->cpn[i];
}

/* Evicts the least recently used page: everything up to its latest record is decided. */
static void
evict(struct sad *s)
{
	uint32_t id = s->record[END].newer;

	while (!s->record[id].latest)
		id = s->record[id].newer;
	s->evicted = s->record[id].now;
	trc_map_remove(&s->map, s->record[id].asid, s->record[id].vpn);
	s->pages--;
}

/* The reference in row `i` as the latest record of its page. */
static int
add(struct sad *s, const struct trc_batch *in, size_t i, uint64_t before, struct trc_err *err)
{
	const uint32_t id = new_record(s, err);
	struct record *x = &s->record[id];

	if (!id)
		return -1;
	x->before = before;
	x->latest = true;
	x->event = NULL;
	x->type = in->type[i];
	x->vpn = in->vpn[i];
	x->asid = in->asid ? in->asid[i] : 0;
	stamp(x, in, i, s->now);
	append_record(s, x);
	return 0;
}

static int
add_event(struct sad *s, const struct trc_batch *in, size_t i, struct trc_err *err)
{
	char *text = trc_strdup(trc_batch_event(in, i), err);
	struct record *x;

	if (!text || add(s, in, i, 0, err)) {
		free(text);
		return -1;
	}
	x = &s->record[s->record[END].older];
	x->event = text;
	x->latest = false;
	return 0;
}

static int
reference(struct sad *s, const struct trc_batch *in, size_t i, struct trc_err *err)
{
	const uint32_t asid = in->asid ? in->asid[i] : 0;
	struct trc_map_entry *e = trc_map_find(&s->map, asid, in->vpn[i]);
	struct record *x;

	s->now++;
	if (e->value == TRC_MAP_NONE) {
		if (s->pages == s->r)
			evict(s);
		if (add(s, in, i, 0, err))
			return -1;
		s->pages++;
		return trc_map_add(&s->map, asid, in->vpn[i], s->record[END].older, err);
	}
	x = &s->record[e->value];
	if (x->before > s->evicted) {
		unlink_record(s, x);
		x->type |= in->type[i];
		stamp(x, in, i, s->now);
		append_record(s, x);
		return 0;
	}
	x->latest = false;
	if (add(s, in, i, x->now, err))
		return -1;
	e->value = s->record[END].older;
	return 0;
}

/* Moves the oldest record out into `b`. */
static void
emit(struct sad *s, struct trc_batch *b)
{
	const uint32_t id = s->record[END].newer;
	struct record *x = &s->record[id];
	const size_t n = b->n++;

	b->type[n] = x->type;
	b->vpn[n] = x->vpn;
	b->itime[n] = x->itime;
	b->rtime[n] = x->rtime;
	if (b->time)
		b->time[n] = x->time;
	if (b->asid)
		b->asid[n] = x->asid;
	if (b->task)
		b->task[n] = x->task;
	if (b->cpn)
		b->cpn[n] = x->cpn;
	if (b->event)
		b->event[n] = 0;
	if (x->event)
		trc_batch_put_event(b, n, x->event, strlen(x->event));
	free(x->event);
	unlink_record(s, x);
	x->newer = s->spare;
	s->spare = id;
}

static void
emit_decided(struct sad *s, struct trc_batch *b)
{
	for (;;) {
		const uint32_t id = s->record[END].newer;

		if (id == END || b->n == b->cap || s->record[id].now > s->evicted)
			break;
		emit(s, b);
	}
}

static enum trc_flow
sad_next(struct trc_source *src, struct trc_batch *b, struct trc_err *err)
{
	struct sad *s = (struct sad *)src;
	struct trc_wrap *w = &s->wrap;

	emit_decided(s, b);
	while (b->n < b->cap) {
		const uint64_t evicted = s->evicted;
		enum trc_flow flow = trc_wrap_pull(w, err);

		if (flow == TRC_FLOW_FAILED)
			return flow;
		if (flow == TRC_FLOW_END) {
			s->evicted = s->now;
			/* A trace reduced for larger memories stays exact only for those. */
			if (s->wrap.src.meta.sad < s->r)
				s->wrap.src.meta.sad = s->r;
			emit_decided(s, b);
			break;
		}
		for (; w->at < w->in.n && s->evicted == evicted; w->at++)
			if (trc_batch_is_event(&w->in, w->at) ? add_event(s, &w->in, w->at, err) :
			                                        reference(s, &w->in, w->at, err))
				return TRC_FLOW_FAILED;
		emit_decided(s, b);
	}
	return b->n ? TRC_FLOW_ROWS : TRC_FLOW_END;
}

static void
sad_close(struct trc_source *src)
{
	struct sad *s = (struct sad *)src;

	for (uint32_t id = s->records ? s->record[END].newer : END; id != END;
	     id = s->record[id].newer)
		free(s->record[id].event);
	trc_map_release(&s->map);
	free(s->record);
	trc_wrap_close(src);
}

struct trc_source *
trc_stage_sad(struct trc_source *from, uint64_t r, struct trc_err *err)
{
	struct sad *s;

	assert((from->have & TRC_HAS_RTIME) && (from->have & TRC_HAS_VPN));
	if (r < 1 || r > UINT32_MAX / 4) {
		trc_fail_as(err, TRC_USAGE, "SAD needs a memory of 1 to %u pages, not %llu",
		            UINT32_MAX / 4, (unsigned long long)r);
		return NULL;
	}
	s = trc_wrap_open(sizeof(*s), from, from->have, sad_next, err);
	if (!s)
		return NULL;
	s->r = r;
	s->wrap.src.close = sad_close;
	if (trc_map_init(&s->map, err) ||
	    trc_grow(&s->record, &s->cap, 1, sizeof(*s->record), err)) {
		s->wrap.from = NULL;
		sad_close(&s->wrap.src);
		return NULL;
	}
	s->records = 1;
	s->record[END] = (struct record){ 0 };
	return &s->wrap.src;
}
