/* SPDX-License-Identifier: MIT
 *
 * A sink around another one that stops for a moment at certain records, so that what the other has
 * counted until there can be looked at: after a warm-up, and in windows over time.
 */
#ifndef TRC_STAGE_PROFILE_MARKS_H
#define TRC_STAGE_PROFILE_MARKS_H

#include "batch/flow.h"

/* Where to stop, and what to call there. */
struct trc_marks {
	uint64_t first; /* behind so many records; 0: none such */
	uint64_t every; /* and behind each `every` more, and the last; 0: no more */
	bool insns;     /* these, and `rows`, are instructions (batch/extent.h); it has no parts */
	uint64_t rows;  /* that came; of a part, those in front of it, too */
	int (*at)(struct trc_marks *m, uint64_t records, struct trc_err *err);
};

/* Takes over `inner`, unless it fails. *marks must outlive the sink. It has parts if `inner` has:
 * before one is saved it stops, too, and its state is how many records there were at its end, as a
 * number of base/buf.h, and that of `inner`. A part behind the last mark may know of fewer records
 * in front of it than there are, but not of fewer than these marks need. */
struct trc_sink *trc_marks_sink(struct trc_sink *inner, struct trc_marks *marks,
                                struct trc_err *err) TRC_MUST_USE;

/* Rows [first, first + n) of `b`, as a batch of their own that has nothing to release. */
struct trc_batch trc_marks_rows(const struct trc_batch *b, size_t first, size_t n);

#endif
