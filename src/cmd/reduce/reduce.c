/* SPDX-License-Identifier: MIT
 *
 * trc reduce: drops references that do not change simulation results.
 */
#include "cmd/reduce/reduce.h"

#include "cmd/answer/answer.h"
#include "cmd/job/traces.h"
#include "cmd/conventions.h"

/* Progress is by input: there may be hardly any output. */
static void
begin_progress(struct trc_progress *p, struct trc_job *job, bool quiet)
{
	trc_progress_init(p, "records in", quiet);
	trc_job_measure(job, p);
	job->progress = p;
}

static int
reduce(const struct trc_settings *settings, const struct trc_args *args, struct trc_err *err)
{
	const struct trc_reduce *s = trc_settings_of(settings, &trc_reduce_opts);
	struct trc_job_out out = trc_job_out(settings);
	const char *output = args->n > 1 ? args->word[args->n - 1] : "-";
	const struct trc_job_in in = trc_job_in_for(&out, output);
	struct trc_reduced reduced = { 0 };
	struct trc_progress progress;
	struct trc_job job;
	int ret;

	if (trc_job_words(args, 1, trc_traces_in_order(settings) ? SIZE_MAX : 2, err) ||
	    trc_reduce_check(s, err) ||
	    trc_traces_open_words(&job, settings, args, &in, out.quiet, err))
		return -1;
	begin_progress(&progress, &job, out.quiet);
	ret = trc_job_wrap(&job, trc_progress_source(job.src, &progress, err));
	if (ret == 0)
		ret = trc_reduce_leave_out(&job, settings, err);
	if (ret == 0)
		ret = trc_reduce_wrap(&job, s, out.quiet, &reduced, err);
	if (ret == 0)
		ret = trc_reduce_write(&job, output, &out, &reduced, err);
	if (ret)
		trc_progress_end(&progress);
	trc_source_close(job.src);
	return ret;
}

static int
run(const struct trc_settings *settings, const struct trc_args *args, struct trc_err *err)
{
	if (trc_answer_form(settings) != TRC_FORM_TEXT && !trc_settings_named(settings, "shards"))
		return trc_fail_as(
		        err, TRC_USAGE,
		        "--json and --csv need --shards or --simpoint: reduce writes a trace");
	if (trc_shard_wanted(settings))
		return trc_shard_answer(settings, args, err);
	return reduce(settings, args, err);
}

static const struct trc_action action = {
	.name = "reducing",
	.takes = TRC_TAKES(&trc_reduce_opts, &trc_answer_opts, &trc_traces_opts, &trc_shard_opts,
	                   &trc_shard_opts_partial, &trc_job_opts_in, &trc_conventions_opts_output,
	                   TRC_JOB_TAKES_OUT),
	.run = run,
	.query = &trc_reduce_query
};
static const struct trc_action *const actions[] = { &action, &trc_reduce_simpoint, &trc_reduce_plan,
	                                            &trc_reduce_merge, NULL };

static const struct trc_action *
choose(const struct trc_settings *settings, struct trc_args *args, struct trc_err *err)
{
	(void)args;
	if (trc_answer_check(settings, err))
		return NULL;
	if (trc_settings_named(settings, "simpoint"))
		return &trc_reduce_simpoint;
	if (trc_settings_named(settings, "merge"))
		return &trc_reduce_merge;
	return trc_settings_named(settings, "plan") ? &trc_reduce_plan : &action;
}

static const struct trc_format *
format_for(const struct trc_settings *settings, const char *input, struct trc_err *err)
{
	const struct trc_reduce *s = trc_settings_of(settings, &trc_reduce_opts);

	(void)input;
	if (s->cache.n && !trc_settings_named(settings, "to")) {
		trc_fail_as(err, TRC_USAGE,
		            "--cache leaves addresses; choose a format that holds them with --to "
		            "FORMAT");
		return NULL;
	}
	return trc_format_named("sad");
}

static const char *
output_of(const struct trc_action *chosen, const struct trc_settings *settings,
          const struct trc_args *args)
{
	const char *partial = trc_shard_partial(settings);

	return partial                          ? partial :
	       trc_conventions_answer(settings) ? trc_conventions_answer(settings) :
	                                          trc_job_output(chosen, settings, args);
}

static const struct trc_example examples[] = {
	{ "exact for LRU memories of 64 pages or more",
	  "  trc reduce --sad 64 sort.lackey.xz sort.sad\n"
	  "  trc stat --certify sort.sad sort.lackey.xz\n" },
	{ "the memory traffic below a cache, for Ramulator 2",
	  "  trc reduce --cache 32K:8:64 --write-backs --drop size \\\n"
	  "    --to ramulator2-ls sort.lackey.xz dram.trace\n" },
	{ "shorter, for LRU only", "  trc reduce --olr 64 sort.lackey.xz sort.olr\n" },
	{ "exact for working sets with windows of 10,000 references or more",
	  "  trc reduce --window 10k sort.lackey.xz sort.ws\n" },
	{ "one page in ten, for an estimate",
	  "  trc reduce --sample 1/10 sort.lackey.xz sort.sample\n" },
	{ "up to 10 representative regions of 20,000 instructions",
	  "  trc reduce --simpoint 10,20k sort.lackey.xz regions\n" },
	{ "two shards, which can run on different machines",
	  "  trc decode sort.lackey.xz sort.lackey\n"
	  "  trc reduce --sad 64 --shard 1/2 --partial 1.sad sort.lackey\n"
	  "  trc reduce --sad 64 --shard 2/2 --partial 2.sad sort.lackey\n"
	  "  trc reduce --merge 1.sad 2.sad merged.sad\n" },
	{ NULL, NULL },
};

const struct trc_command trc_command_reduce = {
	.name = "reduce",
	.doc = "drop references that do not change simulation results",
	.usage = "[OPTION...] INPUT [OUTPUT], or --merge PARTIAL... OUTPUT",
	.example = examples,
	.action = actions,
	.shards = trc_shard_owners,
	.choose = choose,
	.each = format_for,
	.output = output_of,
};
