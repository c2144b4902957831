/* SPDX-License-Identifier: MIT
 *
 * Rows as a way through the program: which op each instruction is, by which edge it was left, and
 * what data was referenced. The program grows on the way. Most ops follow the one before as they
 * did last time, which is all that is looked at then.
 */
#ifndef TRC_CODEC_PROGRAM_REFS_OPS_H
#define TRC_CODEC_PROGRAM_REFS_OPS_H

#include "base/map.h"
#include "codec/program/refs.h"

enum { TRC_SHAPES_NEAR = 256 };

/* An op as following it needs it: all in half a cache line. */
struct trc_step {
	uint64_t pc;
	uint64_t types; /* of its rows, and that of a fetch behind them; see follow() */
	uint32_t shape, slot;
	uint32_t to;    /* where it was left to last, */
	uint8_t choice; /* by this edge; TRC_PATH_FAR: not left yet, or by one that is far */
	uint8_t rows, data;
	bool fetch;
};

/* Zeroed memory is none; trc_ops_init() begins, trc_ops_release() frees. */
struct trc_ops {
	struct trc_program program;
	/* Content to number; for edges that are not among the first of their op, (from, to) to
	 * ordinal. */
	struct trc_map shape_map, op_map, edge_map;
	uint32_t near_shape[TRC_SHAPES_NEAR]; /* found lately; TRC_NONE: none */
	struct trc_step *step;                /* for each op */
	size_t step_cap;

	/* The block. */
	uint32_t *op;    /* each op, and the edge it left by, as a choice: an ordinal, or that it */
	uint8_t *choice; /* is in `far` */
	struct trc_buf far;
	size_t ops, op_cap, choice_cap;
	uint64_t *data; /* addresses of data references, behind TRC_BACK zeros */
	uint32_t *slot; /* of each */
	size_t n, data_cap, slot_cap;

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
