/* SPDX-License-Identifier: MIT
 *
 * A compact temporary form of rows, for temporary files and the partial results of shards. It has
 * the signed differences from row to row of each column, as numbers of base/buf.h; and for each
 * event, the number of rows since the previous one, and its text with a NUL.
 */
#ifndef TRC_BATCH_PACKED_H
#define TRC_BATCH_PACKED_H

#include "base/buf.h"
#include "batch/batch.h"

/* Appends all rows of a batch to `out`, packed; their columns and number must be known to unpack
 * them. */
int trc_batch_pack(const struct trc_batch *b, struct trc_buf *out,
                   struct trc_err *err) TRC_MUST_USE;

/* Unpacks all of `v`, `rows` rows, into `b`, which must have the same columns and room for them. If
 * they are damaged, the error does not mention the file. */
int trc_batch_unpack(struct trc_view v, struct trc_batch *b, size_t rows,
                     struct trc_err *err) TRC_MUST_USE;

/* trc_rows_pack() also stores the number of rows and bytes in front, so packed batches can be
 * concatenated. trc_rows_unpack() takes one from the front of *v. */
int trc_rows_pack(const struct trc_batch *b, struct trc_buf *out, struct trc_err *err) TRC_MUST_USE;
int trc_rows_unpack(struct trc_view *v, struct trc_batch *b, struct trc_err *err) TRC_MUST_USE;

/* Returns true if `v` consists of packed batches of at most TRC_BATCH_ROWS each, with `rows` rows
 * in total. */
bool trc_rows_check(struct trc_view v, uint64_t rows);

#endif
