/* SPDX-License-Identifier: MIT
 *
 * The walk through a program by the choices of a block. What lies between two choices is always
 * the same and is laid out once, as a run: its types, sizes and fetch addresses in the columns that
 * they will be copied to, and the places in them that data addresses go to. A walk leaves the order
 * of the runs. Runs hold as long as the program does not grow.
 */
#ifndef TRC_CODEC_PROGRAM_REFS_RUNS_H
#define TRC_CODEC_PROGRAM_REFS_RUNS_H

#include "codec/program/refs.h"

enum {
	TRC_RUN_OPS = 48, /* of a run at most: what keeps overlapping runs small */
	TRC_RUN_ROWS = TRC_RUN_OPS * TRC_SHAPE_ROWS,
	TRC_RUN_SLACK = 32, /* bytes behind the templates that may be copied with them */
};

/* Between two choices. Rows are [row, row + rows) of the templates, where the address of
 * each is the pc of its op. */
struct trc_run {
	uint32_t row, rows;
	uint32_t place, places;    /* of its data references */
	uint32_t ops, first, last; /* how many; the first and the last of them */
	uint32_t next, edges;      /* runs that may follow; if `edges` is 1 it is no choice */
	uint32_t decider;          /* 1 + its number (codec/program/path.h); 0: not known */
};

/* Where a data reference of a run goes, and which slot's it is. */
struct trc_place {
	uint32_t row; /* in the run */
	uint32_t slot;
};

/* Zeroed memory is one that has not begun. */
struct trc_walk {
	const struct trc_program *program;
	uint64_t version; /* of the program that the runs were made for */

	/* Runs and their templates. */
	struct trc_run *run;
	uint32_t *run_of_op; /* 1 + number of the run that begins with it; 0: not seen */
	uint32_t *next;      /* for each edge of a run: 1 + the number of the run; 0: not seen */
	uint8_t *type;
	uint64_t *addr;
	uint32_t *size; /* unless all are 0 */
	struct trc_place *place;
	size_t runs, nexts, row, places;
	size_t run_cap, run_of_op_cap, next_cap, type_cap, addr_cap, size_cap, place_cap;
	bool sized;                     /* a shape has a size */
	size_t most;                    /* bytes that may be taken; 0: no limit */
	struct trc_path_model *chooser; /* while it walks */
	size_t choosing;                /* bytes that it may have */

	/* The block. */
	uint32_t *order, *passed; /* runs in order; how often each was passed */
	size_t orders, order_cap, passed_cap;
	uint32_t tail; /* ops of the last run in order that belong to the block */
	uint32_t tail_rows, tail_places;
};

/* Walks the choices of `refs`. The program is the caller's, and had so many edges before the growth
 * of the block. */
int trc_walk(struct trc_walk *w, const struct trc_program *p, size_t old_edges,
             const struct trc_refs *refs, struct trc_err *err) TRC_MUST_USE;

void trc_walk_release(struct trc_walk *w);

/* Fails if all that is there, and `more` bytes, are more than may be taken. */
int trc_walk_room(const struct trc_walk *w, size_t more, struct trc_err *err) TRC_MUST_USE;

#endif
