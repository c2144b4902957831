/* SPDX-License-Identifier: MIT
 *
 * Visit history: which visits to pages came before, and what they predict of the next one. New;
 * closest are the Markov predictors of prefetching (D. Joseph, D. Grunwald, 1997), which predict by
 * pages alone. Here the time predicts: a program that does the same again does it after as many
 * references, with other visits dropped in between. So of an event that came before, the successor
 * is what came as long after it as it is now; and an alignment is an offset of time at which the
 * past has been repeating itself.
 *
 * Rows are numbered from 0; a row has a time, the sum of gaps so far modulo 2^64, another of lags,
 * and a page. What follows is for the moment before row i.
 *
 * Distances.  d1(p) is how many pages were visited after the last visit to p; d2(p), if p was
 *   visited twice, how many other pages after the visit before that. A trace that was reduced for
 *   r pages (stage/reduce/sad.c, stage/reduce/olr.c) has no visit to a page with d2 < r.
 *
 * What comes again, comes with the same pages, or, where arrays are swept, each time one page
 * further: so successors and alignments are there twice, for a shift of 0 and for one of 1.
 *
 * Successors.  For k = 1 to 4, q(k) being the last row before i - k with the page of row i - k less
 *   the shift: the first of the rows q(k) + 1 to q(k) + 64, before i, with
 *     gap = (time of it - time of q(k)) - (time of row i - 1 - time of row i - k) > 0.
 *   Differences are signed, and a gap above 2^24 - 2 is none.
 *
 * Alignments.  There are 16 of them at most, each with a row j, offsets of time and lag, and a
 *   score. Before each row, j moves on, by 63 rows at most, to the first before i with time -
 *   offset > time of row i - 1; if that is none of these, the alignment ends. The best one is the
 *   first with the highest score; its gap is time - offset - time of row i - 1, or 2^24 - 2 if that
 *   is more. After row i, if j is before i, has time - offset = time of i, and the page of i less
 *   the shift, the score grows by 2, to 30 at most; else it falls by one, and below 0 the alignment
 *   ends. Then, if the page of i less the shift was visited before, last at row q, and no alignment
 *   has the offset time of q - time of i: an alignment with this, that of lags, j = q + 1 and score
 *   1 takes the place of the ended one with the highest index, or else of the first one of the
 *   lowest score.
 *
 * Predictions 0 to 9 of row i: of shift 0 the row of the best alignment and of successors 1 to 4,
 *   then of shift 1 the same. Each has a gap; the page of its row + shift, if there is such a page;
 *   and a lag, found from lags as the gap is from times.
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
	uint32_t stays;        /* visits since it was not near (visits.h) */
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

/* Distances; the page must have been visited, for the second twice. */
uint32_t trc_visit_distance(const struct trc_visit_history *s, uint32_t page);
uint32_t trc_visit_distance2(const struct trc_visit_history *s, uint32_t page);

/* Adds the row that was predicted. */
void trc_visit_history_add(struct trc_visit_history *s, uint32_t gap, uint32_t lag, uint32_t page);

#endif
