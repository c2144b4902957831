/* SPDX-License-Identifier: MIT
 *
 * A miss curve of references to ranges (extents.h): what mrc.c counts in a number for each size of
 * memory is here what changes at some sizes, since there may be billions.
 */
#ifndef TRC_STAGE_SIMULATE_MRC_RANGES_H
#define TRC_STAGE_SIMULATE_MRC_RANGES_H

#include "stage/simulate/extents.h"

/* Memories from this size on, up to the next step. */
struct trc_mrc_step {
	uint64_t from;
	uint64_t misses; /* that are no first references */
	uint64_t writebacks;
	uint64_t slope; /* of write-backs, for each page more; modulo 2^64 */
	uint64_t missed_requests, missed_bytes; /* with first ones, where they are counted */
};

/* What changes at a size; differences modulo 2^64. */
struct trc_mrc_change {
	uint64_t at;
	uint64_t refs; /* references at this distance */
	uint64_t writebacks, slope;
};

/* A curve in the making. */
struct trc_mrc_ranges {
	struct trc_extents extents; /* marks are dirty levels, as in mrc.c */

	/* Private. */
	struct trc_mrc_change *change;
	size_t changes, cap;
	bool reads;      /* they alone count */
	uint64_t passed; /* first references that do not */
	bool write;
	struct trc_err *err; /* of the reference that is being taken */
	bool failed;
};

void trc_mrc_ranges_init(struct trc_mrc_ranges *r);
void trc_mrc_ranges_release(struct trc_mrc_ranges *r);

/* A reference, as to trc_extents_refer(). */
int trc_mrc_ranges_refer(struct trc_mrc_ranges *r, uint32_t space, uint64_t first, uint64_t pages,
                         bool write, struct trc_err *err) TRC_MUST_USE;

/* For a curve that was begun by pages: a page that was used after those already put, with its dirty
 * level; and what to add to the references at distance `at`, and the write-backs from there on. */
int trc_mrc_ranges_put(struct trc_mrc_ranges *r, uint32_t space, uint64_t page, uint64_t level,
                       struct trc_err *err) TRC_MUST_USE;
int trc_mrc_ranges_change(struct trc_mrc_ranges *r, uint64_t at, uint64_t refs, uint64_t writebacks,
                          struct trc_err *err) TRC_MUST_USE;

/* At the end: the steps, in a new array; the first is from 0. */
int trc_mrc_ranges_finish(struct trc_mrc_ranges *r, struct trc_mrc_step **step, size_t *n,
                          struct trc_err *err) TRC_MUST_USE;

#endif
