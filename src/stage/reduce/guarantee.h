/* SPDX-License-Identifier: MIT
 *
 * What a trace is exact for after another reduction.
 */
#ifndef TRC_STAGE_REDUCE_GUARANTEE_H
#define TRC_STAGE_REDUCE_GUARANTEE_H

#include "stage/simulate/cache/cache.h"
#include "stage/stage.h"

/* Updates *p, the guarantee of the trace before, for a reduction; not for one by sets of a cache.
 * Fails if the trace before is not exact for what the reduction preserves. */
int trc_guarantee_reduce(struct trc_guarantee *p, const struct trc_reduction *how,
                         struct trc_err *err) TRC_MUST_USE;

/* Returns the guarantee of a trace after the caches `shape`, as trc_stage_strip() takes them. */
struct trc_guarantee trc_cache_guarantee(const struct trc_cache_shape *shape, size_t shapes,
                                         bool below);

/* Adds the guarantee `caches` to *p. Fails if the trace before was reduced for anything else. */
int trc_guarantee_cache(struct trc_guarantee *p, const struct trc_guarantee *caches,
                        struct trc_err *err) TRC_MUST_USE;

#endif
