/* SPDX-License-Identifier: MIT */
#include "stage/profile/windows.h"

#include <stdlib.h>
#include <string.h>

#include "batch/extent.h"
#include "stage/simulate/extents.h"
#include "stage/simulate/pages.h"

enum {
	RUN = 1024,
	PARTS_FREE = 1 << 21, /* pages in large references that parts accept, plus PARTS_PER_ROW */
	PARTS_PER_ROW = 4096, /* for each row */
};

/* The first and the last window that touched a page. */
struct touched {
	uint64_t first, last;
};

/* The sink. */
struct windows_sink {
	struct trc_sink sink;
	struct trc_windows *windows;
	unsigned bits;
	struct trc_window now;
	struct trc_pages pages;
	struct touched *touched; /* for each page */
	size_t cap;
	uint64_t number; /* number of the current window */
	uint64_t end;    /* where it ends, in records */

	/* Pages that are not numbered yet. */
	uint64_t page[RUN];
	uint32_t space[RUN], id[RUN];
	size_t waiting;

	/* Used instead of `pages` and `touched` when references have too many pages; marks are the
	 * last window + 1. */
	bool ranges;
	struct trc_extents extents;
	uint64_t in_ranges; /* additional pages of references to several pages */
};

/* Returns the number of the window of the next record after `records` records; 0 is the warm-up. */
static uint64_t
number_of(const struct trc_windows *w, uint64_t records)
{
	return records < w->warmup ? 0 : 1 + (records - w->warmup) / w->every;
}

/* Numbers the waiting pages, and counts those that are new in the window. */
static int
flush(struct windows_sink *s, struct trc_err *err)
{
	const size_t before = s->pages.n;

	if (trc_pages_number(&s->pages, s->page, s->space, s->waiting, s->id, err) ||
	    trc_grow(&s->touched, &s->cap, s->pages.n, sizeof(*s->touched), err))
		return -1;
	for (size_t i = before; i < s->pages.n; i++)
		s->touched[i] = (struct touched){ s->number, UINT64_MAX };
	for (size_t i = 0; i < s->waiting; i++) {
		struct touched *t = &s->touched[s->id[i]];

		s->now.pages += t->last != s->number;
		t->last = s->number;
	}
	s->now.first += s->pages.n - before;
	s->waiting = 0;
	return 0;
}

static uint64_t
use(void *what, uint64_t pages, uint64_t again, uint64_t mark)
{
	struct windows_sink *s = what;

	s->now.first += again ? 0 : pages;
	s->now.pages += mark == s->number + 1 ? 0 : pages;
	return s->number + 1;
}

static uint64_t
have_mark(void *what, uint64_t pages, uint64_t again, uint64_t mark)
{
	(void)pages, (void)again, (void)mark;
	return *(const uint64_t *)what;
}

/* Switches to ranges. Parts cannot; they continue with pages while there are not too many. */
static int
begin_ranges(struct windows_sink *s, struct trc_err *err)
{
	if (s->sink.partial && s->in_ranges <= PARTS_FREE + PARTS_PER_ROW * s->windows->seen)
		return 0;
	if (s->sink.partial)
		return trc_fail_as(err, TRC_ONLY_WHOLE,
		                   "single references span so many pages that slices cannot be "
		                   "joined; use larger pages or --objects, or run it without "
		                   "--shard");
	if (flush(s, err))
		return -1;
	trc_extents_init(&s->extents, false);
	s->ranges = true;
	for (uint32_t id = 0; id < s->pages.n; id++) {
		const struct trc_page_name *name = &s->pages.name[id];
		uint64_t mark = s->touched[id].last + 1;

		if (trc_extents_refer(&s->extents, name->space, name->page, 1, have_mark, &mark,
		                      err))
			return -1;
	}
	return 0;
}

static int
touch_page(struct windows_sink *s, uint32_t space, uint64_t page, struct trc_err *err)
{
	if (s->waiting == RUN && flush(s, err))
		return -1;
	s->space[s->waiting] = space;
	s->page[s->waiting++] = page;
	return 0;
}

/* Touches consecutive pages, or any pages once ranges are used. */
static int
touch_pages(struct windows_sink *s, uint32_t space, uint64_t first, uint64_t last,
            struct trc_err *err)
{
	s->in_ranges += last - first;
	if (!s->ranges && trc_extents_pay(s->in_ranges, s->windows->seen) && begin_ranges(s, err))
		return -1;
	if (s->ranges)
		return trc_extents_refer(&s->extents, space, first, last - first + 1, use, s, err);
	for (uint64_t more = last - first + 1; more > 0; more--)
		if (touch_page(s, space, first++, err))
			return -1;
	return 0;
}

