/* SPDX-License-Identifier: MIT
 * trc stat --blocks: what stands where in a container, by its index. */
#include "cmd/stat/stat.h"

#include <stdio.h>
#include <string.h>

#include "base/io/out.h"
#include "batch/index.h"
#include "cmd/job/inputs.h"

static const struct trc_opt options[] = {
	{ 0, "blocks", NULL, "where the blocks of a container are", TRC_OPT_FLAG, TRC_WORDS_NONE,
	  0 },
};

static const struct trc_opts opts = { options, TRC_COUNT(options), sizeof(bool), NULL };

static int
put_text(struct trc_out *out, const struct trc_part *p, size_t i, bool times, struct trc_err *err)
{
	char line[256], cycles[64] = "";

	if (times)
		snprintf(cycles, sizeof(cycles), " %15llu %15llu",
		         (unsigned long long)p->time_first, (unsigned long long)p->time_last);
	snprintf(line, sizeof(line), "%6zu %14llu %10llu %14llu %10llu %7s%s\n", i + 1,
	         (unsigned long long)p->first + 1, (unsigned long long)p->rows,
	         (unsigned long long)p->at, (unsigned long long)p->bytes, p->fresh ? "new" : "-",
	         cycles);
	return trc_out_put(out, line, strlen(line), err);
}

static int
put_json(struct trc_out *out, const struct trc_part *p, size_t i, bool times, struct trc_err *err)
{
	char line[320], cycles[96] = "";

	if (times)
		snprintf(cycles, sizeof(cycles), ", \"first_cycle\": %llu, \"last_cycle\": %llu",
		         (unsigned long long)p->time_first, (unsigned long long)p->time_last);
	snprintf(line, sizeof(line),
	         "%s{\"first_record\": %llu, \"records\": %llu, \"offset\": %llu, \"bytes\": %llu, "
	         "\"new_program\": %s%s}",
	         i ? ", " : "", (unsigned long long)p->first + 1, (unsigned long long)p->rows,
	         (unsigned long long)p->at, (unsigned long long)p->bytes,
	         p->fresh ? "true" : "false", cycles);
	return trc_out_put(out, line, strlen(line), err);
}

static int
put_blocks(struct trc_out *out, const struct trc_index *index, bool times, bool json,
           struct trc_err *err)
{
	char line[256];

	if (json)
		snprintf(line, sizeof(line), "{\"blocks\": [");
	else
		snprintf(line, sizeof(line), "%6s %14s %10s %14s %10s %7s%s\n", "block",
		         "first record", "records", "offset", "bytes", "program",
		         times ? "     first cycle      last cycle" : "");
	if (trc_out_put(out, line, strlen(line), err))
		return -1;
	for (size_t i = 0; i < index->parts; i++)
		if ((json ? put_json : put_text)(out, &index->part[i], i, times, err))
			return -1;
	return json ? trc_out_put(out, "]}\n", 3, err) : 0;
}

static int
answer(const struct trc_stat *s, const struct trc_job *job, struct trc_err *err)
{
	const struct trc_index *index = NULL;
	struct trc_out *out;
	int ret;

	if (job->src->index && job->src->index(job->src, &index, err))
		return -1;
	if (!index)
		return trc_fail(err,
		                "--blocks: %s has no index to list; it must be a container, "
		                "all of it, and neither packed nor a pipe",
		                job->format->name);
	out = trc_out_open("-", false, err);
	if (!out)
		return -1;
	ret = put_blocks(out, index, job->src->have & TRC_HAS_TIME, s->json, err);
	if (ret == 0)
		ret = trc_out_commit(out, err);
	trc_out_close(out);
	return ret;
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
