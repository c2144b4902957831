/* SPDX-License-Identifier: MIT
 *
 * trc reduce --shard and --merge: reduces the shards of a trace, by any jobs on any machines. A
 * shard keeps the records that any trace before it may need (stage/reduce/sad.c). The partial
 * results are then joined (stage/reduce/join.c), or reduced again, which gives the reduction of the
 * whole trace.
 */
#include "cmd/reduce/reduce.h"

#include "cmd/conventions.h"

#include "stage/reduce/shard_rows.h"

/* The state of a shard. */
struct query {
	struct trc_query query;
	const struct trc_reduce *s;
	struct trc_reduced reduced;
	struct trc_sink *sink;
};

static int
begin(void *q, const char *input, struct trc_err *err)
{
	struct query *a = q;

	(void)input;
	a->s = trc_settings_of(a->query.settings, &trc_reduce_opts);
	a->query.quiet = trc_settings_named(a->query.settings, "quiet");
	a->query.unit = a->s->page_size;
	if (trc_reduce_check(a->s, err))
		return -1;
	if (a->s->olr.n || a->s->cache.n)
		return trc_fail_as(err, TRC_USAGE,
		                   "--%s: a shard depends on all records before it, so there are "
		                   "no shards; --sad, --window and --sample have them",
		                   a->s->olr.n ? "olr" : "cache");
	return 0;
}

static struct trc_sink *
open_sink(void *q, struct trc_job *job, struct trc_err *err)
{
	struct query *a = q;

	if (trc_reduce_leave_out(job, a->query.settings, err) ||
	    trc_reduce_wrap_part(job, a->s, &a->reduced, err))
		return NULL;
	a->sink = trc_shard_rows_sink(job->src, a->reduced.pages, a->reduced.block,
	                              a->reduced.decides, err);
	return a->sink;
}

/* Writes the merged result. A container also gets the provenance of the trace. A text has no
 * fingerprint of the original rows, since no job had all of them. */
static int
write_rest(void *q, const struct trc_job *all, struct trc_err *err)
{
	struct query *a = q;
	struct trc_job_out out = trc_job_out(a->query.settings);
	struct trc_meta meta = all->src->meta;
	struct trc_job job = *all;
	int ret;

	job.rows = 0;
	job.inputs = 0;
	meta.provenance = a->query.origins;
	job.src = trc_shard_rows_source(a->sink, &meta, err);
	if (!job.src)
		return -1;
	a->reduced.refs = trc_shard_rows_refs(a->sink);
	ret = trc_reduce_wrap_rest(&job, a->s, &a->reduced, err);
	if (ret == 0)
		ret = trc_reduce_write(&job, a->query.output, &out, &a->reduced, err);
	trc_source_close(job.src);
	return ret;
}

/* Bytes per page of a shard: the page and its candidates. Bytes per record that may be kept: its
 * columns, and their packed copy. */
enum { PAGE_BYTES = 256, ROW_BYTES = 80 };

const struct trc_query_ops trc_reduce_query = { .size = sizeof(struct query),
	                                        .begin = begin,
	                                        .open = open_sink,
	                                        .print = write_rest,
	                                        .origins = true,
	                                        .page_bytes = PAGE_BYTES,
	                                        .row_bytes = ROW_BYTES };

const struct trc_action trc_reduce_plan = {
	.name = "--plan",
	.takes = TRC_TAKES(&trc_shard_opts_plan, &trc_shard_opts, &trc_shard_opts_partial,
	                   &trc_answer_opts, &trc_job_opts_in, &trc_job_opts_publish,
	                   &trc_job_opts_quiet),
	.run = trc_shard_planned
};

const struct trc_action trc_reduce_merge = {
	.name = "--merge",
	.takes = TRC_TAKES(&trc_shard_opts_merge, &trc_shard_opts_partial, &trc_shard_opts_plan,
	                   &trc_conventions_opts_output, TRC_JOB_TAKES_OUT),
	.run = trc_shard_merge_to
};
