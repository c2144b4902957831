/* SPDX-License-Identifier: MIT
 *
 * The state of working sets: the rows so far, then the data of each space, then that of each page.
 */
#include <assert.h>
#include <stdlib.h>

#include "stage/simulate/previous.h"
#include "stage/simulate/ws_sink.h"

enum {
	AHEAD = 32,        /* pages to prefetch for */
	PENDING = 1 << 18, /* least number of pages that wait */
};

/* Returns the number of buckets with intervals between two references; first references are counted
 * anew when pages are known. */
static size_t
buckets_of(const struct trc_ws_pages *of)
{
	size_t n = of->buckets;

	while (n > 0 && of->bucket[n - 1].between == 0)
		n--;
	return n;
}

/* Spaces appear in the order of the original. */
static void
space_state(struct trc_ws_sink *s, uint32_t at, struct trc_state *t)
{
	struct trc_ws_pages next = { .refs = 0 }, *of = t->writes ? &s->ws->of[at] : &next;
	size_t n = buckets_of(of);

	trc_state_u32(t, &of->space);
	trc_state_num(t, &of->refs);
	trc_state_count(t, &n, trc_bucket_of(UINT64_MAX) + 1);
	if (t->failed)
		return;
	if (!t->writes) {
		if (trc_state_failed(t, trc_ws_space(s, next.space, &at, t->err)) ||
		    trc_state_failed(t, trc_ws_buckets(&s->ws->of[at], n, t->err)))
			return;
		of = &s->ws->of[at];
		of->refs += next.refs;
	}
	if (n == 0)
		return;
	trc_state_array(t, TRC_STRIDED(&of->bucket->between, sizeof(*of->bucket)), n, TRC_STATE_SUM,
	                UINT64_MAX);
	trc_state_array(t, TRC_STRIDED(&of->bucket->between_sum, sizeof(*of->bucket)), n,
	                TRC_STATE_SUM, UINT64_MAX);
}

/* Joins the page at index `at`, which is new or was last at index before[at]; then the time in
 * between is one interval. Returns the index of its entry, or UINT32_MAX on failure. */
static uint32_t
join_page(struct trc_ws_sink *s, size_t at, const uint32_t *before, size_t *n, struct trc_err *err)
{
	struct trc_ws_pages *of = &s->ws->of[s->of[at]];
	uint32_t entry;

	if (before[at] == TRC_PREVIOUS_NONE) {
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
		(void)!trc_state_fail(err);
		return UINT32_MAX;
	}
	if (trc_ws_count(of, s->first[at] - s->last[entry], 1, false, err))
		return UINT32_MAX;
	s->last[entry] = s->last[at];
	return entry;
}

/* Keeps one entry for each page, at an index that was already processed. */
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
	ret = before && trc_previous_index(s->page, s->space, s->seen, before, err) == 0 ?
	              join_pages(s, before, err) :
	              -1;
	free(before);
	return ret;
}

static int
parts_room(struct trc_ws_sink *s, size_t n, struct trc_err *err)
{
	if (trc_grow(&s->page, &s->page_cap, n, sizeof(*s->page), err) ||
	    trc_grow(&s->space, &s->space_cap, n, sizeof(*s->space), err) ||
	    trc_grow(&s->first, &s->first_cap, n, sizeof(*s->first), err) ||
	    trc_grow(&s->last, &s->last_cap, n, sizeof(*s->last), err) ||
	    trc_grow(&s->of, &s->of_cap, n, sizeof(*s->of), err))
		return -1;
	return 0;
}

/* Removes pages that were never referred to, and converts last times to spans. */
static void
leave_spans(struct trc_ws_sink *s)
{
	size_t n = 0;

	for (size_t id = 0; id < s->seen; id++) {
		if (s->last[id] == TRC_WS_NEVER)
			continue;
		if (n < id && !s->parts)
			s->pages.name[n] = s->pages.name[id];
		s->first[n] = s->first[id];
		s->last[n++] = s->last[id] - s->first[id];
	}
	s->seen = n;
}

