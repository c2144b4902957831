/* SPDX-License-Identifier: MIT
 *
 * The choices of a way through a program (codec/program/refs.h), told by one who knows the program
 * as well: which op decides, which edges it has, and which of those were taken before. What follows
 * when the same way was gone before is mostly right; the rest is decided edge by edge, each time by
 * mixing what was chosen here, and behind the same choices. The words are those of
 * codec/mixing/logistic.h, the decisions made by the range coder of codec/entropy/range_coder.h.
 * One stream holds the choices of a block, and begins with nothing but the program as it is behind
 * the block's growth.
 *
 * Deciders are the ops with several edges. Each gets the numbers of its edges, as many as it has,
 *   behind those of the deciders that were met before it; the first gets 1 and up. So a choice is
 *   a number: x1, x2, ... are those before the one that comes, 0 before the start. Edges that the
 *   block's growth does not have are known when it begins, others once they are taken. Of those
 *   that are not, the next is the first of a decider in the program: no other can be taken.
 *
 * Cells have a probability p of 22 bits, at first 2^21, and n, at first 0. Those of trust have at
 *   first 64 times what codec/stream/tokens.h gives a match of their grade and record, and n = 6.
 *   Learning moves p by ((to - p) >> 3) * t >> 10, with to = 2^22 or 0 and t = 16384 / (2n + 3),
 *   rounded down; then n grows by one, to 120 at most.
 *
 * Hashes.  With S = 0x9e3779b97f4a7c15, h16 is (...((x16 * 16S) + x15) * 16S ... + x1) * 16S modulo
 *   2^64, and h4 the same of x4 to x1 with 65536S. For each, places are noted in a table of 2^a, a
 *   being the least from 10 to 16 that has 2^a >= the number of choices: at the upper a bits of h,
 *   and with bits 32 to 39 as a check.
 *
 * Match.  A place q before the choice i that comes, of the same decider; its number is the match's.
 *   It has a length. If the choice is right, q and the length grow by one, else there is none. Each
 *   place has a record: 1 if there was no match; else that of q, a history, to which is appended
 *   whether it was right.
 *   Before a choice that no run tells, if there is no match, or one of length 7, 11 or 15: the
 *   place noted for h16, if it has the same check, is the match, of length 16; if not, and there is
 *   none, that for h4, likewise, of length 4. Place 0 is as if none was noted. If what was found is
 *   at another decider, there is no match: neither that for h4 nor the one before takes its place.
 *   Behind the choice, i is noted for both hashes, as they were before it.
 *   Its trust is the cell for the grade of its length and the record of q.
 *
 * Runs.  While the match's length is 32 or more, the record of q 255, and p >= 64900 * 64 in its
 *   trust: from here on the match is right up to m times, where m is its length, or fewer: as many
 *   as there are choices left; or places from q on with record 255, where those from i on are
 *   counted as such. A bit tells if one of these is wrong (1), by models of a bit, one for each
 *   length of m in bits; if so, a number, by models of its own, how many are right before it. Those
 *   have record 255 and change nothing else but the match. Then the trust for its length now and
 *   record 255 learns whether all were right. The one that is wrong is told as follows.
 *
 * Known edges.  The next edge, if it is the decider's, is taken if the decider has none that is
 *   known; otherwise a bit tells whether it is. Its model is selected by how often this one was
 *   refused so (0 to 3; 4: below 16; 5: below 64; 6: below 256; 7), how many edges the decider has
 *   that are known (3 at most), and whether the choice before took such an edge, which none does
 *   that a run told.
 *   If one edge is known, it is taken. Otherwise these are offered until one is right, or one is
 *   left, which it is then: the match's, which was refused if a run was wrong; the last three
 *   different ones that the decider took outside of runs, the latest first, and at first 0, 1, 2,
 *   as far as they are known. If none is right: a number by models of its own, known - 1 - choice.
 *
 * Offers.  With c being what is offered, and v its number, these cells:
 *     (2t + c) mod 8 of eight that the decider has, the bits of t telling of its choices outside of
 *       runs whether they were not 0, the latest in bit 0;
 *     of a table of 2^b, b as a, but 14 at most, in lines of four: ((h16 >> 32) + v) mod 4 of the
 *       line with the cell that has as its number the upper b bits of h16.
 *   Inputs: the stretch of p >> 6 of both, of that of the trust if this is the match's, or else 0,
 *   and 256. Two rows of four weights, at first 2867, are selected by how many were refused (2 at
 *   most), and by
 *     0 without a match, 1 + grade for the match's, 33 for another beside a match;
 *     256 without a match, the record of q for the match's, 257 for another beside a match.
 *   y is the sum of both, >> 14 and kept to -2020 to 2020. The decision is coded as those of
 *   codec/stream/tokens.h, yes if it is right, by squash(y). Then both rows learn by squash(y),
 *   with rate 6, and so do both cells and, if it was the match's, its trust.
 */
#ifndef TRC_CODEC_PROGRAM_PATH_H
#define TRC_CODEC_PROGRAM_PATH_H

#include "codec/program/program.h"

/* What a block is told by, and what it learnt. */
struct trc_path_model;

struct trc_path_model *trc_path_model_open(struct trc_err *err) TRC_MUST_USE;
void trc_path_model_close(struct trc_path_model *c);

/* Bytes that a chooser may take for `n` choices in a program. */
size_t trc_path_model_memory(const struct trc_program *p, size_t n);

enum { TRC_PATH_FAR = 255 };

/* A path through a program: each op, and the edge by which it was left, of which those of ops with
 * one edge do not matter; TRC_PATH_FAR: the number stands in `far` (LEB128). The program
 * grew by the edges from `old_edges` on. */
struct trc_path_stream {
	const struct trc_program *program;
	size_t old_edges;
	const uint32_t *op;
	const uint8_t *edge;
	size_t ops;
	struct trc_view far;
};

/* Appends the choices, of which there are *n, to `out`: nothing if there are none. */
int trc_path_write(struct trc_path_model *c, const struct trc_path_stream *way, struct trc_buf *out,
                   size_t *n, struct trc_err *err) TRC_MUST_USE;

/* Begins to read `n` choices from [p, p + len), which must stay there. */
int trc_path_begin(struct trc_path_model *c, const struct trc_program *program, size_t old_edges,
                   const uint8_t *p, size_t len, size_t n, struct trc_err *err) TRC_MUST_USE;

/* The number of the decider that op `id` is; TRC_NONE without memory. Each must be asked for where
 * it is met first. */
uint32_t trc_path_branch_op(struct trc_path_model *c, uint32_t id, struct trc_err *err);

/* The next choice, which is made by a decider; TRC_NONE if it is damaged. */
uint32_t trc_path_next(struct trc_path_model *c, uint32_t decider);

/* True if all choices were read, and nothing is left. */
bool trc_path_ended(const struct trc_path_model *c);

#endif
