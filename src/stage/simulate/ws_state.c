/* SPDX-License-Identifier: MIT
 * The state of working sets: what came, then what is known of each space, then of each page. */
#include <assert.h>
#include <stdlib.h>

#include "base/before.h"
#include "base/numbers.h"
#include "stage/simulate/ws_sink.h"

enum {
	AHEAD = 32,        /* pages */
	PENDING = 1 << 18, /* that wait, at least */
};

/* Those with intervals between two references: first ones are counted anew when pages are known. */
static size_t
buckets_of(const struct trc_ws_pages *of)
{
	size_t n = of->buckets;

	while (n > 0 && of->bucket[n - 1].between == 0)
		n--;
	return n;
}

static int
save_spaces(const struct trc_ws *ws, struct trc_buf *state, struct trc_err *err)
{
	if (trc_buf_put_num(state, ws->n, err))
		return -1;
	for (size_t i = 0; i < ws->n; i++) {
		const struct trc_ws_pages *of = &ws->of[i];
		const size_t buckets = buckets_of(of);
		struct trc_numbers_out out = { .to = state };

		if (trc_buf_put_num(state, of->space, err) ||
		    trc_buf_put_num(state, of->refs, err) || trc_buf_put_num(state, buckets, err))
			return -1;
		for (size_t k = 0; k < buckets; k++)
			if (trc_numbers_put(&out, of->bucket[k].between, err) ||
			    trc_numbers_put(&out, of->bucket[k].between_sum, err))
				return -1;
		if (trc_numbers_end(&out, err))
			return -1;
	}
	return 0;
}

/* What is saved of each page. */
enum what { PAGE, SPACE, FIRST, SPAN, WHATS };

static uint64_t
what_of(const struct trc_ws_sink *s, size_t id, enum what what)
{
	switch (what) {
	case PAGE: return s->parts ? s->page[id] : s->pages.name[id].page;
	case SPACE: return s->parts ? s->space[id] : s->pages.name[id].space;
	case FIRST: return s->first[id];
	default: return s->last[id] - s->first[id];
	}
}

/* An array of each, of differences but for the spans. */
static int
save_pages(const struct trc_ws_sink *s, struct trc_buf *state, struct trc_err *err)
{
	uint64_t n = 0;

	for (size_t id = 0; id < s->seen; id++)
		n += s->last[id] != TRC_WS_NEVER;
	if (trc_buf_put_num(state, n, err))
		return -1;
	for (enum what what = PAGE; what < WHATS; what++) {
		struct trc_numbers_out out = { .to = state };
		uint64_t before = 0;

		for (size_t id = 0; id < s->seen; id++) {
			const uint64_t v = s->last[id] == TRC_WS_NEVER ? 0 : what_of(s, id, what);

			if (s->last[id] == TRC_WS_NEVER)
				continue;
			if (trc_numbers_put(&out, what == SPAN ? v : trc_zigzag(v - before), err))
				return -1;
			before = v;
		}
		if (trc_numbers_end(&out, err))
			return -1;
	}
	return 0;
}

int
trc_ws_save(struct trc_sink *sink, struct trc_buf *state, struct trc_err *err)
{
	struct trc_ws_sink *s = (struct trc_ws_sink *)sink;
	const uint64_t number[] = { s->distinct, s->first_rtime, s->rtime, s->ws->begin, s->now };

	if (trc_ws_join(s, err))
		return -1;
	for (size_t i = 0; i < TRC_COUNT(number); i++)
		if (trc_buf_put_num(state, number[i], err))
			return -1;
	return save_spaces(s->ws, state, err) || save_pages(s, state, err) ? -1 : 0;
}

