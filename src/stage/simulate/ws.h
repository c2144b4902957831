/* SPDX-License-Identifier: MIT
 *
 * Working sets (P. J. Denning, "The working set model for program behavior", CACM 11(5), 1968), for
 * all windows in one pass (D. R. Slutz and I. L. Traiger, "A note on the calculation of average
 * working set size", CACM 17(10), 1974).
 *
 * Let a clock stand at the first instant of a trace at `begin`, and at its last at `end`;
 * references and instructions count from 1, and data before the first instruction are at 0. The
 * working set W(t, T) at the instant t with a window of T >= 1 instants is the pages referred to
 * in (t - T, t]; at instants earlier than begin + T - 1 the window is cut short by the beginning.
 * Then
 *
 *   mean size   s(T) = sum of |W(t, T)| for t from begin to end, divided by end - begin + 1
 *   misses      m(T) = references to a page that was not referred to before, or more than T
 *               instants ago: that is not in W(t - 1, T), if no instant has two references
 *
 * A reference at t keeps its page in the working set for T instants, or until the next reference
 * to it, or until the end: with d the instants to that next reference, or end + 1 - t if there is
 * none, the sum above is that of min(T, d) over all references, less the working set at 0, which
 * the sum does not have. So the intervals, counted, give both for all T.
 *
 * The footprint fp(T) is the mean over those windows alone that are not cut short: of the pages in
 * (t - T, t] for t from begin + T - 1 to end (X. Xiang, C. Ding, H. Luo, B. Bao, "HOTL: a higher
 * order theory of locality", ASPLOS 2013). A page is not in those windows that lie wholly before
 * its first reference, between two references, or behind its last: with an interval of d instants
 * from begin - 1 to the first, between two, or from the last to end + 1, these are d - T if d > T.
 * So fp(T) is all pages, less the sum of these, divided by the end - begin + 2 - T windows.
 *
 * A delete at the instant t takes its page out of the working set, which has it up to t - 1, and
 * the next reference to it is a miss at all windows. By the clock of references t is that of the
 * one behind it. So an interval ends there as at the end of the trace, and another begins.
 *
 * They are counted in buckets (stage/simulate/buckets.h): windows are exact at their edges.
 */
#ifndef TRC_STAGE_SIMULATE_WS_H
#define TRC_STAGE_SIMULATE_WS_H

#include "batch/flow.h"

/* Intervals of about one length. */
struct trc_ws_bucket {
	uint64_t between, between_sum; /* intervals between two references, how many and how long */
	uint64_t end, end_sum;         /* from the last reference to the end */
	uint64_t first, first_sum;     /* from the beginning to the first reference */
};

enum { TRC_WS_SPACES_MOST = 4096 }; /* address spaces that are counted apart */

/* The pages of one space, or of all. */
struct trc_ws_pages {
	uint32_t space;
	uint64_t refs;  /* to pages: rows */
	uint64_t pages; /* distinct: as many references are the first to theirs */
	uint64_t again; /* references that are the first since a delete of their page */
	uint64_t early; /* of first ones, and those again, before `begin` */
	struct trc_ws_bucket *bucket;
	size_t buckets, cap;
};

/* What the sink measures, from which the size and the misses of any window follow. */
struct trc_ws {
	uint64_t begin, end;
	const struct trc_ws *before; /* what does not count: trc_ws_subtract(); else NULL */
	uint64_t refs;               /* of the trace, or of the original if it was reduced */
	uint64_t touches; /* of pages, which misses are of; 0: not known, since it was reduced */
	struct trc_ws_pages *of;
	size_t n, cap; /* one, or as many as spaces, in order of appearance */
};

/* A point of the curve: one length of windows. */
struct trc_ws_point {
	double size;      /* mean, in pages */
	double footprint; /* likewise, of whole windows; below 0: none is as long */
	uint64_t misses;
};

/* A sink for a trace of pages with times, as trc_stage_page() or trc_stage_page_ranges() makes one,
 * by the clock of column TRC_COL_RTIME, TRC_COL_ITIME or TRC_COL_TIME. Of spaces apart, `by_space`,
 * each has its pages by the clock of the whole trace: sizes and misses add up to those of all. *ws
 * must outlive the sink; it is whole when the trace has ended, and is to be released in any case. A
 * trace that lacks a column that windows need is refused. */
struct trc_sink *trc_ws_sink(struct trc_ws *ws, enum trc_column clock, bool by_space,
                             struct trc_err *err) TRC_MUST_USE;
void trc_ws_release(void *ws);

/* From now on what the first records of the trace do, `before`, which must outlive *ws, does not
 * count: misses and sizes are those at the instants behind its end, and windows that end there
 * reach back into it. */
int trc_ws_subtract(void *ws, void *before, struct trc_err *err);

/* What counts of a space, or of all: references to pages, and those of them that are the first to
 * theirs; and instants of the clock. */
uint64_t trc_ws_refs(const struct trc_ws *ws, const struct trc_ws_pages *of);
uint64_t trc_ws_first(const struct trc_ws *ws, const struct trc_ws_pages *of);
uint64_t trc_ws_instants(const struct trc_ws *ws);

/* The smallest window from `window` >= 1 on that is exact. */
uint64_t trc_ws_window(uint64_t window);

/* At a window that is exact. */
struct trc_ws_point trc_ws_at(const struct trc_ws *ws, const struct trc_ws_pages *of,
                              uint64_t window);

#endif
