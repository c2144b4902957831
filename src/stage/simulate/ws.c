/* SPDX-License-Identifier: MIT */
#include "stage/simulate/ws.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "stage/simulate/buckets.h"
#include "stage/simulate/ws_sink.h"
#include "stage/stage.h"

/* ---- buckets: an interval d > 0 is in the bucket of the smallest exact window >= d ---- */

uint64_t
trc_ws_window(uint64_t window)
{
	return trc_bucket_edge(window);
}

/* The sums of a trace up to `end` at one window. */
struct sums {
	uint64_t misses;
	double size;      /* pages in the working set, summed over all instants */
	double footprint; /* pages in whole windows, summed over all of these */
	double windows;   /* number of whole windows */
};

static struct sums
sums_of(const struct trc_ws *ws, const struct trc_ws_pages *of, uint64_t window)
{
	const uint64_t span = ws->end - ws->begin;
	struct sums s = { of->pages + of->again, 0, 0,
		          window - 1 <= span ? (double)(span - (window - 1)) + 1 : 0 };
	uint64_t without = 0; /* windows without the page, summed over pages */

	for (size_t i = 0; i < of->buckets; i++) {
		const struct trc_ws_bucket *b = &of->bucket[i];

		if (i <= trc_bucket_of(window)) {
			s.size += (double)(b->between_sum + b->end_sum);
		} else {
			s.size += (double)window * (double)(b->between + b->end);
			s.misses += b->between;
			without += b->between_sum + b->end_sum + b->first_sum -
			           window * (b->between + b->end + b->first);
		}
	}
	s.size -= (double)of->early;
	s.footprint = (double)of->pages * s.windows - (double)without;
	return s;
}

/* Returns the pages of the same space in the first records; NULL if it appeared later. */
static const struct trc_ws_pages *
pages_before(const struct trc_ws *ws, const struct trc_ws_pages *of)
{
	for (size_t i = 0; ws->before && i < ws->before->n; i++)
		if (ws->before->of[i].space == of->space)
			return &ws->before->of[i];
	return NULL;
}

int
trc_ws_subtract(void *all, void *first, struct trc_err *err)
{
	const struct trc_ws *before = first;
	struct trc_ws *ws = all;

	(void)err;
	ws->before = before->n > 0 ? before : NULL;
	ws->refs -= before->refs;
	ws->touches -= before->touches;
	return 0;
}

uint64_t
trc_ws_refs(const struct trc_ws *ws, const struct trc_ws_pages *of)
{
	const struct trc_ws_pages *before = pages_before(ws, of);

	return of->refs - (before ? before->refs : 0);
}

uint64_t
trc_ws_first(const struct trc_ws *ws, const struct trc_ws_pages *of)
{
	const struct trc_ws_pages *before = pages_before(ws, of);

	return of->pages - (before ? before->pages : 0);
}

uint64_t
trc_ws_instants(const struct trc_ws *ws)
{
	return ws->n == 0 ? 0 : ws->before ? ws->end - ws->before->end : ws->end - ws->begin + 1;
}

struct trc_ws_point
trc_ws_at(const struct trc_ws *ws, const struct trc_ws_pages *of, uint64_t window)
{
	const struct trc_ws_pages *before = pages_before(ws, of);
	const uint64_t instants = trc_ws_instants(ws);
	const struct sums all = sums_of(ws, of, window);
	struct sums less = { 0, 0, 0, 0 };
	struct trc_ws_point p = { 0, -1, 0 };

	assert(window == trc_ws_window(window));
	if (before)
		less = sums_of(ws->before, before, window);
	else if (ws->before)
		less.windows = sums_of(ws->before, &ws->before->of[0], window).windows;
	p.misses = all.misses - less.misses;
	if (of->refs && instants)
		p.size = (all.size - less.size) / (double)instants;
	if (of->refs && all.windows > less.windows)
		p.footprint = (all.footprint - less.footprint) / (all.windows - less.windows);
	return p;
}

