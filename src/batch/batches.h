/* SPDX-License-Identifier: MIT
 *
 * A growing list of batches, for rows that have to be kept.
 */
#ifndef TRC_BATCH_BATCHES_H
#define TRC_BATCH_BATCHES_H

#include "batch/batch.h"

/* A list of batches: the first `n` have rows, and `room` exist. Zeroed memory is an empty list;
 * releasing frees its memory. */
struct trc_batches {
	struct trc_batch *batch;
	size_t n, room, cap;
};

void trc_batches_release(struct trc_batches *l);

/* Returns the batch after those with rows, for the columns `have`, with room for TRC_BATCH_ROWS;
 * NULL without memory. The caller fills it and increments `n`. */
struct trc_batch *trc_batches_next(struct trc_batches *l, uint32_t have, struct trc_err *err);

/* A position in a list: row `at` of batch `i`. */
struct trc_batches_at {
	size_t i, at;
};

/* Appends rows from *place on to `b` while it has room, and advances *place. */
void trc_batches_copy(const struct trc_batches *l, struct trc_batches_at *place,
                      struct trc_batch *b);

#endif
