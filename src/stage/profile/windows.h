/* SPDX-License-Identifier: MIT
 *
 * The contents of successive windows of a trace: references, and the number of distinct pages that
 * they touch, which is the footprint of the window.
 *
 * Windows count from the first record of the trace, so a part must know how many records precede
 * it. For each page, a part keeps the first and the last of its windows in which the page was
 * touched: so joining parts can determine which pages both halves of a window touched, and which
 * pages are no longer new. A state consists of numbers, then arrays:
 *
 *   end      number of records up to the end of the part, including those before it
 *   windows  how many, and of each all members of struct trc_window
 *   pages    how many; in order of first touch, signed differences to the previous one: page,
 *            space; then the window of the first touch, and how many windows later the last was
 */
#ifndef TRC_STAGE_PROFILE_WINDOWS_H
#define TRC_STAGE_PROFILE_WINDOWS_H

#include "batch/flow.h"

/* The records after `from`, up to `to`. A modify is a read and a write, as in all counts. */
struct trc_window {
	uint64_t from, to;
	uint64_t refs, reads, writes, fetches;
	uint64_t pages; /* distinct pages touched */
	uint64_t first; /* of these, pages not touched earlier in the trace */
};

struct trc_windows {
	uint64_t every;  /* records per window; the last may have fewer */
	bool insns;      /* count instructions, not records, here and in `seen`; no parts */
	uint64_t warmup; /* records before the first window; their pages count as touched earlier */

	struct trc_window *window;
	size_t n, cap;
	uint64_t seen;  /* records so far, including the warm-up and, for a part, those before it */
	uint64_t pages; /* distinct pages in all of these */
};

/* Opens a sink for a trace of addresses or pages with the columns `have`, which it divides into
 * windows; pages have 2^bits bytes. *windows must outlive it, and must be released in any case. The
 * caller sets the first members up to `warmup` and, for a part, `seen`; all others must be 0. */
struct trc_sink *trc_windows_sink(struct trc_windows *windows, uint32_t have, unsigned bits,
                                  struct trc_err *err) TRC_MUST_USE;
void trc_windows_release(void *windows);

#endif