/* ---- rows ---- */

static int
fail_backwards(const struct trc_batch *b, size_t k, struct trc_err *err)
{
	return trc_fail(err,
	                "reference %llu: its time is before that of the previous one; windows "
	                "need times that do not run backwards",
	                (ull)b->rtime[k]);
}

static int
reference(struct trc_ws_sink *s, uint32_t space, uint32_t id, uint64_t time, struct trc_err *err)
{
	struct trc_ws_pages *of;
	int failed;

	if (s->last[id] == TRC_WS_NEVER &&
	    trc_ws_space(s, s->by_space ? space : 0, &s->of[id], err))
		return -1;
	if (s->last[id] == TRC_WS_NEVER && s->first)
		s->first[id] = time;
	of = &s->ws->of[s->of[id]];
	of->refs++;
	if (TRC_LIKELY(s->last[id] < TRC_WS_GONE)) {
		failed = trc_ws_count(of, time - s->last[id], 1, false, err);
	} else if (s->last[id] == TRC_WS_NEVER) {
		failed = trc_ws_add_pages(s, of, 1, err);
	} else {
		of->again++;
		failed = trc_ws_first_at(s, of, time, 1, err);
	}
	s->last[id] = time;
	return failed;
}

/* Takes a page out of the working set, up to its next reference, if there is one. */
static int
delete_page(void *what, uint32_t id, struct trc_err *err)
{
	struct trc_ws_sink *s = what;
	struct trc_ws_pages *of = &s->ws->of[s->of[id]];
	const uint64_t last = s->last[id];

	if (last >= TRC_WS_GONE)
		return 0;
	s->last[id] = TRC_WS_GONE;
	return trc_ws_count(of, s->gone - last, 1, true, err) ||
	                       trc_ws_first_at(s, of, s->gone, UINT64_MAX, err) ?
	               -1 :
	               0;
}

/* Row `k` deletes adjacent pages, or all pages if it has none. */
static int
take_delete(struct trc_ws_sink *s, const struct trc_batch *b, uint64_t time, size_t k,
            struct trc_err *err)
{
	s->deletes++;
	if (s->sink.partial || s->ranges)
		return trc_pages_no_deletes(s->ranges, s->deletes, err);
	if (time < s->now)
		return fail_backwards(b, k, err);
	s->now = s->distinct ? time : 0;
	s->gone = time + (s->clock == TRC_COL_RTIME);
	return trc_pages_each(&s->pages, b->asid ? b->asid[k] : 0, b->vpn[k],
	                      b->size ? b->size[k] : 1, delete_page, s, err);
}

/* Checks that the time of a row is not before that of the previous one, and notes it. */
static int
note_time(struct trc_ws_sink *s, const struct trc_batch *b, size_t k, uint64_t time,
          struct trc_err *err)
{
	if (s->distinct == 0) {
		s->ws->begin = s->now = time;
		s->first_rtime = b->rtime[k];
	}
	if (time < s->now || time >= TRC_WS_GONE)
		return fail_backwards(b, k, err);
	s->distinct += s->distinct == 0 || b->rtime[k] != s->rtime;
	s->rtime = b->rtime[k];
	s->now = time;
	return 0;
}

enum {
	SHORT = 64, /* intervals below are short; each has a bucket of its own */
	TURNS = 4,  /* numbers of each that take turns: to add to one twice in a row would stall */
	FEW = 256,  /* known rows; fewer at a time do not pay, and the next FEW go one by one */
};

/* Adds the numbers of short intervals. */
static void
add_short(struct trc_ws_pages *of, uint32_t count[TURNS][SHORT])
{
	for (size_t interval = 0; interval < SHORT; interval++) {
		struct trc_ws_bucket *b = &of->bucket[trc_bucket_of(interval)];
		uint64_t n = 0;

		for (size_t turn = 0; turn < TURNS; turn++)
			n += count[turn][interval];
		b->between += n;
		b->between_sum += n * interval;
	}
}

