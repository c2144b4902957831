/* SPDX-License-Identifier: MIT
 *
 * A stream by context mixing (M. V. Mahoney, "Adaptive Weighing of Context Models for Lossless Data
 * Compression", 2005; lpaq1): smaller than LZMA and some fifty times slower to read. Each bit of a
 * symbol is predicted by seven contexts and by the longest match: codec/mixing/predictor.h.
 * Contexts are orders of bytes, or in fields of several bytes those of fields and columns.
 * container/SPEC.md, "Context mixing", has the stream to the bit.
 */
#ifndef TRC_CODEC_STREAM_CONTEXT_MIXING_H
#define TRC_CODEC_STREAM_CONTEXT_MIXING_H

#include "base/buf.h"

/* What a stream is made of. */
enum trc_mix_shape {
	TRC_MIX_1, /* bytes */
	TRC_MIX_2, /* fields of 2, 4, 8 bytes */
	TRC_MIX_4,
	TRC_MIX_8,
};

/* Bytes that reading or writing `n` bytes may take. */
size_t trc_mix_memory(size_t n);

/* Appends the `n` > 0 bytes at `raw` to `out` as a mixed stream. */
int trc_mix_write(const uint8_t *raw, size_t n, enum trc_mix_shape shape, struct trc_buf *out,
                  struct trc_err *err) TRC_MUST_USE;

/* Reads `n` bytes from the mixed stream [p, p + len), which must hold them and no more. */
int trc_mix_read(const uint8_t *p, size_t len, enum trc_mix_shape shape, uint8_t *raw, size_t n,
                 struct trc_err *err) TRC_MUST_USE;

#endif
