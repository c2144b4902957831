/* SPDX-License-Identifier: MIT
 *
 * The path of a block through a program (codec/program/program.h), coded as its branches by a model
 * that has the program, too: at which op the path is, which edges that has, and which of them were
 * taken before. It is a branch predictor (a match model for global history, counters for local
 * history) of which each misprediction is coded. New are branches of any number of edges, and edges
 * that appear in the order in which the growth lists them.
 *
 * Branch ops are those with several edges. Each gets numbers for its edges, as many as it has,
 *   behind those of the branch ops that were met before it; the first gets 1 and up. So a branch is
 *   the number of the edge taken: x1, x2, ... are those before the one that comes, 0 before the
 *   start. Edges that the block's growth does not have are known when it begins, others once they
 *   are taken. Of those that are not, the next is the first of a branch op in the program: no other
 *   can be taken.
 *
 * For each branch, what is coded of it, in this order, until it is known:
 *
 *   run     while the match is long and certain (codec/program/path_match.h): with m being for how
 *           many branches it may be right, whether it is wrong for one of them, by the models of
 *           range_coder.h, one for each length of m in bits; if so, a number: how many are right
 *           before. Then the confidence for its length and history learns whether all were right.
 *           Behind a run that was wrong, the edge is not that of the match
 *   new     if the next new edge is the op's, and others are known: whether it is taken, given how
 *           often this one was refused (0 to 3; 4: below 16; 5: below 64; 6: below 256; 7). If no
 *           other is known, it is
 *   match   if several edges are known: whether it is that of the match
 *   recent  whether it is one of the last three different ones that the op took outside of runs,
 *           the latest first, and at first 0, 1, 2, as far as they are known. The last one that is
 *           left is it
 *   rest    a number: known - 1 - edge
 *
 * Those of match and recent are bits with p = squash(y) of a mixer (codec/mixing/mixer.h), rate 6,
 * weights at first 4096. Its inputs are the stretches of a counter of the op, ((2t + edge) mod 8)
 * of eight, limit 120, the bits of t being, for each of its branches outside of runs, whether it
 * was not edge 0, the latest in bit 0; of the confidence of the match if the edge is its, else 0;
 * and the bias. Weights are selected by how many edges were refused, 2 at most; and by 0 without a
 * match, 1 + length bucket for the edge of the match, 33 for others beside a match.
 */
#ifndef TRC_CODEC_PROGRAM_PATH_H
#define TRC_CODEC_PROGRAM_PATH_H

#include "codec/program/program.h"

/* What branches are predicted from and coded with: a block's, reused for the next. */
struct trc_path_model;

struct trc_path_model *trc_path_model_open(struct trc_err *err) TRC_MUST_USE;
void trc_path_model_close(struct trc_path_model *m);

/* Bytes that a model may take for `n` branches in a program. */
size_t trc_path_model_memory(const struct trc_program *p, size_t n);

enum { TRC_PATH_FAR = 255 };

/* A path through a program: each op, and the edge by which it was left, of which those of ops with
 * one edge do not matter; TRC_PATH_FAR: the number stands in `far` (LEB128). The program grew by
 * the edges from `old_edges` on. */
struct trc_path {
	const struct trc_program *program;
	size_t old_edges;
	const uint32_t *op;
	const uint8_t *edge;
	size_t ops;
	struct trc_view far;
};

/* Appends the branches, of which there are *n, to `out`: nothing if there are none. */
int trc_path_write(struct trc_path_model *m, const struct trc_path *path, struct trc_buf *out,
                   size_t *n, struct trc_err *err) TRC_MUST_USE;

/* Begins to read `n` branches from [p, p + len), which must stay there. */
int trc_path_begin(struct trc_path_model *m, const struct trc_program *program, size_t old_edges,
                   const uint8_t *p, size_t len, size_t n, struct trc_err *err) TRC_MUST_USE;

/* The number of the branch op that op `id` is; TRC_NONE without memory. To be called for each where
 * it is met first. */
uint32_t trc_path_branch_op(struct trc_path_model *m, uint32_t id, struct trc_err *err);

/* The edge that a branch op is left by next; TRC_NONE if that is damaged. */
uint32_t trc_path_next(struct trc_path_model *m, uint32_t branch_op);

/* True if all branches were read, and nothing is left. */
bool trc_path_ended(const struct trc_path_model *m);

#endif
