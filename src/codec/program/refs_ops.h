/* SPDX-License-Identifier: MIT
 *
 * Converts rows to a path through the program: the op of each instruction, the edge by which it was
 * left, and the data references. The program grows meanwhile. Most ops follow the previous one in
 * the same way as the last time, and nothing else is examined then.
 */
#ifndef TRC_CODEC_PROGRAM_REFS_OPS_H
#define TRC_CODEC_PROGRAM_REFS_OPS_H

#include "base/map.h"
#include "codec/program/op_index.h"
#include "codec/program/refs.h"

enum {
	TRC_SHAPES_NEAR = 256,
	TRC_OPS_AHEAD = 64, /* rows that must be known after the start of an op */
};

/* Hash tables that find items of the program. */
struct trc_program_index {
	/* Content -> number; for edges that are not among the first of their op, (from, to) ->
	 * ordinal. */
	struct trc_map shape, edge;
	struct trc_op_index op;
	uint32_t near_shape[TRC_SHAPES_NEAR]; /* found recently; TRC_NONE: none */
};

/* A path through the program, as struct trc_path has it. */
struct trc_op_path {
	struct trc_path_run *run;
	uint8_t *edge;
	struct trc_buf far;
	size_t n, runs, run_cap, edge_cap; /* n: ops */
};

/* Rows at the end of a piece, which are looked at with the next piece. */
struct trc_ops_left {
	uint8_t type[3 * TRC_OPS_AHEAD];
	uint64_t addr[3 * TRC_OPS_AHEAD];
	uint32_t size[3 * TRC_OPS_AHEAD];
	size_t n;
	bool sized;
};

/* The data references on a path. */
struct trc_data_refs {
	uint64_t *addr; /* after TRC_BACK zeros */
	size_t n, addr_cap;
};

/* The state of converting rows to ops. A zeroed struct is empty; trc_ops_init() begins,
 * trc_ops_release() frees. This is new. */
struct trc_ops {
	struct trc_program program;
	struct trc_program_index index;
	struct trc_op_follow *step; /* for each op */
	uint8_t *ahead;             /* for each op: the edge to the next one, if it is not far */
	size_t step_cap, ahead_cap;

	/* Of the current block. */
	struct trc_op_path path;
	struct trc_data_refs data;
	struct trc_ops_left left;

	/* The current position. */
	uint32_t last; /* the last op */
	uint64_t pc;   /* of the last fetch or, if rows have a pc, of the last row */
	bool inferred; /* only the pcs of fetches matter */
};

int trc_ops_init(struct trc_ops *o, struct trc_err *err) TRC_MUST_USE;
void trc_ops_release(struct trc_ops *o);

/* Begins a block. */
void trc_ops_begin(struct trc_ops *o, bool inferred);

/* Finds the ops of all rows of a block. */
int trc_ops_find(struct trc_ops *o, const struct trc_refs_rows *rows,
                 struct trc_err *err) TRC_MUST_USE;

/* Do the same for rows that come piece by piece, while they are in the cache, and without pcs: the
 * ops are those of all rows at once. The last piece has no rows. */
int trc_ops_add(struct trc_ops *o, const struct trc_refs_rows *rows,
                struct trc_err *err) TRC_MUST_USE;
int trc_ops_end(struct trc_ops *o, struct trc_err *err) TRC_MUST_USE;

/* Restores all rows of the block so far from its ops and data references; `size` may be NULL. */
void trc_ops_rows(const struct trc_ops *o, uint8_t *type, uint64_t *addr, uint32_t *size);

#endif
