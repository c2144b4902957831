/* SPDX-License-Identifier: MIT
 *
 * trc stat: questions about a trace.
 */
#include "cmd/stat/stat.h"

#include <string.h>

#include "cmd/picture/plotting.h"
#include "cmd/stat/ranking.h"
#include "cmd/stat/sizes.h"

/* --merge: the answer to a question that was run for shards. */
static const struct trc_action merge = {
	.name = "--merge",
	.takes = TRC_TAKES(&trc_shard_opts_merge, &trc_shard_opts_partial, &trc_shard_opts_plan,
	                   &trc_conventions_opts_force, &trc_stat_opts_curves, &trc_stat_opts_plot,
	                   &trc_stat_opts_rows, &trc_stat_opts_finding, &trc_answer_opts,
	                   &trc_conventions_opts_answer, &trc_stat_opts_quiet),
	.run = trc_shard_merge
};

/* --plan: instead of a question and INPUTs. */
static const struct trc_action plan = {
	.name = "--plan",
	.takes = TRC_TAKES(&trc_shard_opts_plan, &trc_shard_opts, &trc_shard_opts_partial,
	                   &trc_job_opts_in, &trc_answer_opts, &trc_conventions_opts_answer,
	                   &trc_stat_opts_quiet),
	.run = trc_shard_planned
};

/* The most used first, as the help lists them. */
static const struct trc_action *const question[] = {
	&trc_stat_counts,
	&trc_stat_mrc,
	&trc_stat_cache,
	&trc_stat_tlb,
	&trc_stat_ws,
	&trc_stat_reuse,
	&trc_stat_top,
	&trc_stat_windows,
	&trc_stat_map,
	&trc_stat_check,
	&trc_stat_diff,
	&trc_stat_bytes,
	&trc_stat_popularity,
	&trc_stat_strides,
	&trc_stat_bbv,
	&trc_stat_shared,
	&trc_stat_certify,
	&trc_stat_formats,
	&trc_stat_blocks,
	&trc_stat_fingerprint,
	&trc_stat_manifest,
	&plan,
	&merge,
	NULL,
};

static const struct trc_opts *const common[] = {
	&trc_shard_opts,
	&trc_shard_opts_partial,
	&trc_conventions_opts_force,
	&trc_shard_opts_plan,
	&trc_shard_opts_merge,
	&trc_answer_opts,
	&trc_stat_opts_page_size,
	&trc_stat_opts_line_size,
	&trc_stat_opts_by_space,
	&trc_traces_opts,
	&trc_job_opts_in,
	&trc_conventions_opts_answer,
	&trc_stat_opts_quiet,
	NULL,
};

/* Returns true if --mrc --objects asks for caches of whole objects, not for a curve by count. */
static bool
is_of_caches(const struct trc_settings *settings)
{
	return trc_sizes_of_bytes(trc_settings_values(settings, "sizes")) ||
	       trc_settings_named(settings, "ttl") ||
	       trc_settings_named(settings, "sample-objects") ||
	       (trc_settings_named(settings, "sample") && trc_settings_named(settings, "policy")) ||
	       trc_stat_policy_of_objects(settings);
}

/* Finds the question whose option is given, or else the first one. */
static int
find_question(const struct trc_settings *settings, const struct trc_action **to,
              struct trc_err *err)
{
	const struct trc_action *chosen = NULL;

	for (const struct trc_action *const *q = question + 1; *q; q++) {
		/* Other questions also have --over-time; --mrc --bytes is one question. */
		if (*q == &trc_stat_windows ||
		    (*q == &plan && trc_settings_named(settings, "merge")) ||
		    !trc_settings_named(settings, (*q)->name + strlen("--")))
			continue;
		if (chosen && !(chosen == &trc_stat_mrc && *q == &trc_stat_bytes))
			return trc_fail_as(err, TRC_USAGE, "%s and %s: ask one question at a time",
			                   chosen->name, (*q)->name);
		chosen = *q;
	}
	if (chosen == &trc_stat_mrc && trc_settings_named(settings, "objects") &&
	    is_of_caches(settings))
		chosen = &trc_stat_bytes;
	if (!chosen)
		chosen = trc_settings_named(settings, "over-time") ? &trc_stat_windows :
		                                                     question[0];
	*to = chosen;
	return 0;
}

