/* SPDX-License-Identifier: MIT
 *
 * Computes a fingerprint of each column: XXH3 (64 bits) of its values in order, each little-endian
 * with the width of the column, independent of how they were divided into batches. For events, it
 * hashes for each one its row number in the trace (8 bytes, from 0) and its text including the
 * NUL.
 */
#ifndef TRC_BATCH_FINGERPRINT_H
#define TRC_BATCH_FINGERPRINT_H

#include "batch/batch.h"

/* The state of a fingerprint. */
struct trc_fingerprint {
	bool wide;                                         /* the processor has wide vectors */
	struct trc_fingerprint_column *state[TRC_COLUMNS]; /* NULL: no such column */
	uint64_t rows;                                     /* number so far */
};

int trc_fingerprint_init(struct trc_fingerprint *d, uint32_t have,
                         struct trc_err *err) TRC_MUST_USE;
void trc_fingerprint_release(void *d);

/* Starts again. */
void trc_fingerprint_reset(struct trc_fingerprint *d);

/* Adds rows [from, from + n). */
void trc_fingerprint_update(struct trc_fingerprint *d, const struct trc_batch *b, size_t from,
                            size_t n);

/* Return the fingerprint of one existing column, and that of all columns together. */
uint64_t trc_fingerprint_column(const struct trc_fingerprint *d, enum trc_column c);
uint64_t trc_fingerprint_all(const struct trc_fingerprint *d);

#endif
