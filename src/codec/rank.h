/* SPDX-License-Identifier: MIT
 *
 * Sequences of indices, such as those of pages, by guessing: the symbols that followed in the same
 * contexts before are offered one after another, each with one binary decision, until one is right.
 * Most symbols take a single decision, many of them a cheap one. The words are those of
 * codec/logistic.h.
 *
 *   ranked stream:  bits (1 byte): how many the greatest symbol has, 1 to 16; the decisions, by the
 *                   range coder of codec/rc.h
 *
 * Symbols are the bytes of the raw stream, or pairs of bytes, the most significant first. What
 * follows is for the symbol at place i of N; x1, x2, ... are those before it, 0 before the start.
 * Sums are modulo 2^32; M = 0x2f0b4c47, S = 0x9e3779b1, C = 0x85ebca6b.
 *
 * Tables.  There are 2^a entries in each, a being the least from 10 to 18 that has 2^a >= N.
 *   Context k, 0 to 5, has order 1, 2, 4, 7, 11, 18. hash(o): h = 0, then h = (h + x1 + 1) * M, and
 *   so on to xo. Its entry is number h * S >> 32 - a; if the low 16 bits of h * S, | 1, are not the
 *   entry's check, the entry is emptied and gets it. An entry holds the last symbol here and the
 *   last different one, and a history of whether the last symbol came again.
 *   Cells stand in tables of 2^b, b being a but at most 16; the one of v at
 *   (v ^ v >> 15) * S >> 32 - b. A candidate c is judged by three, limit 30, those of
 *   f0 = (65536 * x1 + c) * S, f1 = (f0 ^ x2 * M) * C, f2 = (f1 ^ x3) * M.
 *
 * Match.  A place q before i whose symbol is the first candidate; it has a length and a number of
 *   misses. Its state is 0 if there is none, else 1 + grade + 32 * misses. The length's growth ends
 *   at 65535.
 *
 * Quick decision.  If there is a match, with length 24 or more, no misses, and its candidate's
 *   third cell has p >= 62000: is it right? By the probability, at first 65000, of its grade and of
 *   stretch(p) / 64, 47 at most, which moves with s = 7; kept to 24 to 65512. The cell learns. If
 *   right, q and the length grow by one, and that is all for this symbol. If not, the candidate is
 *   excluded, and the match counts as none until the symbol is known.
 *
 * Otherwise.  If i >= 24 and there is no match or its length is less than 16:
 *   hash(24) * S >> 32 - a is a key. If it was noted before with a place q such that 24 or more
 *   symbols, 400 are enough, before q and i are alike, there is a match at q with that length and
 *   no misses. Key and i are noted.
 *   Candidates: the match's; the last symbols of the entries, from context 5 to 0; the last
 *   different ones in the same order; each symbol only once, four at most. With r candidates
 *   refused, a candidate c is decided with these inputs:
 *     0 to 5: stretch of the probability, at first 32768, of context k, r, and state: 0 if the
 *             entry is empty, else 1 + history * 3 + (0 if c is the last symbol, 1 if the last
 *             different, 2)
 *     6:      of r and 2 * match's state + (1 if there is a match and its candidate is not c)
 *     7 to 9: stretch of the cells' p;  10: 256;  the others 0
 *   and y = (sum) / 2 of two mixers of rate 4, weights 2867 at first. They are selected by
 *     r, whether it is the match's, the context that offers it (0 if the match), and whether the
 *     first candidate was right when the last four symbols were coded otherwise than quickly (the
 *     latest is bit 0; 1 right; what was quick and right counts as right);
 *     r and the number of input 6.
 *   A row for r and the number of input 6, modulo 512, refines y; the decision is coded by
 *   (squash(y) + what the row says) / 2, kept to 24 to 65512. Then all of these move and learn.
 *
 * None right.  The symbol is coded in `bits` bits, the highest first. With `node` being the bits so
 *   far behind a 1, and c the first candidate (0 if there was none), there are five cells, limit
 *   60, of
 *     node, (65536 * x1 + node) * M, ((65536 * x1 + node) * M ^ x2) * C, (65536 * x2 + node) * M,
 *     (65536 * c + node) * M
 *   and a history map each. Inputs: stretch of the cell's p and of the map, cell by cell; 256. One
 *   mixer, rate 4, weights 1802 at first, for each number of the bit; squash(y) kept to 24 to
 *   65512.
 *
 * Then each entry learns: an empty one gets the symbol and history 1; another appends to its
 *   history and, if the symbol is not its last, makes that the last different. A match that was
 *   right grows by one, and at 16 or more its misses are cleared; else its length becomes 0 and its
 *   misses grow, and with nine there is none. q grows by one either way.
 */
#ifndef TRC_CODEC_RANK_H
#define TRC_CODEC_RANK_H

#include "base/buf.h"

/* Appends the `n` > 0 bytes at `raw`, symbols of `width` 1 or 2 bytes, to `out` as a ranked
 * stream. */
int trc_rank_write(const uint8_t *raw, size_t n, size_t width, struct trc_buf *out,
                   struct trc_err *err) TRC_MUST_USE;

/* Reads `n` bytes from the ranked stream [p, p + len), which must hold them and no more. */
int trc_rank_read(const uint8_t *p, size_t len, size_t width, uint8_t *raw, size_t n,
                  struct trc_err *err) TRC_MUST_USE;

#endif
