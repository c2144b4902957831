/* SPDX-License-Identifier: MIT
 *
 * The state of trc stat --mrc --bytes, and its answer: a row for each cache, or for each capacity
 * of a curve.
 */
#ifndef TRC_CMD_OBJECT_BYTES_H
#define TRC_CMD_OBJECT_BYTES_H

#include "cmd/object/duration.h"
#include "cmd/stat/sizes.h"
#include "cmd/stat/stat.h"
#include "stage/simulate/object/byte_curve.h"

/* A row of the answer: the counts of a cache. */
struct trc_bytes_line {
	const char *policy;
	uint64_t capacity;
	struct trc_object_counts counts;
	bool enclosing;                           /* one of two curves that bound the misses */
	struct trc_byte_estimate requests, bytes; /* estimates, if objects are sampled */
	bool known;                               /* the estimate of bytes is valid */
};

/* The result: caches at given capacities, or the curve of LRU. */
struct trc_bytes_found {
	struct trc_object_caches caches;
	struct trc_byte_curve curve;
};

/* The state of the question. */
struct trc_bytes {
	struct trc_query query;
	struct trc_stat s;
	const struct trc_stat_curves *shown;
	struct trc_bytes_found found;
	struct trc_object_shape shape;
	struct trc_byte_shape curve_shape;
	struct trc_duration ttl; /* time to live of requests without their own */
	bool ones;               /* capacities are in objects */
	bool ttl_passed;         /* requests have one, but it is not used */
	bool reads;              /* only reads count */
	bool runs;               /* caches are simulated at given sizes; false: a curve */
	struct trc_size size[TRC_SIZES_MOST];
	uint64_t capacity[TRC_SIZES_MOST];
	size_t sizes;
	bool shares;
	struct trc_bytes_line *line;
	size_t lines;
	const struct trc_object_totals *totals;
};

int trc_bytes_answer(void *q, const struct trc_job *job, struct trc_answered *to,
                     struct trc_err *err) TRC_MUST_USE;

#endif
