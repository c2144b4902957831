/* SPDX-License-Identifier: MIT */
#include "cmd/shard/compare.h"

#include <stdlib.h>
#include <string.h>

#include "base/cores.h"
#include "base/pool.h"
#include "cmd/job/inputs.h"
#include "cmd/shard/asking.h"

/* A trace, asked in one way. */
struct one {
	struct trc_asking a;
	struct trc_args trace; /* its files in order: one, unless --concat joins them */
	struct trc_err err;
};

/* All of them: of each trace, its ways. */
struct all {
	const struct trc_question *q;
	struct trc_job_in in;
	bool in_order; /* as --concat has it */
	struct one *one;
	size_t n;
	struct trc_progress progress;
	struct trc_err *err;
};

static size_t
ways_of(const struct trc_question *q, const struct trc_settings *all)
{
	return q->ways ? q->ways(all) : 1;
}

bool
trc_compare_wanted(const struct trc_question *q, const struct trc_settings *all,
                   const struct trc_args *args)
{
	return q->compare && (ways_of(q, all) > 1 || (args->n > 1 && !trc_inputs_in_order(all)));
}

static void
answer(void *arg, size_t i)
{
	struct all *all = arg;
	struct one *o = &all->one[i];
	struct trc_asking *a = &o->a;
	struct trc_job_in in = all->in;

	/* What is noted of it is noted once, not in each way. */
	in.named &= a->asked->way == 0;
	a->asked->quiet = true;
	o->err = (struct trc_err){ 0 };
	if (trc_asking_answer(a, &o->trace, &in, &o->err) == 0 &&
	    a->q->settle(a->asked, &a->job, &o->err) == 0)
		trc_progress_passed(&all->progress, a->job.rows);
	trc_sink_close(a->sink);
	trc_source_close(a->job.src);
	a->sink = NULL;
	a->job.src = NULL;
}

/* The error of one of several has its name. */
static void
name_err(const struct one *o, struct trc_err *err)
{
	*err = o->err;
	if (err->code != TRC_STOPPED && err->code != TRC_PIPE &&
	    !strstr(err->text, o->trace.word[0]))
		(void)trc_err_in(err, "%s", o->trace.word[0]);
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
	const int jobs = (size_t)most < all->n ? most : (int)all->n;

	/* Each at a time has the cores for itself; many share them. */
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
print_all(const struct all *all, size_t ways, struct trc_err *err)
{
	void **q = trc_alloc(all->n, sizeof(*q), err);
	int ret = -1;

	for (size_t i = 0; q && i < all->n; i++)
		q[i] = all->one[i].a.asked;
	if (q)
		ret = all->q->compare(q, all->n, ways, err);
	free(q);
	return ret;
}

/* Begins all, so that what is asked wrongly is known before anything is read. */
static int
begin_all(struct all *all, const struct trc_settings *settings, const struct trc_args *args,
          size_t ways, struct trc_err *err)
{
	for (size_t i = 0; i < all->n; i++) {
		struct one *o = &all->one[i];
		const struct trc_asked asked = { .all = settings,
			                         .path = args->word[i / ways],
			                         .files = all->in_order ? args->n : 1,
			                         .nth = i,
			                         .way = i % ways };

		o->trace = (struct trc_args){ .word = &args->word[i / ways], .n = asked.files };
		for (size_t k = 0; ways > 1 && k < o->trace.n; k++)
			if (trc_job_again(o->trace.word[k],
			                  "each of several policies reads the input", err))
				return -1;
		if (trc_asking_begin(&o->a, all->q, &asked, o->trace.word[0], err))
			return -1;
	}
	return 0;
}

int
trc_compare_answer(const struct trc_question *q, const struct trc_settings *settings,
                   const struct trc_args *args, struct trc_err *err)
{
	const size_t ways = ways_of(q, settings);
	struct all all = { .q = q, .in = *trc_job_in(settings) };
	int ret = -1;

	all.in.named = !trc_settings_named(settings, "quiet");
	all.in_order = trc_inputs_in_order(settings);
	all.n = (all.in_order ? 1 : args->n) * ways;
	all.one = trc_alloc(all.n, sizeof(*all.one), err);
	if (all.one && begin_all(&all, settings, args, ways, err) == 0)
		ret = answer_all(&all, trc_settings_named(settings, "quiet"), err) ||
		                      print_all(&all, ways, err) ?
		              -1 :
		              0;
	for (size_t i = 0; all.one && i < all.n; i++)
		if (all.one[i].a.q)
			trc_asking_end(&all.one[i].a);
	free(all.one);
	return ret;
}
