/* SPDX-License-Identifier: MIT
 *
 * Caches of any policy from a sample of the objects (miniature simulation: C. Waldspurger, T.
 * Saemundsson, I. Ahmad, N. Park, "Cache modeling and optimization using miniature simulations",
 * USENIX ATC 2017): a cache of C bytes is one of C / N where one object in N is in the sample.
 * Which cache that stands for is uncertain as in byte_sample.h, so smaller and larger ones are
 * simulated, too, and the misses are between those of both, each with the standard errors of the
 * groups. Nothing is claimed where one of these, scaled down, does not admit the largest object.
 */
#ifndef TRC_STAGE_SIMULATE_OBJECT_CACHE_SAMPLE_H
#define TRC_STAGE_SIMULATE_OBJECT_CACHE_SAMPLE_H

#include "stage/simulate/object/byte_sample.h"
#include "stage/simulate/object/object_cache.h"

enum { TRC_CACHE_SAMPLE_FACTORS = 11 }; /* caches for each that is asked for */

struct trc_cache_sample {
	uint64_t one_in;
	uint64_t largest; /* bytes of a request */
	double mean;      /* b of byte_sample.h */
};

/* The capacity of the i-th cache, the first of which stands for the one that is asked for. */
uint64_t trc_cache_sample_capacity(uint64_t capacity, uint64_t one_in, size_t i);

/* What that one misses, from `missed` of all; false: there is no estimate. */
bool trc_cache_sample_at(const struct trc_object_cache *c,
                         const struct trc_byte_sample_bucket *missed,
                         const struct trc_cache_sample *s, bool bytes, struct trc_byte_estimate *e);

#endif
