/* SPDX-License-Identifier: MIT
 *
 * What LRU caches of whole objects do at every capacity in bytes, in one pass (byte_stack.h). Like
 * a page (stage/simulate/mrc.c), an object has a dirty level: the capacity from which on caches
 * have it dirty.
 *
 * Exact at each edge of a bucket (buckets.h: 64 in each power of two) from the largest object on,
 * if no object changes its size: a cache goes on with the size that its copy came in with, which is
 * not the same in all.
 *
 * With a time to live, an object that is too old when it is asked for is missed wherever it is, and
 * keeps its place: a stack, where each cache has a copy of its own age (byte_ages.h).
 *
 * What a delete frees is not the same in all caches either, so there are two curves then. In one,
 * the bytes of a deleted object are gone at once, as in a cache that has no other object evicted
 * for them before: whatever hits hits there, too. In the other they stay in their place: whatever
 * hits there hits.
 */
#ifndef TRC_STAGE_SIMULATE_OBJECT_BYTE_CURVE_H
#define TRC_STAGE_SIMULATE_OBJECT_BYTE_CURVE_H

#include "stage/simulate/object/byte_sample.h"
#include "stage/simulate/object/object_caches.h"

/* Requests by their distance: [i] is of bucket i. */
struct trc_byte_bucket {
	uint64_t hits[2], hit_bytes[2];     /* by reads, by writes */
	uint64_t writebacks, written_bytes; /* here begin less end, in caches from this one on */
};

struct trc_byte_buckets {
	struct trc_byte_bucket *bucket;
	size_t n, room;
	struct trc_byte_sample sample; /* instead, where objects were drawn */
};

/* What is asked. */
struct trc_byte_shape {
	uint64_t ttl;     /* how long an object may be used after it came; 0: for ever */
	uint64_t one_in;  /* one object in so many is drawn; 0: all are */
	uint64_t objects; /* or about so many in all; 0: all */
	bool reads;       /* reads alone are in a sample */
	bool none;        /* a write misses, and takes its object out */
};

struct trc_byte_curve {
	struct trc_byte_buckets least,
	        most; /* misses; `most` is empty where there are no deletes */
	struct trc_object_totals totals;
};

/* A sink for rows of the columns `have`, addresses among them. *shape and *curve must outlive it;
 * the curve is complete when it has finished; release it in any case. A part has no deletes, no
 * time to live, and no sample. */
struct trc_sink *trc_byte_curve_sink(struct trc_byte_curve *curve, uint32_t have,
                                     const struct trc_byte_shape *shape,
                                     struct trc_err *err) TRC_MUST_USE;
void trc_byte_curve_release(void *curve);

/* Takes from a curve that of its first requests. */
void trc_byte_curve_subtract(struct trc_byte_curve *curve, const struct trc_byte_curve *before);

/* What a cache does whose capacity is the edge of bucket `i`, at least the largest object. Takes
 * all buckets up to that: from i = 0 on, *counts goes on from the one before, zeroed at first. */
void trc_byte_curve_add(const struct trc_byte_curve *curve, const struct trc_byte_buckets *of,
                        size_t i, struct trc_object_counts *counts);

#endif
