/* SPDX-License-Identifier: MIT
 *
 * Tokens by context mixing with few inputs: numbers of 0 to 8, by which the last residuals of a
 * slot come again (codec/program/refs.h). A seventh smaller than LZMA, 9 to 35 ns a token. A match
 * (codec/mixing/match_model.h) is coded as a run where it is long, by one flag where it was right
 * each time, and else is an input beside four orders of contexts. container/SPEC.md, "Tokens", has
 * the stream to the bit.
 */
#ifndef TRC_CODEC_STREAM_TOKENS_H
#define TRC_CODEC_STREAM_TOKENS_H

#include "base/buf.h"

enum { TRC_TOKEN_MOST = 8 };

/* Bytes that reading or writing `n` tokens may take. */
size_t trc_tokens_memory(size_t n);

/* Appends the `n` > 0 tokens at `raw`, none above TRC_TOKEN_MOST, to `out`. */
int trc_tokens_write(const uint8_t *raw, size_t n, struct trc_buf *out,
                     struct trc_err *err) TRC_MUST_USE;

/* Reads `n` tokens from the stream [p, p + len), which must hold them and no more. */
int trc_tokens_read(const uint8_t *p, size_t len, uint8_t *raw, size_t n,
                    struct trc_err *err) TRC_MUST_USE;

#endif