/* Refuses options that a question does not take, with the reason. */
static int
check_taken(const struct trc_settings *settings, const struct trc_action *chosen,
            struct trc_err *err)
{
	if (trc_settings_named(settings, "policy") && trc_settings_named(settings, "cache"))
		return trc_fail_as(err, TRC_USAGE,
		                   "--policy is for --mrc; the policy of a cache follows its line "
		                   "size, like --cache 32K:8:64:fifo");
	if (trc_stat_by(settings) && !trc_opts_has(chosen->takes, &trc_stat_opts_levels))
		return trc_fail_as(err, TRC_USAGE,
		                   "--by %s breaks down the misses of --cache or --tlb; --top %ss "
		                   "counts references",
		                   trc_stat_by(settings), trc_stat_by(settings));
	if (trc_settings_named(settings, "ttl") && chosen != &trc_stat_bytes)
		return trc_fail_as(err, TRC_USAGE,
		                   "--ttl goes with --mrc --bytes or --mrc --objects");
	if (trc_settings_named(settings, "over-time") &&
	    !trc_opts_has(chosen->takes, &trc_stat_opts_over_time))
		return trc_fail_as(err, TRC_USAGE,
		                   "--over-time is for --cache, --tlb, or alone; not for %s",
		                   chosen->name);
	if (trc_settings_named(settings, "warmup") &&
	    !trc_opts_has(chosen->takes, &trc_shard_opts_warmup))
		return trc_fail_as(
		        err, TRC_USAGE, "--warmup: %s %s",
		        chosen == question[0] ? "a count" : chosen->name,
		        chosen->no_warmup ?
		                chosen->no_warmup :
		                "keeps no state to warm up; use --skip N to skip records");
	/* The plan for the whole trace measures memory, so it supports any question. */
	if (trc_shard_wanted(settings) && chosen->no_shards &&
	    !(chosen->query && trc_shard_whole(settings)))
		return trc_fail_as(err, TRC_USAGE, "%s: %s", chosen->name, chosen->no_shards);
	return 0;
}

static const struct trc_action *
choose(const struct trc_settings *settings, struct trc_args *args, struct trc_err *err)
{
	const struct trc_action *chosen = NULL;

	(void)args;
	return find_question(settings, &chosen, err) || trc_answer_check(settings, err) ||
	                       check_taken(settings, chosen, err) ?
	               NULL :
	               chosen;
}

static const char *
output(const struct trc_action *action, const struct trc_settings *settings,
       const struct trc_args *args)
{
	const char *plot = trc_stat_plot(settings), *partial = trc_shard_partial(settings);
	const char *answer = trc_conventions_answer(settings);

	(void)action, (void)args;
	if (answer)
		return plot || partial ? NULL : answer;
	return partial ? partial : plot ? plot : "-";
}

