/* SPDX-License-Identifier: MIT
 *
 * Symbol ranking for sequences of indices, such as those of pages (P. M. Fenwick, "Symbol ranking
 * text compression", 1996; related to M. Mahoney's srank and C. Bloom's LZP). Most symbols are what
 * the match model expects; where it has been right again and again, a single bit codes whether it
 * is right for a whole run. Elsewhere candidates, which are symbols that followed in the same
 * contexts, are offered one after another, each coded with a bit, until one is right.
 *
 * Shape. A loop of a program touches different pages each time, but in the same order. So two of
 * the contexts, and one of the probabilities that a match is right, are hashes of the distances to
 * the previous occurrence of each recent symbol, up to 15 symbols back.
 *
 * container/SPEC.md, "Ranking", specifies the stream exactly, in these terms.
 */
#ifndef TRC_CODEC_STREAM_RANKING_H
#define TRC_CODEC_STREAM_RANKING_H

#include "base/buf.h"

enum { TRC_RANK_MOST = 1 << 24 }; /* the most symbols in a stream */

/* Returns the most memory, in bytes, for coding `n` symbols. */
size_t trc_rank_memory(size_t n);

/* Appends `n` > 0 bytes, which are symbols of `width` 1 or 2 bytes, to `out` as a ranked stream. At
 * level 9 the match is coded separately less often, and tables are larger. */
int trc_rank_write(const uint8_t *raw, size_t n, size_t width, int level, struct trc_buf *out,
                   struct trc_err *err) TRC_MUST_USE;

/* Reads the ranked stream [p, p + len) of `n` bytes up to byte `to`, and stores the bytes from
 * `from` on at their positions in `raw`; both must be between symbols. If all bytes are read, the
 * stream must end there. */
int trc_rank_read(const uint8_t *p, size_t len, size_t width, uint8_t *raw, size_t n, size_t from,
                  size_t to, struct trc_err *err) TRC_MUST_USE;

#endif
