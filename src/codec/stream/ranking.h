/* SPDX-License-Identifier: MIT
 *
 * Symbol ranking: sequences of indices, such as those of pages (P. M. Fenwick, "Symbol ranking text
 * compression", 1996; M. Mahoney's srank and C. Bloom's LZP are kin). Most symbols are what the
 * match model expects, and where that was right again and again, all that is stored is whether it
 * is for the whole run. Elsewhere candidates, which are symbols that followed in the same contexts,
 * are offered one after another, each coded with a bit, until one is right.
 *
 * Shape.  Loops of a program touch other pages each time, but in the same order. So two of the
 * contexts, and one of the probabilities that a match is right, are hashes of how far back each of
 * the last symbols was seen, up to 15 symbols.
 *
 * container/SPEC.md, "Ranking", has the stream to the bit, by these words.
 */
#ifndef TRC_CODEC_STREAM_RANKING_H
#define TRC_CODEC_STREAM_RANKING_H

#include "base/buf.h"

enum { TRC_RANK_MOST = 1 << 24 }; /* symbols of a stream */

/* Bytes that coding `n` symbols may take. */
size_t trc_rank_memory(size_t n);

/* Appends `n` > 0 bytes, symbols of `width` 1 or 2 bytes, to `out` as a ranked stream. At level 9
 * the match is coded by itself less often, and tables are larger. */
int trc_rank_write(const uint8_t *raw, size_t n, size_t width, int level, struct trc_buf *out,
                   struct trc_err *err) TRC_MUST_USE;

/* Reads the ranked stream [p, p + len) of `n` bytes up to byte `to`, and puts those from byte
 * `from` on where they belong in `raw`; both are between symbols. When all are read, it must end
 * there. */
int trc_rank_read(const uint8_t *p, size_t len, size_t width, uint8_t *raw, size_t n, size_t from,
                  size_t to, struct trc_err *err) TRC_MUST_USE;

#endif
