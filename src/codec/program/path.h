/* SPDX-License-Identifier: MIT
 *
 * The path of a block through a program (codec/growth/program.h), coded as its branches by a model
 * that has the program, too: at which op the path is, which edges that has, and which of them were
 * taken before. It is a branch predictor (a match model for global history, counters for local
 * history) of which each misprediction is coded. New are branches of any number of edges, and edges
 * that appear in the order in which the growth lists them.
 *
 * container/SPEC.md, "The path model", has it to the bit. Edges that the block's growth does not
 * have are known when it begins, others once they are taken: of those that are not, the next is the
 * first of a branch op in the program, since no other can be taken.
 */
#ifndef TRC_CODEC_PROGRAM_PATH_H
#define TRC_CODEC_PROGRAM_PATH_H

#include "codec/growth/program.h"

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
