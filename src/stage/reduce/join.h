/* SPDX-License-Identifier: MIT
 *
 * Parts of a trace, each reduced by SAD as a part, become what the reduction of the whole leaves.
 */
#ifndef TRC_STAGE_REDUCE_JOIN_H
#define TRC_STAGE_REDUCE_JOIN_H

#include "stage/reduce/settled.h"
#include "stage/stage.h"

/* What is known of the part that the rows of the batch are of which `from` gave last; valid until
 * it gives the next. No batch has rows of two parts. */
typedef const struct trc_settled *trc_settled_fn(const struct trc_source *from);

/* Wraps `from`, the rows of one part behind those of the other. `block`: neighbours of the same
 * page were merged, and are where two parts meet. For reductions that trc_drop_settles(). */
struct trc_source *trc_stage_join(struct trc_source *from, trc_settled_fn *settled,
                                  const struct trc_reduction *how, bool block,
                                  struct trc_err *err) TRC_MUST_USE;

/* True if what is known of a part that is reduced like this is enough to join it with others: a
 * memory for the whole trace, and no windows. */
bool trc_drop_settles(const struct trc_reduction *how);

/* Takes out what trc_stage_drop() knows of a part, whose rows it has all given. */
void trc_drop_settled(struct trc_source *src, struct trc_settled *settled);

#endif
