/* SPDX-License-Identifier: MIT
 *
 * Hits of a sample of the objects (SHARDS; stage/reduce/sample.c has the source, and the hash), and
 * how far the misses that follow from it may be from those of all: the same reasoning as in
 * stage/simulate/replicates.h. The distance of a request is its own bytes, and N times the sampled
 * ones above, if one object in N is in the sample: the sum of what is drawn there by chance has the
 * standard error sqrt((N - 1) b C) for C bytes, where b is the mean size of the object that a byte
 * belongs to. So the misses at C lie between those that the sample has at C plus and minus 2.5 of
 * these, less and plus 2.5 standard errors of the groups.
 *
 * A sample of so many objects begins with all, and goes on with half of them whenever there are too
 * many. What counts at the end is what those did that are left, by distances that were measured
 * with at least as many: each halving of the hash has counts of its own until then.
 *
 * Zeroed memory may be released.
 */
#ifndef TRC_STAGE_SIMULATE_OBJECT_BYTE_SAMPLE_H
#define TRC_STAGE_SIMULATE_OBJECT_BYTE_SAMPLE_H

#include "stage/simulate/replicates.h"

enum { TRC_BYTE_SAMPLE_HALVES = 40 };

/* Of each group: hits in caches of this bucket (buckets.h) and larger ones that are not in those of
 * the one before; when it has finished, the misses. */
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
	double mean;                                               /* bytes: b */
	size_t even[2]; /* of requests, of bytes: no few objects have most from this bucket on */
};

void trc_byte_sample_release(struct trc_byte_sample *s);

/* Makes `to`, which is empty, a copy. */
int trc_byte_sample_copy(struct trc_byte_sample *to, const struct trc_byte_sample *from,
                         struct trc_err *err) TRC_MUST_USE;

/* A request of `bytes` bytes for an object of this hash. */
struct trc_byte_sampled {
	uint64_t hash, bytes;
	unsigned half; /* 0, unless there are several */
};

/* Counts it, and makes room for hits from `distance` on. */
int trc_byte_sample_request(struct trc_byte_sample *s, const struct trc_byte_sampled *r,
                            uint64_t distance, struct trc_err *err) TRC_MUST_USE;

/* It hits in caches from `from` up to below `to` bytes; UINT64_MAX: from there on. */
void trc_byte_sample_hit(struct trc_byte_sample *s, const struct trc_byte_sampled *r, uint64_t from,
                         uint64_t to);

/* The objects of a half are left out. */
void trc_byte_sample_drop(struct trc_byte_sample *s, unsigned half);

/* Sums up: once, at the end, when `one_in` and `mean` are set. */
int trc_byte_sample_finish(struct trc_byte_sample *s, struct trc_err *err) TRC_MUST_USE;

/* The misses of a cache, or the bytes missed: the interval holds the truth in 95 of 100 samples. */
struct trc_byte_estimate {
	uint64_t misses;
	struct trc_replicates_interval in;
};

/* False: there is no estimate. */
bool trc_byte_sample_at(const struct trc_byte_sample *s, uint64_t capacity, bool bytes,
                        struct trc_byte_estimate *e);

/* None is above `most`. */
void trc_byte_estimate_limit(struct trc_byte_estimate *e, uint64_t most);

#endif
