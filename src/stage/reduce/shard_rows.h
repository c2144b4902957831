/* SPDX-License-Identifier: MIT
 *
 * The remaining rows of a trace that is reduced in slices: a sink that stores rows, whose state can
 * be saved, and be appended to that of the rows before; and a source of these rows, for the stage
 * that joins them or reduces them again.
 */
#ifndef TRC_STAGE_REDUCE_SHARD_ROWS_H
#define TRC_STAGE_REDUCE_SHARD_ROWS_H

#include "stage/reduce/join.h"

/* Makes a sink for the rows of `from`, a trace of pages that trc_stage_drop() reduced as a slice,
 * or that was not reduced. It may have no rows. `pages` is the stage of trc_stage_page() in it,
 * which counts the references. `block`: adjacent rows of the same page are merged, also between
 * slices. `decides`: slices are joined, as trc_drop_decides() returns, and `from` is
 * trc_stage_drop() itself. Both sources must outlive the sink. */
struct trc_sink *trc_shard_rows_sink(struct trc_source *from, const struct trc_source *pages,
                                     bool block, bool decides, struct trc_err *err) TRC_MUST_USE;

/* Returns the number of references of all appended slices, including those that were dropped. */
uint64_t trc_shard_rows_refs(const struct trc_sink *sink);

/* Makes a source of the rows that were appended to the sink, which must outlive it, as a trace with
 * this meta. Unless slices are joined, adjacent rows are merged where slices meet. */
struct trc_source *trc_shard_rows_source(const struct trc_sink *sink, const struct trc_meta *meta,
                                         struct trc_err *err) TRC_MUST_USE;

/* For trc_stage_join() around that source. */
trc_decided_fn trc_shard_rows_decided;

#endif
