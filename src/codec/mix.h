/* SPDX-License-Identifier: MIT
 *
 * A stream by context mixing: smaller than LZMA and some fifty times slower to read. Each bit of a
 * symbol is predicted in seven contexts and by the longest match; the predictions are mixed by
 * weights that learn (M. V. Mahoney, "Adaptive Weighing of Context Models for Lossless Data
 * Compression", 2005), then refined once more. All is done with integers, so that every machine
 * computes the same. `>>` of a negative number rounds down, `/` rounds towards zero.
 *
 *   mixed stream:  bits (1 byte): how many bits the greatest symbol has, 1 to 8; the symbols, which
 *                  are the bytes of the raw stream, by the range coder of codec/rc.h, each from bit
 *                  `bits` - 1 down to bit 0
 *
 * The method says of how many bytes the fields of the stream are, its width w. What follows is for
 * the symbol at offset i; b[j] is the symbol j places before, `column` is i mod w.
 *
 * Logistic scale.  Probabilities are of a 1, in 65536ths. For 0 <= x <= 3071, squash(x) is
 *   s + ((t - s) * (x mod 64) >> 6), s and t being entries x / 64 and x / 64 + 1 of the table of
 *   mix.c, which has 65536 / (1 + e^(-k/4)); squash(-x) = 65536 - squash(x). stretch(p) is the least
 *   x >= -3071 with squash(x) >= 16 * (p / 16) + 8, 3071 if there is none.
 *
 * Cell.  Each context has a cell for each of its bits so far: a probability p, at first 32768; a
 *   count n, at first 0; a history, the last up to seven bits behind a 1, at first 1. A bit moves p
 *   towards 65535 or 0, by (distance / 2 * step[n]) >> 15 (steps: trc_bit_step of codec/rc.c), then
 *   n, up to 127, by one. Each context has a map from history to a probability, which at first is
 *   that of a cell which saw just this history, and then moves by 1/64 of the distance.
 *
 * Contexts.  Sums are modulo 2^32; M = 0x2f0b4c47; b[j] of before the start adds nothing.
 *   w = 1:  context k has order o = 1, 2, 3, 5, 8, 12, 20; sum over j = 1 to o of (b[j] + 1) * M^(j-1)
 *   w > 1:  hash(v, h) = (h + v + 1) * M; f: starting with `column`, hash of each symbol of this
 *           field so far; g, g2: f at the end of the field before and the one before that, first 0
 *           0 column; 1 f; 2 hash(g, f); 3 hash(g2, hash(g, f)); 4 hash(b[w], f);
 *           5 hash(b[w] + 256 * b[2w], f); 6 hash(g2, f) + 1
 *   A symbol of more than four bits is coded in two parts, the last four bits the second; `part` is 1
 *   and the bits of the symbol before this part behind it. A context and a part have a slot of 15
 *   cells, numbered by the bits of the part so far behind a 1, found by
 *     h = (context + (k + 1) * 0x9e3779b1 + part * 0x3d4d51cb) * 0x9e3779b1, h ^= h >> 15,
 *     h *= 0x85ebca6b, h ^= h >> 13
 *   at h, h ^ 1 or h ^ 2 modulo the number of slots: the first that bears the check (h >> 16) | 1,
 *   or else is empty, or else the one of the three whose cell 1 has the least n (the first such). The
 *   last two are cleared and get the check. There are 2^a slots: the least a from 10 to 18 that has
 *   2^a >= 2n, n being the length of the stream.
 *
 * Match.  Before each symbol but the first at which i mod w = 0 and i >= L, L = 16 for w = 8, else 8:
 *   the sum over the last L symbols of (b[j] + 1) * M^(j-1), times 0x9e3779b1, the upper a bits of it,
 *   a as above but for 2^a >= n, are a key. If no match runs, and the key was seen before at an
 *   offset q with at least L symbols before q and i alike, then as many as are, at most 400, are the
 *   length of a match that predicts the symbol at q. Afterwards the key is noted with i. A match
 *   runs on, its length growing by one up to 65535, while its symbols come true. Where one does not
 *   and no other match is found, it runs on with length 1 until that happened for the eighth time;
 *   the count is cleared when a match is found, and at lengths of 16 or more.
 *   Length l counts as grade l up to 15, 16 + (l - 16) / 4 up to 31, 20 + (l - 32) / 8 up to 63,
 *   24 + (l - 64) / 64 up to 511, 31 above. Each grade has a probability that the match is right, at
 *   first 65536 - 65536 / (grade + 2), which moves by 1/64 of the distance to 65535 or 0.
 *
 * Mixer.  Inputs: for each context, stretch(p) of its cell (0 if n = 0) and stretch of its map; then
 *   stretch of the match's probability, negated if it predicts a 0, or 0 if none runs or it has been
 *   wrong in this symbol; then 256. Three sets of 16 weights, each 1802 at first, are selected by
 *     grade (0 for none), the bit predicted, and column;
 *     the bits of the symbol so far behind a 1, and column;
 *     1 + the last context whose cell has n > 0 (0 for none), the number of this bit, and column.
 *   y of a set is the sum of weight * input >> 13, kept to -3071 to 3071. With the bit known, e =
 *   (65535 or 0, - squash(y)) * rate >> 6, and each weight changes by (input * e + 8192) >> 14, kept to
 *   16 bits; rate is 16 for the first 2000 bits of the stream, 12 up to 20000, 8 up to 200000, then 4.
 *
 * Last.  y = (sum of the three) / 3. Two tables refine squash(y): one row for the second selector of the
 *   mixer, and one of 8192 for (c * 0x9e3779b1 + column * 0x3d4d51cb) >> 19, c = 256 * b[1] + the bits
 *   so far behind a 1 (if bits <= 4, just 16 * b[1] + those). A row has 25 probabilities, at first
 *   squash(256 * (j - 12)), no squash() here above 65535; d and e being those at j = (y + 3072) / 256
 *   and j + 1, r = (y + 3072) mod 256: (d * (256 - r) + e * r) / 256. The nearer, e if r > 128, then moves
 *   by 1/64. The bit is coded by (2 * squash(y) + both) / 4, kept to 16 to 65520.
 */
#ifndef TRC_CODEC_MIX_H
#define TRC_CODEC_MIX_H

#include "base/buf.h"

/* Appends the `n` > 0 bytes at `raw`, fields of `width` 1, 2, 4 or 8 bytes, to `out` as a mixed
 * stream. */
int trc_mix_write(const uint8_t *raw, size_t n, size_t width, struct trc_buf *out,
                  struct trc_err *err) TRC_MUST_USE;

/* Reads `n` bytes from the mixed stream [p, p + len), which must hold them and no more. */
int trc_mix_read(const uint8_t *p, size_t len, size_t width, uint8_t *raw, size_t n,
                 struct trc_err *err) TRC_MUST_USE;

#endif
