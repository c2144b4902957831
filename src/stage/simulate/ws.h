/* SPDX-License-Identifier: MIT
 *
 * Working sets (P. J. Denning, "The working set model for program behavior", CACM 11(5), 1968), for
 * all windows in one pass (D. R. Slutz and I. L. Traiger, "A note on the calculation of average
 * working set size", CACM 17(10), 1974).
 *
 * Let the first instant of a trace be `begin` by some clock, and the last one `end`. References and
 * instructions count from 1; data before the first instruction is at 0. The working set W(t, T) at
 * the instant t with a window of T >= 1 instants is the set of pages referred to in (t - T, t]. At
 * instants before begin + T - 1 the window is cut short by the beginning. Then
 *
 *   mean size   s(T) = sum of |W(t, T)| for t from begin to end, divided by end - begin + 1
 *   misses      m(T) = references to a page that was not referred to before, or more than T
 *               instants ago: one not in W(t - 1, T), if no instant has two references
 *
 * A reference at t keeps its page in the working set for T instants, or until the next reference to
 * it, or until the end. Let d be the number of instants to that next reference, or end + 1 - t if
 * there is none. Then the sum above is the sum of min(T, d) over all references, less the working
 * set at 0, which is not part of it. So a histogram of the intervals gives both for all T.
 *
 * The footprint fp(T) is the mean over those windows only that are not cut short: over the pages in
 * (t - T, t] for t from begin + T - 1 to end (X. Xiang, C. Ding, H. Luo, B. Bao, "HOTL: a higher
 * order theory of locality", ASPLOS 2013). A page is missing from the windows that lie completely
 * before its first reference, between two references, or after its last. An interval of d instants,
 * from begin - 1 to the first, between two, or from the last to end + 1, contains d - T such
 * windows if d > T. So fp(T) is the number of all pages, less the sum of these, divided by the end
 * - begin + 2 - T windows.
 *
 * A delete at the instant t takes its page out of the working set, which has it up to t - 1, and
 * the next reference to it is a miss at all windows. By the clock of references t is that of the
 * next reference. So an interval ends there as at the end of the trace, and another begins.
 *
 * Intervals are counted in buckets (stage/simulate/buckets.h): windows are exact at their edges.
 */
#ifndef TRC_STAGE_SIMULATE_WS_H
#define TRC_STAGE_SIMULATE_WS_H

#include "batch/flow.h"

/* Intervals of similar length. */
struct trc_ws_bucket {
	/* Intervals between two references: their number and the sum of their lengths. */
	uint64_t between, between_sum;
	uint64_t end, end_sum;     /* from the last reference to the end */
	uint64_t first, first_sum; /* from the beginning to the first reference */
};

enum { TRC_WS_SPACES_MOST = 4096 }; /* address spaces that are counted separately */

/* The counts of one space, or of all pages. */
struct trc_ws_pages {
	uint32_t space;
	uint64_t refs;  /* references to pages: rows */
	uint64_t pages; /* distinct pages, each of which has one first reference */
	uint64_t again; /* first references after a delete of their page */
	uint64_t early; /* first references, and those after a delete, before `begin` */
	struct trc_ws_bucket *bucket;
	size_t buckets, cap;
};

/* The result of the sink, from which the size and the misses at any window are computed. */
struct trc_ws {
	uint64_t begin, end;
	const struct trc_ws *before; /* counts to subtract: trc_ws_subtract(); NULL: none */
	uint64_t refs; /* references of the trace, or of the original if it was reduced */

	/* references to pages, the total that misses are part of; 0: unknown, since the trace was
	 * reduced */
	uint64_t touches;
	struct trc_ws_pages *of;
	size_t n, cap; /* one, or one per space, in order of appearance */
};

/* A point of the curve, for one length of windows. */
struct trc_ws_point {
	double size;      /* mean, in pages */
	double footprint; /* mean over whole windows; below 0: there is none */
	uint64_t misses;
};

/* Makes a sink for a trace of pages with times, as trc_stage_page() or trc_stage_page_ranges()
 * makes one, by the clock of column TRC_COL_RTIME, TRC_COL_ITIME or TRC_COL_TIME. With `by_space`
 * the pages of each space are counted separately, by the clock of the whole trace: sizes and misses
 * add up to those of all. *ws must outlive the sink. It is complete when the trace has ended;
 * release it in any case. Traces without a column that windows need are refused. */
struct trc_sink *trc_ws_sink(struct trc_ws *ws, enum trc_column clock, bool by_space,
                             struct trc_err *err) TRC_MUST_USE;
void trc_ws_release(void *ws);

/* Subtracts the counts of the first records of the trace, `before`, which must outlive *ws: misses
 * and sizes are then those at the instants after its end, while windows that end there reach back
 * into it. */
int trc_ws_subtract(void *ws, void *before, struct trc_err *err);

/* Return counts of a space, or of all pages: references to pages, and first references among these;
 * and instants of the clock. */
uint64_t trc_ws_refs(const struct trc_ws *ws, const struct trc_ws_pages *of);
uint64_t trc_ws_first(const struct trc_ws *ws, const struct trc_ws_pages *of);
uint64_t trc_ws_instants(const struct trc_ws *ws);

/* Returns the smallest exact window that is at least `window` >= 1. */
uint64_t trc_ws_window(uint64_t window);

/* Returns the point of the curve at an exact window. */
struct trc_ws_point trc_ws_at(const struct trc_ws *ws, const struct trc_ws_pages *of,
                              uint64_t window);

#endif
