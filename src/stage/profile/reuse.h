/* SPDX-License-Identifier: MIT
 *
 * Reuse: histograms of the distance of references from the previous one to the same page, as stack
 * distance (stage/simulate/mrc.h: distinct pages since, including the page itself) and as reuse
 * time (stage/simulate/ws.h: references since). Miss curves and working sets count both already, so
 * this sink passes all rows to both, and its state consists of theirs.
 *
 * Bin 0 is distance 1; bin k > 0 contains distances above 2^(k-1) up to 2^k. First touches have no
 * distance.
 */
#ifndef TRC_STAGE_PROFILE_REUSE_H
#define TRC_STAGE_PROFILE_REUSE_H

#include "stage/simulate/mrc.h"
#include "stage/simulate/ws.h"

enum { TRC_REUSE_BINS = 65 };

/* The counts of all touches; a reference touches each page that it covers. */
struct trc_reuse {
	struct trc_mrc mrc;
	struct trc_ws ws;
};

/* The histograms of all pages, or of those of one space. */
struct trc_reuse_histogram {
	uint32_t space;
	uint64_t touches,
	        cold; /* all; and the first of each page, including the first since a delete */
	uint64_t distance[TRC_REUSE_BINS], time[TRC_REUSE_BINS];
	size_t bins; /* number of bins up to the last that is not empty */
};

/* Opens a sink for a trace of pages with times, as made by trc_stage_page_ranges(), with the
 * columns `have`. With `by_space`, distances count the pages of the same space; times still count
 * all references. *reuse must outlive the sink, is complete when the trace has ended, and must be
 * released in any case. Fails for a reduced trace. */
struct trc_sink *trc_reuse_sink(struct trc_reuse *reuse, uint32_t have, bool by_space,
                                struct trc_err *err) TRC_MUST_USE;
void trc_reuse_release(void *reuse);

/* Subtracts the counts of the first records of the trace, `before`, which must outlive *reuse. */
int trc_reuse_subtract(void *reuse, void *before, struct trc_err *err) TRC_MUST_USE;

/* Return the number of histograms, which is one, or one for each space that was touched; and
 * histogram `i`. */
size_t trc_reuse_count(const struct trc_reuse *reuse);
void trc_reuse_at(const struct trc_reuse *reuse, size_t i, struct trc_reuse_histogram *h);

/* Returns the highest number in bin `k`. */
static inline uint64_t
trc_reuse_edge(size_t k)
{
	return k < 64 ? UINT64_C(1) << k : UINT64_MAX;
}

#endif
