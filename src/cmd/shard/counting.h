/* SPDX-License-Identifier: MIT
 * The sink, state and warm-up of questions that do nothing but count references. */
#ifndef TRC_CMD_SHARD_COUNTING_H
#define TRC_CMD_SHARD_COUNTING_H

#include "cmd/shard/shard.h"

/* Returns a sink that passes each reference to q->reference(). Its state is that of the counters in
 * `asked`. */
struct trc_sink *trc_counting_sink(const struct trc_question *q, struct trc_asked *asked,
                                   struct trc_err *err) TRC_MUST_USE;

/* Subtracts the counts of the warm-up from those of all rows. */
void trc_counting_subtract(const struct trc_question *q, struct trc_asked *all,
                           struct trc_asked *first);

/* Releases the counters. */
void trc_counting_release(const struct trc_question *q, struct trc_asked *asked);

#endif