/* Spaces appear in the order in which they appeared there. */
static int
append_space(struct trc_ws_sink *s, struct trc_view *state, struct trc_err *err)
{
	uint64_t space, refs, buckets;
	struct trc_numbers_in in;
	uint32_t at;

	if (!trc_view_num(state, &space) || space > UINT32_MAX || !trc_view_num(state, &refs) ||
	    !trc_view_num(state, &buckets) || buckets > trc_bucket_of(UINT64_MAX) + 1)
		return trc_sink_damaged(err);
	if (trc_ws_space(s, (uint32_t)space, &at, err))
		return -1;
	s->ws->of[at].refs += refs;
	if (trc_ws_buckets(&s->ws->of[at], (size_t)buckets, err))
		return -1;
	trc_numbers_begin(&in, state, 2 * buckets);
	for (size_t k = 0; k < buckets; k++) {
		s->ws->of[at].bucket[k].between += trc_numbers_get(&in);
		s->ws->of[at].bucket[k].between_sum += trc_numbers_get(&in);
	}
	return in.damaged ? trc_sink_damaged(err) : 0;
}

/* Place `at` has a page that is new, or that stood at `before` last: from there to here is one
 * interval. Returns where its entry is from now on, or UINT32_MAX if it fails. */
static uint32_t
join_page(struct trc_ws_sink *s, size_t at, const uint32_t *before, size_t *n, struct trc_err *err)
{
	struct trc_ws_pages *of = &s->ws->of[s->of[at]];
	uint32_t entry;

	if (before[at] == TRC_BEFORE_NONE) {
		entry = (uint32_t)(*n)++;
		s->page[entry] = s->page[at];
		s->space[entry] = s->space[at];
		s->first[entry] = s->now = s->first[at];
		s->last[entry] = s->last[at];
		s->of[entry] = s->of[at];
		if (at >= s->joined && trc_ws_add_pages(s, of, 1, err))
			return UINT32_MAX;
		return entry;
	}
	entry = before[before[at]];
	if (s->last[entry] > s->first[at]) {
		(void)!trc_sink_damaged(err);
		return UINT32_MAX;
	}
	if (trc_ws_count(of, s->first[at] - s->last[entry], 1, false, err))
		return UINT32_MAX;
	s->last[entry] = s->last[at];
	return entry;
}

/* Leaves each page once, in front of where it stood. */
static int
join_pages(struct trc_ws_sink *s, uint32_t *before, struct trc_err *err)
{
	const uint64_t now = s->now;
	size_t n = 0;

	for (size_t at = 0; at < s->seen; at++) {
		if (at + AHEAD < s->seen && before[at + AHEAD] < at)
			TRC_PREFETCH(&s->last[before[before[at + AHEAD]]]);
		before[at] = join_page(s, at, before, &n, err);
		if (before[at] == UINT32_MAX)
			return -1;
	}
	s->joined = s->seen = n;
	s->now = now;
	return 0;
}

int
trc_ws_join(struct trc_ws_sink *s, struct trc_err *err)
{
	uint32_t *before;
	int ret;

	if (!s->parts || s->seen == s->joined)
		return 0;
	before = trc_alloc_room(s->seen, sizeof(*before), err);
	ret = before && trc_before(s->page, s->space, s->seen, before, err) == 0 ?
	              join_pages(s, before, err) :
	              -1;
	free(before);
	return ret;
}

static int
parts_room(struct trc_ws_sink *s, size_t n, struct trc_err *err)
{
	return trc_grow(&s->page, &s->page_cap, n, sizeof(*s->page), err) ||
	                       trc_grow(&s->space, &s->space_cap, n, sizeof(*s->space), err) ||
	                       trc_grow(&s->first, &s->first_cap, n, sizeof(*s->first), err) ||
	                       trc_grow(&s->last, &s->last_cap, n, sizeof(*s->last), err) ||
	                       trc_grow(&s->of, &s->of_cap, n, sizeof(*s->of), err) ?
	               -1 :
	               0;
}

