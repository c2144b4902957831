/* SPDX-License-Identifier: MIT */
#include "stage/simulate/ws.h"

#include <assert.h>
#include <stdlib.h>

#include "stage/simulate/buckets.h"
#include "stage/simulate/pages.h"

#define NEVER UINT64_MAX

/* The sink. */
struct ws_sink {
	struct trc_sink sink;
	struct trc_ws *ws;
	enum trc_column clock;
	bool by_space;
	struct trc_pages pages;
	uint64_t *last; /* time of the last reference to each page, or NEVER */
	uint32_t *of;   /* whose it is */
	size_t last_cap, of_cap, seen;
	struct trc_map spaces;
	uint64_t now;
	uint64_t rtime, distinct; /* the last reference time, how many different ones there were */
	uint32_t id[TRC_BATCH_ROWS];
};

/* ---- buckets: an interval d > 0 is in that of the smallest window >= d that is exact ---- */

uint64_t
trc_ws_window(uint64_t window)
{
	return trc_bucket_edge(window);
}

static int
count(struct trc_ws_pages *of, uint64_t interval, bool end, struct trc_err *err)
{
	const size_t at = trc_bucket_of(interval);
	struct trc_ws_bucket *b;

	if (TRC_UNLIKELY(at >= of->buckets)) {
		if (trc_grow(&of->bucket, &of->cap, at + 1, sizeof(*of->bucket), err))
			return -1;
		for (; of->buckets <= at; of->buckets++)
			of->bucket[of->buckets] = (struct trc_ws_bucket){ 0 };
	}
	b = &of->bucket[at];
	if (end) {
		b->end++;
		b->end_sum += interval;
	} else {
		b->between++;
		b->between_sum += interval;
	}
	return 0;
}

struct trc_ws_point
trc_ws_at(const struct trc_ws *ws, const struct trc_ws_pages *of, uint64_t window)
{
	const double span = (double)(ws->end - ws->begin) + 1;
	struct trc_ws_point p = { 0, of->pages };
	double sum = 0;

	assert(window == trc_ws_window(window));
	for (size_t i = 0; i < of->buckets; i++) {
		const struct trc_ws_bucket *b = &of->bucket[i];

		if (i <= trc_bucket_of(window)) {
			sum += (double)(b->between_sum + b->end_sum);
		} else {
			sum += (double)window * (double)(b->between + b->end);
			p.misses += b->between;
		}
	}
	p.size = of->refs ? sum / span : 0;
	return p;
}

/* ---- rows ---- */

/* Room for what is kept of each page. */
static int
make_room(struct ws_sink *s, struct trc_err *err)
{
	if (trc_grow(&s->last, &s->last_cap, s->pages.n, sizeof(*s->last), err) ||
	    trc_grow(&s->of, &s->of_cap, s->pages.n, sizeof(*s->of), err))
		return -1;
	for (; s->seen < s->pages.n; s->seen++)
		s->last[s->seen] = NEVER;
	return 0;
}

/* The index of a space, which may be new. */
static int
find_space(struct ws_sink *s, uint32_t space, uint32_t *at, struct trc_err *err)
{
	struct trc_ws *ws = s->ws;

	*at = trc_map_find(&s->spaces, space, 0)->value;
	if (*at != TRC_MAP_NONE)
		return 0;
	if (trc_grow(&ws->of, &ws->cap, ws->n + 1, sizeof(*ws->of), err) ||
	    trc_map_add(&s->spaces, space, 0, (uint32_t)ws->n, err))
		return -1;
	ws->of[ws->n] = (struct trc_ws_pages){ .space = space };
	*at = (uint32_t)ws->n++;
	return 0;
}

static int
reference(struct ws_sink *s, uint32_t space, uint32_t id, uint64_t time, struct trc_err *err)
{
	struct trc_ws_pages *of;

	if (s->last[id] == NEVER && find_space(s, s->by_space ? space : 0, &s->of[id], err))
		return -1;
	of = &s->ws->of[s->of[id]];
	of->refs++;
	if (s->last[id] == NEVER)
		of->pages++;
	else if (count(of, time - s->last[id], false, err))
		return -1;
	s->last[id] = time;
	return 0;
}

