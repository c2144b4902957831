/* SPDX-License-Identifier: MIT
 *
 * Literals by context mixing with few inputs: fields of 4 bytes, most significant first, that are
 * residuals or addresses (codec/program/refs.h). An eighth smaller than LZMA, at 80 to 170 ns a
 * field. The words are those of codec/mixing/logistic.h, and of codec/stream/tokens.h for matches.
 *
 *   literal stream:  groups (1 byte): how many groups of 4 bits the greatest field has, 1 to 8;
 *                    flags by the range coder of codec/entropy/range_coder.h, coded as those of
 *                    codec/stream/tokens.h
 *
 * What follows is for the field at place i of N. Sums and products are modulo 2^32. spread(h) is:
 * h *= 0x9e3779b1, h ^= h >> 15, h *= 0x85ebca6b, h ^= h >> 13. a is the least from 10 to 16 that
 * has 2^a >= 4N, or 16.
 *
 * Match.  That of codec/mixing/match_model.h, looked for behind each field but the first if the
 *   length is 0, by spread(v * 0x2545f491 + u), v being this field and u the one before it, the
 *   upper a bits of which are the entry of the table; then the place behind is noted. A match has 2
 *   fields or more.
 *
 * Flag.  Where there is a match: a flag whether the field is the expected one; if yes, it is done.
 *   The last flags of this kind are a history, at first 1. For each bucket of a length there is a
 *   mixer, and a counter for each history of the match's place, and for each of the flags. Inputs 0
 *   and 1: stretch of these two; 3: 256; the others 0. Coded with squash(y), kept to 24 to 65512,
 *   from which the error is, too.
 *
 * Groups.  Else the field is coded by groups of 4 bits from the highest down to bit 0, each bit
 *   from the highest as a flag whether it is 1. With u being the field before and v the one before
 *   that, 0 if there is none, a group has contexts 0, 1, 2, but only the first two if it is above
 *   bit 15 or the lowest: 0; c * 0xd6e8feb86659fd93 + 1, c being u >> 8 above bit 15, else (v >> 8)
 *   ^ ((u >> 8) * 0x9e3779b1) above bit 7, else u; (u >> 8) * 0xd6e8feb86659fd93 + 2. With s being
 *   the bits of the field above the group behind a 1, h = context + (s >> 2) *
 *   0x9e3779b97f4a7c15. Contexts and h are modulo 2^64, c is modulo 2^32. Each context has 2^(a-2)
 *   lines, the same for all groups, of four slots of 16 bytes, at first 1. Byte 0 of a slot is a
 *   check, the lowest 8 bits of ((h >> 32) + s) | 2; the others are histories, by the bits of the
 *   group so far behind a 1. In the line at the upper a - 2 bits of h the slot is that at x = s mod
 *   4 or at x ^ 1, the first that bears the check; if neither does, that at x ^ 1 if its byte 1 is
 *   less than that of the slot at x, and else this: all its bytes become 1, then it gets the check.
 *   Each bit and context has a state map (state_map.h), n = 32. Inputs 0 to 2:
 *   what the maps have, 0 without a context; 3: 256. Each group has a mixer. Coded with squash(y).
 *
 * Mixers (codec/mixing/mixer.h) are of rate 8, their weights 4000 at first, 0 for the input 256; y
 * is kept to -2048 to 2047. Counters begin with n = 8 and have limit 30; p is at first that of
 * match_model.h for a bucket and history of a place, and that of a counter that saw the history for
 * one of flags.
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