/* Processes rows [from, from + n) of pages `id`, as long as each is a reference to a page in the
 * only working set, whose interval has a bucket. Returns how many. */
static size_t
take_known(struct trc_ws_sink *s, const struct trc_batch *b, const uint64_t *times, size_t from,
           const uint32_t *id, size_t n)
{
	uint32_t count[TURNS][SHORT] = { { 0 } };
	struct trc_ws_pages *of = &s->ws->of[0];
	const uint64_t *time = times + from, *rtime = b->rtime + from;
	uint64_t now = s->now, before = s->rtime, distinct = s->distinct;
	size_t k;

	for (k = 0; k < n; k++) {
		uint64_t *const last = &s->last[id[k]], at = time[k], interval = at - *last;
		const size_t bucket = trc_bucket_of(interval);

		if (TRC_UNLIKELY(*last >= TRC_WS_GONE || at < now || at >= TRC_WS_GONE ||
		                 bucket >= of->buckets))
			break;
		*last = now = at;
		distinct += rtime[k] != before;
		before = rtime[k];
		if (TRC_LIKELY(interval < SHORT)) {
			count[k % TURNS][interval]++;
			continue;
		}
		of->bucket[bucket].between++;
		of->bucket[bucket].between_sum += interval;
	}
	add_short(of, count);
	of->refs += k;
	s->now = now;
	s->rtime = before;
	s->distinct = distinct;
	return k;
}

static bool
may_know(const struct trc_ws_sink *s, const struct trc_batch *b)
{
	return !s->by_space && !b->event && s->ws->n == 1 && s->ws->of[0].buckets >= SHORT;
}

/* Processes rows [from, from + n), which are of one page each, or events. */
static int
take_pages(struct trc_ws_sink *s, const struct trc_batch *b, const uint64_t *time, size_t from,
           size_t n, struct trc_err *err)
{
	size_t others = 0;

	if (trc_pages_number(&s->pages, b->vpn + from, b->asid ? b->asid + from : NULL, n, s->id,
	                     err) ||
	    trc_ws_room(s, err))
		return -1;
	for (size_t k = from; k < from + n; k++) {
		if (others > 0) {
			others--;
		} else if (may_know(s, b)) {
			const size_t left = from + n - k;
			const size_t known = take_known(s, b, time, k, s->id + (k - from), left);

			others = known < FEW ? FEW : 0;
			k += known;
		}
		if (k < from + n && !trc_batch_is_event(b, k) &&
		    (note_time(s, b, k, time[k], err) ||
		     reference(s, b->asid ? b->asid[k] : 0, s->id[k - from], time[k], err)))
			return -1;
	}
	return 0;
}

/* ---- ranges ---- */

/* Processes pages whose last use was at the same time, *mark less 1. */
static uint64_t
use(void *what, uint64_t pages, uint64_t again, uint64_t mark)
{
	struct trc_ws_sink *s = what;
	struct trc_ws_pages *of = &s->ws->of[s->at];

	of->refs += pages;
	if (!s->failed)
		s->failed = again ? trc_ws_count(of, s->now - (mark - 1), pages, false, s->err) :
		                    trc_ws_add_pages(s, of, pages, s->err);
	return s->now + 1;
}

static uint64_t
have_mark(void *what, uint64_t pages, uint64_t again, uint64_t mark)
{
	(void)pages, (void)again, (void)mark;
	return *(const uint64_t *)what;
}

/* Switches to ranges. */
static int
begin_ranges(struct trc_ws_sink *s, struct trc_err *err)
{
	if (s->deletes)
		return trc_pages_no_deletes(true, s->deletes, err);
	trc_extents_init(&s->extents, false);
	s->ranges = true;
	for (uint32_t id = 0; id < s->pages.n; id++) {
		uint64_t mark = s->last[id] + 1;

		if (s->last[id] != TRC_WS_NEVER &&
		    trc_extents_refer(&s->extents, s->pages.name[id].space, s->pages.name[id].page,
		                      1, have_mark, &mark, err))
			return -1;
	}
	return 0;
}

