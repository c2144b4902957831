/* SPDX-License-Identifier: MIT
 *
 * Basic-block vectors: how many instructions were executed in each basic block, in one interval of
 * a trace after the other (T. Sherwood, E. Perelman, G. Hamerly, B. Calder, "Automatically
 * characterizing large scale program behavior", ASPLOS 2002). A block is named by the space and the
 * address of its first instruction, and counts the instructions executed from there on, which is
 * how often it was entered times its length.
 *
 * Instructions are the records of fetches. A block begins at an instruction that is not the one in
 * memory behind that executed before, and goes on to the next of these. The one behind is known by
 * the size of a fetch. Where it has none, a branch that is known to be taken ends a block, and
 * another instruction does if the next does not begin 1 to 15 bytes behind it: no instruction is
 * longer on machines that have several lengths. Tasks, or else spaces, are followed each by itself.
 *
 * All intervals but the last have the same number of instructions, and each record is in one: those
 * in front of the first instruction are in the first interval, others in that of the instruction
 * before them. The memory grows with the blocks of the program, not with the trace.
 */
#ifndef TRC_STAGE_PHASE_BBV_H
#define TRC_STAGE_PHASE_BBV_H

#include "base/map.h"
#include "batch/batch.h"
#include "stage/simulate/pages.h"

/* What was executed in a block. */
struct trc_bbv_entry {
	uint32_t block; /* from 1, in order of their first execution */
	uint64_t insns;
};

struct trc_bbv_interval {
	uint64_t number;      /* from 0 */
	uint64_t first, rows; /* its records: the first, from 0, and how many */
	uint64_t insns;
	const struct trc_bbv_entry *entry; /* by block; only until the call returns */
	size_t n;
};

/* Who takes the vectors, in order. */
struct trc_bbv_taker {
	int (*take)(struct trc_bbv_taker *t, const struct trc_bbv_interval *v, struct trc_err *err);
};

/* A task, as far as it came. */
struct trc_bbv_flow {
	uint64_t pc, start; /* of the last instruction, and of its block */
	uint32_t space, size;
	bool any, taken; /* there was one; it was a branch that was taken */
};

enum { TRC_BBV_RUNS = 1024 };

/* Instructions of a block, one behind the other. */
struct trc_bbv_runs {
	uint64_t start[TRC_BBV_RUNS];
	uint32_t space[TRC_BBV_RUNS];
	uint64_t insns[TRC_BBV_RUNS];
	size_t n;
};

/* The making of vectors. */
struct trc_bbv {
	uint64_t every; /* instructions of an interval */
	uint64_t insns; /* in all */
	struct trc_pages blocks;

	/* Private. */
	struct trc_bbv_taker *to;
	struct trc_map map; /* task or space -> its flow */
	struct trc_bbv_flow *flow;
	size_t flows, flows_cap;
	size_t now;   /* the one that runs */
	uint32_t who; /* and whose it is */
	struct trc_bbv_runs runs;
	struct trc_bbv_interval interval;
	uint64_t rows;   /* in front of the batch */
	uint64_t *count; /* of each block, in this interval */
	size_t counts;
	uint32_t *touched; /* those that have a count */
	size_t touched_n, touched_cap;
	struct trc_bbv_entry *entry;
	size_t entries;
};

/* Begins; fails if traces with the columns `have` have no fetches. `to` gets intervals of `every`
 * instructions. Release what init left, also when it failed. */
int trc_bbv_init(struct trc_bbv *v, uint32_t have, uint64_t every, struct trc_bbv_taker *to,
                 struct trc_err *err) TRC_MUST_USE;
void trc_bbv_release(struct trc_bbv *v);

int trc_bbv_put(struct trc_bbv *v, const struct trc_batch *b, struct trc_err *err) TRC_MUST_USE;

/* All records came: the last interval, which may be shorter. Fails if there was no instruction. */
int trc_bbv_end(struct trc_bbv *v, struct trc_err *err) TRC_MUST_USE;

/* Where a block begins. */
static inline const struct trc_page_name *
trc_bbv_block(const struct trc_bbv *v, uint32_t block)
{
	return &v->blocks.name[block - 1];
}

#endif
