/* SPDX-License-Identifier: MIT
 *
 * What a trace is exact for when it was reduced once more.
 */
#ifndef TRC_STAGE_REDUCE_GUARANTEE_H
#define TRC_STAGE_REDUCE_GUARANTEE_H

#include "stage/simulate/cache/cache.h"
#include "stage/stage.h"

/* Changes *p, of the trace before, to that of the reduced one; not where the memories are sets of a
 * cache. Fails if that trace had already lost what the reduction is to keep. */
int trc_guarantee_reduce(struct trc_guarantee *p, const struct trc_reduction *how,
                         struct trc_err *err) TRC_MUST_USE;

/* What holds of a trace behind the caches `shape`, as trc_stage_strip() takes them. */
struct trc_guarantee trc_cache_guarantee(const struct trc_cache_shape *shape, size_t shapes,
                                         bool behind);

/* Adds that to *p. Fails if the trace before was reduced for anything else. */
int trc_guarantee_cache(struct trc_guarantee *p, const struct trc_guarantee *caches,
                        struct trc_err *err) TRC_MUST_USE;

#endif
