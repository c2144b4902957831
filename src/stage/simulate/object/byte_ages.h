/* SPDX-License-Identifier: MIT
 *
 * When the copies of an object in LRU caches of all capacities expire, if objects have a time to
 * live. A cache fetches the object again when it misses, so caches with fewer misses have older
 * copies. A copy that has expired is a miss, too, in all caches that have it. So the capacities
 * fall into a few ranges, each with the time until which its copy may be used.
 *
 * If deletes make it uncertain which caches have a copy (byte_curve.h), that time is only known to
 * be between two: a cache that may have missed has its old copy or a new one.
 *
 * A zeroed struct has no copy; it may be released.
 */
#ifndef TRC_STAGE_SIMULATE_OBJECT_BYTE_AGES_H
#define TRC_STAGE_SIMULATE_OBJECT_BYTE_AGES_H

#include <stdint.h>

#include "base/base.h"

/* The copy in caches of capacities from `from` up to that of the next range; it may be used up to
 * the time `until`, for certain up to `sure`. */
struct trc_byte_age {
	uint64_t from, until, sure;
};

struct trc_byte_ages {
	uint64_t until;           /* of the copy in the smallest caches, from 0 on; certain */
	struct trc_byte_age *age; /* the ranges above */
	uint32_t n, room;
};

/* A request at `now`, which caches smaller than `distance` miss; 0: all miss. Those of at least
 * `sure` have a copy; 0: none for certain. A copy that is fetched or written by it may be used up
 * to the time `until`. */
struct trc_byte_use {
	uint64_t distance, sure, now, until;
	bool write;
};

/* Called for capacities that hit, for certain if `sure`, or may hit: from `from` up to below `to`,
 * UINT64_MAX for all larger ones. */
typedef void trc_byte_hit_fn(void *of, uint64_t from, uint64_t to, bool sure);

/* Processes a request: calls hit() for all capacities whose copy has not expired. All others fetch
 * a copy now, and a write renews all copies. Sets *over if the copy in the largest caches had
 * expired. */
int trc_byte_ages_use(struct trc_byte_ages *a, const struct trc_byte_use *use, trc_byte_hit_fn *hit,
                      void *of, bool *over, struct trc_err *err) TRC_MUST_USE;

#endif
