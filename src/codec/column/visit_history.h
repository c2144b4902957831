/* SPDX-License-Identifier: MIT
 *
 * Visit history: which visits to pages came before, and what they predict of the next one. New;
 * closest are the Markov predictors of prefetching (D. Joseph, D. Grunwald, 1997), which predict by
 * pages alone. Here the time predicts: a program that does the same again does it after as many
 * references, with other visits dropped in between. So of an event that came before, the successor
 * is what came as long after it as it is now; and an alignment is an offset of time at which the
 * past has been repeating itself. Both are there twice, for a shift of 0 and for one of 1: where
 * arrays are swept, what comes again comes one page further. container/SPEC.md, "Visit history",
 * has them exactly.
 *
 * Rows are numbered from 0; a row has a time, the sum of gaps so far modulo 2^64, another of lags,
 * and a page. A trace that was reduced for r pages (stage/reduce/sad.c, stage/reduce/olr.c) has no
 * visit to a page with d2 < r (trc_visit_distance2()).
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
	TRC_HISTORY_NEVER = 0xffffff, /* a gap that is none */
};

#define TRC_NO_ROW UINT32_MAX
#define TRC_NO_PAGE UINT32_MAX

/* What the visit history predicts of the next row (our own). */
struct trc_visit_prediction {
	uint32_t gap;  /* TRC_HISTORY_NEVER: none */
	uint32_t page; /* or TRC_NO_PAGE */
	uint64_t lag;  /* modulo 2^64 */
};

/* What is known of a page; they are a list in LRU order. */
struct trc_history_page {
	uint32_t last, before; /* rows, or TRC_NO_ROW */
	uint32_t newer, older; /* pages, in LRU order */
	uint32_t stays;        /* visits since it was not near (visit_model.h) */
};

/* An offset of time at which the past repeats itself (our own). */
struct trc_history_alignment {
	uint64_t time, lag; /* offsets */
	uint32_t row;
	int score; /* -1: none */
};

/* The visits so far (our own). Zeroed memory is none. */
struct trc_visit_history {
	size_t n, pages; /* rows and pages there can be */
	size_t i;
	uint64_t *time, *lag;
	uint32_t *page;
	uint32_t *earlier[TRC_HISTORY_SHIFTS]; /* last visit to the page less this, or TRC_NO_ROW */
	struct trc_history_page *of;           /* [pages]: head and end of the order */
	uint32_t *tree;   /* sums over rows: 1 at the last visit to each page */
	uint32_t visited; /* pages */

	struct trc_history_alignment alignment[TRC_HISTORY_SHIFTS][TRC_HISTORY_ALIGNMENTS];
	struct trc_visit_prediction prediction[TRC_HISTORY_PREDICTIONS]; /* of the next row */
};

int trc_visit_history_init(struct trc_visit_history *s, size_t rows, size_t pages,
                           struct trc_err *err) TRC_MUST_USE;
void trc_visit_history_release(struct trc_visit_history *s);

/* Bytes that it takes, at most. */
size_t trc_visit_history_memory(size_t rows, size_t pages);

/* Makes the predictions of the next row. */
void trc_visit_history_predict(struct trc_visit_history *s);

/* How many pages were visited after the last visit to the page (d1), and how many others after the
 * visit before that (d2). It must have been visited, for the second twice. */
uint32_t trc_visit_distance(const struct trc_visit_history *s, uint32_t page);
uint32_t trc_visit_distance2(const struct trc_visit_history *s, uint32_t page);

/* Adds the row that was predicted. */
void trc_visit_history_add(struct trc_visit_history *s, uint32_t gap, uint32_t lag, uint32_t page);

#endif
