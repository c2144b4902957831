/* SPDX-License-Identifier: MIT
 *
 * The hits and write-backs of LRU caches of whole objects at every capacity in bytes, in one pass
 * (byte_stack.h). Like a page (stage/simulate/mrc.c), an object has a dirty level: the smallest
 * capacity whose caches have it dirty.
 *
 * The curve is exact at each edge of a bucket (buckets.h: 64 in each power of two) from the largest
 * object on, if no object changes its size. A cache keeps the size with which an object was
 * fetched, and that may differ between capacities.
 *
 * With a time to live, an object that has expired when it is requested is a miss everywhere, but
 * keeps its position in the stack; each cache has a copy of its own age (byte_ages.h).
 *
 * If capacities are in objects, a delete leaves a hole in the stack (holes.h), and all is exact.
 *
 * In bytes, the space that a delete frees also depends on the capacity, so there are two curves if
 * there are deletes. In one, the bytes of a deleted object vanish at once, as in a cache that
 * evicted no other object because of them: every hit is a hit there. In the other, they stay in
 * their position: every hit there is a hit.
 */
#ifndef TRC_STAGE_SIMULATE_OBJECT_BYTE_CURVE_H
#define TRC_STAGE_SIMULATE_OBJECT_BYTE_CURVE_H

#include "stage/simulate/object/byte_sample.h"
#include "stage/simulate/object/object_caches.h"

/* Requests with distances in one bucket. */
struct trc_byte_bucket {
	uint64_t hits[2], hit_bytes[2]; /* of reads, of writes */

	/* Begin here, less those that end here, in caches of at least this capacity. */
	uint64_t writebacks, written_bytes;
};

struct trc_byte_buckets {
	struct trc_byte_bucket *bucket;
	size_t n, room;
	struct trc_byte_sample sample; /* used instead if the objects are a sample */
};

/* The settings of a curve. */
struct trc_byte_shape {
	struct trc_object_lives lives;
	uint64_t one_in;  /* sample one object in this many; 0: all */
	uint64_t objects; /* or sample about this many objects; 0: all */
	bool reads;       /* only reads count in the sample */
	bool none;        /* a write misses, and removes its object */
	bool ones;        /* capacities are in objects; not for slices */
};

struct trc_byte_curve {
	struct trc_byte_buckets least,
	        most; /* bounds of the misses; `most` is empty if there are no deletes */
	struct trc_object_totals totals;
};

/* Makes a sink for rows with the columns `have`, which include addresses. *shape and *curve must
 * outlive it. The curve is complete after finish; release it in any case. A slice supports no
 * deletes, time to live or sample. */
struct trc_sink *trc_byte_curve_sink(struct trc_byte_curve *curve, uint32_t have,
                                     const struct trc_byte_shape *shape,
                                     struct trc_err *err) TRC_MUST_USE;
void trc_byte_curve_release(void *curve);

/* Subtracts the curve of the first requests. */
void trc_byte_curve_subtract(struct trc_byte_curve *curve, const struct trc_byte_curve *before);

/* Adds the counts of a cache whose capacity is the edge of bucket `i`, at least the largest object.
 * Call it for all buckets from i = 0 on: *counts, zeroed at first, continues from the one
 * before. */
void trc_byte_curve_add(const struct trc_byte_curve *curve, const struct trc_byte_buckets *of,
                        size_t i, struct trc_object_counts *counts);

#endif