/* Processes row `k`, which refers to adjacent pages. */
static int
take_range(struct trc_ws_sink *s, const struct trc_batch *b, const uint64_t *time, size_t k,
           struct trc_err *err)
{
	const uint32_t space = b->asid ? b->asid[k] : 0;
	uint64_t page = b->vpn[k], left = b->size[k];

	if (trc_batch_is_event(b, k))
		return 0;
	s->in_ranges += left > 1 ? left : 0;
	if (note_time(s, b, k, time[k], err))
		return -1;
	if (s->sink.partial && trc_extents_pay(s->in_ranges, s->distinct))
		return trc_fail_as(err, TRC_ONLY_WHOLE,
		                   "single references span so many pages that slices cannot be "
		                   "joined; use larger pages or --objects, or run it without "
		                   "--shard");
	if (!s->ranges && trc_extents_pay(s->in_ranges, s->distinct) && begin_ranges(s, err))
		return -1;
	if (s->ranges) {
		s->err = err;
		if (trc_ws_space(s, s->by_space ? space : 0, &s->at, err) ||
		    trc_extents_refer(&s->extents, space, page, left, use, s, err))
			return -1;
		return s->failed;
	}
	for (; left > 0; left--, page++)
		if (trc_pages_number(&s->pages, &page, &space, 1, s->id, err) ||
		    trc_ws_room(s, err) || reference(s, space, *s->id, time[k], err))
			return -1;
	return 0;
}

static int
ws_put(struct trc_sink *sink, const struct trc_batch *b, struct trc_err *err)
{
	struct trc_ws_sink *s = (struct trc_ws_sink *)sink;
	const uint64_t *time = trc_batch_column(b, s->clock);

	if (!b->vpn || !b->rtime || !time)
		return trc_fail(err, "working sets need pages and their times");
	for (size_t i = 0; i < b->n;) {
		const size_t most = b->n - i < TRC_BATCH_ROWS ? b->n - i : TRC_BATCH_ROWS;
		const uint8_t *gone = b->type ? memchr(b->type + i, TRC_INVALIDATE, most) : NULL;
		const size_t before = gone ? (size_t)(gone - (b->type + i)) : most;
		const size_t n = s->ranges ? 0 : trc_page_rows(b, i, before);

		if (before == 0) {
			if (take_delete(s, b, time[i], i, err))
				return -1;
			i++;
			continue;
		}
		if (n ? take_pages(s, b, time, i, n, err) : take_range(s, b, time, i, err))
			return -1;
		i += n + (n == 0);
	}
	return 0;
}

/* Returns the time at which the trace ends: that of the original trace, if it is known. */
static uint64_t
end_of(const struct trc_ws_sink *s, const struct trc_meta *meta)
{
	const uint64_t total = s->clock == TRC_COL_RTIME ? meta->refs :
	                       s->clock == TRC_COL_ITIME ? meta->insns :
	                                                   meta->last_time;

	return trc_meta_own_totals(meta) && total > s->now ? total : s->now;
}

/* Returns the number of references to pages; it is known if each reference is to one page. */
static uint64_t
touches_of(const struct trc_ws_sink *s, const struct trc_meta *meta)
{
	uint64_t touches = 0;

	for (size_t i = 0; i < s->ws->n; i++)
		touches += s->ws->of[i].refs;
	if (trc_meta_own_totals(meta) && meta->touches)
		return meta->touches;
	if (touches == s->distinct)
		return s->ws->refs;
	return s->ws->refs == s->distinct ? touches : 0;
}

