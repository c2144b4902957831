/* SPDX-License-Identifier: MIT
 *
 * A miss curve of references to ranges (extents.h). There may be billions of sizes of memory, so
 * unlike mrc.c, which stores a number for each size, it stores the changes at some sizes.
 */
#ifndef TRC_STAGE_SIMULATE_MRC_RANGES_H
#define TRC_STAGE_SIMULATE_MRC_RANGES_H

#include "stage/simulate/extents.h"

/* The counts of memories from this size up to the next step. */
struct trc_mrc_step {
	uint64_t from;
	uint64_t misses; /* other than first references */
	uint64_t writebacks;
	uint64_t slope; /* of write-backs, for each additional page; modulo 2^64 */

	/* Including first references, if they are counted. */
	uint64_t missed_requests, missed_bytes;
};

/* The changes at a size; differences modulo 2^64. */
struct trc_mrc_change {
	uint64_t at;
	uint64_t refs; /* number of references at this distance */
	uint64_t writebacks, slope;
};

/* A curve under construction. */
struct trc_mrc_ranges {
	struct trc_extents extents; /* whose marks are dirty levels, as in mrc.c */

	/* Private. */
	struct trc_mrc_change *change;
	size_t changes, cap;
	bool reads;      /* only reads count */
	uint64_t passed; /* first references that do not count */
	bool write;
	struct trc_err *err; /* of the current reference */
	bool failed;
};

void trc_mrc_ranges_init(struct trc_mrc_ranges *r);
void trc_mrc_ranges_release(struct trc_mrc_ranges *r);

/* Counts a reference, as trc_extents_refer() takes it. */
int trc_mrc_ranges_refer(struct trc_mrc_ranges *r, uint32_t space, uint64_t first, uint64_t pages,
                         bool write, struct trc_err *err) TRC_MUST_USE;

/* Convert a curve that was begun by single pages. The first adds a page, with its dirty level, that
 * was used after those already added. The second adds references at distance `at`, and write-backs
 * from size `at` on. */
int trc_mrc_ranges_put(struct trc_mrc_ranges *r, uint32_t space, uint64_t page, uint64_t level,
                       struct trc_err *err) TRC_MUST_USE;
int trc_mrc_ranges_change(struct trc_mrc_ranges *r, uint64_t at, uint64_t refs, uint64_t writebacks,
                          struct trc_err *err) TRC_MUST_USE;

/* Returns the steps in a new array; the first is from 0. */
int trc_mrc_ranges_finish(struct trc_mrc_ranges *r, struct trc_mrc_step **step, size_t *n,
                          struct trc_err *err) TRC_MUST_USE;

#endif
