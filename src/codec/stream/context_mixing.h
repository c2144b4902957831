/* SPDX-License-Identifier: MIT
 *
 * A stream by context mixing: smaller than LZMA and some fifty times slower to read. Each bit of a
 * symbol is predicted in seven contexts and by the longest match; the predictions are mixed by
 * weights that learn (M. V. Mahoney, "Adaptive Weighing of Context Models for Lossless Data
 * Compression", 2005), then refined once more. The words are those of codec/mixing/logistic.h.
 *
 *   mixed stream:  bits (1 byte): how many bits the greatest symbol has, 1 to 8; the symbols, which
 *                  are the bytes of the raw stream, by the range coder of
 *                  codec/entropy/range_coder.h, each from bit `bits` - 1 down to bit 0
 *
 * The method says of how many bytes the fields of the stream are, its width w. What follows is for
 * the symbol at offset i; b[j] is the symbol j places before, `column` is i mod w.
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
 *   A symbol of more than four bits is coded in two parts, the last four bits the second; `part` is
 *   1 and the bits of the symbol before this part behind it. A context and a part have a slot of 15
 *   cells, numbered by the bits of the part so far behind a 1, found by
 *     h = (context + (k + 1) * 0x9e3779b1 + part * 0x3d4d51cb) * 0x9e3779b1, h ^= h >> 15,
 *     h *= 0x85ebca6b, h ^= h >> 13
 *   at h, h ^ 1 or h ^ 2 modulo the number of slots: the first of these that is empty or bears the
 *   check (h >> 16) | 1, or else the one whose cell 1 has the least n (the first such). One that
 *   did not bear the check is cleared and gets it. The slots of a part are found before its first
 *   bit, context after context; where two of these have the same, its cells learn for each. There
 *   are 2^a slots: the least a from 10 to 19 that has 2^a >= 2n, n being the length of the stream.
 *   The limit of cells is 127. Each context has a history map besides, for all its bits, which
 *   moves at the history that was there before the bit.
 *
 * Match.  Before each symbol but the first at which i mod w = 0 and i >= L, L = 16 for w = 8, else
 *   8: the sum over the last L symbols of (b[j] + 1) * M^(j-1), times 0x9e3779b1, the upper a bits
 *   of it, a as above but for 2^a >= n, are a key. If no match runs, or it was wrong just now, and
 *   the key was seen before at an offset q with at least L symbols before q and i alike, then as
 *   many as are, at most 400, are the length of a match that predicts the symbol at q. Afterwards
 *   the key is noted with i. A match runs on, its length growing by one up to 65535, while its
 *   symbols come true. Where one does not and no other match is found, it runs on with length 1
 *   until that happened for the eighth time; the count is cleared when a match is found, and at
 *   lengths of 16 or more. Each grade has a probability that the match is right, at first 65536 -
 *   65536 / (grade + 2), which moves with each bit that the match predicts; after one that was
 *   wrong the match says nothing of the rest of the symbol.
 *
 * Inputs: for each context, stretch(p) of its cell (0 if n = 0) and stretch of its map; stretch of
 *   the match's probability, negated if it predicts a 0, or 0 if it says nothing; 256. Three
 *   mixers, their weights 1802 at first, are selected by
 *     grade (0 if the match says nothing), the bit predicted, and column;
 *     the bits of the symbol so far behind a 1, and column;
 *     1 + the last context whose cell has n > 0 (0 for none), the number of this bit, and column.
 *   Their rate is 16 for the first 2000 bits of the stream, 12 up to 20000, 8 up to 200000, then 4.
 *
 * y = (sum of the three) / 3 is refined twice, by a row for the second selector, and one of 8192
 *   for (c * 0x9e3779b1 + column * 0x3d4d51cb) >> 19, c = 256 * b[1] + the bits so far behind a 1
 *   (if bits <= 4, by number 16 * b[1] + those). The bit is coded by (2 * squash(y) + both) / 4,
 *   kept to 16 to 65520.
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
