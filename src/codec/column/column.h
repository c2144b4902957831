/* SPDX-License-Identifier: MIT
 *
 * A column by itself: numbers of which nothing is known but that neighbours may be alike.
 *
 *   packed column:  form (1 byte): 16 * change + shape; for change 1 the first value (LEB128); then
 *                   the values, or the others
 *   change   what is written of each value: 0 itself; 1 its difference to the one before, zigzag:
 *            0, -1, 1, -2 become 0, 1, 2, 3
 *   shape    0 all alike: the number (LEB128)
 *            1, 2, 3, 4: fields of 1, 2, 4, 8 bytes, most significant first: a packed stream
 *            5, 6: indices of 1 or 2 bytes in a table, in order of first appearance: packed streams
 *                  of the table (8 bytes each) and the indices
 *
 * Packed streams are those of codec/stream/pack.h.
 */
#ifndef TRC_CODEC_COLUMN_COLUMN_H
#define TRC_CODEC_COLUMN_COLUMN_H

#include "codec/stream/pack.h"

/* Appends `n` > 0 values to `out`, in the form that looks smallest. */
int trc_column_write(const uint64_t *v, size_t n, int level, struct trc_buf *out,
                     struct trc_err *err) TRC_MUST_USE;

/* Takes `n` values from `in`. */
int trc_column_read(struct trc_view *in, uint64_t *v, size_t n, struct trc_err *err) TRC_MUST_USE;

/* The same for v[from] up to before v[to] alone: nothing is put behind that, and what is before it
 * may be anything. */
int trc_column_read_part(struct trc_view *in, uint64_t *v, size_t n, size_t from, size_t to,
                         struct trc_err *err) TRC_MUST_USE;

#endif