static int
touch(struct windows_sink *s, const struct trc_batch *b, size_t i, struct trc_err *err)
{
	const uint64_t size = b->addr && b->size && b->size[i] ? b->size[i] : 1;
	const uint64_t first = b->addr ? b->addr[i] >> s->bits : b->vpn[i];
	const uint64_t last = b->addr ? (b->addr[i] + (size - 1)) >> s->bits : first;
	const uint32_t space = b->asid ? b->asid[i] : 0;

	if (trc_batch_past_end(b, i))
		return trc_batch_fail_past_end(b, i, err);
	if (TRC_UNLIKELY(first != last || s->ranges))
		return touch_pages(s, space, first, last, err);
	return touch_page(s, space, first, err);
}

static void
begin_window(struct windows_sink *s)
{
	const struct trc_windows *w = s->windows;
	const uint64_t n = number_of(w, w->seen);

	s->now = (struct trc_window){ .from = w->seen };
	s->number = n;
	s->end = n <= (UINT64_MAX - w->warmup) / w->every ? w->warmup + n * w->every : UINT64_MAX;
}

/* Ends the current window. */
static int
end_window(struct windows_sink *s, struct trc_err *err)
{
	struct trc_windows *w = s->windows;

	if (flush(s, err))
		return -1;
	s->now.to = w->seen;
	if (s->now.to > w->warmup) {
		if (trc_grow(&w->window, &w->cap, w->n + 1, sizeof(*w->window), err))
			return -1;
		w->window[w->n++] = s->now;
	}
	begin_window(s);
	return 0;
}

static int
windows_put(struct trc_sink *sink, const struct trc_batch *b, struct trc_err *err)
{
	struct windows_sink *s = (struct windows_sink *)sink;
	struct trc_windows *w = s->windows;
	const bool insns = w->insns;

	for (size_t i = 0; i < b->n; i++) {
		const uint8_t type = trc_batch_type(b, i);
		const unsigned refs = trc_batch_is_event(b, i) ? 0 : trc_type_refs(type);

		if (insns && w->seen == s->end && trc_extent_begins(b, i) && end_window(s, err))
			return -1;
		s->now.refs += refs;
		if (refs > 0) {
			s->now.fetches += type == TRC_FETCH;
			s->now.writes += type == TRC_WRITE || type == TRC_MODIFY;
			s->now.reads += type != TRC_FETCH && type != TRC_WRITE;
			if (touch(s, b, i, err))
				return -1;
		}
		w->seen += !insns || trc_extent_begins(b, i);
		if (!insns && w->seen == s->end && end_window(s, err))
			return -1;
	}
	return 0;
}

static int
end_begun(struct windows_sink *s, struct trc_err *err)
{
	return s->windows->seen > s->now.from ? end_window(s, err) : 0;
}

static int
windows_finish(struct trc_sink *sink, const struct trc_meta *meta, struct trc_err *err)
{
	struct windows_sink *s = (struct windows_sink *)sink;

	(void)meta;
	if (end_begun(s, err))
		return -1;
	s->windows->pages = s->ranges ? s->extents.pages : s->pages.n;
	return 0;
}

/* ---- parts ---- */

/* Appends a window, or the rest of the last one. */
static int
append_window(struct trc_windows *w, const struct trc_window *next, struct trc_err *err)
{
	struct trc_window *last = w->n ? &w->window[w->n - 1] : NULL;
	const uint64_t number = number_of(w, next->from);
	const uint64_t before = last ? number_of(w, last->from) : number;

	if (next->from < w->warmup || next->to <= next->from ||
	    (last && (next->from != last->to || number - before > 1)))
		return trc_state_fail(err);
	if (!last || number != before) {
		if (trc_grow(&w->window, &w->cap, w->n + 1, sizeof(*w->window), err))
			return -1;
		w->window[w->n++] = *next;
		return 0;
	}
	last->to = next->to;
	last->refs += next->refs;
	last->reads += next->reads;
	last->writes += next->writes;
	last->fetches += next->fetches;
	last->pages += next->pages;
	last->first += next->first;
	return 0;
}

static void
windows_of_state(struct trc_windows *w, struct trc_state *s)
{
	struct trc_window *next = w->window;
	uint64_t seen = w->seen;
	size_t n = w->n;

	trc_state_num(s, &seen);
	trc_state_count(s, &n, UINT32_MAX);
	if (seen < w->seen)
		trc_state_damaged(s);
	w->seen = seen;
	if (!s->writes)
		next = trc_state_room(s, n, sizeof(*next));
	trc_state_structs(s, next, sizeof(*next), n);
	if (s->writes)
		return;
	for (size_t i = 0; i < n && !s->failed; i++)
		s->failed = append_window(w, &next[i], s->err) != 0;
	free(next);
}

