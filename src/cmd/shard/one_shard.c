/* SPDX-License-Identifier: MIT */
#include "cmd/shard/one_shard.h"

#include <string.h>
#include <unistd.h>

#include "base/io/reads.h"
#include "cmd/report.h"

/* Sets *there if `path` is already the partial that this shard would write, made from the same
 * bytes of the input. Fails if it is a file of another kind, which only --force replaces. */
static int
is_there(const struct trc_one_shard *one, const struct trc_query_run *a, const char *path,
         bool force, bool *there, struct trc_err *err)
{
	const struct trc_partial *p = &one->p;
	struct trc_partial old;
	struct trc_err none = { 0 };
	uint64_t sum = 0;
	int ret = 0;

	*there = false;
	if (strcmp(path, "-") == 0 || access(path, F_OK))
		return 0;
	if (trc_reads_check(path, NULL, err))
		return -1;
	if (trc_partial_at(path, force ? &none : err))
		return none.code ? 0 : -1;
	ret = trc_partial_read(&old, path, false, &none);
	trc_reads_forget(path);
	if (ret)
		return 0;
	if (!trc_partial_differ(&old, p) && old.first == p->first && old.last == p->last) {
		ret = trc_slices_sum(one->s, p->from, p->to, &sum, err);
		*there = ret == 0 && sum == old.begun.sum;
		if (ret == 0 && !a->query->quiet)
			trc_report_note("trc: note: '%s' exists, and %s\n", path,
			                *there ? "fits" : "is of other bytes; it is recomputed");
	}
	trc_partial_release(&old);
	return ret;
}

/* Passes on what is known about the rows before the shard. */
static void
place(struct trc_query *query, const struct trc_one_shard *one, bool all_rows)
{
	const struct trc_planned *at = &one->at;

	query->before = at->before;
	query->position_unknown = !at->counted || (!all_rows && at->before > 0);
	query->uncounted = all_rows && one->uncounted;
}

bool
trc_one_shard_counts(const struct trc_one_shard *one, const struct trc_query_run *a)
{
	const bool all_rows = !trc_filter_any(&a->query->in->filter);

	return a->query->numbered && (!one->at.counted || (!all_rows && one->at.before > 0));
}

/* Counts the rows before the shard by reading them. */
static int
read_before(struct trc_query_run *a, struct trc_slices *s, struct trc_place from,
            struct trc_err *err)
{
	const struct trc_place start = { 0, 0 };
	struct trc_begun begun = { .any = false };
	enum trc_flow flow = TRC_FLOW_FAILED;
	struct trc_batch b = { .n = 0 };
	struct trc_job job;
	int ret;

	if (trc_slices_open(&job, s, start, from, &begun, err))
		return -1;
	ret = trc_job_filter(&job, a->query->in, err);
	if (ret == 0)
		ret = trc_batch_init(&b, job.src->have, TRC_BATCH_ROWS, err);
	a->query->before = 0;
	a->query->position_unknown = false;
	while (ret == 0 && (flow = trc_source_next(job.src, &b, err)) == TRC_FLOW_ROWS)
		a->query->before += b.n;
	trc_batch_release(&b);
	trc_source_close(job.src);
	trc_begun_release(&begun);
	return ret == 0 && flow == TRC_FLOW_END ? 0 : -1;
}

/* Opens the rows of the shard, filtered. */
static int
open_rows(struct trc_one_shard *one, struct trc_query_run *a, struct trc_err *err)
{
	const struct trc_job_in *in = a->query->in;

	if (trc_slices_open(&a->job, one->s, one->at.from, one->at.to, &one->p.begun, err))
		return -1;
	if (trc_filter_follows(&in->filter, a->job.src))
		return trc_fail(err, "--pc: the trace has no 'pc', and the last fetch of a task "
		                     "may be in an earlier shard; add it with 'trc encode --fill "
		                     "pc=fetch'");
	return trc_job_filter(&a->job, in, err);
}

int
trc_one_shard_try(struct trc_one_shard *one, struct trc_query_run *a, struct trc_err *err)
{
	return open_rows(one, a, err) || trc_query_open(a, true, err) ? -1 : 0;
}

int
trc_one_shard_compute(struct trc_one_shard *one, struct trc_query_run *a, struct trc_err *err)
{
	const bool all_rows = !trc_filter_any(&a->query->in->filter);
	struct trc_partial *p = &one->p;

	if (open_rows(one, a, err))
		return -1;
	place(a->query, one, all_rows);
	if (trc_one_shard_counts(one, a) && read_before(a, one->s, one->at.from, err))
		return -1;
	if (trc_query_part(a, true, &p->found, err))
		return -1;
	/* Provenance of files matters if there is only one, or for a question that writes a
	 * container. */
	if (p->files > 1 && !a->ops->origins)
		trc_buf_release(&p->begun.origins);
	if (!all_rows && p->begun.any)
		trc_meta_filtered(&p->begun.meta);
	return 0;
}

int
trc_one_shard_write(struct trc_one_shard *one, struct trc_query_run *a, const char *path,
                    bool resume, bool force, struct trc_err *err)
{
	const bool replace = resume || force;
	struct trc_partial *p = &one->p;
	bool there = false;

	p->first = p->last = one->at.i;
	p->from = one->at.from;
	p->to = one->at.to;
	if (resume && is_there(one, a, path, force, &there, err))
		return -1;
	if (there)
		return 0;
	if (replace && trc_reads_check(path, NULL, err))
		return -1;
	if (!replace && access(path, F_OK) == 0)
		return trc_fail_as(err, TRC_SYSTEM,
		                   "'%s' exists; use --resume to keep it if it fits, --force to "
		                   "replace it",
		                   path);
	return trc_one_shard_compute(one, a, err) || trc_query_write(p, path, replace, err) ? -1 :
	                                                                                      0;
}

void
trc_one_shard_release(struct trc_one_shard *one, struct trc_query_run *a)
{
	trc_source_close(a->job.src);
	a->job.src = NULL;
	trc_begun_release(&one->p.begun);
	trc_buf_release(&one->p.found.state);
}
