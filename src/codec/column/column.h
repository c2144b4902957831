/* SPDX-License-Identifier: MIT
 *
 * A single column: numbers about which nothing is known except that neighbours may be similar. The
 * values, or their differences, are stored as one constant, as fields of 1 to 8 bytes, or as a
 * table with indices into it, in packed streams of codec/stream/pack.h. container/SPEC.md, "Packed
 * columns", specifies the format.
 */
#ifndef TRC_CODEC_COLUMN_COLUMN_H
#define TRC_CODEC_COLUMN_COLUMN_H

#include "codec/stream/pack.h"

/* Appends `n` > 0 values to `out`, in the form that seems smallest. */
int trc_column_write(const uint64_t *v, size_t n, int level, struct trc_buf *out,
                     struct trc_err *err) TRC_MUST_USE;

/* Does the same sooner: of the widths of fields, only the narrowest one is tried. */
int trc_column_write_narrow(const uint64_t *v, size_t n, int level, struct trc_buf *out,
                            struct trc_err *err) TRC_MUST_USE;

/* Reads `n` values from `in`. */
int trc_column_read(struct trc_view *in, uint64_t *v, size_t n, struct trc_err *err) TRC_MUST_USE;

/* Does the same, but only v[from] up to, not including, v[to] are valid; nothing is stored after
 * them, and values before them are undefined. */
int trc_column_read_part(struct trc_view *in, uint64_t *v, size_t n, size_t from, size_t to,
                         struct trc_err *err) TRC_MUST_USE;

#endif
