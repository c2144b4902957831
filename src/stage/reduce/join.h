/* SPDX-License-Identifier: MIT
 *
 * Joins slices of a trace, each reduced by SAD as a slice, so that the result is the reduction of
 * the whole trace.
 */
#ifndef TRC_STAGE_REDUCE_JOIN_H
#define TRC_STAGE_REDUCE_JOIN_H

#include "stage/reduce/settled.h"
#include "stage/stage.h"

/* Returns what is known of the slice whose rows `from` returned last; valid until it returns more.
 * A batch never has rows of two slices. */
typedef const struct trc_settled *trc_settled_fn(const struct trc_source *from);

/* Wraps `from`, which has the rows of slices one after another. `block`: adjacent rows of the same
 * page were merged, and are merged where two slices meet. Only for reductions that
 * trc_drop_settles(). */
struct trc_source *trc_stage_join(struct trc_source *from, trc_settled_fn *settled,
                                  const struct trc_reduction *how, bool block,
                                  struct trc_err *err) TRC_MUST_USE;

/* Returns true if slices reduced in this way can be joined: with one memory for the whole trace,
 * and no windows. */
bool trc_drop_settles(const struct trc_reduction *how);

/* Moves out what trc_stage_drop() knows of a slice, after all of its rows. */
void trc_drop_settled(struct trc_source *src, struct trc_settled *settled);

#endif
