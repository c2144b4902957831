/* SPDX-License-Identifier: MIT
 *
 * A fingerprint of each column: XXH3 (64 bits) of its values in order, each little-endian at the
 * width of the column, whatever batches they came in; of events, for each row that is one, its
 * ordinal in the trace (8 bytes, from 0) and its text with the NUL behind it.
 */
#ifndef TRC_BATCH_FINGERPRINT_H
#define TRC_BATCH_FINGERPRINT_H

#include "batch/batch.h"

struct trc_digest {
	bool wide; /* the processor has wide vectors */
	struct trc_digest_column *state[TRC_COLUMNS]; /* NULL for columns that are not there */
	uint64_t rows;                                /* so far */
};

int trc_digest_init(struct trc_digest *d, uint32_t have, struct trc_err *err) TRC_MUST_USE;
void trc_digest_release(struct trc_digest *d);

/* Begins anew. */
void trc_digest_reset(struct trc_digest *d);

/* Adds rows [from, from + n). */
void trc_digest_update(struct trc_digest *d, const struct trc_batch *b, size_t from, size_t n);

/* The fingerprint of one column that is there, and that of all columns together. */
uint64_t trc_digest_column(const struct trc_digest *d, enum trc_column c);
uint64_t trc_digest_all(const struct trc_digest *d);

#endif
