/* SPDX-License-Identifier: MIT
 *
 * The memory that a curve of LRU caches of objects needs, from counts that take one pass in little
 * memory: an array has the room to which it has grown, and a table doubles. From 1,200,000 objects
 * on it is within a quarter of what one thread took, and up to two fifths more than what two took
 * (test/unit/object_caches.c).
 */
#ifndef TRC_STAGE_SIMULATE_OBJECT_FOOTPRINT_H
#define TRC_STAGE_SIMULATE_OBJECT_FOOTPRINT_H

#include <stdbool.h>
#include <stdint.h>

struct trc_footprint {
	uint64_t objects, writes, deletes;
	bool saved; /* the state of the curve will be saved */
};

typedef uint64_t trc_footprint_fn(const struct trc_footprint *f);

/* Return the bytes of a curve whose capacities are in bytes, and in objects. */
trc_footprint_fn trc_footprint_by_bytes, trc_footprint_by_count;

#endif
