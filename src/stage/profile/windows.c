/* SPDX-License-Identifier: MIT */
#include "stage/profile/windows.h"

#include <stdlib.h>
#include <string.h>

#include "stage/simulate/pages.h"

enum { RUN = 1024 };

/* The sink. */
struct windows_sink {
	struct trc_sink sink;
	struct trc_windows *windows;
	unsigned bits;
	struct trc_window now;
	struct trc_pages pages;
	uint64_t *last; /* of each page, the window that touched it, counted from 1 */
	size_t cap;
	uint64_t number; /* of this window */

	/* Pages that wait for their numbers. */
	uint64_t page[RUN];
	uint32_t space[RUN], id[RUN];
	size_t waiting;
};

/* Numbers the pages that wait, and counts those that are new to the window. */
static int
flush(struct windows_sink *s, struct trc_err *err)
{
	const size_t known = s->cap, before = s->pages.n;

	if (trc_pages_number(&s->pages, s->page, s->space, s->waiting, s->id, err) ||
	    trc_grow(&s->last, &s->cap, s->pages.n, sizeof(*s->last), err))
		return -1;
	if (s->cap > known)
		memset(s->last + known, 0, (s->cap - known) * sizeof(*s->last));
	for (size_t i = 0; i < s->waiting; i++) {
		s->now.pages += s->last[s->id[i]] != s->number;
		s->last[s->id[i]] = s->number;
	}
	s->now.first += s->pages.n - before;
	s->waiting = 0;
	return 0;
}

static int
touch(struct windows_sink *s, const struct trc_batch *b, size_t i, struct trc_err *err)
{
	const uint64_t size = b->addr && b->size && b->size[i] ? b->size[i] : 1;
	const uint64_t first = b->addr ? b->addr[i] >> s->bits : b->vpn[i];
	const uint64_t last = b->addr ? (b->addr[i] + (size - 1)) >> s->bits : first;

	if (trc_batch_past_end(b, i))
		return trc_batch_fail_past_end(b, i, err);
	for (uint64_t page = first;; page++) {
		if (s->waiting == RUN && flush(s, err))
			return -1;
		s->space[s->waiting] = b->asid ? b->asid[i] : 0;
		s->page[s->waiting++] = page;
		if (page == last)
			return 0;
	}
}

/* Ends the window that was begun, if it has records. */
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
	s->now = (struct trc_window){ .from = w->seen };
	s->number++;
	return 0;
}

static int
windows_put(struct trc_sink *sink, const struct trc_batch *b, struct trc_err *err)
{
	struct windows_sink *s = (struct windows_sink *)sink;
	struct trc_windows *w = s->windows;

	for (size_t i = 0; i < b->n; i++) {
		const uint8_t type = (b->type ? b->type[i] : TRC_READ) & TRC_TYPE_MASK;
		const unsigned refs = trc_batch_is_event(b, i) ? 0 : trc_type_refs(type);

		s->now.refs += refs;
		if (refs > 0) {
			s->now.fetches += type == TRC_FETCH;
			s->now.writes += type == TRC_WRITE || type == TRC_MODIFY;
			s->now.reads += type != TRC_FETCH && type != TRC_WRITE;
			if (touch(s, b, i, err))
				return -1;
		}
		w->seen++;
		if ((w->seen == w->warmup || w->seen - s->now.from == w->every) &&
		    (w->seen >= w->warmup) && end_window(s, err))
			return -1;
	}
	return 0;
}

static int
windows_finish(struct trc_sink *sink, const struct trc_meta *meta, struct trc_err *err)
{
	struct windows_sink *s = (struct windows_sink *)sink;

	(void)meta;
	if (s->windows->seen > s->now.from && end_window(s, err))
		return -1;
	s->windows->pages = s->pages.n;
	return 0;
}

static void
windows_close(struct trc_sink *sink)
{
	struct windows_sink *s = (struct windows_sink *)sink;

	trc_pages_release(&s->pages);
	free(s->last);
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
		                     .close = windows_close };
	s->windows = windows;
	s->bits = bits;
	s->number = 1;
	if (trc_pages_init(&s->pages, err)) {
		windows_close(&s->sink);
		return NULL;
	}
	return &s->sink;
}

void
trc_windows_release(struct trc_windows *windows)
{
	free(windows->window);
	windows->window = NULL;
}
