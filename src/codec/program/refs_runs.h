/* SPDX-License-Identifier: MIT
 *
 * The path of a block through its program, walked. What lies between two branches is always the
 * same and is laid out once, as a run: its types, sizes and fetch addresses in the columns that
 * they will be copied to, and the places in them that data addresses go to. A walk leaves the order
 * of the runs. Runs hold as long as the program does not grow.
 */
#ifndef TRC_CODEC_PROGRAM_REFS_RUNS_H
#define TRC_CODEC_PROGRAM_REFS_RUNS_H

#include "codec/program/refs.h"

enum {
	TRC_RUN_OPS = 48, /* of a run at most: what keeps overlapping runs small */
	TRC_RUN_ROWS = TRC_RUN_OPS * TRC_SHAPE_ROWS,
	TRC_RUN_SLACK = 32, /* rows behind the templates that may be copied with them */
};

/* A superblock (W. Hwu and others, 1993): the ops from one branch, or the place that one leads to,
 * to the next. Rows are [row, row + rows) of the templates, where the address of each is the pc of
 * its op. */
struct trc_run {
	uint32_t row, rows;
	uint32_t place, places;    /* of its data references */
	uint32_t ops, first, last; /* how many; the first and the last of them */
	uint32_t next, edges;      /* runs that may follow; if `edges` is 1 it is no branch */
	uint32_t branch;           /* 1 + its number (codec/program/path.h); 0: not known */
};

/* Where a data reference of a run goes, and which slot's it is. */
struct trc_place {
	uint32_t row; /* in the run */
	uint32_t slot;
};

/* All runs that were met: the control-flow graph of superblocks. */
struct trc_run_graph {
	const struct trc_program *program;
	uint64_t version; /* of the program that the runs were made for */
	struct trc_run *run;
	uint32_t *run_of_op; /* 1 + number of the run that begins with it; 0: not seen */
	uint32_t *next;      /* for each edge of a run: 1 + the number of the run; 0: not seen */
	uint32_t *passed;    /* how often each run was, in the block */
	size_t runs, nexts, run_cap, run_of_op_cap, next_cap, passed_cap;
};

/* Their rows, as the code cache of a translator has its code: made once, then copied. */
struct trc_run_templates {
	uint8_t *type;
	uint64_t *addr;
	uint32_t *size; /* unless all are 0 */
	struct trc_place *place;
	size_t row, places, type_cap, addr_cap, size_cap, place_cap;
	bool sized; /* a shape has a size */
};

/* A walk and what it leaves. Zeroed memory is one that has not begun. New. */
struct trc_walk {
	struct trc_run_graph graph;
	struct trc_run_templates template;
	size_t most;                  /* bytes that may be taken; 0: no limit */
	struct trc_path_model *model; /* while it walks */
	size_t model_bytes;           /* that it may have */

	uint32_t *order; /* runs of the block, */
	uint32_t *taken; /* and by which of its edges each was left, if the program has columns */
	size_t orders, order_cap, taken_cap;
	uint32_t tail; /* ops of the last of them that belong to the block */
	uint32_t tail_rows, tail_places;
};

/* Walks the path of `refs`. The program is the caller's, and had so many edges before the growth
 * of the block. */
int trc_walk(struct trc_walk *w, const struct trc_program *p, size_t old_edges,
             const struct trc_refs *refs, struct trc_err *err) TRC_MUST_USE;

void trc_walk_release(struct trc_walk *w);

/* Fails if all that is there, and `more` bytes, are more than may be taken. */
int trc_walk_check_memory(const struct trc_walk *w, size_t more, struct trc_err *err) TRC_MUST_USE;

#endif
