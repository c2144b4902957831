/* SPDX-License-Identifier: MIT */
#include "stage/simulate/ws_sink.h"
#include "base/map_find.h"

int
trc_ws_buckets(struct trc_ws_pages *of, size_t n, struct trc_err *err)
{
	if (trc_grow(&of->bucket, &of->cap, n, sizeof(*of->bucket), err))
		return -1;
	for (; of->buckets < n; of->buckets++)
		of->bucket[of->buckets] = (struct trc_ws_bucket){ 0 };
	return 0;
}

int
trc_ws_room(struct trc_ws_sink *s, struct trc_err *err)
{
	if (trc_grow(&s->last, &s->last_cap, s->pages.n, sizeof(*s->last), err) ||
	    trc_grow(&s->of, &s->of_cap, s->pages.n, sizeof(*s->of), err))
		return -1;
	if (s->sink.partial &&
	    trc_grow(&s->first, &s->first_cap, s->pages.n, sizeof(*s->first), err))
		return -1;
	for (; s->seen < s->pages.n; s->seen++)
		s->last[s->seen] = TRC_WS_NEVER;
	return 0;
}

int
trc_ws_space(struct trc_ws_sink *s, uint32_t space, uint32_t *at, struct trc_err *err)
{
	struct trc_ws *ws = s->ws;

	*at = trc_map_find(&s->spaces, space, 0)->value;
	if (*at != TRC_MAP_NONE)
		return 0;
	if (ws->n == TRC_WS_SPACES_MOST)
		return trc_fail(err, "more than %d address spaces", TRC_WS_SPACES_MOST);
	if (trc_grow(&ws->of, &ws->cap, ws->n + 1, sizeof(*ws->of), err) ||
	    trc_map_add(&s->spaces, space, 0, (uint32_t)ws->n, err))
		return -1;
	ws->of[ws->n] = (struct trc_ws_pages){ .space = space };
	*at = (uint32_t)ws->n++;
	return 0;
}

int
trc_ws_first_at(const struct trc_ws_sink *s, struct trc_ws_pages *of, uint64_t time, uint64_t pages,
                struct trc_err *err)
{
	/* References and instructions count from 1. */
	const uint64_t first = s->clock == TRC_COL_TIME ? time - s->ws->begin + 1 : time;
	const size_t at = trc_bucket_of(first);

	if (TRC_UNLIKELY(at >= of->buckets) && trc_ws_buckets(of, at + 1, err))
		return -1;
	of->bucket[at].first += pages;
	of->bucket[at].first_sum += pages * first;
	of->early += s->clock != TRC_COL_TIME && time == 0 ? pages : 0;
	return 0;
}

int
trc_ws_add_pages(const struct trc_ws_sink *s, struct trc_ws_pages *of, uint64_t pages,
                 struct trc_err *err)
{
	of->pages += pages;
	return trc_ws_first_at(s, of, s->now, pages, err);
}
