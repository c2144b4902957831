/* SPDX-License-Identifier: MIT
 * The sink, state and warm-up of questions that do nothing but count references. */
#ifndef TRC_CMD_SHARD_COUNTING_H
#define TRC_CMD_SHARD_COUNTING_H

#include "cmd/shard/shard.h"

/* Returns a sink that passes each reference to q->reference(). Its state is that of the counters in
 * `query`. */
struct trc_sink *trc_counting_sink(const struct trc_query_ops *q, struct trc_query *query,
                                   struct trc_err *err) TRC_MUST_USE;

/* Subtracts the counts of the warm-up from those of all rows. */
void trc_counting_subtract(const struct trc_query_ops *q, struct trc_query *all,
                           struct trc_query *first);

/* Releases the counters. */
void trc_counting_release(const struct trc_query_ops *q, struct trc_query *query);

#endif
