/* SPDX-License-Identifier: MIT
 *
 * Rows in few bytes for a while: in a temporary file, in the partial result of a shard. Of each
 * column the signed differences from row to row, as numbers of base/buf.h; of each event how many
 * rows it is behind the one before, and its text with a NUL.
 */
#ifndef TRC_BATCH_PACKED_H
#define TRC_BATCH_PACKED_H

#include "base/buf.h"
#include "batch/batch.h"

int trc_batch_pack(const struct trc_batch *b, struct trc_buf *out,
                   struct trc_err *err) TRC_MUST_USE;

/* The `rows` rows of all of `v` into `b`, which has the same columns, and room for them. Fails if
 * they cannot be read, without a word on where they stood. */
int trc_batch_unpack(struct trc_view v, struct trc_batch *b, size_t rows,
                     struct trc_err *err) TRC_MUST_USE;

/* The same with how many rows and bytes it is in front, so that one may follow another: to be
 * appended, and taken from the front. */
int trc_rows_pack(const struct trc_batch *b, struct trc_buf *out, struct trc_err *err) TRC_MUST_USE;
int trc_rows_unpack(struct trc_view *v, struct trc_batch *b, struct trc_err *err) TRC_MUST_USE;

/* True if `v` is batches that have `rows` rows together, each no more than TRC_BATCH_ROWS. */
bool trc_rows_check(struct trc_view v, uint64_t rows);

#endif
