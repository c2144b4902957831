/* SPDX-License-Identifier: MIT
 *
 * A list of batches that grows: rows that are kept on their way.
 */
#ifndef TRC_BATCH_BATCHES_H
#define TRC_BATCH_BATCHES_H

#include "batch/batch.h"

/* The first `n` batches have rows; `room` are there, for rows to come. Zeroed memory is an empty
 * list; release frees. */
struct trc_batches {
	struct trc_batch *batch;
	size_t n, room, cap;
};

void trc_batches_release(struct trc_batches *l);

/* The batch behind those that have rows, of the columns `have`, with room for TRC_BATCH_ROWS; NULL
 * if there can be none. Whoever fills it counts it. */
struct trc_batch *trc_batches_next(struct trc_batches *l, uint32_t have, struct trc_err *err);

/* A place in a list: row `at` of batch `i`. */
struct trc_batches_at {
	size_t i, at;
};

/* Appends rows from a place on to `b`, as long as it has room, and moves behind them. */
void trc_batches_copy(const struct trc_batches *l, struct trc_batches_at *place,
                      struct trc_batch *b);

#endif
