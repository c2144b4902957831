/* SPDX-License-Identifier: MIT
 *
 * Rows as a path through the program: which op each instruction is, by which edge it was left, and
 * what data was referenced. The program grows with it. Most ops follow the one before as they
 * did last time, which is all that is looked at then.
 */
#ifndef TRC_CODEC_PROGRAM_REFS_OPS_H
#define TRC_CODEC_PROGRAM_REFS_OPS_H

#include "base/map.h"
#include "codec/program/refs.h"

enum { TRC_SHAPES_NEAR = 256 };

/* An op as following it needs it, all in half a cache line: the last successor of a branch target
 * buffer (J. Lee, A. Smith, 1984). */
struct trc_step {
	uint64_t pc;
	uint64_t types; /* of its rows, and that of a fetch behind them; see follow() */
	uint32_t shape, slot;
	uint32_t to;  /* where it was left to last, */
	uint8_t edge; /* by this one; TRC_PATH_FAR: not left yet, or by one that is far */
	uint8_t rows, data;
	bool fetch;
};

/* Hash tables that find items of the program. */
struct trc_op_index {
	/* Content to number; for edges that are not among the first of their op, (from, to) to
	 * ordinal. */
	struct trc_map shape, op, edge;
	uint32_t near_shape[TRC_SHAPES_NEAR]; /* found lately; TRC_NONE: none */
};

/* A path through the program: each op, and the edge it left by. */
struct trc_op_path {
	uint32_t *op;
	uint8_t *edge; /* its ordinal; TRC_PATH_FAR: that is in `far` */
	struct trc_buf far;
	size_t n, op_cap, edge_cap;
};

/* The data references on a path. */
struct trc_data_refs {
	uint64_t *addr; /* behind TRC_BACK zeros */
	uint32_t *slot;
	size_t n, addr_cap, slot_cap;
};

/* What makes ops of rows. Zeroed memory is none; trc_ops_init() begins, trc_ops_release() frees.
 * New. */
struct trc_ops {
	struct trc_program program;
	struct trc_op_index index;
	struct trc_step *step; /* for each op */
	size_t step_cap;

	/* Of the block. */
	struct trc_op_path path;
	struct trc_data_refs data;

	/* Where it stands. */
	uint32_t last; /* op */
	uint64_t pc;   /* of the last fetch, or of the row that came last, where rows have one */
	bool inferred; /* only those of fetches matter */
};

int trc_ops_init(struct trc_ops *o, struct trc_err *err) TRC_MUST_USE;
void trc_ops_release(struct trc_ops *o);

/* Finds the ops of a block. */
int trc_ops_find(struct trc_ops *o, const struct trc_refs_rows *rows,
                 struct trc_err *err) TRC_MUST_USE;

#endif