static int
ws_put(struct trc_sink *sink, const struct trc_batch *b, struct trc_err *err)
{
	struct ws_sink *s = (struct ws_sink *)sink;
	const uint64_t *time = trc_batch_column(b, s->clock);

	if (!b->vpn || !b->rtime || !time)
		return trc_fail(err, "working sets need pages and their times");
	for (size_t i = 0, n; i < b->n; i += n) {
		n = b->n - i < TRC_BATCH_ROWS ? b->n - i : TRC_BATCH_ROWS;
		if (trc_pages_number(&s->pages, b->vpn + i, b->asid ? b->asid + i : NULL, n, s->id,
		                     err) ||
		    make_room(s, err))
			return -1;
		for (size_t k = i; k < i + n; k++) {
			if (trc_batch_is_event(b, k))
				continue;
			if (s->distinct == 0)
				s->ws->begin = s->now = time[k];
			if (time[k] < s->now || time[k] == NEVER)
				return trc_fail(
				        err,
				        "reference %llu: its time is before that of the one "
				        "before it; windows need times that run forward",
				        (unsigned long long)b->rtime[k]);
			s->distinct += s->distinct == 0 || b->rtime[k] != s->rtime;
			s->rtime = b->rtime[k];
			s->now = time[k];
			if (reference(s, b->asid ? b->asid[k] : 0, s->id[k - i], time[k], err))
				return -1;
		}
	}
	return 0;
}

/* When the clock ends: with the original trace, if that is known. */
static uint64_t
end_of(const struct ws_sink *s, const struct trc_meta *meta)
{
	const uint64_t total = s->clock == TRC_COL_RTIME ? meta->refs :
	                       s->clock == TRC_COL_ITIME ? meta->insns :
	                                                   meta->last_time;

	return trc_meta_own_totals(meta) && total > s->now ? total : s->now;
}

static int
ws_finish(struct trc_sink *sink, const struct trc_meta *meta, struct trc_err *err)
{
	struct ws_sink *s = (struct ws_sink *)sink;
	struct trc_ws *ws = s->ws;

	ws->refs = trc_meta_own_totals(meta) ? meta->refs : s->distinct;
	if (meta->guarantee.sample || meta->guarantee.reduced & TRC_MERGED ||
	    ((meta->guarantee.sad || s->distinct < ws->refs) && meta->guarantee.window == 0))
		return trc_fail(err, "the trace has not all references, and was not reduced for "
		                     "windows");
	if (meta->guarantee.window && meta->guarantee.clock != (uint64_t)s->clock)
		return trc_fail(err, "the trace was reduced for windows of another clock");
	/* References and instructions are counted from 1. */
	if (s->clock != TRC_COL_TIME && ws->begin > 1)
		ws->begin = 1;
	ws->end = end_of(s, meta);
	/* What the buckets add up to. */
	if (s->seen > 0 && ws->end - ws->begin >= UINT64_MAX / s->seen)
		return trc_fail(err, "the times of the trace are too far from each other");
	for (size_t id = 0; id < s->seen; id++)
		if (s->last[id] != NEVER &&
		    count(&ws->of[s->of[id]], ws->end - s->last[id] + 1, true, err))
			return -1;
	return 0;
}

static void
ws_close(struct trc_sink *sink)
{
	struct ws_sink *s = (struct ws_sink *)sink;

	trc_pages_release(&s->pages);
	trc_map_release(&s->spaces);
	free(s->last);
	free(s->of);
	free(s);
}

void
trc_ws_release(struct trc_ws *ws)
{
	for (size_t i = 0; i < ws->n; i++)
		free(ws->of[i].bucket);
	free(ws->of);
	*ws = (struct trc_ws){ 0 };
}

struct trc_sink *
trc_ws_sink(struct trc_ws *ws, enum trc_column clock, bool by_space, struct trc_err *err)
{
	struct ws_sink *s = trc_alloc(1, sizeof(*s), err);

	*ws = (struct trc_ws){ 0 };
	if (!s)
		return NULL;
	s->sink = (struct trc_sink){ .put = ws_put, .finish = ws_finish, .close = ws_close };
	s->ws = ws;
	s->clock = clock;
	s->by_space = by_space;
	if (trc_pages_init(&s->pages, err) || trc_map_init(&s->spaces, err)) {
		ws_close(&s->sink);
		return NULL;
	}
	return &s->sink;
}
