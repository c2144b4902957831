/* SPDX-License-Identifier: MIT
 * trc reduce: fewer references, with the same behaviour where it is guaranteed. */
#include "cmd/reduce/reduce.h"

#include <stdio.h>

#include "cmd/answer/answer.h"
#include "cmd/job/traces.h"
#include "cmd/habits.h"

/* Hardly any records may come out: what counts is what goes in. */
static void
begin_progress(struct trc_progress *p, struct trc_job *job, bool quiet)
{
	trc_progress_init(p, "records in", quiet);
	trc_job_measure(job, p);
	job->progress = p;
}

static int
reduce(const struct trc_settings *all, const struct trc_args *args, struct trc_err *err)
{
	const struct trc_reduce *s = trc_settings_of(all, &trc_reduce_opts);
	struct trc_job_out out = trc_job_out(all);
	const char *output = args->n > 1 ? args->word[args->n - 1] : "-";
	const struct trc_job_in in = trc_job_in_for(&out, output);
	struct trc_reduced reduced = { 0 };
	struct trc_progress progress;
	struct trc_job job;
	int ret;

	if (trc_job_words(args, 1, trc_traces_in_order(all) ? SIZE_MAX : 2, err) ||
	    trc_reduce_check(s, err) || trc_traces_open_words(&job, all, args, &in, out.quiet, err))
		return -1;
	begin_progress(&progress, &job, out.quiet);
	ret = trc_job_wrap(&job, trc_progress_source(job.src, &progress, err));
	if (ret == 0)
		ret = trc_reduce_leave_out(&job, all, err);
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
run(const struct trc_settings *all, const struct trc_args *args, struct trc_err *err)
{
	if (trc_answer_form(all) != TRC_FORM_TEXT && !trc_settings_named(all, "shards"))
		return trc_fail_as(
		        err, TRC_USAGE,
		        "--json and --csv go with --shards and --simpoint: a trace that was "
		        "reduced is not an answer");
	if (trc_shard_wanted(all))
		return trc_shard_answer(all, args, err);
	return reduce(all, args, err);
}

static const struct trc_opts *const takes[] = {
	&trc_reduce_opts,        &trc_answer_opts,        &trc_traces_opts,
	&trc_shard_opts,         &trc_shard_opts_partial, &trc_job_opts_in,
	&trc_habits_opts_output, TRC_JOB_TAKES_OUT,       NULL
};
static const struct trc_action action = {
	.name = "reducing", .takes = takes, .run = run, .question = &trc_reduce_question
};
static const struct trc_action *const actions[] = { &action, &trc_reduce_simpoint,
	                                            &trc_reduce_merge, NULL };

static const struct trc_action *
choose(const struct trc_settings *all, struct trc_args *args, struct trc_err *err)
{
	(void)args;
	if (trc_answer_check(all, err))
		return NULL;
	if (trc_settings_named(all, "simpoint"))
		return &trc_reduce_simpoint;
	return trc_settings_named(all, "merge") ? &trc_reduce_merge : &action;
}

static const struct trc_format *
each(const struct trc_settings *all, const char *input, struct trc_err *err)
{
	const struct trc_reduce *s = trc_settings_of(all, &trc_reduce_opts);

	(void)input;
	if (s->cache.n && !trc_settings_named(all, "to")) {
		trc_fail_as(err, TRC_USAGE,
		            "--cache leaves addresses; --to FORMAT names what holds them");
		return NULL;
	}
	return trc_format_named("sad");
}

static const char *
output_of(const struct trc_action *chosen, const struct trc_settings *all,
          const struct trc_args *args)
{
	const char *partial = trc_shard_partial(all);

	return partial ? partial : trc_job_output(chosen, all, args);
}

static const struct trc_example examples[] = {
	{ "same faults and victims in LRU memories of 64 pages and more",
	  "  trc reduce --sad 64 sort.lackey.xz sort.sad\n"
	  "  trc stat --certify sort.sad sort.lackey.xz\n" },
	{ "what reaches memory behind a cache, for Ramulator 2",
	  "  trc reduce --cache 32K:8:64 --write-backs --drop size \\\n"
	  "    --to ramulator2-ls sort.lackey.xz dram.trace\n" },
	{ "shorter, for LRU alone", "  trc reduce --olr 64 sort.lackey.xz sort.olr\n" },
	{ "exact for working sets of 10,000 references and more",
	  "  trc reduce --window 10k sort.lackey.xz sort.ws\n" },
	{ "one page in ten, for an estimate",
	  "  trc reduce --sample 1/10 sort.lackey.xz sort.sample\n" },
	{ "at most 10 regions of 20,000 instructions that stand for the whole",
	  "  trc reduce --simpoint 10,20k sort.lackey.xz regions\n" },
	{ "in two shards, which any machines compute",
	  "  trc decode sort.lackey.xz sort.lackey\n"
	  "  trc reduce --sad 64 --shard 1/2 --partial 1.sad sort.lackey\n"
	  "  trc reduce --sad 64 --shard 2/2 --partial 2.sad sort.lackey\n"
	  "  trc reduce --merge 1.sad 2.sad merged.sad\n" },
	{ NULL, NULL },
};

const struct trc_command trc_command_reduce = {
	.name = "reduce",
	.doc = "drop references without changing what is promised",
	.usage = "[OPTION...] INPUT [OUTPUT], or --merge PARTIAL... OUTPUT",
	.notes =
	        "References become references to pages: reads and writes (a fetch is a read), one\n"
	        "for each page touched, each with its cycle, instruction and reference time.\n"
	        "Consecutive references to the same page merge into one, which is a write if any\n"
	        "of them is. Then references that do not matter to what you simulate are dropped,\n"
	        "for all memory sizes of R pages and more (R+), or all windows of T and more\n"
	        "(T+):\n"
	        "\n"
	        "              LRU      OPT      FIFO,    working  set-\n"
	        "                                CLOCK    set,VMIN associative\n"
	        "  merged      1+       1+       1+       no       no\n"
	        "  --sad R     R+       R+       no       no       no\n"
	        "  --olr R     R+       no       no       no       no\n"
	        "  --window T  no       no       no       T+       no\n"
	        "  --cache     no       no       no       no       below\n"
	        "  --sample    estimate estimate estimate estimate no\n"
	        "\n"
	        "R is a number of pages; with a unit it is bytes, so that 64K is 16 pages of 4096\n"
	        "bytes.\n"
	        "\n"
	        "Promised are faults at the same references, the same victims, clean or dirty\n"
	        "alike, and the same resident pages after each reference that is kept. Not\n"
	        "promised are smaller memories or windows, the order within the R pages used\n"
	        "last, the number of hits, and spaces that share pages and are scheduled in\n"
	        "another order. --sad and --window together promise both. A trace that was\n"
	        "reduced for one purpose is not reduced again for another: that is refused.\n"
	        "\n"
	        "--sad R drops, of three references to a page, the middle one if fewer than R\n"
	        "other pages lie between the first and the third (SAD; Kaplan, Smaragdakis and\n"
	        "Wilson 1999). --olr R leaves the shortest trace that still makes LRU do the same\n"
	        "(OLR-S). Since neighbours are merged, and --olr moves writes back, a page that\n"
	        "is read and then written may fault as a write; --sad with --no-block keeps the\n"
	        "types of faults and costs a few records in a hundred.\n"
	        "\n"
	        "--window T drops the middle one of three references to a page if the third is at\n"
	        "most T after the first. A page used exactly T ago counts as in the window.\n"
	        "Nothing else is merged.\n"
	        "\n"
	        "--cache keeps references to lines of addresses, and is exact for write-allocate\n"
	        "caches with lines of LINE bytes, at least as many sets, and at least as many\n"
	        "ways: for misses, what they replace, and what is written back. With one way it\n"
	        "keeps misses and first writes to clean lines; then it is exact for LRU, FIFO and\n"
	        "random replacement (Puzak 1985; Wang and Baer 1991). With more ways it is exact\n"
	        "for LRU, and each set is reduced by SAD. A split cache is given as --cache\n"
	        "i:32K:8:64 --cache d:32K:8:64; the trace is then exact for split caches.\n"
	        "\n"
	        "With --write-backs the trace is the traffic between this very cache and the\n"
	        "memory behind it: reads of lines that miss, but for those that are written as a\n"
	        "whole, and writes of dirty lines that are replaced. WAYS may be 'full', and\n"
	        ":fifo or :random may follow LINE. What is in the cache at the end is not written\n"
	        "back. Instructions are counted for ramulator-inst and --fill time=itime.\n"
	        "\n"
	        "--sample 1/N is approximate, for any policy: it keeps all references to one page\n"
	        "in N (SHARDS; Waldspurger and others 2015). A memory of m pages has about N\n"
	        "times the misses that one of m / N pages has on the sample, but which memory the\n"
	        "sample stands for is uncertain by sqrt(m (N - 1)) pages: where misses depend\n"
	        "much on the size, or on a few pages, this is far off. So trc stat --mrc of\n"
	        "samples shows intervals, which have the truth in 95 of 100 samples, and nothing\n"
	        "of sizes below about 10 N pages, or where a few pages have most of the misses.\n"
	        "What other policies do has errors of its own. R counts pages of the sample.\n"
	        "\n"
	        "Except with --cache, the promise is for one memory for the whole trace; it also\n"
	        "holds for each private address space by itself. With --by-space it holds only\n"
	        "for a separate memory for each space, and fewer references are left. With\n"
	        "--canonical, pages are those that spaces share, not the numbers that each space\n"
	        "has for them.\n",
	.more_notes =
	        "\n"
	        "--sad and --window keep all deletes (records of type invalidate), after which a\n"
	        "page begins anew; an OUTPUT like X.trc holds them, 'sad' does not. --sample keeps\n"
	        "those of its pages. For --olr a trace has to be without: --drop invalidate leaves\n"
	        "them out before the trace is reduced.\n"
	        "\n"
	        "Several INPUTs, which shards take as they are and whole runs with --concat, are\n"
	        "one trace, in their order.\n"
	        "\n"
	        "--simpoint K,N writes into the folder OUTPUT at most K regions of N instructions,\n"
	        "untouched, that stand for the whole trace by their weights, as SimPoint does; it\n"
	        "prints them, and what they get wrong. 'trc help regions' has more.\n"
	        "\n"
	        "The format of OUTPUT is 'sad', or with --cache the plainest text that holds the\n"
	        "trace, unless its ending or --to says otherwise. Without OUTPUT, it goes to\n"
	        "standard output.\n",
	.example = examples,
	.action = actions,
	.shards = trc_shard_owners,
	.choose = choose,
	.each = each,
	.output = output_of,
};
