/* SPDX-License-Identifier: MIT
 *
 * A stream packed by context mixing (M. V. Mahoney, "Adaptive Weighing of Context Models for
 * Lossless Data Compression", 2005; lpaq1): smaller than LZMA and about fifty times slower to read.
 * Each bit of a symbol is predicted from seven contexts and the longest match:
 * codec/mixing/predictor.h. The contexts are orders of preceding bytes or, for fields of several
 * bytes, of fields and columns. container/SPEC.md, "Context mixing", specifies the stream exactly.
 */
#ifndef TRC_CODEC_STREAM_CONTEXT_MIXING_H
#define TRC_CODEC_STREAM_CONTEXT_MIXING_H

#include "base/buf.h"

/* The elements of a stream. */
enum trc_mix_shape {
	TRC_MIX_1, /* bytes */
	TRC_MIX_2, /* fields of 2, 4 or 8 bytes */
	TRC_MIX_4,
	TRC_MIX_8,
};

/* Returns the most memory, in bytes, for reading or writing `n` bytes. */
size_t trc_mix_memory(size_t n);

/* Appends the `n` > 0 bytes at `raw` to `out` as a mixed stream. */
int trc_mix_write(const uint8_t *raw, size_t n, enum trc_mix_shape shape, struct trc_buf *out,
                  struct trc_err *err) TRC_MUST_USE;

/* Reads `n` bytes from the mixed stream [p, p + len), which must contain exactly these. */
int trc_mix_read(const uint8_t *p, size_t len, enum trc_mix_shape shape, uint8_t *raw, size_t n,
                 struct trc_err *err) TRC_MUST_USE;

#endif
