/* SPDX-License-Identifier: MIT
 *
 * Decompresses bytes in memory. Up to TRC_UNPACK_SLACK bytes after those that these functions
 * append to a buffer may be read.
 */
#ifndef TRC_FORMAT_COLUMNAR_UNPACK_H
#define TRC_FORMAT_COLUMNAR_UNPACK_H

#include "base/buf.h"
#include "base/io/packing.h"

enum { TRC_UNPACK_SLACK = 16 };

/* Append the `want` bytes that the `n` bytes at `p` decompress to, or fail. */
int trc_unpack_bytes(const struct trc_packing *row, const uint8_t *p, size_t n, size_t want,
                     struct trc_buf *to, struct trc_err *err) TRC_MUST_USE;
int trc_unpack_snappy(const uint8_t *p, size_t n, size_t want, struct trc_buf *to,
                      struct trc_err *err) TRC_MUST_USE;

#endif
