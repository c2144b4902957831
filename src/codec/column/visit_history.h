/* SPDX-License-Identifier: MIT
 *
 * Visit history: earlier visits to pages, and what they predict about the next one. This is new;
 * the closest relatives are the Markov predictors of prefetching (D. Joseph, D. Grunwald, 1997),
 * which predict from pages alone. Here time predicts: when a program repeats something, it takes
 * the same number of references, though different visits in between were dropped. So the successor
 * of an earlier event is what followed it after the time that has now passed, and an alignment is a
 * time offset at which the past has been repeating. Both exist twice, for a page shift of 0 and of
 * 1: when arrays are swept, the same pattern recurs one page further on. container/SPEC.md, "Visit
 * history", specifies them exactly.
 *
 * Rows are numbered from 0. A row has a time, which is the sum of gaps so far modulo 2^64, the same
 * sum of lags, and a page. A trace that was reduced for r pages (stage/reduce/sad.c,
 * stage/reduce/olr.c) has no visit to a page with d2 < r (trc_visit_distance2()).
 */
#ifndef TRC_CODEC_COLUMN_VISIT_HISTORY_H
#define TRC_CODEC_COLUMN_VISIT_HISTORY_H

#include "base/buf.h"

enum {
	TRC_HISTORY_SUCCESSORS = 4,
	TRC_HISTORY_ALIGNMENTS = 16,
	TRC_HISTORY_SHIFTS = 2,
	TRC_HISTORY_OF_SHIFT = 1 + TRC_HISTORY_SUCCESSORS,
	TRC_HISTORY_PREDICTIONS = TRC_HISTORY_SHIFTS * TRC_HISTORY_OF_SHIFT,
	TRC_HISTORY_NEVER = 0xffffff, /* a gap that does not occur */
};

#define TRC_NO_ROW UINT32_MAX
#define TRC_NO_PAGE UINT32_MAX

/* A prediction of the next row (our own). */
struct trc_visit_prediction {
	uint32_t gap;  /* TRC_HISTORY_NEVER: none */
	uint32_t page; /* or TRC_NO_PAGE */
	uint64_t lag;  /* modulo 2^64 */
};

/* The state of a page; pages form a list in LRU order. */
struct trc_history_page {
	uint32_t last, before; /* rows, or TRC_NO_ROW */
	uint32_t newer, older; /* pages, in LRU order */
	uint32_t stays;        /* consecutive visits while the page was near (visit_model.h) */
};

/* A time offset at which the past repeats (our own). */
struct trc_history_alignment {
	uint64_t time, lag; /* offsets */
	uint32_t row;
	int score; /* -1: unused */
};

/* The visits so far (our own). A zeroed struct is empty. */
struct trc_visit_history {
	size_t n, pages; /* the most rows and pages */
	size_t i;
	uint64_t *time, *lag;
	uint32_t *page;
	uint32_t *earlier[TRC_HISTORY_SHIFTS]; /* last visit to the page minus the shift */
	struct trc_history_page *of;           /* [pages]: head and end of the LRU list */
	uint32_t *tree;   /* Fenwick tree over rows: 1 at the last visit to each page */
	uint32_t visited; /* number of pages */

	struct trc_history_alignment alignment[TRC_HISTORY_SHIFTS][TRC_HISTORY_ALIGNMENTS];
	struct trc_visit_prediction prediction[TRC_HISTORY_PREDICTIONS]; /* of the next row */
};

int trc_visit_history_init(struct trc_visit_history *s, size_t rows, size_t pages,
                           struct trc_err *err) TRC_MUST_USE;
void trc_visit_history_release(struct trc_visit_history *s);

/* Returns the most bytes that it needs. */
size_t trc_visit_history_memory(size_t rows, size_t pages);

/* Computes the predictions of the next row. */
void trc_visit_history_predict(struct trc_visit_history *s);

/* Return how many pages were visited after the last visit to the page (d1), and how many other
 * pages after the visit before that (d2). The page must have been visited, for d2 twice. */
uint32_t trc_visit_distance(const struct trc_visit_history *s, uint32_t page);
uint32_t trc_visit_distance2(const struct trc_visit_history *s, uint32_t page);

/* Adds the row that was predicted. */
void trc_visit_history_add(struct trc_visit_history *s, uint32_t gap, uint32_t lag, uint32_t page);

#endif
