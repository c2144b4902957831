/* SPDX-License-Identifier: MIT
 *
 * What a trace is exact for when it was reduced once more.
 */
#ifndef TRC_STAGE_PROMISE_H
#define TRC_STAGE_PROMISE_H

#include "stage/cache.h"
#include "stage/stage.h"

/* Changes *meta, of the trace before, to that of the reduced one; not where the memories are sets
 * of a cache. Fails if that trace had already lost what the reduction is to keep. */
int trc_promise(struct trc_meta *meta, const struct trc_reduction *how,
                struct trc_err *err) TRC_MUST_USE;

/* What the caches `shape`, as trc_stage_strip() takes them, make of a trace: facts of its meta. */
struct trc_meta trc_cache_promise(const struct trc_cache_shape *shape, size_t shapes, bool behind);

/* Adds these facts to *meta. Fails if that trace was reduced for anything else before. */
int trc_promise_cache(struct trc_meta *meta, const struct trc_meta *facts,
                      struct trc_err *err) TRC_MUST_USE;

#endif
