/* SPDX-License-Identifier: MIT
 *
 * Joins slices of a trace, each reduced by SAD as a slice, so that the result is the reduction of
 * the whole trace.
 */
#ifndef TRC_STAGE_REDUCE_JOIN_H
#define TRC_STAGE_REDUCE_JOIN_H

#include "stage/reduce/decided.h"
#include "stage/stage.h"

/* Returns what is known about the slice whose rows `from` returned last; valid until it returns
 * more. A batch never has rows of two slices. */
typedef const struct trc_decided *trc_decided_fn(const struct trc_source *from);

/* Wraps `from`, which has the rows of slices one after another. `block`: adjacent rows of the same
 * page were merged, and are merged where two slices meet. Only for reductions that
 * trc_drop_decides(). */
struct trc_source *trc_stage_join(struct trc_source *from, trc_decided_fn *decided,
                                  const struct trc_reduction *how, bool block,
                                  struct trc_err *err) TRC_MUST_USE;

/* Returns true if slices reduced in this way can be joined: with one memory for the whole trace,
 * and no windows. */
bool trc_drop_decides(const struct trc_reduction *how);

/* Moves out what trc_stage_drop() knows of a slice, after all of its rows. */
void trc_drop_decided(struct trc_source *src, struct trc_decided *decided);

#endif