static const struct trc_example examples[] = {
	{ "what a trace contains", "  trc stat sort.lackey.xz\n" },
	{ "the miss-ratio curve of LRU caches, and a picture of it",
	  "  trc stat --mrc --line-size 64 --plot lru.svg sort.lackey.xz\n" },
	{ "a map of addresses against time", "  trc stat --map map.svg sort.lackey.xz\n" },
	{ "the lower bound of faults for policies that admit every page",
	  "  trc stat --mrc --policy opt sort.lackey.xz\n" },
	{ "a reduced trace beside its original, in one table and one picture",
	  "  trc reduce --sad 16 sort.lackey.xz small.sad\n"
	  "  trc stat --mrc --plot both.svg sort.lackey.xz small.sad\n" },
	{ "policies side by side", "  trc stat --mrc --policy lru,opt,arc --sizes 64K,256K \\\n"
	                           "    sort.lackey.xz\n" },
	{ "references and footprint of every 100,000 records",
	  "  trc stat --over-time 100k --line-size 64 --plot time.svg sort.lackey.xz\n" },
	{ "working sets of pages and their footprint, as a picture",
	  "  trc stat --ws --plot ws.svg sort.lackey.xz\n" },
	{ "stack distances and reuse times of lines",
	  "  trc stat --reuse --line-size 64 sort.lackey.xz\n" },
	{ "the same for several traces, as a picture",
	  "  trc encode --only read sort.lackey.xz reads.trc\n"
	  "  trc stat --reuse --plot reuse.svg sort.lackey.xz reads.trc\n" },
	{ "two levels of caches",
	  "  trc stat --cache 32K:8:64 --cache 256K:8:64 sort.lackey.xz\n" },
	{ "caches of many sizes in one pass",
	  "  trc stat --cache 4K..1M:1..16:64 sort.lackey.xz\n" },
	{ "a TLB for each size of pages, and one below them",
	  "  trc stat --tlb small:64:4 --tlb huge:32:4 --tlb 1536:12 --huge 0x4000000- \\\n"
	  "    sort.lackey.xz\n" },
	{ "faults of memories of three sizes",
	  "  trc stat --mrc --sizes 64K,256K,512K sort.lackey.xz\n" },
	{ "proof that a reduced trace is exact", "  trc reduce --sad 64 sort.lackey.xz sort.sad\n"
	                                         "  trc stat --certify sort.sad sort.lackey.xz\n" },
	{ "a corpus, in CI", "  mkdir corpus\n"
	                     "  trc encode sort.lackey.xz corpus/sort.trc\n"
	                     "  trc stat --check --tap corpus\n" },
	{ "the pages with the most references", "  trc stat --top pages sort.lackey.xz\n" },
	{ "caches of whole objects, by bytes", "  trc stat --mrc --bytes sort.lackey.xz\n" },
	{ "the popularity and sizes of objects", "  trc stat --popularity sort.lackey.xz\n" },
	{ "the blocks of a container, and a comparison with its source",
	  "  trc encode sort.lackey.xz blocks.trc\n"
	  "  trc stat --blocks blocks.trc\n"
	  "  trc stat --diff sort.lackey.xz blocks.trc\n"
	  "  trc stat --fingerprint sort.lackey.xz blocks.trc\n" },
	{ "two files joined by a manifest", "  trc encode --limit 1000 sort.lackey.xz first.trc\n"
	                                    "  trc encode --skip 1000 sort.lackey.xz rest.trc\n"
	                                    "  trc stat --manifest first.trc rest.trc >whole.txt\n"
	                                    "  trc stat --mrc whole.txt\n" },
	{ "pages shared by several processes",
	  "  trc encode --fill asid=1,cpn=0 sort.lackey.xz processes.trc\n"
	  "  trc stat --shared processes.trc\n" },
	{ "the strides of each instruction", "  trc encode --fill pc=fetch sort.lackey.xz pcs.trc\n"
	                                     "  trc stat --strides pcs.trc\n" },
	{ "two shards, which can run on different machines",
	  "  trc decode sort.lackey.xz sort.lackey\n"
	  "  trc stat --shards 2 sort.lackey\n"
	  "  trc stat --mrc --shard 1/2 --partial 1.part sort.lackey\n"
	  "  trc stat --mrc --shard 2/2 --partial 2.part sort.lackey\n"
	  "  trc stat --merge --csv 1.part 2.part\n" },
	{ "basic-block vectors of intervals of 10,000 instructions, for SimPoint",
	  "  trc stat --bbv 10k sort.lackey.xz >sort.bb\n" },
	{ "compare sizes and speeds of all formats", "  trc stat --formats sort.lackey.xz\n" },
	{ NULL, NULL },
};

const struct trc_command trc_command_stat = {
	.name = "stat",
	.doc = "count, simulate, check and draw",
	.usage = "[OPTION...] INPUT..., or --merge [OPTION...] PARTIAL...",
	.example = examples,
	.action = question,
	.many = true,
	.common = common,
	.shards = trc_shard_owners,
	.choose = choose,
	.output = output,
};
