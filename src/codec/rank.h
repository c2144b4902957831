/* SPDX-License-Identifier: MIT
 *
 * Sequences of indices, such as those of pages, by guessing: the symbols that followed in the same
 * contexts before are offered one after another, each with one binary decision, until one is right.
 * Most symbols take a single decision, and most of these a cheap one. The words are those of
 * codec/logistic.h.
 *
 *   ranked stream:  bits (1 byte): how many the greatest symbol has, 1 to 16; sure (1 byte): what
 *                   quick decisions need; the decisions, by the range coder of codec/rc.h
 *
 * Symbols are the bytes of the raw stream, or pairs of bytes, the most significant first. What
 * follows is for the symbol at place i of N; x1, x2, ... are those before it, 0 before the start.
 * Sums are modulo 2^32; M = 0x2f0b4c47, S = 0x9e3779b1, C = 0x85ebca6b.
 *
 * A stream that goes on from others begins with all that those before it left: places count on,
 * from the first symbol of the first stream; N is that of the first. If they have more than 2^23
 * symbols, only the last 2^23 are kept, from which places count anew; a match at place 0 or before
 * is none, and so are places that were noted.
 *
 * Tables.  With a being the least from 10 to 20 that has 2^a >= N, there are 2^a entries, and
 *   places by key, and cells in tables of 2^b, b being a, but at most 19 for the third and fourth
 *   judge, and else at most 17.
 *   Context k, 0 to 4, has order 1, 2, 4, 8, 16. hash(o): h = 0, then h = (h + x1 + 1) * M, and
 *   so on to xo. With u = h * S + k * 0x3d4d51cb its entry is number e = u >> 32 - a, or else e ^
 *   1, if its check is the low 16 bits of u, | 1. If neither's is, it is the first of them whose
 *   history is 0 or 1, or else e; it is emptied and gets the check. Contexts find their entries one
 *   after the other, before any learns. An entry holds the last symbol here and the last different
 *   one, and a history of whether the last symbol came again; if it is empty, both symbols and
 *   history are 0.
 *   Cells stand in lines of 16; the line of v is that at (v ^ v >> 15) * S >> 36 - b. A candidate c
 *   is judged by four, limit 30, each in a table of its own: with v = g(1), g(2), g(3), g(7), the
 *   cell at (v ^ c) * S >> 28 of the line of v. g(o): g = 0, then g = (g ^ xo) * M, and on to x1.
 *
 * Match.  A place q before i whose symbol is the first candidate; it has a length and a number of
 *   misses. Its state is 0 if there is none, else 1 + grade + 32 * misses. The length's growth ends
 *   at 65535.
 *
 * Quick decision.  If there is a match, with length 24 or more and no misses: there is a
 *   probability for half its grade and u and v of its candidate's third and fourth cell,
 *   (stretch(p) + 3071) / 256 each; it is squash(128 * (u + v - 23) + 32 * half the grade) at
 *   first, the sum kept to -3071 to 3071, and moves with s = 7. If it is 256 * sure or more, it
 *   decides, kept to 24 to 65512, if the candidate is right; both cells learn, but one that has p
 *   >= 65400 only if it is not. If right, q and the length grow by one, and that is all for this
 *   symbol. If not, the candidate is excluded, and the match counts as none until the symbol is
 *   known.
 *
 * Otherwise.  If i >= 24 and there is no match or its length is less than 16:
 *   The upper a bits of v = hash(24) * S are a key. If a place q > 0 was noted by it last, with
 *   the same lowest 8 bits of v, and 24 or more symbols, 400 are enough, before q and i are alike,
 *   there is a match at q with that length and no misses. i is noted by key, with those bits.
 *   Candidates: the match's; the last symbols of the entries that are not empty, from
 *   context 4 to 0; the last different ones in the same order; each symbol only once, six at most.
 *   With r candidates refused, a candidate c is decided with these inputs:
 *     0 to 4: stretch of the probability, at first 32768, of context k, r, and state:
 *             history * 3 + (0 if c is the last symbol, 1 if the last different, 2)
 *     5:      of r and 2 * match's state + (1 if there is a match and its candidate is not c)
 *     6 to 9: stretch of the cells' p;  10: 256
 *     11:     if c is the match's, stretch of the probability that was too low for a quick
 *             decision, which then moves as after one; the others 0
 *   and y = (sum) / 2 of two mixers of rate 4, weights 2867 at first. They are selected by
 *     r, whether it is the match's, the context that offers it (0 if the match), and whether the
 *     first candidate was right when the last four symbols were coded otherwise than quickly (the
 *     latest is bit 0; 1 right; what was quick and right counts as right);
 *     r and the number of input 5.
 *   A row for r and the number of input 5, modulo 512, refines y; the decision is coded by
 *   (squash(y) + what the row says) / 2, kept to 24 to 65512. Then all of these move and learn.
 *
 * None right.  The symbol is coded in `bits` bits, the highest first. With `node` being the bits so
 *   far behind a 1, and c the first candidate (0 if there was none), before bit 0, 4, 8, 12 of
 *   those there are five lines, of
 *     node, (65536 * x1 + node) * M, ((65536 * x1 + node) * M ^ x2) * C, (65536 * x2 + node) * M,
 *     (65536 * c + node) * M
 *   in each of which the bits since then, behind a 1, number a cell, limit 60. There is a history
 *   map for each of the five. Inputs: stretch of the cell's p and of the map, cell by cell; 256.
 *   One mixer, rate 4, weights 1802 at first, for each number of the bit; squash(y) kept to 24 to
 *   65512.
 *
 * Then each entry learns, from context 0 to 4: an empty one gets the symbol, also as the last
 *   different one, and history 1; another appends to its history and, if the symbol is not its
 *   last, makes that the last different. A match that was right grows by one, and at 16 or more its
 *   misses are cleared; else its length becomes 0 and its misses grow, and with nine there is none.
 *   q grows by one either way.
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

/* Appends the `n` > 0 bytes at `raw`, symbols of `width` 1 or 2 bytes, to `out` as a ranked stream
 * that goes on from those before. The closer `level` is to 9, the fewer decisions are quick. */
int trc_ranker_write(struct trc_ranker *r, const uint8_t *raw, size_t n, size_t width, int level,
                     struct trc_buf *out, struct trc_err *err) TRC_MUST_USE;

/* Reads `n` bytes from the ranked stream [p, p + len), which must hold them and no more. After an
 * error the ranker is good for nothing. */
int trc_ranker_read(struct trc_ranker *r, const uint8_t *p, size_t len, size_t width, uint8_t *raw,
                    size_t n, struct trc_err *err) TRC_MUST_USE;

/* The same for a single stream. */
int trc_rank_write(const uint8_t *raw, size_t n, size_t width, int level, struct trc_buf *out,
                   struct trc_err *err) TRC_MUST_USE;
int trc_rank_read(const uint8_t *p, size_t len, size_t width, uint8_t *raw, size_t n,
                  struct trc_err *err) TRC_MUST_USE;

#endif
