/* SPDX-License-Identifier: MIT
 *
 * Reuse: histograms of how far references are from the one before to the same page, by stack
 * distance (stage/simulate/mrc.h: different pages since, the page itself included) and reuse time
 * (stage/simulate/ws.h: references since). Both are counted already where miss curves and working
 * sets are, so this is a sink that gives rows to both, and its states are theirs, one behind the
 * other.
 *
 * Bin 0 is distance 1, bin k > 0 those above 2^(k-1) up to 2^k. First touches have no distance.
 */
#ifndef TRC_STAGE_PROFILE_REUSE_H
#define TRC_STAGE_PROFILE_REUSE_H

#include "stage/simulate/mrc.h"
#include "stage/simulate/ws.h"

enum { TRC_REUSE_BINS = 65 };

/* What is known of all touches: a reference touches each page that it is to. */
struct trc_reuse {
	struct trc_mrc mrc;
	struct trc_ws ws;
};

/* The histograms of all pages, or of those of a space. */
struct trc_reuse_histogram {
	uint32_t space;
	uint64_t touches,
	        cold; /* all of them, and the first ones, those since a delete among them */
	uint64_t distance[TRC_REUSE_BINS], time[TRC_REUSE_BINS];
	size_t bins; /* up to the last that has any */
};

/* A sink for a trace of pages with their times, as trc_stage_page_ranges() makes it, whose columns
 * are `have`; with `by_space`, distances are among the pages of a space, and times still by the
 * references of all. *reuse must outlive it, is whole when the trace has ended, and is to be
 * released in any case. A reduced trace is refused. */
struct trc_sink *trc_reuse_sink(struct trc_reuse *reuse, uint32_t have, bool by_space,
                                struct trc_err *err) TRC_MUST_USE;
void trc_reuse_release(void *reuse);

/* Takes away what the first records of the trace did, `before`, which must outlive *reuse. */
int trc_reuse_subtract(void *reuse, void *before, struct trc_err *err) TRC_MUST_USE;

/* How many histograms there are: one, or one for each space that was touched; and each of them. */
size_t trc_reuse_count(const struct trc_reuse *reuse);
void trc_reuse_at(const struct trc_reuse *reuse, size_t i, struct trc_reuse_histogram *h);

/* The last number in bin `k`. */
static inline uint64_t
trc_reuse_edge(size_t k)
{
	return k < 64 ? UINT64_C(1) << k : UINT64_MAX;
}

#endif
