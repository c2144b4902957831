/* SPDX-License-Identifier: MIT
 *
 * Hits of a sample of the objects (SHARDS; stage/reduce/sample.c has the source, and the hash), and
 * the error of the misses computed from it, with the same reasoning as in
 * stage/simulate/replicates.h. If one object in N is in the sample, the distance of a request is
 * its own bytes plus N times the sampled bytes above. That sum is random, with the standard error
 * sqrt((N - 1) b C) for C bytes, where b is the mean size of the object that a byte belongs to. So
 * the misses at C lie between those of the sample at C plus and minus 2.5 of these errors, less and
 * plus 2.5 standard errors of the groups.
 *
 * A sample of a fixed number of objects begins with all objects, and drops half of them whenever
 * there are too many. At the end, only the remaining objects count, with distances that were
 * measured when there were at least as many. So until then each halving of the hash has its own
 * counts.
 *
 * A zeroed struct may be released.
 */
#ifndef TRC_STAGE_SIMULATE_OBJECT_BYTE_SAMPLE_H
#define TRC_STAGE_SIMULATE_OBJECT_BYTE_SAMPLE_H

#include "stage/simulate/replicates.h"

enum { TRC_BYTE_SAMPLE_HALVES = 40 };

/* Counts for each group: hits in caches of this bucket (buckets.h) and larger, but not of the one
 * before; after finish, the misses. */
struct trc_byte_sample_bucket {
	uint64_t requests[TRC_REPLICATES], bytes[TRC_REPLICATES];
};

struct trc_byte_sample_half {
	struct trc_byte_sample_bucket all; /* all requests */
	struct trc_byte_sample_bucket *bucket;
	size_t n, room;
};

struct trc_byte_sample {
	struct trc_byte_sample_half *half[TRC_BYTE_SAMPLE_HALVES]; /* NULL: no requests */
	uint64_t one_in;                                           /* 0: there is no sample */
	double mean;                                               /* b, in bytes */

	/* for requests, and bytes: the first bucket from which on the misses are not mostly of a
	 * few objects */
	size_t even[2];
};

void trc_byte_sample_release(struct trc_byte_sample *s);

/* Makes `to`, which is empty, a copy of `from`. */
int trc_byte_sample_copy(struct trc_byte_sample *to, const struct trc_byte_sample *from,
                         struct trc_err *err) TRC_MUST_USE;

/* A request of `bytes` bytes to an object with this hash. */
struct trc_byte_sampled {
	uint64_t hash, bytes;
	unsigned half; /* 0 unless there are several */
};

/* Counts a request, and makes room for hits from `distance` on. */
int trc_byte_sample_request(struct trc_byte_sample *s, const struct trc_byte_sampled *r,
                            uint64_t distance, struct trc_err *err) TRC_MUST_USE;

/* Counts a hit in caches from `from` up to below `to` bytes; UINT64_MAX: all larger ones. */
void trc_byte_sample_hit(struct trc_byte_sample *s, const struct trc_byte_sampled *r, uint64_t from,
                         uint64_t to);

/* Drops the objects of a half. */
void trc_byte_sample_drop(struct trc_byte_sample *s, unsigned half);

/* Sums up the counts: call it once, at the end, after setting `one_in` and `mean`. */
int trc_byte_sample_finish(struct trc_byte_sample *s, struct trc_err *err) TRC_MUST_USE;

/* The estimated misses or missed bytes of a cache. The interval contains the true value for 95 of
 * 100 samples. */
struct trc_byte_estimate {
	uint64_t misses;
	struct trc_replicates_interval in;
};

/* Estimates the misses of a capacity; returns false if there is no estimate. */
bool trc_byte_sample_at(const struct trc_byte_sample *s, uint64_t capacity, bool bytes,
                        struct trc_byte_estimate *e);

/* Limits all values to `most`. */
void trc_byte_estimate_limit(struct trc_byte_estimate *e, uint64_t most);

#endif
