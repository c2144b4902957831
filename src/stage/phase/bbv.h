/* SPDX-License-Identifier: MIT
 *
 * Basic-block vectors: the number of instructions executed in each basic block, for successive
 * intervals of a trace (T. Sherwood, E. Perelman, G. Hamerly, B. Calder, "Automatically
 * characterizing large scale program behavior", ASPLOS 2002). A block is identified by the space
 * and the address of its first instruction; its count is the number of instructions executed from
 * there on, which is the number of times it was entered, times its length.
 *
 * Instructions are the records of fetches. A block begins at an instruction that does not directly
 * follow the previously executed one in memory, and continues to the next such instruction. The
 * size of a fetch shows which instruction follows it. If a fetch has no size, a block ends at a
 * branch that is known to be taken, and also if the next instruction does not begin 1 to 15 bytes
 * later: on machines with several instruction lengths, none is longer. Each task, or else each
 * space, is followed separately.
 *
 * All intervals but the last have the same number of instructions, and each record belongs to one
 * interval: records before the first instruction to the first interval, others to that of the
 * instruction before them. Memory grows with the number of blocks in the program, not with the
 * trace.
 */
#ifndef TRC_STAGE_PHASE_BBV_H
#define TRC_STAGE_PHASE_BBV_H

#include "base/map.h"
#include "batch/batch.h"
#include "stage/simulate/pages.h"

/* The instructions executed in a block. */
struct trc_bbv_entry {
	uint32_t block; /* from 1, in order of first execution */
	uint64_t insns;
};

struct trc_bbv_interval {
	uint64_t number;      /* from 0 */
	uint64_t first, rows; /* its first record, counted from 0, and its number of records */
	uint64_t insns;
	const struct trc_bbv_entry *entry; /* sorted by block; valid only during the call */
	size_t n;
};

/* Receives the vectors, in order. */
struct trc_bbv_taker {
	int (*take)(struct trc_bbv_taker *t, const struct trc_bbv_interval *v, struct trc_err *err);
};

/* The progress of a task. */
struct trc_bbv_flow {
	uint64_t pc, start; /* of the last instruction; start of its block */
	uint32_t space, size;
	bool any, taken; /* there was an instruction; the last was a taken branch */
};

enum { TRC_BBV_RUNS = 1024 };

/* Runs: consecutive instructions of a block. */
struct trc_bbv_runs {
	uint64_t start[TRC_BBV_RUNS];
	uint32_t space[TRC_BBV_RUNS];
	uint64_t insns[TRC_BBV_RUNS];
	size_t n;
};

/* The state of computing vectors. */
struct trc_bbv {
	uint64_t every; /* instructions per interval */
	uint64_t insns; /* in total */
	struct trc_pages blocks;

	/* Private. */
	struct trc_bbv_taker *to;
	struct trc_map map; /* task or space -> its flow */
	struct trc_bbv_flow *flow;
	size_t flows, flows_cap;
	size_t now;   /* index of the current flow */
	uint32_t who; /* the task or space of that flow */
	struct trc_bbv_runs runs;
	struct trc_bbv_interval interval;
	uint64_t rows;   /* before the current batch */
	uint64_t *count; /* of each block, in the current interval */
	size_t counts;
	uint32_t *touched; /* blocks with a count */
	size_t touched_n, touched_cap;
	struct trc_bbv_entry *entry;
	size_t entries;
};

/* Initialises the computation; fails if a trace with the columns `have` has no fetches. `to`
 * receives intervals of `every` instructions. Must be released even if it failed. */
int trc_bbv_init(struct trc_bbv *v, uint32_t have, uint64_t every, struct trc_bbv_taker *to,
                 struct trc_err *err) TRC_MUST_USE;
void trc_bbv_release(struct trc_bbv *v);

/* Counts the instructions of a batch, and passes on each interval that is complete. */
int trc_bbv_put(struct trc_bbv *v, const struct trc_batch *b, struct trc_err *err) TRC_MUST_USE;

/* Ends the last interval, which may be shorter. Fails if there was no instruction. */
int trc_bbv_end(struct trc_bbv *v, struct trc_err *err) TRC_MUST_USE;

/* Returns the address and the space of the beginning of a block. */
static inline const struct trc_page_name *
trc_bbv_block(const struct trc_bbv *v, uint32_t block)
{
	return &v->blocks.name[block - 1];
}

#endif
