/* SPDX-License-Identifier: MIT
 *
 * A column by itself: numbers of which nothing is known but that neighbours may be alike. They, or
 * their differences, are all alike, fields of 1 to 8 bytes, or a table and indices in it: packed
 * streams of codec/stream/pack.h. container/SPEC.md, "Packed columns", has the form.
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
