/* SPDX-License-Identifier: MIT
 *
 * What is left of a trace that is reduced in parts, on its way from one part to the whole: a sink
 * that keeps rows, whose state can be saved, and be appended to that of the rows before; and the
 * source that gives them to the second half of the reduction.
 */
#ifndef TRC_STAGE_REDUCE_KEPT_H
#define TRC_STAGE_REDUCE_KEPT_H

#include "stage/stage.h"

/* A sink for the rows of `from`, which may have none: a trace of pages that trc_stage_drop()
 * reduced as a part, or that nobody did. `pages` is the stage of trc_stage_page() in it, which
 * counts what came; `block`: neighbours of the same page were merged, and are at the seams. Both
 * must outlive the sink. */
struct trc_sink *trc_kept_sink(const struct trc_source *from, const struct trc_source *pages,
                               bool block, struct trc_err *err) TRC_MUST_USE;

/* References that came, whether they are among the rows or not. */
uint64_t trc_kept_refs(const struct trc_sink *sink);

/* A source of the rows that the sink has, which must outlive it, as a trace of this meta. */
struct trc_source *trc_kept_source(const struct trc_sink *sink, const struct trc_meta *meta,
                                   struct trc_err *err) TRC_MUST_USE;

#endif
