/* SPDX-License-Identifier: MIT
 *
 * The columns of a block by ops (codec/growth/op_columns.h): converts rows to values and
 * exceptions, and back.
 */
#ifndef TRC_CODEC_PROGRAM_OP_EXCEPTIONS_H
#define TRC_CODEC_PROGRAM_OP_EXCEPTIONS_H

#include "codec/growth/op_columns.h"
#include "codec/program/path.h"
#include "codec/program/refs_runs.h"

/* ---- writing ---- */

/* The exceptions in the form in which they are written. */
struct trc_op_exceptions {
	struct trc_buf bytes;
	size_t n, next; /* their number; the row after the last one */
};

/* The index of the first edge of an op, and its number of rows. */
struct trc_op_left {
	uint32_t first, rows;
};

/* The state of finding exceptions. A zeroed struct is ready for use; release frees. */
struct trc_op_finder {
	uint32_t *edge;         /* sorted by op */
	struct trc_op_left *op; /* for each op of the program */
	uint32_t *id;           /* on the path: the ops */
	uint32_t *taken;        /* on the path: the edge by which each op is left */
	uint8_t *rows;          /* on the path: the number of rows of each op */
	uint64_t *now;          /* the current value of each edge, which exceptions may change */
	uint8_t *unsure;        /* 1 if an edge has no value yet, or its value was changed */
	bool *known;            /* whether each edge has a value, and then whether each op has */
	size_t ops;             /* on the path */
	size_t edge_cap, op_cap, id_cap, taken_cap, rows_cap, now_cap, unsure_cap, known_cap;
	struct trc_op_exceptions kept, changed; /* exceptions if values stay, and if they change */
};

void trc_op_finder_release(struct trc_op_finder *f);

/* Finds the values of ops from `old_ops` on and of edges from path->old_edges on, given the columns
 * `v` of the rows along the path, which have the widths of the program's columns. Replaces
 * exceptions[k] by the exceptions of column k in the form stored in a block, or by nothing if they
 * need more than `most` bytes. */
int trc_op_finder_find(struct trc_op_finder *f, struct trc_program *p, const struct trc_path *path,
                       size_t old_ops, const void *const *v, size_t most,
                       struct trc_buf *exceptions, struct trc_err *err) TRC_MUST_USE;

/* ---- reading ---- */

/* The position of the first row of an op in a run, and the edge by which the op is left within the
 * run. */
struct trc_op_step {
	uint32_t row, edge;
};

/* The ops of runs. A zeroed struct is ready for use; release frees. */
struct trc_op_layout {
	struct trc_op_step *step;
	uint32_t *of_run;  /* 1 + the index of its first step; 0: not laid out */
	uint32_t *of_next; /* for each edge of a run: the edge of the program */
	uint64_t *now;
	size_t steps, step_cap, of_run_cap, of_next_cap, now_cap;
};

void trc_op_layout_release(struct trc_op_layout *l);

/* Begins a walk. */
int trc_op_layout_begin(struct trc_op_layout *l, const struct trc_walk *w,
                        struct trc_err *err) TRC_MUST_USE;

/* Writes all `rows` rows of column `k` along the walk to `to`, in the width of the column; reads
 * the exceptions from `in`. */
int trc_op_layout_fill(struct trc_op_layout *l, const struct trc_walk *w, unsigned k,
                       struct trc_view *in, void *to, size_t rows,
                       struct trc_err *err) TRC_MUST_USE;

#endif
