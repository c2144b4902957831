/* SPDX-License-Identifier: MIT
 *
 * Sequences of indices, such as those of pages, by guessing. Most symbols are what followed when
 * the same came before, a match, and where that was right again and again, all that is stored is
 * how often it is right until it is wrong. Elsewhere symbols that followed in the same contexts are
 * offered one after another, each with one binary decision, until one is right. The words are those
 * of codec/logistic.h.
 *
 *   ranked stream:  bits (1 byte): how many the greatest symbol has, 1 to 16; sure, likely (1 byte
 *                   each): what guesses need to be that; length of the gaps (LEB128); the gaps, and
 *                   behind them the decisions, each by the range coder of codec/rc.h
 *
 * Symbols are the bytes of the raw stream, or pairs of bytes, the most significant first. What
 * follows is for the symbol at place i of N; x1, x2, ... are those before it, 0 before the start.
 * M = 0x2f0b4c47, S = 0x9e3779b1.
 *
 * A stream that goes on from others begins with all that those before it left: places count on,
 * from the first symbol of the first stream; N is that of the first. If they have more than 2^23
 * symbols, only the last 2^23 are kept, from which places count anew; a match at place 0 or before
 * is none, and so are places that were noted.
 *
 * Hash.  f0 = x1 * 2^48 + x2 * 2^32 + x3 * 2^16 + x4, f1 the same of x5 to x8, and so on to f5. Of
 *   the first `o` symbols: the sum, modulo 2^64, of use * 0x2545f4914f6cdd1d and each fk * Fk, the
 *   last f without the symbols beyond, shifted down by 16 bits for each; F0 to F5 are
 *   0x9e3779b97f4a7c15, 0xc2b2ae3d27d4eb4f, 0x165667b19e3779f9, 0xd6e8feb86659fd93,
 *   0xff51afd7ed558ccd, 0xc4ceb9fe1a85ec53. With h being the sum, hash(o, use) is the upper half of
 *   (h ^ h >> 32) * F0 modulo 2^64. From here on sums are modulo 2^32.
 *
 * Tables.  Of a being the least from 10 to 20 that has 2^a >= N / 4, rounded down, "b, at most m" is
 *   the smaller of a and m. Each context has a table of 2^b entries, b at most 12, 14, 17, 17, 16;
 *   there are places by key for each of two orders, 2^b of them, b at most 18; and cells in tables
 *   of 2^b, b at most 19 for the third and fourth judge, and else at most 17.
 *   Context k, 0 to 4, has order o = 1, 2, 4, 8, 16. With u = hash(o, k + 1) its entry is number e
 *   = u >> 32 - b, or else e ^ 1, if its check is the low 16 bits of u, | 1. If neither's is, it is
 *   the first of them whose history is 0 or 1, or else e; it is emptied, which makes its history 0
 *   and leaves its symbols, and gets the check. An entry holds the last symbol here and the last
 *   different one, and a history of whether the last symbol came again. At first all is 0.
 *   Cells stand in lines of 16. A candidate c is judged by four, each in a table of its own: with v
 *   = hash(1, 0), hash(2, 0), hash(3, 0), hash(7, 0), the cell at (v ^ c) * S >> 28 of the line at
 *   v >> 36 - b. These cells are numbers p of 16 bits, the lower four bits n of which count, at
 *   first 32768. With t being 65535 for a 1 and 0 for a 0, and w = p ^ t, they learn by (w - ((w >>
 *   1) * step[n] >> 15)) ^ t, the lower four bits of which become n + 1, 15 at most; step is
 *   trc_bit_step of codec/rc.c.
 *
 * Match.  A place q before i whose symbol is the first candidate; it has a length and a number of
 *   misses. One that is right grows by one, to 65535 at most, and at 16 or more its misses are
 *   cleared; else its length becomes 0 and its misses grow, and with five there is none. q grows by
 *   one either way.
 *   Each place has a record: 1 if there was no match; else that of q, a history, to which is
 *   appended whether the match was right, be it tried or not. Each symbol has `tried`, eight
 *   bits, at first 0: whether it was right when it was the match's; the latest is bit 0.
 *   The grade of a match is 0 to 3 for a length below 4, 8, 12, 16, 4 and 5 below 24 and 32, 6
 *   below 64, 7 below 400, else 8.
 *
 * Runs.  While the match's grade is 6 or more and the record of q is 255: gap g, of grade 6, 7 or
 *   8, says how many symbols of runs of this grade are right before one is wrong. Each of them
 *   takes one from it, is the match's, has record 255, and leaves all else but the match as it is.
 *   When none is left, and there is such a symbol, the match is tried and wrong, and the next gap
 *   of this grade comes. Gaps are numbers by the models of codec/rc.h, one for each grade, which go
 *   on from stream to stream: first those of grades 6, 7, 8, then each when it is needed.
 *
 * Trust.  For each grade, number of misses (3 at most), record of q, and what `tried` of its symbol
 *   says, which is how many of its lower four bits are set, twice, and 1 more if bit 0 is: a
 *   probability p of 22 bits, and n, at first 4. At first p is 2^22 - w, with w = 2^22 / d, d = 2,
 *   3, 4, 6, 10, 20, 50, 80, 100 by grade; or, if that is more and the record has a 0 behind its
 *   first bit, w = 2^22 / ((k + 1) * (4 + s)) * 2 * (2z + 1), where k bits are behind the first, z
 *   of them 0, and s behind the last 0; quotients are rounded down. Learning moves p by (to - p) *
 *   t >> 16 with to = 2^22 - 1 or 0 and t = 131072 / (2n + 3), rounded down; then n grows by one,
 *   to 255 at most. Outside of runs, if there is a match and p >= sure * 2^14, whether it is right
 *   is decided by p >> 6. Else, if p >= likely * 2^14, it is decided by mixing. In both cases
 *   trust learns.
 *   Mixing: inputs stretch of p of the four cells, stretch(p >> 6), 256; a pair of mixers of rate
 *   4, weights 2000 at first, selected by grade, misses (3 at most) and `right`, and by record. A
 *   row for all eight bits of `tried` refines y; the decision is coded by
 *   (squash(y) + what the row says) / 2. Then all of these move and learn.
 *   `right` is four bits, at first 0: whether a first candidate was right that was decided by
 *   mixing, or offered when none was refused; the latest is bit 0.
 *   All decisions keep probabilities to 24 to 65512.
 *
 * Offers.  What follows is done if there is no match, or none that is so likely, or one that was
 *   tried and wrong, which is then the first candidate refused.
 *   All contexts find their entries. For o = 24, 10, the upper b bits of v = hash(o, 0) are a key.
 *   Unless there is a match of length 16 or more: the first o of these for which a place q > 0
 *   was noted with the same lowest 8 bits of v, and o or more symbols, of 32 that are looked at,
 *   before q and i are alike, gives a match at q with that length and no misses; but one that is
 *   there stays if it is as long. Then i is noted by both keys, with those bits.
 *   Candidates: 1, the match's; 2 to 6, the last symbols of the entries that are not empty, from
 *   context 4 to 0; 7 to 11, the last different ones in the same order; each symbol only once, six
 *   at most, that tried included. The match's state is 0 if there is none, else 1 + grade (of
 *   codec/logistic.h; of 400 for all above) + 32 * misses.
 *   With r candidates refused, a candidate c is decided with these inputs:
 *     0 to 4: stretch of the probability, at first 32768, of context k, r, and state:
 *             history * 3 + (0 if c is the last symbol, 1 if the last different, 2)
 *     5:      of r and 2 * match's state + (1 if there is a match and its candidate is not c)
 *     6 to 9: stretch of the cells' p;  10: 256
 *     11:     if c is offered as the match's, stretch(p >> 6) of its trust; the others 0
 *   and a pair of mixers of rate 4, weights 2867 at first. They are selected by the number of the
 *   candidate and `right`, and by r and the number of input 5.
 *   A row for r and the number of input 5 refines y; the decision is coded by
 *   (squash(y) + what the row says) / 2. Then all of these move and learn.
 *
 * None right.  The symbol is coded in `bits` bits, the highest first. With `node` being the bits so
 *   far behind a 1, and c the first candidate (0 if there was none), before bit 0, 4, 8, 12 of
 *   those there are four lines, at (v ^ v >> 15) * S >> 36 - b, v being
 *     node, (65536 * x1 + node) * M, (65536 * x2 + node) * M, (65536 * c + node) * M
 *   in each of which the bits since then, behind a 1, number a cell, limit 60. There is a history
 *   map for each of the four. Inputs: stretch of the cell's p and of the map, cell by cell; 256.
 *   One mixer, rate 4, weights 1802 at first, for each number of the bit; decided by squash(y).
 *
 * Then each entry learns, from context 0 to 4: an empty one gets the symbol, also as the last
 *   different one, and history 1; another appends to its history and, if the symbol is not its
 *   last, makes that the last different. If there is a match, its trust learns unless one was
 *   tried before, and then record, tried and the match itself.
 */
