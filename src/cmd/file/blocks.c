/* SPDX-License-Identifier: MIT
 * trc stat --blocks: what stands where in a container, by its index. */
#include "cmd/stat/stat.h"

#include <string.h>

#include "batch/index.h"
#include "cmd/job/inputs.h"

static const struct trc_opt options[] = {
	{ 0, "blocks", NULL, "where the blocks of a container are", TRC_OPT_FLAG, TRC_WORDS_NONE,
	  0 },
};

static const struct trc_opts opts = { options, TRC_COUNT(options), sizeof(bool), NULL };

static void
row(void *of, size_t i, size_t k, struct trc_value *cell)
{
	const struct trc_part *p = &((const struct trc_index *)of)->part[k];

	(void)i;
	TRC_VALUES(cell, trc_count(k + 1), trc_count(p->first + 1), trc_count(p->rows),
	           trc_count(p->at), trc_count(p->bytes), trc_word(p->fresh ? "new" : "-"),
	           trc_yes(p->fresh), trc_count(p->time_first), trc_count(p->time_last));
}

static int
print(const struct trc_index *index, bool times, enum trc_form form, struct trc_err *err)
{
	struct trc_index of = *index;
	const struct trc_column_decl column[] = {
		{ TRC_COLUMN(block, "block", 6), .key = true },
		{ TRC_COLUMN(first_record, "first record", 14) },
		{ TRC_COLUMN(records, "records", 10) },
		{ TRC_COLUMN(offset, "offset", 14) },
		{ TRC_COLUMN(bytes, "bytes", 10) },
		{ .head = "program", .width = 7 },
		{ TRC_NAMED(new_program) },
		{ TRC_COLUMN(first_cycle, "first cycle", 15), .off = !times },
		{ TRC_COLUMN(last_cycle, "last cycle", 15), .off = !times },
	};

	return trc_answer_print(&(const struct trc_answer){ .form = form,
	                                                    TRC_TABLE(column),
	                                                    .rows = index->parts,
	                                                    .of = &of,
	                                                    .row = row },
	                        err);
}

static int
answer(const struct trc_stat *s, const struct trc_job *job, struct trc_err *err)
{
	const struct trc_index *index = NULL;

	if (trc_source_index(job->src, &index, err))
		return -1;
	if (!index)
		return trc_fail(err,
		                "--blocks: %s has no index to list; it must be a container, "
		                "all of it, and neither packed nor a pipe",
		                job->format->name);
	return print(index, job->src->have & TRC_HAS_TIME, s->form, err);
}

static int
answer_blocks(const struct trc_settings *all, const struct trc_args *args, struct trc_err *err)
{
	const struct trc_stat stat = trc_stat_of(all), *s = &stat;
	struct trc_job job;
	int ret;

	if (trc_job_words(args, 1, 1, err) ||
	    trc_inputs_open(&job, args->word, 1, s->in, s->quiet, err))
		return -1;
	ret = answer(s, &job, err);
	trc_source_close(job.src);
	return ret;
}

static const struct trc_opts *const takes[] = { &opts, TRC_STAT_TAKES, NULL };

const struct trc_action trc_stat_blocks = {
	.name = "--blocks",
	.takes = takes,
	.run = answer_blocks,
	.no_shards = "it reads the index alone; ask without --shard"
};
