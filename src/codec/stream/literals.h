/* SPDX-License-Identifier: MIT
 *
 * Literals by context mixing with few inputs: fields of 4 bytes, most significant first, that are
 * residuals or addresses (codec/program/refs.h). An eighth smaller than LZMA, at 80 to 170 ns a
 * field. Where there is a match (codec/mixing/match_model.h), a flag whether it is right; else
 * groups of 4 bits in two or three contexts, whose histories stand in slots.
 * container/SPEC.md, "Literals", has the stream to the bit.
 */
#ifndef TRC_CODEC_STREAM_LITERALS_H
#define TRC_CODEC_STREAM_LITERALS_H

#include "base/buf.h"

/* Bytes that reading or writing `n` bytes of literals may take. */
size_t trc_literals_memory(size_t n);

/* Appends the fields in `n` > 0 bytes at `raw` to `out`. */
int trc_literals_write(const uint8_t *raw, size_t n, struct trc_buf *out,
                       struct trc_err *err) TRC_MUST_USE;

/* Reads `n` bytes from the stream [p, p + len), which must hold them and no more. */
int trc_literals_read(const uint8_t *p, size_t len, uint8_t *raw, size_t n,
                      struct trc_err *err) TRC_MUST_USE;

#endif
