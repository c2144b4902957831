/* SPDX-License-Identifier: MIT
 *
 * The path of a block through a program (codec/growth/program.h), coded as its branches by a model
 * that also knows the program: the op that the path has reached, the edges of that op, and which of
 * them were taken before. It is a branch predictor (a match model for global history, counters for
 * local history) whose mispredictions are coded. New are branches with any number of edges, and
 * edges that appear in the order in which the growth lists them.
 *
 * container/SPEC.md, "The path model", specifies it exactly. Edges that do not belong to the growth
 * of the block are known from the start, others once they are taken. Of the unknown edges of a
 * branch op, only the first in program order can be taken next.
 */
#ifndef TRC_CODEC_PROGRAM_PATH_H
#define TRC_CODEC_PROGRAM_PATH_H

#include "codec/growth/program.h"

/* The predictor and coder of branches, reused for one block after another. */
struct trc_path_model;

struct trc_path_model *trc_path_model_open(struct trc_err *err) TRC_MUST_USE;
void trc_path_model_close(struct trc_path_model *m);

/* Returns the most bytes that a model uses for `n` branches in a program. */
size_t trc_path_model_memory(const struct trc_program *p, size_t n);

enum { TRC_PATH_FAR = 255 };

/* Ops of a path that are neighbours in the program, too, as most are, since ops are numbered in the
 * order in which they were found. */
struct trc_path_run {
	uint32_t end;  /* how many ops the path has up to the last one of the run */
	uint32_t last; /* which one that is */
};

/* A path through a program: runs of ops, and the numbers of the edges by which ops were left. An
 * edge does not matter for ops with a single one; TRC_PATH_FAR means that the number is in `far`
 * (LEB128), and ends a run. The program grew by the edges from `old_edges` on. */
struct trc_path {
	const struct trc_program *program;
	size_t old_edges;
	const struct trc_path_run *run;
	const uint8_t *edge;  /* by which the last op of each run was left */
	const uint8_t *ahead; /* by op of the program: its edge to the next op */
	size_t runs;
	struct trc_view far;
};

/* Returns the first op of run `i`. */
static inline uint32_t
trc_path_first(const struct trc_path_run *run, size_t i)
{
	return run[i].last + 1 - (run[i].end - (i > 0 ? run[i - 1].end : 0));
}

/* Appends the branches to `out`, and sets *n to their number; appends nothing if there are none. */
int trc_path_write(struct trc_path_model *m, const struct trc_path *path, struct trc_buf *out,
                   size_t *n, struct trc_err *err) TRC_MUST_USE;

/* Begins reading `n` branches from [p, p + len), which must remain valid. */
int trc_path_begin(struct trc_path_model *m, const struct trc_program *program, size_t old_edges,
                   const uint8_t *p, size_t len, size_t n, struct trc_err *err) TRC_MUST_USE;

/* Returns the branch op number of op `id`; TRC_NONE if out of memory. Must be called when an
 * op is first reached. */
uint32_t trc_path_branch_op(struct trc_path_model *m, uint32_t id, struct trc_err *err);

/* Returns the edge by which a branch op is left next; TRC_NONE if the data is damaged. */
uint32_t trc_path_next(struct trc_path_model *m, uint32_t branch_op);

/* Returns true if all branches were read and nothing is left. */
bool trc_path_ended(const struct trc_path_model *m);

#endif
