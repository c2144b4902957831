/* SPDX-License-Identifier: MIT
 *
 * Walks the path of a block through its program. The ops between two branches are always the same
 * and are laid out once, as a run: their types, sizes and fetch addresses in columns from which
 * they will be copied, and the positions for data addresses in them. The result of a walk is the
 * order of the runs. Runs remain valid until the program grows.
 */
#ifndef TRC_CODEC_PROGRAM_REFS_RUNS_H
#define TRC_CODEC_PROGRAM_REFS_RUNS_H

#include "codec/program/refs.h"

enum {
	TRC_RUN_OPS = 48, /* the most ops in a run, which keeps overlapping runs small */
	TRC_RUN_ROWS = TRC_RUN_OPS * TRC_SHAPE_ROWS,
	TRC_RUN_SLACK = 32, /* rows after the templates that may be copied with them */
};

/* A superblock (W. Hwu and others, 1993): the ops from a branch, or from the target of one, to the
 * next branch. Its rows are [row, row + rows) of the templates, in which each address is the pc of
 * the op. */
struct trc_run {
	uint32_t row, rows;
	uint32_t place, places;    /* places of its data references */
	uint32_t ops, first, last; /* number of ops; the first and the last op */
	uint32_t next, edges;      /* runs that may follow; it ends in a branch unless `edges` is
	                            * 1 */
	uint32_t branch;           /* 1 + its number (codec/program/path.h); 0: unknown */
};

/* The position of a data reference in a run, and its slot. */
struct trc_run_place {
	uint32_t row; /* in the run */
	uint32_t slot;
};

/* All known runs: the control-flow graph of superblocks. */
struct trc_run_graph {
	const struct trc_program *program;
	uint64_t version; /* of the program for which the runs were made */
	struct trc_run *run;
	uint32_t *run_of_op; /* 1 + the number of the run that begins with the op; 0: none yet */
	uint32_t *next;      /* for each edge of a run: 1 + the number of the run; 0: none yet */
	uint32_t *passed;    /* how often the block passes each run */
	size_t runs, nexts, run_cap, run_of_op_cap, next_cap, passed_cap;
};

/* The rows of runs, which are made once and then copied, like code in the cache of a dynamic
 * translator. */
struct trc_run_templates {
	uint8_t *type;
	uint64_t *addr;
	uint32_t *size; /* unless all sizes are 0 */
	struct trc_run_place *place;
	size_t row, places, type_cap, addr_cap, size_cap, place_cap;
	bool sized; /* a shape has a size */
};

/* A walk and its results. A zeroed struct is ready to begin. This is new. */
struct trc_walk {
	struct trc_run_graph graph;
	struct trc_run_templates template;
	size_t most;                  /* limit of memory in bytes; 0: none */
	struct trc_path_model *model; /* during the walk */
	size_t model_bytes;           /* the most bytes it may use */

	uint32_t *order; /* runs of the block */
	uint32_t *taken; /* the edge by which each was left, if the program has columns */
	size_t orders, order_cap, taken_cap;
	uint32_t tail; /* ops of the last run that belong to the block */
	uint32_t tail_rows, tail_places;
};

/* Walks the path of `refs`. The program belongs to the caller, and had `old_edges` edges before the
 * growth of the block. */
int trc_walk(struct trc_walk *w, const struct trc_program *p, size_t old_edges,
             const struct trc_refs *refs, struct trc_err *err) TRC_MUST_USE;

void trc_walk_release(struct trc_walk *w);

/* Fails if the memory in use, plus `more` bytes, exceeds the limit. */
int trc_walk_check_memory(const struct trc_walk *w, size_t more, struct trc_err *err) TRC_MUST_USE;

#endif
