/* SPDX-License-Identifier: MIT
 *
 * A lower bound for the misses of any cache of a capacity, even one that knows the future and
 * admits only what it likes. For a hit, an object must be in the cache since its last request,
 * which occupies its size for that time. A cache of C bytes offers C times the length of the trace
 * in total. So there are at most as many hits as of the cheapest fit into that (PFOO-L: D. S.
 * Berger, N. Beckmann, M. Harchol-Balter, "Practical bounds on optimal caching with variable object
 * sizes", POMACS 2018). For missed bytes, the cheapest hits are those of the shortest time. As in
 * the paper, the last hit that fits partially counts as a whole.
 */
#ifndef TRC_STAGE_SIMULATE_OBJECT_BOUND_H
#define TRC_STAGE_SIMULATE_OBJECT_BOUND_H

#include "stage/simulate/object/requests.h"

/* Sets the misses and missed bytes for each capacity, given `n` requests in order to `objects`
 * objects, each of which is requested again at `next`; UINT64_MAX: never. */
int trc_object_bound(const struct trc_request *request, const uint64_t *next, size_t n,
                     uint32_t objects, const uint64_t *capacity, size_t capacities,
                     struct trc_object_counts *counts, struct trc_err *err) TRC_MUST_USE;

#endif
