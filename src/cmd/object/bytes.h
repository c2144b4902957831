/* SPDX-License-Identifier: MIT
 *
 * The question of trc stat --mrc --bytes while it is asked, and its answer: a row for each cache,
 * or for each capacity of a curve.
 */
#ifndef TRC_CMD_OBJECT_BYTES_H
#define TRC_CMD_OBJECT_BYTES_H

#include "cmd/stat/sizes.h"
#include "cmd/stat/stat.h"
#include "stage/simulate/object/byte_curve.h"

/* What a cache did, in a row of the answer. */
struct trc_bytes_line {
	const char *policy;
	uint64_t capacity;
	struct trc_object_counts counts;
	bool enclosing; /* one of two curves that have the misses between them, and no more */
	struct trc_byte_estimate requests, bytes; /* of a sample, instead */
	bool known;                               /* the latter */
};

/* What is found: caches at given capacities, or the curve of LRU. */
struct trc_bytes_found {
	struct trc_object_caches caches;
	struct trc_byte_curve curve;
};

/* The question, while it is asked. */
struct trc_bytes {
	struct trc_asked asked;
	struct trc_stat s;
	const struct trc_stat_curves *shown;
	struct trc_bytes_found found;
	struct trc_object_shape shape;
	struct trc_byte_shape curve_shape;
	bool reads; /* they alone count */
	bool runs;  /* caches at given sizes, not the curve */
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