/* Names, and whose the pages are: these appeared already. */
static int
read_names(struct trc_ws_sink *s, size_t n, struct trc_view *state, struct trc_err *err)
{
	struct trc_numbers_in in;
	uint64_t v = 0;

	trc_numbers_begin(&in, state, n);
	for (size_t i = 0; i < n; i++)
		s->page[s->seen + i] = v += trc_unzigzag(trc_numbers_get(&in));
	if (in.damaged)
		return trc_sink_damaged(err);
	v = 0;
	trc_numbers_begin(&in, state, n);
	for (size_t i = 0; i < n; i++) {
		v += trc_unzigzag(trc_numbers_get(&in));
		in.damaged |= v > UINT32_MAX;
		s->space[s->seen + i] = (uint32_t)v;
		if (i > 0 && s->space[s->seen + i] == s->space[s->seen + i - 1])
			s->of[s->seen + i] = s->of[s->seen + i - 1];
		else if (trc_ws_space(s, s->by_space ? (uint32_t)v : 0, &s->of[s->seen + i], err))
			return -1;
	}
	return in.damaged ? trc_sink_damaged(err) : 0;
}

/* Their times, which there were less by `shift`. */
static int
read_times(struct trc_ws_sink *s, size_t n, struct trc_view *state, uint64_t shift,
           struct trc_err *err)
{
	uint64_t v = shift;
	struct trc_numbers_in in;

	trc_numbers_begin(&in, state, n);
	for (size_t i = s->seen; i < s->seen + n; i++)
		s->first[i] = v += trc_unzigzag(trc_numbers_get(&in));
	if (in.damaged)
		return trc_sink_damaged(err);
	trc_numbers_begin(&in, state, n);
	for (size_t i = s->seen; i < s->seen + n; i++) {
		s->last[i] = s->first[i] + trc_numbers_get(&in);
		in.damaged |= s->last[i] < s->first[i] || s->last[i] == TRC_WS_NEVER;
	}
	return in.damaged ? trc_sink_damaged(err) : 0;
}

/* All pages wait behind those that are there; many are joined. */
static int
append_pages(struct trc_ws_sink *s, struct trc_view *state, uint64_t shift, struct trc_err *err)
{
	uint64_t n;

	assert(s->pages.n == 0);
	if (!trc_view_num(state, &n) || n > TRC_PAGES_MOST || n > trc_numbers_most(state))
		return trc_sink_damaged(err);
	s->parts = true;
	if (parts_room(s, s->seen + (size_t)n, err) || read_names(s, (size_t)n, state, err) ||
	    read_times(s, (size_t)n, state, shift, err))
		return -1;
	s->seen += (size_t)n;
	return s->seen - s->joined < PENDING || s->seen - s->joined < s->joined ?
	               0 :
	               trc_ws_join(s, err);
}

/* What is known of the rows that came, but for the last time. */
static int
append_rows(struct trc_ws_sink *s, uint64_t distinct, uint64_t first_rtime, uint64_t rtime,
            uint64_t begin, struct trc_err *err)
{
	const bool again = s->distinct > 0 && !(s->sink.counted & TRC_HAS_RTIME) &&
	                   first_rtime == s->rtime;

	if (distinct == 0)
		return 0;
	if (s->distinct == 0) {
		s->ws->begin = begin;
		s->first_rtime = first_rtime;
	} else if (begin < s->now) {
		return trc_fail(err, "its first time is before the last one of the part before it; "
		                     "windows need times that run forward");
	}
	s->distinct += distinct - again;
	s->rtime = rtime;
	return 0;
}

int
trc_ws_append(struct trc_sink *sink, struct trc_view *state, struct trc_err *err)
{
	struct trc_ws_sink *s = (struct trc_ws_sink *)sink;
	const uint64_t shift = sink->counted >> s->clock & 1 ? s->now : 0;
	uint64_t distinct, first_rtime, rtime, begin, now, spaces;

	if (!trc_view_num(state, &distinct) || !trc_view_num(state, &first_rtime) ||
	    !trc_view_num(state, &rtime) || !trc_view_num(state, &begin) ||
	    !trc_view_num(state, &now) || !trc_view_num(state, &spaces))
		return trc_sink_damaged(err);
	if (append_rows(s, distinct, first_rtime, rtime, begin + shift, err))
		return -1;
	for (; spaces > 0; spaces--)
		if (append_space(s, state, err))
			return -1;
	now = distinct ? now + shift : s->now;
	if (append_pages(s, state, shift, err))
		return -1;
	s->now = now;
	return 0;
}
