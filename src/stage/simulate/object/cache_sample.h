/* SPDX-License-Identifier: MIT
 *
 * Simulates caches of any policy with a sample of the objects (miniature simulation: C.
 * Waldspurger, T. Saemundsson, I. Ahmad, N. Park, "Cache modeling and optimization using miniature
 * simulations", USENIX ATC 2017): a cache of C bytes becomes one of C / N if one object in N is
 * sampled. The capacity that this stands for is uncertain, as in byte_sample.h. So smaller and
 * larger caches are simulated, too, and the misses are between those of both, each with the
 * standard errors of the groups. There is no estimate if the largest object does not fit into one
 * of these scaled-down caches.
 */
#ifndef TRC_STAGE_SIMULATE_OBJECT_CACHE_SAMPLE_H
#define TRC_STAGE_SIMULATE_OBJECT_CACHE_SAMPLE_H

#include "stage/simulate/object/byte_sample.h"
#include "stage/simulate/object/object_cache.h"

enum { TRC_CACHE_SAMPLE_FACTORS = 11 }; /* caches simulated for each requested one */

struct trc_cache_sample {
	uint64_t one_in;
	uint64_t largest; /* bytes of the largest request */
	double mean;      /* b of byte_sample.h */
};

/* Returns the capacity of the i-th simulated cache; the first stands for the requested one. */
uint64_t trc_cache_sample_capacity(uint64_t capacity, uint64_t one_in, size_t i);

/* Estimates the misses of the requested cache from `missed` of all simulated ones; returns false if
 * there is no estimate. */
bool trc_cache_sample_at(const struct trc_object_cache *c,
                         const struct trc_byte_sample_bucket *missed,
                         const struct trc_cache_sample *s, bool bytes, struct trc_byte_estimate *e);

#endif
