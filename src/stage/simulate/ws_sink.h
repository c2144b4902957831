/* SPDX-License-Identifier: MIT
 *
 * The sink of working sets, and its state between processes: how long intervals between references
 * to a page are does not depend on what came before the rows of a part, but for the first reference
 * to each page. So a page is its name, its first time and its last; the rest is sums. Where times
 * are counted from the first row of a part on, those of the part behind it begin where its end.
 *
 * States that are appended wait in lists of pages, behind each other, and are joined when these are
 * as many as there were, or an answer is wanted: where each page stood before is then found for
 * all at once (base/before.h).
 */
#ifndef TRC_STAGE_SIMULATE_WS_SINK_H
#define TRC_STAGE_SIMULATE_WS_SINK_H

#include "stage/simulate/buckets.h"
#include "stage/simulate/extents.h"
#include "stage/simulate/pages.h"
#include "stage/simulate/ws.h"

#define TRC_WS_NEVER UINT64_MAX
#define TRC_WS_GONE (UINT64_MAX - 1) /* it was deleted since */

/* The sink. */
struct trc_ws_sink {
	struct trc_sink sink;
	struct trc_ws *ws;
	enum trc_column clock;
	bool by_space;
	struct trc_pages pages;
	uint64_t *last;  /* time of the last reference to each page, or TRC_WS_NEVER */
	uint64_t *first; /* and of the first, if it will be saved; else NULL */
	uint32_t *of;    /* whose it is */
	size_t last_cap, first_cap, of_cap, seen;
	struct trc_map spaces;
	uint64_t now, gone;       /* or of a delete, when it takes its pages out of the set */
	uint64_t deletes;         /* records */
	uint64_t rtime, distinct; /* the last reference time, how many different ones there were */
	uint64_t first_rtime;
	uint32_t id[TRC_BATCH_ROWS];

	/* If states came, not rows: the names of `seen` pages, of which the first `joined` are all
	 * different. */
	bool parts;
	uint64_t *page;
	uint32_t *space;
	size_t page_cap, space_cap, joined;

	/* Once there were many pages in ranges, instead of pages by number: marks are the times of
	 * last references, and 1. */
	bool ranges;
	uint64_t in_ranges;
	struct trc_extents extents;
	uint32_t at; /* whose pages are being taken */
	int failed;
	struct trc_err *err;
};

/* Makes buckets up to `n` of them. */
int trc_ws_buckets(struct trc_ws_pages *of, size_t n, struct trc_err *err) TRC_MUST_USE;

/* Adds `n` intervals. */
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

/* Room for what is kept of each page. */
int trc_ws_room(struct trc_ws_sink *s, struct trc_err *err) TRC_MUST_USE;

/* The index of a space, which may be new. */
int trc_ws_space(struct trc_ws_sink *s, uint32_t space, uint32_t *at,
                 struct trc_err *err) TRC_MUST_USE;

/* Adds pages that are referred to for the first time at `time`; modulo 2^64, takes some away. */
int trc_ws_first_at(const struct trc_ws_sink *s, struct trc_ws_pages *of, uint64_t time,
                    uint64_t pages, struct trc_err *err) TRC_MUST_USE;

/* Adds pages that are referred to now for the first time. */
int trc_ws_add_pages(const struct trc_ws_sink *s, struct trc_ws_pages *of, uint64_t pages,
                     struct trc_err *err) TRC_MUST_USE;

/* Joins the states that wait. */
int trc_ws_join(struct trc_ws_sink *s, struct trc_err *err) TRC_MUST_USE;

/* As struct trc_sink has it. */
void trc_ws_state(struct trc_sink *sink, struct trc_state *t);

#endif
