/* SPDX-License-Identifier: MIT
 *
 * The misses that any cache of a capacity has at least, also one that knows the future and admits
 * only what it likes. To hit, an object has to be in the cache from its last request on; that takes
 * its size, as long as it takes. A cache of C bytes has C times the length of the trace in all, so
 * the hits are at most as many as of the cheapest fit into that (PFOO-L: D. S. Berger, N. Beckmann,
 * M. Harchol-Balter, "Practical bounds on optimal caching with variable object sizes", POMACS
 * 2018). For bytes, the cheapest are those of the shortest time. As there, the last to fit counts
 * as a whole.
 */
#ifndef TRC_STAGE_SIMULATE_OBJECT_BOUND_H
#define TRC_STAGE_SIMULATE_OBJECT_BOUND_H

#include "stage/simulate/object/requests.h"

/* Of `n` requests in order to `objects` objects, which are asked for again at `next`, UINT64_MAX
 * for never: sets misses and missed bytes of each capacity. */
int trc_object_bound(const struct trc_request *request, const uint64_t *next, size_t n,
                     uint32_t objects, const uint64_t *capacity, size_t capacities,
                     struct trc_object_counts *counts, struct trc_err *err) TRC_MUST_USE;

#endif
