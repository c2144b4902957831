/* SPDX-License-Identifier: MIT
 *
 * Symbol ranking: sequences of indices, such as those of pages (P. M. Fenwick, "Symbol ranking text
 * compression", 1996; M. Mahoney's srank and C. Bloom's LZP are kin). Most symbols are what the
 * match model expects, and where that was right again and again, all that is stored is whether it
 * is for the whole run. Elsewhere candidates, which are symbols that followed in the same contexts,
 * are offered one after another, each coded with a bit, until one is right. The words are those of
 * codec/mixing.
 *
 *   ranked stream:  bits (1 byte): how many the greatest symbol has, 1 to 16; least (1 byte): the
 *                   confidence that codes the match by itself; more (1 byte): 0 to 2, for tables;
 *                   then bits by the range coder of codec/entropy/range_coder.h
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
 *   history becomes 0, which means that it is empty, and its values stay. An entry holds the last
 *   value here and the last different one, and a history of whether the last value came again. A
 *   value is the symbol, but for the first two contexts it is 2^16 - d if the d of the symbol is
 *   not 0; for these, a value above 0xfff0 stands for the symbol so far back. At first all is 0.
 *   The table of matches has 2^b places, b at most 17.
 *
 * Match.  That of codec/mixing/match_model.h, for 14 symbols or more. It is believed if its length
 *   is 4 or more, and "the match" is one that is, from here on; the histories of places are of
 *   these alone. Each symbol has `tried`, bits, at first 0: whether it was right when it was the
 *   match's; the latest is bit 0.
 *
 * Runs.  A match is good at a place whose history h has no 0 and is 3 or more. There is a run where
 *   its length is 32 or more, h 63 or more if the length is less than 64, and it is good at this
 *   place and the next three (of those before i). Then m symbols may be of the run: as many as
 *   there are places in turn where it is good; all up to the end of the stream if that goes on
 *   through i - 1. A bit is whether not all of them are the match's, by the model of
 *   codec/entropy/range_coder.h for the number of bits of m; if so, a number how many are before
 *   one is not. Those that are append a 1 to their history, and leave all else but the match and
 *   the shape as it is. The one that is not is coded as if the match was tried, and wrong.
 *
 * Confidence.  For each length bucket / 4, history of the place, and lower three bits of `tried` of
 *   its symbol: a counter with limit 1022, at first that of match_model.h for bucket 4j + 2, n = 2.
 *   Outside of runs, if there is a match and the counter is >= least * 2^24, a bit codes whether it
 *   is right, by its p; or with number hash(shape(8), 2) >> 17 of a table of 2^15 counters, limit
 *   15, at first p = 65520 and n = 0: if it has n >= 2, by the mean of both p, rounded down, kept
 *   to 65512. Then both learn.
 *
 * Offers.  What follows is done if there is no match, or none that is so sure, or one that was
 *   tried and wrong, which is then the first candidate refused.
 *   All contexts find their entries. With v being the upper half of path ^ far, its upper b bits
 *   select what the table of matches has, and its lowest 8 bits are the check. Unless there is a
 *   match, one is tried there. Then i is noted.
 *   Candidates: the match's, unless one was tried; the last values of the entries that are not
 *   empty, from context 0 to 2; the last different ones in the same order; each symbol only once,
 *   three at most, that tried included.
 *   With r candidates refused, whether a candidate c is right is coded by the sum of these
 *   weights:
 *     of context k, 0 to 2, and r: by 4 * history + (if the entry is not empty: 1 if c is the last
 *     symbol, and 2 if it is the last different one), at first stretch(v) * 24 / 10, with v = p of
 *     the last symbol, (65535 - p) * 3 / 4 of the other alone or (65535 - p) / 2 of neither,
 *     quotients rounded towards zero, p being what a history map begins with, or 32768 if the
 *     history is 0 or 1
 *     of r, by the upper six bits of the match's counter, and whether c is its candidate;
 *     another one if there is no match
 *   the others at first 0. With y = sum >> 3, kept to -2020 to 2020, it is coded with squash(y).
 *   Then to each is added ((65535 or 0) - squash(y)) * 100 + 32768 >> 16. Weights are of 16 bits,
 *   and overflow to the other sign.
 *
 * None right.  The symbol is coded in `bits` bits, the highest first. With `node` being the bits so
 *   far behind a 1, and c the first candidate (0 if there was none), before bit 0, 6, 12 of those
 *   there are four lines of 64 histories, at (v ^ v >> 15) * S >> 38 - b in tables of 2^b
 *   histories, b at most 17, v being
 *     node, (65536 * x1 + node) * M, (65536 * x2 + node) * M, (65536 * c + node) * M
 *   in each of which the bits since then, behind a 1, number a history, at first 1. Each bit is
 *   coded as whether a candidate is right, by the sum of four weights: of line k, 0 to 3, and of
 *   the number of the bit, by history, at first stretch(p) * 24 / 10, p as above. Then it is
 *   appended to the four.
 *
 * Then each entry learns: an empty one gets the value, also as the last different one, and history
 *   1; another appends to its history and, if the value is not its last, makes that the last
 *   different; where two contexts have the same entry, that of the later one stays. If there is a
 *   match, its counter learns unless one was tried before, and then history, tried and the match
 *   itself, as does one that is not believed.
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
