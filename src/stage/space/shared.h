/* SPDX-License-Identifier: MIT
 *
 * Counts the canonical pages that several address spaces touch, and the references to them.
 */
#ifndef TRC_STAGE_SPACE_SHARED_H
#define TRC_STAGE_SPACE_SHARED_H

#include "batch/flow.h"

/* The pages touched by a given number of spaces, how many of them are written, and the references
 * to them. */
struct trc_shared_by {
	uint64_t pages, written, refs;
};

/* The extent of sharing in a trace. */
struct trc_shared {
	uint64_t pages, refs;               /* in total; a modify counts twice */
	uint64_t shared_pages, shared_refs; /* pages that more than one space touches */
	uint64_t written_pages;             /* of these, written by writes or modifies */
	struct trc_shared_by *by;           /* [k]: pages touched by k spaces, k < n */
	size_t n;
};

/* Opens a sink that counts into *shared, which must outlive it and must be released in any case.
 * The trace must have address spaces and canonical pages. References by the kernel belong to no
 * space and are not counted. */
struct trc_sink *trc_shared_sink(struct trc_shared *shared, struct trc_err *err) TRC_MUST_USE;
void trc_shared_release(void *shared);

#endif
