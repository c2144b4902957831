/* SPDX-License-Identifier: MIT
 * The state of working sets: what came, then what is known of each space, then of each page. */
#include <stdlib.h>

#include "base/numbers.h"
#include "stage/simulate/ws_sink.h"

static int
save_spaces(const struct trc_ws *ws, struct trc_buf *state, struct trc_err *err)
{
	if (trc_buf_put_num(state, ws->n, err))
		return -1;
	for (size_t i = 0; i < ws->n; i++) {
		const struct trc_ws_pages *of = &ws->of[i];
		struct trc_numbers_out out = { .to = state };

		if (trc_buf_put_num(state, of->space, err) ||
		    trc_buf_put_num(state, of->refs, err) ||
		    trc_buf_put_num(state, of->buckets, err))
			return -1;
		for (size_t k = 0; k < of->buckets; k++)
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
	case PAGE: return s->pages.name[id].page;
	case SPACE: return s->pages.name[id].space;
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
	const struct trc_ws_sink *s = (const struct trc_ws_sink *)sink;
	const uint64_t number[] = { s->distinct, s->first_rtime, s->rtime, s->ws->begin, s->now };

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

/* A page that was referred to first at `first`, and last at `last`: the first time is one interval,
 * or the first of all. */
static int
append_page(struct trc_ws_sink *s, const struct trc_page_name *name, uint64_t first, uint64_t last,
            struct trc_err *err)
{
	struct trc_ws_pages *of;
	uint32_t id;

	if (trc_pages_number(&s->pages, &name->page, &name->space, 1, &id, err) ||
	    trc_ws_room(s, err))
		return -1;
	if (last < first || last == TRC_WS_NEVER ||
	    (s->last[id] != TRC_WS_NEVER && s->last[id] > first))
		return trc_sink_damaged(err);
	if (s->last[id] == TRC_WS_NEVER) {
		if (trc_ws_space(s, s->by_space ? name->space : 0, &s->of[id], err))
			return -1;
		s->first[id] = s->now = first;
		trc_ws_add_pages(s, &s->ws->of[s->of[id]], 1);
	} else {
		of = &s->ws->of[s->of[id]];
		if (trc_ws_count(of, first - s->last[id], 1, false, err))
			return -1;
	}
	s->last[id] = last;
	return 0;
}

/* All pages; times there were less by `shift`. */
static int
append_pages(struct trc_ws_sink *s, struct trc_view *state, uint64_t shift, struct trc_err *err)
{
	struct trc_numbers_in in;
	uint64_t n, *v;
	int ret = 0;

	if (!trc_view_num(state, &n) || n > TRC_PAGES_MOST || n > trc_numbers_most(state))
		return trc_sink_damaged(err);
	v = trc_alloc_room((size_t)n + 1, WHATS * sizeof(*v), err);
	if (!v)
		return -1;
	for (enum what what = PAGE; what < WHATS && ret == 0; what++) {
		uint64_t before = 0;

		trc_numbers_begin(&in, state, n);
		for (size_t i = 0; i < n; i++) {
			const uint64_t d = trc_numbers_get(&in);

			before = what == SPAN ? d : before + trc_unzigzag(d);
			v[i * WHATS + what] = before;
			in.damaged |= what == SPACE && before > UINT32_MAX;
		}
		ret = in.damaged ? trc_sink_damaged(err) : 0;
	}
	for (size_t i = 0; i < n && ret == 0; i++) {
		const uint64_t *p = v + i * WHATS, first = p[FIRST] + shift;
		const struct trc_page_name name = { p[PAGE], (uint32_t)p[SPACE] };

		ret = append_page(s, &name, first, first + p[SPAN], err);
	}
	free(v);
	return ret;
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
