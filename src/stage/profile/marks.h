/* SPDX-License-Identifier: MIT
 *
 * A sink around another one that stops at certain records, so that the counts of the other up to
 * there can be examined: after a warm-up, and in windows over time.
 */
#ifndef TRC_STAGE_PROFILE_MARKS_H
#define TRC_STAGE_PROFILE_MARKS_H

#include "batch/flow.h"

/* The places to stop, and the function to call there. */
struct trc_marks {
	uint64_t first; /* after this many records; 0: no such place */
	uint64_t every; /* then after every `every` records, and after the last; 0: no more */
	bool insns;     /* these, and `rows`, count instructions (batch/extent.h); no parts */
	uint64_t rows;  /* records so far; for a part, including those before it */
	int (*at)(struct trc_marks *m, uint64_t records, struct trc_err *err);
};

/* Opens a sink that takes ownership of `inner`, unless it fails. *marks must outlive the sink. It
 * has parts if `inner` has: it also stops before a part is saved, and its state is the number of
 * records up to the end of the part, as a number of base/buf.h, followed by the state of `inner`. A
 * part after the last mark may know of fewer records before it than there are, but of no fewer than
 * these marks need. */
struct trc_sink *trc_marks_sink(struct trc_sink *inner, struct trc_marks *marks,
                                struct trc_err *err) TRC_MUST_USE;

/* Returns rows [first, first + n) of `b` as a separate batch, which must not be released. */
struct trc_batch trc_marks_rows(const struct trc_batch *b, size_t first, size_t n);

#endif