/* Adds the intervals from the last reference to each page to the end. */
static int
end_pages(struct trc_ws_sink *s, struct trc_err *err)
{
	struct trc_ws *ws = s->ws;

	for (size_t id = 0; id < s->seen; id++)
		if (s->last[id] == TRC_WS_GONE ?
		            trc_ws_first_at(s, &ws->of[s->of[id]], ws->end + 1, 1, err) :
		            s->last[id] != TRC_WS_NEVER &&
		                    trc_ws_count(&ws->of[s->of[id]], ws->end - s->last[id] + 1, 1,
		                                 true, err))
			return -1;
	return 0;
}

static int
end_ranges(struct trc_ws_sink *s, struct trc_err *err)
{
	struct trc_ws *ws = s->ws;
	const struct trc_extent *e;
	uint32_t id = 0, at;

	while ((e = trc_extents_before(&s->extents, &id)))
		if (trc_ws_space(s, s->by_space ? e->space : 0, &at, err) ||
		    trc_ws_count(&ws->of[at], ws->end - (e->mark - 1) + 1, e->pages, true, err))
			return -1;
	return 0;
}

static int
ws_finish(struct trc_sink *sink, const struct trc_meta *meta, struct trc_err *err)
{
	struct trc_ws_sink *s = (struct trc_ws_sink *)sink;
	struct trc_ws *ws = s->ws;
	uint64_t pages;

	if (trc_ws_join(s, err))
		return -1;
	pages = s->ranges ? s->extents.pages : s->seen;
	ws->refs = trc_meta_own_totals(meta) ? meta->refs : s->distinct;
	ws->touches = touches_of(s, meta);
	if (meta->guarantee.sample || meta->guarantee.reduced & TRC_MERGED ||
	    ((meta->guarantee.sad || s->distinct < ws->refs) && meta->guarantee.window == 0))
		return trc_fail(err, "the trace lacks references, and was not reduced for windows");
	if (meta->guarantee.window && meta->guarantee.clock != (uint64_t)s->clock)
		return trc_fail(err, "the trace was reduced for windows of another clock");
	ws->end = end_of(s, meta);
	if (s->clock == TRC_COL_ITIME && ws->n > 0 && ws->end == 0)
		return trc_fail(err, "the trace has no instructions, so windows cannot be "
		                     "measured in them; use --clock references");
	/* References and instructions count from 1. */
	if (s->clock != TRC_COL_TIME && ws->n > 0)
		ws->begin = 1;
	/* The sum of all buckets must not overflow. */
	if (pages > 0 && ws->end - ws->begin >= UINT64_MAX / 2 / pages)
		return trc_fail(err, "the times of the trace are too far apart");
	return s->ranges ? end_ranges(s, err) : end_pages(s, err);
}

void
trc_ws_release(void *of)
{
	struct trc_ws *ws = of;

	for (size_t i = 0; i < ws->n; i++)
		free(ws->of[i].bucket);
	free(ws->of);
	*ws = (struct trc_ws){ 0 };
}

static void
ws_close(struct trc_sink *sink)
{
	struct trc_ws_sink *s = (struct trc_ws_sink *)sink;

	trc_pages_release(&s->pages);
	trc_extents_release(&s->extents);
	trc_map_release(&s->spaces);
	free(s->last);
	free(s->first);
	free(s->of);
	free(s->page);
	free(s->space);
	/* If the state was saved, the result is not used. */
	if (s->sink.partial)
		trc_ws_release(s->ws);
	free(s);
}

struct trc_sink *
trc_ws_sink(struct trc_ws *ws, enum trc_column clock, bool by_space, struct trc_err *err)
{
	struct trc_ws_sink *s = trc_alloc(1, sizeof(*s), err);

	*ws = (struct trc_ws){ 0 };
	if (!s)
		return NULL;
	s->sink = (struct trc_sink){
		.put = ws_put, .finish = ws_finish, .close = ws_close, .state = trc_ws_state
	};
	s->ws = ws;
	s->clock = clock;
	s->by_space = by_space;
	if (trc_pages_init(&s->pages, err) || trc_map_init(&s->spaces, err)) {
		ws_close(&s->sink);
		return NULL;
	}
	return &s->sink;
}