#ifndef TRC_CODEC_RANK_H
#define TRC_CODEC_RANK_H

#include "base/buf.h"

/* What guesses, and what it learnt. */
struct trc_ranker;

enum { TRC_RANK_MOST = 1 << 23 }; /* symbols of a stream */

/* Bytes that a ranker may take, with streams of `n` symbols at most. */
size_t trc_ranker_memory(size_t n);

/* A ranker, the first stream of which has `n` symbols. */
struct trc_ranker *trc_ranker_open(size_t n, struct trc_err *err) TRC_MUST_USE;
void trc_ranker_close(struct trc_ranker *r);

/* Appends `n` > 0 symbols to `out` as a ranked stream that goes on from those before. At level 9
 * fewer guesses are sure. */
int trc_ranker_write(struct trc_ranker *r, const uint16_t *symbol, size_t n, int level,
                     struct trc_buf *out, struct trc_err *err) TRC_MUST_USE;

/* Reads `n` symbols from the ranked stream [p, p + len), which must hold them and no more. They
 * stay where *symbol points to until the next call. After an error the ranker is good for
 * nothing. */
int trc_ranker_read(struct trc_ranker *r, const uint8_t *p, size_t len, size_t n,
                    const uint16_t **symbol, struct trc_err *err) TRC_MUST_USE;

/* The same for a single stream of `n` > 0 bytes, symbols of `width` 1 or 2 bytes. */
int trc_rank_write(const uint8_t *raw, size_t n, size_t width, int level, struct trc_buf *out,
                   struct trc_err *err) TRC_MUST_USE;
int trc_rank_read(const uint8_t *p, size_t len, size_t width, uint8_t *raw, size_t n,
                  struct trc_err *err) TRC_MUST_USE;

#endif
