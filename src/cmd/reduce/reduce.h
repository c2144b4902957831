/* SPDX-License-Identifier: MIT
 *
 * The reductions of `trc reduce`; stages.c has the options and their documentation.
 */
#ifndef TRC_CMD_REDUCE_REDUCE_H
#define TRC_CMD_REDUCE_REDUCE_H

#include "cmd/job/job.h"
#include "cmd/job/wide_references.h"
#include "cmd/shard/shard.h"
#include "stage/stage.h"

/* The settings of a reduction. */
struct trc_reduce {
	struct trc_opt_pages sad, olr;
	uint64_t window; /* 0: not given */
	const char *sample;
	struct trc_opt_list cache; /* one, or both halves of a split cache */
	bool write_backs;
	unsigned clock;     /* 1 + index in "references|instructions|cycles"; 0: not given */
	uint64_t page_size; /* 0: not given */
	bool no_block, by_space, canonical;
};

/* The counts of the stages, complete when all rows were processed. */
struct trc_reduced {
	uint64_t refs;   /* number of references read */
	uint64_t one_in; /* one page in this many is sampled; 0: all pages */
	struct trc_sampled sampled;
	struct trc_wide_references wide;

	/* For a shard: the stage that makes pages; whether consecutive references are merged;
	 * whether partial results are joined instead of reduced again. */
	const struct trc_source *pages;
	bool block, decides;
};

extern const struct trc_opts trc_reduce_opts;
extern const struct trc_action trc_reduce_merge, trc_reduce_plan, trc_reduce_simpoint;
extern const struct trc_query_ops trc_reduce_query;

/* Refuses options that exclude each other. */
int trc_reduce_check(const struct trc_reduce *s, struct trc_err *err) TRC_MUST_USE;

/* With --drop delete, drops deletes before the reduction, which depends on them. */
int trc_reduce_leave_out(struct trc_job *job, const struct trc_settings *settings,
                         struct trc_err *err) TRC_MUST_USE;

/* Wraps the stages of the reduction around job->src; *reduced must outlive them. Unless `quiet`,
 * warns if references span so many pages that the output becomes large. */
int trc_reduce_wrap(struct trc_job *job, const struct trc_reduce *s, bool quiet,
                    struct trc_reduced *reduced, struct trc_err *err) TRC_MUST_USE;

/* Wrap the reduction of a shard, and the reduction of the joined partial results of all shards (the
 * source is trc_shard_rows_source()). Both together are the reduction of the whole trace. */
int trc_reduce_wrap_part(struct trc_job *job, const struct trc_reduce *s,
                         struct trc_reduced *reduced, struct trc_err *err) TRC_MUST_USE;
int trc_reduce_wrap_rest(struct trc_job *job, const struct trc_reduce *s,
                         struct trc_reduced *reduced, struct trc_err *err) TRC_MUST_USE;

/* Writes job->src, which is reduced, to `output`, and reports the numbers of references read and
 * records written. */
int trc_reduce_write(struct trc_job *job, const char *output, struct trc_job_out *out,
                     const struct trc_reduced *reduced, struct trc_err *err) TRC_MUST_USE;

#endif