/* Appends a page of the following part. Where it was counted as new in a window or in the trace, it
 * may not be new. */
static int
append_page(struct windows_sink *s, uint32_t id, size_t known, struct touched t,
            struct trc_err *err)
{
	struct trc_windows *w = s->windows;
	const uint64_t from = w->n ? number_of(w, w->window[0].from) : 1;
	struct trc_window *first = NULL;

	if (id >= known) {
		s->touched[id] = t;
		return 0;
	}
	if (t.first > 0 && (t.first < from || t.first - from >= w->n))
		return trc_state_fail(err);
	first = t.first > 0 ? &w->window[t.first - from] : NULL;
	if (first) {
		first->first--;
		first->pages -= s->touched[id].last == t.first;
	}
	s->touched[id].last = t.last;
	return 0;
}

/* A page in a state. */
struct page {
	uint64_t page, space, first, span;
};

static void
list_pages(const struct windows_sink *s, struct page *p)
{
	for (size_t i = 0; i < s->pages.n; i++)
		p[i] = (struct page){ s->pages.name[i].page, s->pages.name[i].space,
			              s->touched[i].first,
			              s->touched[i].last - s->touched[i].first };
}

/* Appends the pages of the following part. */
static int
append_pages(struct windows_sink *s, const struct page *p, size_t n, struct trc_err *err)
{
	const size_t known = s->pages.n;

	for (size_t i = 0; i < n; i++) {
		const struct touched t = { p[i].first, p[i].first + p[i].span };
		const uint32_t space = (uint32_t)p[i].space;
		uint32_t id;

		if (trc_pages_number(&s->pages, &p[i].page, &space, 1, &id, err) ||
		    trc_grow(&s->touched, &s->cap, s->pages.n, sizeof(*s->touched), err) ||
		    append_page(s, id, known, t, err))
			return -1;
	}
	return 0;
}

static void
windows_state(struct trc_sink *sink, struct trc_state *t)
{
	const unsigned both = TRC_STATE_DELTA | TRC_STATE_SIGNED;
	struct windows_sink *s = (struct windows_sink *)sink;
	struct page *p;
	size_t n;

	if (t->writes && trc_state_failed(t, end_begun(s, t->err)))
		return;
	windows_of_state(s->windows, t);
	if (!t->writes)
		begin_window(s);
	n = s->pages.n;
	trc_state_count(t, &n, TRC_PAGES_MOST);
	p = trc_state_room(t, n, sizeof(*p));
	if (!p)
		return;
	if (t->writes)
		list_pages(s, p);
	trc_state_array(t, TRC_STRIDED(&p->page, sizeof(*p)), n, both, UINT64_MAX);
	trc_state_array(t, TRC_STRIDED(&p->space, sizeof(*p)), n, both, UINT32_MAX);
	trc_state_array(t, TRC_STRIDED(&p->first, sizeof(*p)), n, 0, UINT64_MAX);
	trc_state_array(t, TRC_STRIDED(&p->span, sizeof(*p)), n, 0, UINT64_MAX);
	if (!t->writes && !t->failed)
		t->failed = append_pages(s, p, n, t->err) != 0;
	free(p);
}

static void
windows_close(struct trc_sink *sink)
{
	struct windows_sink *s = (struct windows_sink *)sink;

	trc_pages_release(&s->pages);
	trc_extents_release(&s->extents);
	free(s->touched);
	/* A state that was saved has no result. */
	if (sink->partial)
		trc_windows_release(s->windows);
	free(s);
}

struct trc_sink *
trc_windows_sink(struct trc_windows *windows, uint32_t have, unsigned bits, struct trc_err *err)
{
	struct windows_sink *s;

	if (!(have & (TRC_HAS_ADDR | TRC_HAS_VPN))) {
		trc_fail(err, "the trace has neither addresses nor pages");
		return NULL;
	}
	s = trc_alloc(1, sizeof(*s), err);
	if (!s)
		return NULL;
	s->sink = (struct trc_sink){ .put = windows_put,
		                     .finish = windows_finish,
		                     .close = windows_close,
		                     .state = windows_state };
	if (windows->insns)
		s->sink.state = NULL;
	s->windows = windows;
	s->bits = bits;
	begin_window(s);
	if (trc_pages_init(&s->pages, err)) {
		windows_close(&s->sink);
		return NULL;
	}
	return &s->sink;
}

void
trc_windows_release(void *of)
{
	struct trc_windows *windows = of;

	free(windows->window);
	windows->window = NULL;
	windows->n = windows->cap = 0;
}
