/* SPDX-License-Identifier: MIT */
#include "cmd/shard/compare.h"

#include <stdlib.h>
#include <string.h>

#include "base/cores.h"
#include "base/pool.h"
#include "cmd/job/traces.h"
#include "cmd/shard/query.h"

/* A trace, asked in one way. */
struct one {
	struct trc_query_run a;
	const struct trc_trace *trace;
	struct trc_err err;
};

/* All of them: for each trace, each way. */
struct all {
	const struct trc_query_ops *q;
	struct trc_job_in in;
	const struct trc_traces *traces;
	struct one *one;
	size_t n, ways;
	struct trc_progress progress;
	struct trc_err *err;
};

static size_t
ways_of(const struct trc_query_ops *q, const struct trc_settings *settings)
{
	return q->ways ? q->ways(settings) : 1;
}

bool
trc_compare_wanted(const struct trc_query_ops *q, const struct trc_settings *settings,
                   const struct trc_traces *traces)
{
	return ways_of(q, settings) > 1 || traces->n > 1;
}

static void
answer(void *arg, size_t i)
{
	struct all *all = arg;
	struct one *o = &all->one[i];
	struct trc_query_run *a = &o->a;
	struct trc_job_in in = all->in;

	/* Notes on a trace are printed once, not for each way. */
	in.named &= a->query->way == 0;
	a->query->quiet = true;
	o->err = (struct trc_err){ 0 };
	if (trc_query_answer(a, o->trace, &in, &o->err) == 0 && trc_query_keep(a, &o->err) == 0) {
		trc_progress_passed(&all->progress, a->job.rows);
		o->err.code = TRC_OK; /* a first try may have left one */
	}
	trc_sink_close(a->sink);
	trc_source_close(a->job.src);
	a->sink = NULL;
	a->job.src = NULL;
}

/* Puts the name of the trace in front of the error, unless it is there. */
static void
name_err(const struct one *o, struct trc_err *err)
{
	*err = o->err;
	if (err->code != TRC_STOPPED && err->code != TRC_PIPE &&
	    !strstr(err->text, o->trace->path[0]))
		(void)trc_err_in(err, "%s", o->trace->path[0]);
}

static bool
done(void *arg, size_t i)
{
	struct all *all = arg;

	all->progress.step++;
	if (all->one[i].err.code == TRC_OK)
		return true;
	name_err(&all->one[i], all->err);
	return false;
}

static int
answer_all(struct all *all, bool quiet, struct trc_err *err)
{
	const int most = trc_threads(all->in.threads);
	const int jobs = all->q->alone ? 1 : (size_t)most < all->n ? most : (int)all->n;

	/* One trace at a time uses all cores; several at a time use one each. */
	if (jobs > 1)
		all->in.threads = 1;
	all->err = err;
	trc_progress_init(&all->progress, "records", quiet);
	all->progress.steps = "traces";
	all->progress.of_steps = all->n;
	trc_pool_ordered(jobs, TRC_POOL_WINDOW, answer, done, all, all->n);
	trc_progress_end(&all->progress);
	return err->code == TRC_OK ? 0 : -1;
}

static int
print_compared(const struct all *all, struct trc_err *err)
{
	void **q = trc_alloc(all->n, sizeof(*q), err);
	int ret = -1;

	for (size_t i = 0; q && i < all->n; i++)
		q[i] = all->one[i].a.query;
	if (q)
		ret = all->q->compare(q, all->n, all->ways, err);
	free(q);
	return ret;
}

static int
print_answers(const struct all *all, struct trc_err *err)
{
	struct trc_answered **a = trc_alloc(all->n, sizeof(*a), err);
	const char **path = trc_alloc(all->n, sizeof(*path), err);
	int ret = -1;

	for (size_t i = 0; a && path && i < all->n; i++) {
		a[i] = &all->one[i].a.answered;
		path[i] = all->one[i].trace->path[0];
	}
	if (a && path)
		ret = trc_answered_print_all(a, path, all->n, err);
	free(path);
	free(a);
	return ret;
}

/* Begins question `i`, of trace i / ways, so that wrong usage is found before anything is read. */
static int
begin_one(struct all *all, const struct trc_settings *settings, size_t i, struct trc_err *err)
{
	struct one *o = &all->one[i];
	const struct trc_trace *t = o->trace = &all->traces->trace[i / all->ways];
	const struct trc_query query = { .settings = settings,
		                         .path = t->path[0],
		                         .files = t->n,
		                         .among = all->traces->n > 1,
		                         .nth = i,
		                         .way = i % all->ways };

	for (size_t k = 0; all->ways > 1 && k < t->n; k++)
		if (trc_job_again(t->path[k], "each of several policies reads the input", err))
			return -1;
	return trc_query_begin(&o->a, all->q, &query, t->path[0], err);
}

static int
ask_all(struct all *all, const struct trc_settings *settings, struct trc_err *err)
{
	for (size_t i = 0; i < all->n; i++)
		if (begin_one(all, settings, i, err))
			return -1;
	if (answer_all(all, trc_settings_named(settings, "quiet"), err))
		return -1;
	return all->q->answer ? print_answers(all, err) : print_compared(all, err);
}

int
trc_compare_answer(const struct trc_query_ops *q, const struct trc_settings *settings,
                   const struct trc_traces *traces, struct trc_err *err)
{
	struct all all = { .q = q, .in = *trc_job_in(settings), .traces = traces };
	int ret = -1;

	if (q->several)
		return q->several(settings, traces, err);
	if (!q->answer && !q->compare)
		return trc_fail_as(err, TRC_USAGE,
		                   "%s takes one trace, not %zu; run it on each, or join them "
		                   "with --concat",
		                   settings->action->name, traces->n);
	all.in.named = !trc_settings_named(settings, "quiet");
	all.ways = ways_of(q, settings);
	all.n = traces->n * all.ways;
	all.one = trc_alloc(all.n, sizeof(*all.one), err);
	if (all.one)
		ret = ask_all(&all, settings, err);
	for (size_t i = 0; all.one && i < all.n; i++)
		if (all.one[i].a.ops)
			trc_query_end(&all.one[i].a);
	free(all.one);
	return ret;
}
