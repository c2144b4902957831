/* SPDX-License-Identifier: MIT
 *
 * Tokens packed by context mixing with few inputs. They are numbers from 0 to 8 that refer to the
 * recent residuals of a slot (codec/program/refs.h). A seventh smaller than LZMA, at 9 to 35 ns per
 * token. A match (codec/mixing/match_model.h) is coded as a run if it is long, with one flag if it
 * was always right, and otherwise serves as an input beside four orders of contexts.
 * container/SPEC.md, "Tokens", specifies the stream exactly.
 */
#ifndef TRC_CODEC_STREAM_TOKENS_H
#define TRC_CODEC_STREAM_TOKENS_H

#include "base/buf.h"

enum { TRC_TOKEN_MOST = 8 };

/* Returns the most memory, in bytes, for reading or writing `n` tokens. */
size_t trc_tokens_memory(size_t n);

/* Appends the `n` > 0 tokens at `raw`, none above TRC_TOKEN_MOST, to `out`. */
int trc_tokens_write(const uint8_t *raw, size_t n, struct trc_buf *out,
                     struct trc_err *err) TRC_MUST_USE;

/* Reads `n` tokens from the stream [p, p + len), which must contain exactly these. */
int trc_tokens_read(const uint8_t *p, size_t len, uint8_t *raw, size_t n,
                    struct trc_err *err) TRC_MUST_USE;

#endif
