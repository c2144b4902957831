/* SPDX-License-Identifier: MIT
 *
 * How many canonical pages several address spaces touch, and how often.
 */
#ifndef TRC_STAGE_SPACE_SHARED_H
#define TRC_STAGE_SPACE_SHARED_H

#include "batch/flow.h"

/* Pages that so many spaces touch, those of them that are written, and the references to them. */
struct trc_shared_by {
	uint64_t pages, written, refs;
};

/* How much of a trace is to pages of several spaces. */
struct trc_shared {
	uint64_t pages, refs;               /* of all; a modify counts twice */
	uint64_t shared_pages, shared_refs; /* of pages that more than one space touches */
	uint64_t written_pages;             /* of those, by more than reads and fetches */
	struct trc_shared_by *by;           /* [k]: of pages that k spaces touch, k < n */
	size_t n;
};

/* A sink that counts into *shared, which must outlive it, and is to be released in any case. The
 * trace has spaces and canonical pages; references by the kernel are of none. */
struct trc_sink *trc_shared_sink(struct trc_shared *shared, struct trc_err *err) TRC_MUST_USE;
void trc_shared_release(void *shared);

#endif
