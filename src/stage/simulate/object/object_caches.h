/* SPDX-License-Identifier: MIT
 *
 * Caches of whole objects, of several policies and capacities side by side, over one trace of
 * requests. A row is one request to one object, the address of the row, in its space; its size is
 * what the object takes if it comes in, 0 if the trace has no sizes. Reads, fetches and what has no
 * type are reads; writes and modifies are writes; an invalidate deletes the object, whatever its
 * size; all else is passed over.
 */
#ifndef TRC_STAGE_SIMULATE_OBJECT_OBJECT_CACHES_H
#define TRC_STAGE_SIMULATE_OBJECT_OBJECT_CACHES_H

#include "batch/flow.h"
#include "stage/simulate/object/cache_sample.h"

enum { TRC_OBJECT_POLICIES_MOST = 16, TRC_OBJECT_CAPACITIES_MOST = 64 };

/* Which caches: each policy at each capacity, in bytes, above 0. */
struct trc_object_shape {
	const struct trc_object_policy *policy[TRC_OBJECT_POLICIES_MOST];
	size_t policies;
	const uint64_t *capacity;
	size_t capacities;
	int threads;                   /* caches are simulated beside each other */
	uint64_t seed;                 /* of random */
	uint64_t one_in;               /* one object in this many is drawn; 0: all are */
	bool reads;                    /* reads alone are in the sample */
	enum trc_object_writes writes; /* the same of all, as is: */
	uint64_t ttl;                  /* how long an object may be used; 0: for ever */
	bool eager;                    /* and it leaves then, asked for or not */
};

/* What was asked for. */
struct trc_object_totals {
	uint64_t requests[2], bytes[2]; /* by reads, by writes */
	uint64_t deletes;
	uint64_t resized; /* requests of another size than the one before to the same object */
	uint64_t empty;   /* requests of no bytes */
	uint64_t objects,
	        object_bytes; /* different ones, and what they took when they came first */
	uint64_t largest;     /* bytes of a request */
};

struct trc_object_caches {
	struct trc_object_cache *cache; /* of policy p and capacity k: [p * capacities + k] */
	size_t n;
	struct trc_object_totals totals;

	/* Of a sample: for each cache that is asked for, as many as cache_sample.h has. */
	struct trc_cache_sample sample;
	struct trc_byte_sample_bucket *missed; /* of each */
};

/* A sink for rows of the columns `have`, addresses among them. *shape and *caches must outlive it;
 * the caches have what they counted when it has finished; release them in any case. Policies that
 * look ahead keep 40 bytes a request until then. */
struct trc_sink *trc_object_caches_sink(struct trc_object_caches *caches, uint32_t have,
                                        const struct trc_object_shape *shape,
                                        struct trc_err *err) TRC_MUST_USE;
void trc_object_caches_release(void *caches);

/* Takes from what was counted what the first requests did, which the same caches saw alone:
 * different objects stay. None of them looks ahead. */
void trc_object_caches_subtract(struct trc_object_caches *caches,
                                const struct trc_object_caches *before);
void trc_object_totals_subtract(struct trc_object_totals *totals,
                                const struct trc_object_totals *before);

#endif
