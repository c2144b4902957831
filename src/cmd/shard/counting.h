/* SPDX-License-Identifier: MIT
 * Questions that count references into counters: what they share with a sink, a state and a warm-up
 * follows from that. */
#ifndef TRC_CMD_SHARD_COUNTING_H
#define TRC_CMD_SHARD_COUNTING_H

#include "cmd/shard/shard.h"

/* A sink that gives each reference to q->reference(), and whose state is that of the counters of
 * `asked`. */
struct trc_sink *trc_counting_sink(const struct trc_question *q, struct trc_asked *asked,
                                   struct trc_err *err) TRC_MUST_USE;

/* Takes what was counted in the warm-up from what was counted of all. */
void trc_counting_subtract(const struct trc_question *q, struct trc_asked *all,
                           struct trc_asked *first);

/* Releases the counters. */
void trc_counting_release(const struct trc_question *q, struct trc_asked *asked);

#endif
