/* SPDX-License-Identifier: MIT
 *
 * Columns of a block by ops (codec/growth/op_columns.h): from rows to values and exceptions, and
 * back.
 */
#ifndef TRC_CODEC_PROGRAM_OP_EXCEPTIONS_H
#define TRC_CODEC_PROGRAM_OP_EXCEPTIONS_H

#include "codec/growth/op_columns.h"
#include "codec/program/path.h"
#include "codec/program/refs_runs.h"

/* ---- writing ---- */

/* Exceptions as they are written. */
struct trc_op_exceptions {
	struct trc_buf bytes;
	size_t n, next; /* how many; the row behind the last */
};

/* Where the edges of an op begin, and how many rows it has. */
struct trc_op_left {
	uint32_t first, rows;
};

/* What finds exceptions. Zeroed memory is one; release frees. */
struct trc_op_finder {
	uint32_t *edge;         /* sorted by op */
	struct trc_op_left *op; /* of the program */
	uint32_t *taken;        /* on the path: by which edge each op is left, */
	uint8_t *rows;          /* and how many rows it has */
	uint64_t *now;          /* the value of each edge, as exceptions change it, */
	uint8_t *unsure;        /* and 1 if it has none yet, or was changed */
	bool *known;            /* whether it has one, and then whether each op has */
	size_t edge_cap, op_cap, taken_cap, rows_cap, now_cap, unsure_cap, known_cap;
	struct trc_op_exceptions kept, changed; /* if values stay, or change */
};

void trc_op_finder_release(struct trc_op_finder *f);

/* Finds the values of ops from `old_ops` on and of edges from path->old_edges on, in the columns
 * `v` of the rows along the path, of the widths that the program has; puts the exceptions of each
 * in place of what exceptions[k] held: as a block has them, but nothing if they take more than
 * `most` bytes. */
int trc_op_finder_find(struct trc_op_finder *f, struct trc_program *p, const struct trc_path *path,
                       size_t old_ops, const void *const *v, size_t most,
                       struct trc_buf *exceptions, struct trc_err *err) TRC_MUST_USE;

/* ---- reading ---- */

/* Where in a run the first row of an op is, and by which edge it is left within the run. */
struct trc_op_step {
	uint32_t row, edge;
};

/* The ops of runs laid out. Zeroed memory is one; release frees. */
struct trc_op_layout {
	struct trc_op_step *step;
	uint32_t *of_run;  /* 1 + the place of its first op; 0: not laid out */
	uint32_t *of_next; /* for each edge of a run: the edge of the program */
	uint64_t *now;
	size_t steps, step_cap, of_run_cap, of_next_cap, now_cap;
};

void trc_op_layout_release(struct trc_op_layout *l);

/* Begins a walk. */
int trc_op_layout_begin(struct trc_op_layout *l, const struct trc_walk *w,
                        struct trc_err *err) TRC_MUST_USE;

/* Puts all `rows` rows of column `k` along the walk to `to`, by its width; takes the exceptions
 * from `in`. */
int trc_op_layout_fill(struct trc_op_layout *l, const struct trc_walk *w, unsigned k,
                       struct trc_view *in, void *to, size_t rows,
                       struct trc_err *err) TRC_MUST_USE;

#endif
