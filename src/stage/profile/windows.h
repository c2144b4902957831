/* SPDX-License-Identifier: MIT
 *
 * What is in one window of a trace after the other: references, and how many different pages they
 * touch, which is the footprint of the window.
 *
 * Windows count from the first record of the trace, so a part has to know how many are in front of
 * it. What it keeps of a page is in which of its windows it was touched first, and last: so where
 * parts are joined it is known which pages both halves of a window touched, and which are new no
 * more. A state is numbers, then arrays:
 *
 *   end      records up to the end of the part, those in front of it, too
 *   windows  how many, and of each all fields of struct trc_window
 *   pages    how many; by first touch, signed differences from the one before: page, space; then
 *            windows, of the first touch, and how many windows later the last one was
 */
#ifndef TRC_STAGE_PROFILE_WINDOWS_H
#define TRC_STAGE_PROFILE_WINDOWS_H

#include "batch/flow.h"

/* Records behind `from`, up to `to`. A modify is a read and a write, as in all counts. */
struct trc_window {
	uint64_t from, to;
	uint64_t refs, reads, writes, fetches;
	uint64_t pages; /* different ones that are touched, */
	uint64_t first; /* and those of them that were not touched before in the trace */
};

struct trc_windows {
	uint64_t every;  /* records of a window; the last may have fewer */
	bool insns;      /* not records, here and in `seen`, but instructions; it has no parts */
	uint64_t warmup; /* records in front of the first; their pages were touched before */

	struct trc_window *window;
	size_t n, cap;
	uint64_t seen; /* records, those of the warm-up among them, and of a part those before it */
	uint64_t pages; /* different ones of all that */
};

/* A sink for a trace of the columns `have`, addresses or pages, which is cut into windows; pages
 * are of 2^bits bytes. *windows must outlive it, and is to be released in any case. Its first two
 * fields are set, of a part `seen`, too, and others 0. */
struct trc_sink *trc_windows_sink(struct trc_windows *windows, uint32_t have, unsigned bits,
                                  struct trc_err *err) TRC_MUST_USE;
void trc_windows_release(void *windows);

#endif
