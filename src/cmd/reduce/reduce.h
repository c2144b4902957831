/* SPDX-License-Identifier: MIT
 *
 * The reductions of `trc reduce`: reduce.c has the options, stages.c what they mean.
 */
#ifndef TRC_CMD_REDUCE_REDUCE_H
#define TRC_CMD_REDUCE_REDUCE_H

#include "cmd/job.h"
#include "cmd/spread.h"
#include "stage/stage.h"

/* The settings of a reduction. */
struct trc_reduce {
	struct trc_opt_pages sad, olr;
	uint64_t window; /* 0: not given */
	const char *sample;
	struct trc_opt_list cache; /* one, or the halves of a split one */
	bool write_backs;
	unsigned clock;     /* 1 + place in "references|instructions|cycles"; 0: not given */
	uint64_t page_size; /* 0: not given */
	bool no_block, by_space, canonical;
};

/* What the stages counted, known when all rows went through. */
struct trc_reduced {
	uint64_t refs;   /* that came in */
	uint64_t one_in; /* one page in so many is sampled; 0: all */
	struct trc_sampled sampled;
	struct trc_spread spread;
};

/* Refuses what makes no sense together. */
int trc_reduce_check(const struct trc_reduce *s, struct trc_err *err) TRC_MUST_USE;

/* Wraps the stages of the reduction around job->src; *reduced must outlive them. Unless `quiet`, it
 * warns of a trace that becomes very many records. */
int trc_reduce_wrap(struct trc_job *job, const struct trc_reduce *s, bool quiet,
                    struct trc_reduced *reduced, struct trc_err *err) TRC_MUST_USE;

#endif
