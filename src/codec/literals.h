/* SPDX-License-Identifier: MIT
 *
 * Literals by light mixing: fields of 4 bytes, most significant first, that are residuals or
 * addresses (codec/refs.h). An eighth smaller than LZMA, at 200 to 450 ns a field. The words are
 * those of codec/logistic.h, and of codec/tokens.h for matches.
 *
 *   literal stream:  bits (1 byte): how many the greatest field has, 1 to 32; decisions by the
 *                    range coder of codec/rc.h, coded as those of codec/tokens.h
 *
 * What follows is for the field at place i of N. Sums and products are modulo 2^32. spread(h) is:
 * h *= 0x9e3779b1, h ^= h >> 15, h *= 0x85ebca6b, h ^= h >> 13. a is the least from 10 to 16 that
 * has 2^a >= 4N, or 16.
 *
 * Match.  As that of tokens, but in step 2: if i > 0, with v being this field and u the one before
 *   it, k is the upper a bits of spread(v * 0x2545f491 + u), and the length has to be 2 or more.
 *
 * Sure.  Where there is a match and the record of its place is 255: a decision whether the field is
 *   the expected one, its probability kept to 24 to 65512; for each grade of a length it has one
 *   that moves. If no, the field is told by its bits, where the match takes no part.
 *
 * Bits.  Else the field is told from bit `bits` - 1 down to bit 0, each a decision whether it is 1,
 *   in groups of those with the same number / 4 rounded down. With u being the field before, 0 if
 *   there is none, contexts 0, 1, 2 are 0, u * 0x2545f491 + 1, (u >> 8) * 0x2545f491 + 2. For a
 *   group, with s being the bits of the field above it behind a 1, h = spread(context + s *
 *   0x3d4d51cb). Each context has 2^a slots of 16 bytes, at first 1. Byte 0 is a check, the lowest
 *   8 bits of h | 2; the others are histories, by the bits of the group so far behind a 1. The slot
 *   is that at x, the upper a bits of h, or at x ^ 1, the first that bears the check; if neither
 *   does, that at x ^ 1 if its byte 1 is less than that of the slot at x, and else this: all its
 *   bytes become 1, then it gets the check.
 *   Each bit and context has a history map. The match takes part until a bit is not what it
 *   expects; it has a probability to be right, which moves, for each record, grade, and bit
 *   expected.
 *   Inputs 0 to 2: stretch of the maps' probabilities; 3: stretch of the match's, negated if it
 *   expects a 0, 0 if it takes no part; 4: 256; the others 0. The mixer, of rate 8, its weights
 *   2500 for inputs 0 to 3 at first and else 0, is selected by the number of the bit / 4 rounded
 *   down, how many of the three slots had a byte 1 above 1 as the group began, and 0 if the match
 *   takes no part, else 1 + the bit expected + 2 if its grade is above 1, 4 if above 3, 6 if above
 *   11. y is kept to -2047 to 2047; decided by squash(y).
 *
 * At first the probability of a match is as in codec/tokens.h, of its grade and record.
 */
#ifndef TRC_CODEC_LITERALS_H
#define TRC_CODEC_LITERALS_H

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