/* Reads to which space the pages belong; these spaces are known. Times increase by `shift`. */
static int
take_pages(struct trc_ws_sink *s, size_t n, uint64_t shift, struct trc_err *err)
{
	for (size_t i = s->seen; i < s->seen + n; i++) {
		if (i > s->seen && s->space[i] == s->space[i - 1])
			s->of[i] = s->of[i - 1];
		else if (trc_ws_space(s, s->by_space ? s->space[i] : 0, &s->of[i], err))
			return -1;
		s->first[i] += shift;
		s->last[i] += s->first[i];
		if (s->last[i] < s->first[i] || s->last[i] == TRC_WS_NEVER)
			return trc_state_fail(err);
	}
	s->seen += n;
	return s->seen - s->joined < PENDING || s->seen - s->joined < s->joined ?
	               0 :
	               trc_ws_join(s, err);
}

/* Reads or writes all pages; pages that are read wait after the others, and if there are many, they
 * are joined. */
static void
pages_state(struct trc_ws_sink *s, uint64_t shift, struct trc_state *t)
{
	const unsigned both = TRC_STATE_DELTA | TRC_STATE_SIGNED;
	struct trc_page_name *name = s->pages.name;
	const size_t at = t->writes ? 0 : s->seen;
	size_t n;

	if (t->writes)
		leave_spans(s);
	n = s->seen;
	trc_state_count(t, &n, TRC_PAGES_MOST);
	if (!t->writes) {
		assert(s->pages.n == 0);
		s->parts = true;
		t->failed |= parts_room(s, at + n, t->err) != 0;
	}
	if (n == 0 || t->failed)
		return;
	trc_state_array(t,
	                s->parts ? TRC_STRIDED(s->page + at, sizeof(*s->page)) :
	                           TRC_STRIDED(&name->page, sizeof(*name)),
	                n, both, UINT64_MAX);
	trc_state_array(t,
	                s->parts ? TRC_STRIDED(s->space + at, sizeof(*s->space)) :
	                           TRC_STRIDED(&name->space, sizeof(*name)),
	                n, both, UINT32_MAX);
	trc_state_array(t, TRC_STRIDED(s->first + at, sizeof(*s->first)), n, both, UINT64_MAX);
	trc_state_array(t, TRC_STRIDED(s->last + at, sizeof(*s->last)), n, 0, UINT64_MAX);
	if (!t->writes && !t->failed)
		t->failed = take_pages(s, n, shift, t->err) != 0;
}

/* Appends the rows of a state, except for the last time. */
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
		return trc_fail(err, "its first time is before the last time of the previous "
		                     "part; windows need times that do not run backwards");
	}
	s->distinct += distinct - again;
	s->rtime = rtime;
	return 0;
}

void
trc_ws_state(struct trc_sink *sink, struct trc_state *t)
{
	struct trc_ws_sink *s = (struct trc_ws_sink *)sink;
	const uint64_t shift = !t->writes && sink->counted >> s->clock & 1 ? s->now : 0;
	uint64_t distinct, first_rtime, rtime, begin, now;
	size_t spaces;

	if (t->writes && trc_state_failed(t, trc_ws_join(s, t->err)))
		return;
	distinct = s->distinct;
	first_rtime = s->first_rtime;
	rtime = s->rtime;
	begin = s->ws->begin;
	now = s->now;
	spaces = s->ws->n;
	trc_state_nums(t, &distinct, &first_rtime, &rtime, &begin, &now);
	trc_state_count(t, &spaces, UINT32_MAX);
	if (!t->writes && !t->failed)
		t->failed = append_rows(s, distinct, first_rtime, rtime, begin + shift, t->err) !=
		            0;
	for (uint32_t i = 0; i < spaces && !t->failed; i++)
		space_state(s, i, t);
	now = distinct ? now + shift : s->now;
	pages_state(s, shift, t);
	s->now = now;
}
