/* SPDX-License-Identifier: MIT
 *
 * Sequences of indices, such as those of pages, by guessing. Most symbols are what followed when
 * the same came before, a match, and where that was right again and again, all that is stored is
 * how often it is right until it is wrong. Elsewhere symbols that followed in the same contexts are
 * offered one after another, each with one binary decision, until one is right. The words are those
 * of codec/mixing/logistic.h.
 *
 *   ranked stream:  bits (1 byte): how many the greatest symbol has, 1 to 16; sure (1 byte): what
 *                   guesses need to be that; more (1 byte): 0 to 2, for tables; length of the gaps
 *                   (LEB128); the gaps, and behind them the decisions, each by the range coder of
 *                   codec/entropy/range_coder.h
 *
 * Symbols are the bytes of the raw stream, or pairs of bytes, the most significant first. What
 * follows is for the symbol at place i of N, from 0; x1, x2, ... are those before it, 0 before the
 * start. M = 0x2f0b4c47, S = 0x9e3779b1.
 *
 * Shape.  Loops of a program touch other pages each time, but in the same order. Of each symbol, d
 *   is how far back the same one is: 1 if it is the one before, 15 at most, 0 if it is farther away
 *   or new. shape(k) is the d of the last k symbols, four bits each, the last lowest; 0 before the
 *   start. far and path are at first 0, and with each symbol become (far + d + 1) * 4F and
 *   (path + symbol + 1) * 1024F modulo 2^64, with F = 0x9e3779b97f4a7c15: after 32 symbols nothing
 *   of one is left in far, after 7 nothing in path.
 *   hash(v, use) is the upper half of v * (F + use * 0xd1b54a32d192ed02), all modulo 2^64. From
 *   here on sums are modulo 2^32.
 *
 * Tables.  Of a being the least from 10 to 20 that has 2^a >= N / 4, rounded down, "b, at most m"
 *   is the smaller of a and m + more. Contexts 0 to 2 are the upper half of far,
 *   hash(shape(12) * 2^16, 1), and the upper half of path. They share a table of 2^b entries, b
 *   being the smaller of a + 2 and 18 + more. An entry has a check, and that of a context u is the
 *   low 16 bits of u, | 1; with j being u >> 32 - b, it is entry j if that has the check, else
 *   j ^ 1 if that has it or if its history is less, else j. If it does not have the check, its
 *   history becomes 0, which says that it is empty, and its values stay. An entry holds the last
 *   value here and the last different one, and a history of whether the last value came again. A
 *   value is the symbol, but for the first two contexts it is 2^16 - d if the d of the symbol is
 *   not 0; for these, a value above 0xfff0 stands for the symbol so far back. At first all is 0.
 *   There are places by key, 2^b of them, b at most 17.
 *
 * Match.  A place q before i whose symbol is the first candidate; it has a length and a number of
 *   misses. One that is right grows by one, and at 16 or more its misses are cleared; else its
 *   length becomes 0 and its misses grow, and with five there is none. q grows by one either way.
 *   It is believed if it has length 4, and "the match" is one that is, from here on.
 *   Each place has a record: 1 if there was no match; else that of q, a history, to which is
 *   appended whether the match was right, be it tried or not. Each symbol has `tried`, eight
 *   bits, at first 0: whether it was right when it was the match's; the latest is bit 0.
 *   The grade of a match is 1 to 3 for a length below 8, 12, 16, 4 and 5 below 24 and 32, 6 below
 *   64, 7 below 400, else 8.
 *
 * Runs.  While the match's grade is 6 or more and the record of q is good, which is one without a
 *   0, of 7 or more at grade 6, 3 or more at 7 and 8: gap g, of grade 6, 7 or 8, says how many
 *   symbols of runs of this grade are right before one is wrong. Each of them takes one from it, is
 *   the match's, appends a 1 to its record, and leaves all else but the match and the shape as it
 *   is. When none is left, and there is such a symbol, the match is tried and wrong, and the next
 *   gap of this grade comes. Gaps are numbers by the models of codec/entropy/range_coder.h, one for
 *   each grade: first those of grades 6, 7, 8, then each when it is needed.
 *
 * Trust.  For each grade, record of q, and what `tried` of its symbol says, which is how many of
 *   its lower four bits are set, twice, and 1 more if bit 0 is: a probability p of 22 bits, and
 *   n, at first 4. At first p is 2^22 - w, with w = 2^22 / d, d = 3, 4, 6, 10, 20, 50, 80, 100 by
 *   grade; or, if that is more and the record has a 0 behind its first bit, w = 2^22 / ((k + 1) *
 *   (4 + s)) * 2 * (2z + 1), where k bits are behind the first, z of them 0, and s behind the
 *   last 0; quotients are rounded down. Learning moves p by (to - p) * t >> 16 with to = 2^22 - 1
 *   or 0 and t = 131072 / (2n + 3), rounded down; then n grows by one, to 1022 at most. Outside
 *   of runs, if there is a match and p >= sure * 2^14, whether it is right is decided by p >> 6,
 *   or with number hash(shape(8), 2) >> 17 of a table of 2^15: that is v of 16 bits, at first
 *   65520, the lower four bits n of which count; if n >= 2, it is decided by ((p >> 6) + v) / 2.
 *   Then trust learns, and v: with t being 65535 for a 1 and 0 for a 0, and w = v ^ t, it becomes
 *   (w - ((w >> 1) * step[n] >> 15)) ^ t, the lower four bits of which become n + 1, 15 at most;
 *   step is trc_bit_step of codec/entropy/range_coder.c. Probabilities are kept to 65512.
 *
 * Offers.  What follows is done if there is no match, or none that is so sure, or one that was
 *   tried and wrong, which is then the first candidate refused.
 *   All contexts find their entries. With v being the upper half of path ^ far, its upper b bits
 *   are a key. Unless there is a match: if a place q > 0 was noted by the key with the same lowest
 *   8 bits of v, and 14 symbols or more, of 32 that are looked at, none of them before the start,
 *   before q and i are alike, there is a match at q with that length and no misses. Then i is
 *   noted, with those bits.
 *   Candidates: the match's, unless one was tried; the last values of the entries that are not
 *   empty, from context 0 to 2; the last different ones in the same order; each symbol only once,
 *   three at most, that tried included.
 *   With r candidates refused, whether a candidate c is right is decided by the sum of these
 *   weights:
 *     of context k, 0 to 2, and r: by 4 * history + (if the entry is not empty: 1 if c is the last
 *     symbol, and 2 if it is the last different one), at first stretch(v) * 24 / 10, with v = p of
 *     the last symbol, (65535 - p) * 3 / 4 of the other alone or (65535 - p) / 2 of neither,
 *     quotients rounded towards zero, p being what a history map begins with, or 32768 if the
 *     history is 0 or 1
 *     of r, by the upper six bits of the match's p, its trust, and whether c is its candidate;
 *     another one if there is no match
 *   the others at first 0. With y = sum >> 3, kept to -2020 to 2020, it is decided by squash(y).
 *   Then to each is added ((65535 or 0) - squash(y)) * 100 + 32768 >> 16. Weights are of 16 bits,
 *   and overflow to the other sign.
 *
 * None right.  The symbol is coded in `bits` bits, the highest first. With `node` being the bits so
 *   far behind a 1, and c the first candidate (0 if there was none), before bit 0, 6, 12 of those
 *   there are four lines of 64 histories, at (v ^ v >> 15) * S >> 38 - b in tables of 2^b
 *   histories, b at most 17, v being
 *     node, (65536 * x1 + node) * M, (65536 * x2 + node) * M, (65536 * c + node) * M
 *   in each of which the bits since then, behind a 1, number a history, at first 1. Each bit is
 *   decided as whether a candidate is right, by the sum of four weights: of line k, 0 to 3, and of
 *   the number of the bit, by history, at first stretch(p) * 24 / 10, p as above. Then it is
 *   appended to the four.
 *
 * Then each entry learns: an empty one gets the value, also as the last different one, and history
 *   1; another appends to its history and, if the value is not its last, makes that the last
 *   different; where two contexts have the same entry, that of the later one stays. If there is a
 *   match, its trust learns unless one was tried before, and then record, tried and the match
 *   itself, as does one that is not believed.
 */
#ifndef TRC_CODEC_STREAM_RANKING_H
#define TRC_CODEC_STREAM_RANKING_H

#include "base/buf.h"

enum { TRC_RANK_MOST = 1 << 23 }; /* symbols of a stream */

/* Bytes that coding `n` symbols may take. */
size_t trc_rank_memory(size_t n);

/* Appends `n` > 0 bytes, symbols of `width` 1 or 2 bytes, to `out` as a ranked stream. At level 9
 * fewer guesses are sure, and tables larger. */
int trc_rank_write(const uint8_t *raw, size_t n, size_t width, int level, struct trc_buf *out,
                   struct trc_err *err) TRC_MUST_USE;

/* Reads the ranked stream [p, p + len) of `n` bytes up to byte `to`, and puts those from byte
 * `from` on where they belong in `raw`; both are between symbols. When all are read, it must end
 * there. */
int trc_rank_read(const uint8_t *p, size_t len, size_t width, uint8_t *raw, size_t n, size_t from,
                  size_t to, struct trc_err *err) TRC_MUST_USE;

#endif
