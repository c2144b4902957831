/* SPDX-License-Identifier: MIT
 *
 * The reductions of `trc reduce`: stages.c has the options and what they mean.
 */
#ifndef TRC_CMD_REDUCE_REDUCE_H
#define TRC_CMD_REDUCE_REDUCE_H

#include "cmd/job/job.h"
#include "cmd/job/spread.h"
#include "cmd/shard/shard.h"
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

	/* Of a part: the stage that makes pages, whether neighbours are merged, and whether parts
	 * are joined, not reduced again. */
	const struct trc_source *pages;
	bool block, settles;
};

extern const struct trc_opts trc_reduce_opts;
extern const struct trc_action trc_reduce_merge, trc_reduce_plan, trc_reduce_simpoint;
extern const struct trc_question trc_reduce_question;

/* Refuses what makes no sense together. */
int trc_reduce_check(const struct trc_reduce *s, struct trc_err *err) TRC_MUST_USE;

/* Leaves out the deletes of a trace, if --drop does, before it is reduced: what is left behind one
 * depends on it. */
int trc_reduce_leave_out(struct trc_job *job, const struct trc_settings *all,
                         struct trc_err *err) TRC_MUST_USE;

/* Wraps the stages of the reduction around job->src; *reduced must outlive them. Unless `quiet`, it
 * warns of a trace that becomes very many records. */
int trc_reduce_wrap(struct trc_job *job, const struct trc_reduce *s, bool quiet,
                    struct trc_reduced *reduced, struct trc_err *err) TRC_MUST_USE;

/* Wraps what is done to a part of a trace, or to what is left of all parts, whose source is that of
 * trc_kept_source(): the two together are what is done to the whole. */
int trc_reduce_wrap_part(struct trc_job *job, const struct trc_reduce *s,
                         struct trc_reduced *reduced, struct trc_err *err) TRC_MUST_USE;
int trc_reduce_wrap_rest(struct trc_job *job, const struct trc_reduce *s,
                         struct trc_reduced *reduced, struct trc_err *err) TRC_MUST_USE;

/* Writes job->src, which is reduced, to `output`, and reports what went in and came out. */
int trc_reduce_write(struct trc_job *job, const char *output, struct trc_job_out *out,
                     const struct trc_reduced *reduced, struct trc_err *err) TRC_MUST_USE;

#endif
