/* SPDX-License-Identifier: MIT
 *
 * A fingerprint of each column: XXH3 (64 bits) of its values in order, each little-endian at the
 * width of the column, whatever batches they came in; of events, for each row that is one, its
 * ordinal in the trace (8 bytes, from 0) and its text with the NUL behind it.
 */
#ifndef TRC_BATCH_FINGERPRINT_H
#define TRC_BATCH_FINGERPRINT_H

#include "batch/batch.h"

/* A fingerprint in the making. */
struct trc_fingerprint {
	bool wide;                                         /* the processor has wide vectors */
	struct trc_fingerprint_column *state[TRC_COLUMNS]; /* NULL for columns that the trace
	                                                    * lacks */
	uint64_t rows;                                     /* so far */
};

int trc_fingerprint_init(struct trc_fingerprint *d, uint32_t have,
                         struct trc_err *err) TRC_MUST_USE;
void trc_fingerprint_release(void *d);

/* Begins anew. */
void trc_fingerprint_reset(struct trc_fingerprint *d);

/* Adds rows [from, from + n). */
void trc_fingerprint_update(struct trc_fingerprint *d, const struct trc_batch *b, size_t from,
                            size_t n);

/* The fingerprint of one column that is there, and that of all columns together. */
uint64_t trc_fingerprint_column(const struct trc_fingerprint *d, enum trc_column c);
uint64_t trc_fingerprint_all(const struct trc_fingerprint *d);

#endif
