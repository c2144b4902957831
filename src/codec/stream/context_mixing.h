/* SPDX-License-Identifier: MIT
 *
 * A stream by context mixing (M. V. Mahoney, "Adaptive Weighing of Context Models for Lossless Data
 * Compression", 2005; lpaq1): smaller than LZMA and some fifty times slower to read. Each bit of a
 * symbol is predicted by seven contexts and by the longest match: codec/mixing/predictor.h.
 *
 *   mixed stream:  bits (1 byte): how many bits the greatest symbol has, 1 to 8; the symbols, which
 *                  are the bytes of the raw stream, by the range coder of
 *                  codec/entropy/range_coder.h, each from bit `bits` - 1 down to bit 0
 *
 * The method has of how many bytes the fields of the stream are, its width w. What follows is for
 * the symbol at offset i; b[j] is the symbol j places before, `column` is i mod w, `path` the bits
 * of the symbol so far behind a 1.
 *
 * Contexts.  Sums are modulo 2^32; M = 0x2f0b4c47; where b[j] is none it adds nothing.
 *   All contexts of the first symbol are 0. Then:
 *   w = 1:  contexts 0 to 6 have orders o = 1, 2, 3, 5, 8, 12, 20; each is the sum over j = 1 to o
 *           of (b[j] + 1) * M^(j-1)
 *   w > 1:  hash(v, h) = (h + v + 1) * M; f = 0 as a field begins, then hash(b[1], f) with each
 *           symbol of it; g and g2 are f at the end of the field before and of the one before that,
 *           0 if there was none. Contexts: 0 column; 1 f; 2 hash(g, f); 3 hash(g2, hash(g, f));
 *           4 hash(b[w], f); 5 hash(b[w] + 256 * b[2w], f); 6 hash(g2, f) + 1; b[] of before the
 *           start is 0
 *   They are hashed with the path where slots are found: before the first bit, and before the last
 *   four of a symbol that has more. There are 2^a lines: the least a from 10 to 19 that has 2^a >=
 *   2n, n being the length of the stream.
 *
 * Expert: the match model (codec/mixing/match_model.h), L = 16 for w = 8, else 8. Behind symbols
 *   where the next offset is a multiple of w and not below L: the sum over the last L symbols of
 *   (b[j] + 1) * M^(j-1), times 0x9e3779b1, is the key; its upper bits, as many as the least a from
 *   10 to 19 with 2^a >= n, find the entry; if the match has length 0, it begins anew with L
 *   symbols or more. A match of bucket k predicts its symbol's bits, as long as these came true,
 *   with the stretch of a counter for the bucket, p = 65535 - 65536 / (k + 2) and n = 8 at first,
 *   limit 127; negated if the bit is 0.
 *
 * Mixers by 2 * (32 * column + bucket) + the bit predicted (0 and 0 if none is); 256 * column +
 *   path; 8 * column + the number of the bit. APMs by 256 * column + path; and, with c = 256 * b[1]
 *   + path, by (c * 0x9e3779b1 + column * 0x3d4d51cb) >> 19 (if bits <= 4, by 16 * b[1] + path).
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
