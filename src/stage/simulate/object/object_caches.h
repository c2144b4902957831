/* SPDX-License-Identifier: MIT
 *
 * Caches of whole objects, with several policies and capacities side by side, for one trace of
 * requests. A row is one request to one object, which is the address of the row, in its space. Its
 * size is the size of the object when it is fetched, 0 if the trace has no sizes. Reads, fetches
 * and rows without a type are reads; writes and modifies are writes; an invalidate deletes the
 * object, whatever its size; all other rows are ignored.
 */
#ifndef TRC_STAGE_SIMULATE_OBJECT_OBJECT_CACHES_H
#define TRC_STAGE_SIMULATE_OBJECT_OBJECT_CACHES_H

#include "batch/flow.h"
#include "stage/simulate/object/cache_sample.h"

enum { TRC_OBJECT_POLICIES_MOST = 16, TRC_OBJECT_CAPACITIES_MOST = 64 };

/* Returns the policy with this index; NULL after the last. Policies that are also in
 * stage/simulate/policy/policy.h have the same names there. */
const struct trc_object_policy *trc_object_policy(size_t i);

/* How long an object may be used after it was fetched or last written: as column `ttl` has it for
 * the request that did so. */
struct trc_object_lives {
	bool there;     /* false: unlimited, whatever that column has */
	uint64_t other; /* time to live if the column has 0 or is missing; 0: unlimited */
};

/* The caches: each policy at each capacity, in bytes, above 0. */
struct trc_object_shape {
	const struct trc_object_policy *policy[TRC_OBJECT_POLICIES_MOST];
	size_t policies;
	const uint64_t *capacity;
	size_t capacities;
	int threads;                   /* number of caches simulated at the same time */
	uint64_t seed;                 /* of policy random */
	uint64_t one_in;               /* sample one object in this many; 0: all */
	bool reads;                    /* only reads count in the sample */
	enum trc_object_writes writes; /* same for all caches, like `lives` and `eager` */
	struct trc_object_lives lives; /* not with policies that look ahead */
	bool ones;                     /* capacities are in objects */
	bool eager;                    /* expired objects are removed at once */
};

/* Totals of the requests. */
struct trc_object_totals {
	uint64_t requests[2], bytes[2]; /* of reads, of writes */
	uint64_t deletes;

	/* Requests with a size that differs from that of the last request to the object. */
	uint64_t resized;
	uint64_t empty; /* requests of 0 bytes */

	/* Distinct objects, and the sum of their first sizes. */
	uint64_t objects, object_bytes;
	uint64_t largest; /* size of the largest request */
};

struct trc_object_caches {
	/* of policy p and capacity k: [p * capacities + k] */
	struct trc_object_cache *cache;
	size_t n;
	struct trc_object_totals totals;

	/* Of a sample: for each requested cache, as many as cache_sample.h has. */
	struct trc_cache_sample sample;
	struct trc_byte_sample_bucket *missed; /* for each cache */
};

/* Makes a sink for rows with the columns `have`, which include addresses. *shape and *caches must
 * outlive it. The counts are complete after finish; release them in any case. Policies that look
 * ahead keep 40 bytes per request until then. */
struct trc_sink *trc_object_caches_sink(struct trc_object_caches *caches, uint32_t have,
                                        const struct trc_object_shape *shape,
                                        struct trc_err *err) TRC_MUST_USE;
void trc_object_caches_release(void *caches);

/* Subtract the counts of the first requests, which the same caches saw alone; distinct objects are
 * not changed. Not for policies that look ahead. */
void trc_object_caches_subtract(struct trc_object_caches *caches,
                                const struct trc_object_caches *before);
void trc_object_totals_subtract(struct trc_object_totals *totals,
                                const struct trc_object_totals *before);

#endif
