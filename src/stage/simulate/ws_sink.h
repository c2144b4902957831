/* SPDX-License-Identifier: MIT
 *
 * The sink of working sets, and its state, which other processes can continue. The lengths of
 * intervals between references to a page do not depend on the rows before a slice, except for the
 * first reference to each page. So the state of a page is its name, its first and its last time;
 * everything else is sums. If times are relative to the first row of a slice, those of the next
 * slice begin where its times end.
 *
 * Appended states wait in lists of pages, one after another. They are joined when they are as long
 * as what was joined before, or when a result is needed. The previous occurrence of each page is
 * then found for all pages at once (stage/simulate/previous.h).
 */
#ifndef TRC_STAGE_SIMULATE_WS_SINK_H
#define TRC_STAGE_SIMULATE_WS_SINK_H

#include "stage/simulate/buckets.h"
#include "stage/simulate/extents.h"
#include "stage/simulate/pages.h"
#include "stage/simulate/ws.h"

#define TRC_WS_NEVER UINT64_MAX
#define TRC_WS_GONE (UINT64_MAX - 1) /* it was deleted after its last reference */

/* The sink. */
struct trc_ws_sink {
	struct trc_sink sink;
	struct trc_ws *ws;
	enum trc_column clock;
	bool by_space;
	struct trc_pages pages;
	uint64_t *last; /* time of the last reference to each page, or TRC_WS_NEVER */

	/* Time of the first reference to each page, if the state will be saved; else NULL. */
	uint64_t *first;
	uint32_t *of; /* index in ws->of of each page */
	size_t last_cap, first_cap, of_cap, seen;
	struct trc_map spaces;

	/* The time of the current row; that of a delete, at which its pages leave the set. */
	uint64_t now, gone;
	uint64_t deletes;         /* records */
	uint64_t rtime, distinct; /* the last reference time; the number of different ones */
	uint64_t first_rtime;
	uint32_t id[TRC_BATCH_ROWS];

	/* If states were appended, not rows: the names of `seen` pages, of which the first `joined`
	 * are all different. */
	bool parts;
	uint64_t *page;
	uint32_t *space;
	size_t page_cap, space_cap, joined;

	/* Once ranges had many pages, instead of pages by number. Marks are times of last
	 * references, plus 1. */
	bool ranges;
	uint64_t in_ranges;
	struct trc_extents extents;
	uint32_t at; /* index in ws->of of the pages being processed */
	int failed;
	struct trc_err *err;
};

/* Makes room for `n` buckets. */
int trc_ws_buckets(struct trc_ws_pages *of, size_t n, struct trc_err *err) TRC_MUST_USE;

/* Counts `n` intervals. */
static inline TRC_MUST_USE int
trc_ws_count(struct trc_ws_pages *of, uint64_t interval, uint64_t n, bool end, struct trc_err *err)
{
	const size_t at = trc_bucket_of(interval);
	struct trc_ws_bucket *b;

	if (TRC_UNLIKELY(at >= of->buckets) && trc_ws_buckets(of, at + 1, err))
		return -1;
	b = &of->bucket[at];
	if (end) {
		b->end += n;
		b->end_sum += n * interval;
	} else {
		b->between += n;
		b->between_sum += n * interval;
	}
	return 0;
}

/* Makes room for the data of each page. */
int trc_ws_room(struct trc_ws_sink *s, struct trc_err *err) TRC_MUST_USE;

/* Sets *at to the index of a space, which may be new. */
int trc_ws_space(struct trc_ws_sink *s, uint32_t space, uint32_t *at,
                 struct trc_err *err) TRC_MUST_USE;

/* Adds pages whose first reference is at `time`; modulo 2^64, may also subtract some. */
int trc_ws_first_at(const struct trc_ws_sink *s, struct trc_ws_pages *of, uint64_t time,
                    uint64_t pages, struct trc_err *err) TRC_MUST_USE;

/* Adds pages whose first reference is now. */
int trc_ws_add_pages(const struct trc_ws_sink *s, struct trc_ws_pages *of, uint64_t pages,
                     struct trc_err *err) TRC_MUST_USE;

/* Joins the waiting states. */
int trc_ws_join(struct trc_ws_sink *s, struct trc_err *err) TRC_MUST_USE;

/* The state of the sink, as in struct trc_sink. */
void trc_ws_state(struct trc_sink *sink, struct trc_state *t);

#endif
