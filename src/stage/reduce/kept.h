/* SPDX-License-Identifier: MIT
 *
 * What is left of a trace that is reduced in parts, on its way from one part to the whole: a sink
 * that keeps rows, whose state can be saved, and be appended to that of the rows before; and the
 * source that gives them to what joins them, or reduces them again.
 */
#ifndef TRC_STAGE_REDUCE_KEPT_H
#define TRC_STAGE_REDUCE_KEPT_H

#include "stage/reduce/join.h"

/* A sink for the rows of `from`, which may have none: a trace of pages that trc_stage_drop()
 * reduced as a part, or that nobody did. `pages` is the stage of trc_stage_page() in it, which
 * counts what came; `block`: neighbours of the same page were merged, and are at the seams;
 * `settles`: parts are joined, as trc_drop_settles() has it, so `from` is trc_stage_drop() itself.
 * Both must outlive the sink. */
struct trc_sink *trc_kept_sink(struct trc_source *from, const struct trc_source *pages, bool block,
                               bool settles, struct trc_err *err) TRC_MUST_USE;

/* References of all parts that were appended, whether they are among the rows or not. */
uint64_t trc_kept_refs(const struct trc_sink *sink);

/* A source of the rows that were appended to the sink, which must outlive it, as a trace of this
 * meta; unless parts are joined, neighbours are merged at the seams. */
struct trc_source *trc_kept_source(const struct trc_sink *sink, const struct trc_meta *meta,
                                   struct trc_err *err) TRC_MUST_USE;

/* For trc_stage_join() around that source. */
trc_settled_fn trc_kept_settled;

#endif
