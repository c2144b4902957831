/* SPDX-License-Identifier: MIT
 *
 * Literals packed by context mixing with few inputs. They are fields of 4 bytes, most significant
 * first, which are residuals or addresses (codec/program/refs.h). An eighth smaller than LZMA, at
 * 80 to 170 ns per field. If there is a match (codec/mixing/match_model.h), a flag codes whether it
 * is right; otherwise groups of 4 bits are coded in two or three contexts, whose bit histories are
 * in slots. container/SPEC.md, "Literals", specifies the stream exactly.
 */
#ifndef TRC_CODEC_STREAM_LITERALS_H
#define TRC_CODEC_STREAM_LITERALS_H

#include "base/buf.h"

/* Returns the most memory, in bytes, for reading or writing `n` bytes of literals. */
size_t trc_literals_memory(size_t n);

/* Appends the fields in the `n` > 0 bytes at `raw` to `out`. */
int trc_literals_write(const uint8_t *raw, size_t n, struct trc_buf *out,
                       struct trc_err *err) TRC_MUST_USE;

/* Reads `n` bytes from the stream [p, p + len), which must contain exactly these. */
int trc_literals_read(const uint8_t *p, size_t len, uint8_t *raw, size_t n,
                      struct trc_err *err) TRC_MUST_USE;

#endif
