/* SPDX-License-Identifier: MIT
 * trc stat: questions about a trace. */
#include "cmd/stat/stat.h"

#include <string.h>

#include "cmd/picture/plotting.h"
#include "cmd/stat/ranking.h"
#include "cmd/stat/sizes.h"

/* --merge: the answer of a question that was asked of shards. */
static const struct trc_opts *const merge_takes[] = { &trc_shard_opts_merge,
	                                              &trc_shard_opts_partial,
	                                              &trc_habits_opts_force,
	                                              &trc_stat_opts_curves,
	                                              &trc_stat_opts_plot,
	                                              &trc_stat_opts_rows,
	                                              &trc_stat_opts_finding,
	                                              &trc_answer_opts,
	                                              &trc_habits_opts_answer,
	                                              &trc_stat_opts_quiet,
	                                              NULL };

static const struct trc_action merge = { .name = "--merge",
	                                 .takes = merge_takes,
	                                 .run = trc_shard_merge };

static const struct trc_action *const question[] = {
	&trc_stat_counts,
	&trc_stat_blocks,
	&trc_stat_cache,
	&trc_stat_tlb,
	&trc_stat_windows,
	&trc_stat_mrc,
	&trc_stat_bytes,
	&trc_stat_popularity,
	&trc_stat_ws,
	&trc_stat_reuse,
	&trc_stat_certify,
	&trc_stat_check,
	&trc_stat_formats,
	&trc_stat_diff,
	&trc_stat_map,
	&trc_stat_top,
	&trc_stat_strides,
	&trc_stat_fingerprint,
	&trc_stat_shared,
	&trc_stat_manifest,
	&trc_stat_bbv,
	&merge,
	NULL,
};

static const struct trc_opts *const common[] = {
	&trc_shard_opts,
	&trc_shard_opts_partial,
	&trc_habits_opts_force,
	&trc_shard_opts_merge,
	&trc_answer_opts,
	&trc_stat_opts_page_size,
	&trc_stat_opts_line_size,
	&trc_stat_opts_by_space,
	&trc_traces_opts,
	&trc_job_opts_in,
	&trc_habits_opts_answer,
	&trc_stat_opts_quiet,
	NULL,
};

/* The question whose option is given, or else the first of all. */
static int
find_question(const struct trc_settings *all, const struct trc_action **to, struct trc_err *err)
{
	const struct trc_action *chosen = NULL;

	for (const struct trc_action *const *q = question + 1; *q; q++) {
		/* Other questions have --over-time, too; --mrc --bytes is one of bytes. */
		if (*q == &trc_stat_windows || !trc_settings_named(all, (*q)->name + strlen("--")))
			continue;
		if (chosen && !(chosen == &trc_stat_mrc && *q == &trc_stat_bytes))
			return trc_fail_as(err, TRC_USAGE, "%s and %s: one question at a time",
			                   chosen->name, (*q)->name);
		chosen = *q;
	}
	if (chosen == &trc_stat_mrc && trc_settings_named(all, "objects") &&
	    trc_sizes_of_bytes(trc_settings_values(all, "sizes")))
		chosen = &trc_stat_bytes;
	if (!chosen)
		chosen = trc_settings_named(all, "over-time") ? &trc_stat_windows : question[0];
	*to = chosen;
	return 0;
}

/* Refuses options that a question does not take, with the reason. */
static int
check_taken(const struct trc_settings *all, const struct trc_action *chosen, struct trc_err *err)
{
	if (trc_settings_named(all, "policy") && trc_settings_named(all, "cache"))
		return trc_fail_as(err, TRC_USAGE,
		                   "--policy is of --mrc; a cache has its policy behind the line, "
		                   "like --cache 32K:8:64:fifo");
	if (trc_settings_named(all, "over-time") &&
	    !trc_opts_has(chosen->takes, &trc_stat_opts_over_time))
		return trc_fail_as(err, TRC_USAGE,
		                   "--over-time: %s has no windows of records; --cache and --tlb "
		                   "have, and --over-time by itself",
		                   chosen->name);
	if (trc_settings_named(all, "warmup") &&
	    !trc_opts_has(chosen->takes, &trc_shard_opts_warmup))
		return trc_fail_as(
		        err, TRC_USAGE, "--warmup: %s %s",
		        chosen == question[0] ? "a count" : chosen->name,
		        chosen->no_warmup ?
		                chosen->no_warmup :
		                "keeps nothing of a record that matters to those behind it; "
		                "--skip N leaves the first N out");
	/* The plan of the whole trace has its memory, and any question has one. */
	if (trc_shard_wanted(all) && chosen->no_shards && !(chosen->question && trc_shard_one(all)))
		return trc_fail_as(err, TRC_USAGE, "%s: %s", chosen->name, chosen->no_shards);
	return 0;
}

static const struct trc_action *
choose(const struct trc_settings *all, struct trc_args *args, struct trc_err *err)
{
	const struct trc_action *chosen;

	(void)args;
	return find_question(all, &chosen, err) || trc_answer_check(all, err) ||
	                       check_taken(all, chosen, err) ?
	               NULL :
	               chosen;
}

static const char *
output(const struct trc_action *action, const struct trc_settings *all, const struct trc_args *args)
{
	const char *plot = trc_stat_plot(all), *partial = trc_shard_partial(all);
	const char *answer = trc_habits_answer(all);

	(void)action, (void)args;
	if (answer)
		return plot || partial ? NULL : answer;
	return partial ? partial : plot ? plot : "-";
}

static const struct trc_example examples[] = {
	{ "what is in a trace", "  trc stat sort.lackey.xz\n" },
	{ "misses of LRU caches of all sizes, and a picture of them",
	  "  trc stat --mrc --line-size 64 --plot lru.svg sort.lackey.xz\n" },
	{ "what it does, addresses against time", "  trc stat --map map.svg sort.lackey.xz\n" },
	{ "the least faults of any policy that admits every page",
	  "  trc stat --mrc --policy opt sort.lackey.xz\n" },
	{ "a reduced trace beside its original, in one table and one picture",
	  "  trc reduce --sad 16 sort.lackey.xz small.sad\n"
	  "  trc stat --mrc --plot both.svg sort.lackey.xz small.sad\n" },
	{ "policies side by side", "  trc stat --mrc --policy lru,opt,arc --sizes 64K,256K \\\n"
	                           "    sort.lackey.xz\n" },
	{ "references and footprint in every 100,000 records",
	  "  trc stat --over-time 100k --line-size 64 --plot time.svg sort.lackey.xz\n" },
	{ "working sets of pages and their footprint, as a picture",
	  "  trc stat --ws --plot ws.svg sort.lackey.xz\n" },
	{ "how far apart touches of a line are, in lines and in references",
	  "  trc stat --reuse --line-size 64 sort.lackey.xz\n" },
	{ "the same of several traces, as a picture",
	  "  trc encode --only read sort.lackey.xz reads.trc\n"
	  "  trc stat --reuse --plot reuse.svg sort.lackey.xz reads.trc\n" },
	{ "two levels of caches",
	  "  trc stat --cache 32K:8:64 --cache 256K:8:64 sort.lackey.xz\n" },
	{ "a TLB for each size of pages, and one below them",
	  "  trc stat --tlb small:64:4 --tlb huge:32:4 --tlb 1536:12 --huge 0x4000000- \\\n"
	  "    sort.lackey.xz\n" },
	{ "faults of memories of three sizes",
	  "  trc stat --mrc --sizes 64K,256K,512K sort.lackey.xz\n" },
	{ "whether a reduced trace keeps its promise",
	  "  trc reduce --sad 64 sort.lackey.xz sort.sad\n"
	  "  trc stat --certify sort.sad sort.lackey.xz\n" },
	{ "a corpus, in CI", "  mkdir corpus\n"
	                     "  trc encode sort.lackey.xz corpus/sort.trc\n"
	                     "  trc stat --check --tap corpus\n" },
	{ "the pages with most references", "  trc stat --top pages sort.lackey.xz\n" },
	{ "caches of so many bytes of whole objects", "  trc stat --mrc --bytes sort.lackey.xz\n" },
	{ "objects and their sizes, and who has most requests",
	  "  trc stat --popularity sort.lackey.xz\n" },
	{ "where the blocks of a container are, and that it is what it was made of",
	  "  trc encode sort.lackey.xz blocks.trc\n"
	  "  trc stat --blocks blocks.trc\n"
	  "  trc stat --diff sort.lackey.xz blocks.trc\n"
	  "  trc stat --fingerprint sort.lackey.xz blocks.trc\n" },
	{ "two files as one trace, which a manifest names",
	  "  trc encode --limit 1000 sort.lackey.xz first.trc\n"
	  "  trc encode --skip 1000 sort.lackey.xz rest.trc\n"
	  "  trc stat --manifest first.trc rest.trc >whole.txt\n"
	  "  trc stat --mrc whole.txt\n" },
	{ "pages that several processes touch",
	  "  trc encode --fill asid=1,cpn=0 sort.lackey.xz processes.trc\n"
	  "  trc stat --shared processes.trc\n" },
	{ "how far the references of each instruction are apart",
	  "  trc encode --fill pc=fetch sort.lackey.xz pcs.trc\n"
	  "  trc stat --strides pcs.trc\n" },
	{ "in two shards, which any machines compute",
	  "  trc decode sort.lackey.xz sort.lackey\n"
	  "  trc stat --shards 2 sort.lackey\n"
	  "  trc stat --mrc --shard 1/2 --partial 1.part sort.lackey\n"
	  "  trc stat --mrc --shard 2/2 --partial 2.part sort.lackey\n"
	  "  trc stat --merge --csv 1.part 2.part\n" },
	{ "basic-block vectors of intervals of 10,000 instructions, for SimPoint",
	  "  trc stat --bbv 10k sort.lackey.xz >sort.bb\n" },
	{ "how small and how fast each format is", "  trc stat --formats sort.lackey.xz\n" },
	{ NULL, NULL },
};

const struct trc_command trc_command_stat = {
	.name = "stat",
	.doc = "count what is in a trace",
	.usage = "[OPTION...] INPUT..., or --merge [OPTION...] PARTIAL...",
	.notes =
	        "A modify (a load and a store of the same bytes by one instruction) is one record\n"
	        "and two references; copy-backs and invalidates (deletes) are records, but not\n"
	        "references. Pages are counted for each address space, unless single references\n"
	        "span millions of them. These are the pages of all records; --mrc counts those\n"
	        "that references touch, which prefetches, copy-backs and invalidates do not.\n"
	        "\n"
	        "A container is not read: its index has all counts. Only the numbers of different\n"
	        "pages, spaces and tasks of concatenated containers are not known from it: they\n"
	        "show as '-' unless --count counts them. --blocks lists where blocks begin, and\n"
	        "which of them begin a new program: to read in the middle, trc starts at one of\n"
	        "those.\n"
	        "\n"
	        "--cache and --mrc simulate caches and memories, --ws counts working sets (of\n"
	        "Denning), --reuse distances and times between touches: 'trc help caches' has\n"
	        "what they count, and what each column of their output means; 'trc help tlbs' is\n"
	        "about --tlb.\n"
	        "\n"
	        "--certify REDUCED ORIGINAL simulates both in an LRU memory of the smallest size\n"
	        "that REDUCED claims to be exact for, and compares faults, pages evicted, and\n"
	        "which of these are dirty, reference by reference. If they agree, they agree in\n"
	        "all larger memories (proof in src/stage/reduce/certify.c); else it says where\n"
	        "they part. If REDUCED has canonical pages, these are compared. --from, --skip\n"
	        "and --limit apply to ORIGINAL. A fingerprint names each of the two traces, as it\n"
	        "does in --check --json: they differ, since what was dropped is in one of them\n"
	        "only.\n"
	        "\n"
	        "--shared takes what trc split --kernel wrote, and counts the canonical pages\n"
	        "that more than one process touches, how many of them are written, and the\n"
	        "references to them; with --csv, --json and --plot by the number of processes.\n"
	        "\n"
	        "--check reads each INPUT to its end and says in one line whether it is sound:\n"
	        "checksums, format, types, sizes, pages, times, totals, and for a reduced trace,\n"
	        "that reducing it again would drop nothing. A directory stands for all traces\n"
	        "below it, - for a list of names on standard input. Warnings are: times that run\n"
	        "backwards in a trace that is not reduced, references to 0 bytes, a name that\n"
	        "says another format, a text whose last line has no newline, and a trace that\n"
	        "occurs twice. A container and what it was made of are compared by the\n"
	        "fingerprint that it has of that. With --csv, each trace is a row; with --json, an\n"
	        "object on a line.\n"
	        "\n"
	        "--check --for PROGRAM ('trc help programs') names the first record, and how many\n"
	        "more there are, of what stops that program, which is an error, and of what\n"
	        "misleads it, a warning: of a core simulator instructions at address 0, gaps in\n"
	        "the path without a branch, branches that contradict it, are of no known kind or\n"
	        "outcome, no branches, no registers, loads and stores that have no place; of a\n"
	        "memory references across lines of 64 bytes.\n"
	        "\n"
	        "--formats writes the trace in every format that can hold all of it, plain and\n"
	        "with xz, and reads it back. It tells bytes, references per byte, how many times\n"
	        "smaller than dinero text of the same references it is, and millions of\n"
	        "references encoded and decoded per second, or else why the format cannot hold\n"
	        "the trace. Temporary files are in TMPDIR.\n",
	.more_notes =
	        "\n"
	        "--diff A B compares two traces, of any formats, record by record in the columns\n"
	        "that both have, and prints the first record in which they part; then the exit\n"
	        "status is 1.\n"
	        "\n"
	        "--top counts references by page, line, instruction, task, space or type, and\n"
	        "prints those with most. A reference counts for each page or line that it\n"
	        "touches. Of an instruction, 'regular' is the share of its data references that\n"
	        "are as far from the one before as that was from its own; where the trace has no\n"
	        "column 'pc', it is the last fetch of the task. --plot draws how much of all\n"
	        "references the first so many have.\n"
	        "\n"
	        "--strides counts how far each data reference is from the one before of its\n"
	        "instruction, as column 'pc' has it.\n"
	        "\n"
	        "--over-time N has a row for each N records: references by type, the different\n"
	        "pages that they touch (their footprint), and those that are new in the trace;\n"
	        "with --cache or --tlb, their misses instead. --plot draws either.\n"
	        "\n"
	        "--map FILE draws addresses against time, with what is read, written and executed\n"
	        "in colours of their own and empty ranges cut out: as .svg, .png, or for '-'\n"
	        "here. It takes one pass and little memory, however long the trace is; of a large\n"
	        "container, --sample-blocks 8 reads one block in 8, and the picture says so.\n"
	        "\n"
	        "--bbv N prints a basic-block vector for each N instructions, as SimPoint reads\n"
	        "them; with --csv, where the blocks are. 'trc help regions' has more.\n"
	        "\n"
	        "--manifest prints a manifest of the INPUTs, which is a trace of these files in\n"
	        "order wherever trc takes a file: see 'trc help files'.\n"
	        "\n"
	        "--fingerprint prints what 'trc encode --to hash' does: XXH3 of each column.\n"
	        "Traces are equal in a column if that is.\n"
	        "\n"
	        "Every question has --csv and --json, with the same names and values: 'trc help\n"
	        "columns' has these names.\n"
	        "\n"
	        "Each INPUT is a trace of its own, whatever is asked: a row of the counts, a\n"
	        "curve with --mrc, --ws and --reuse, else an answer below its name; with --csv\n"
	        "and --json by its name, 'input', and with --plot in one picture. --concat makes\n"
	        "them one, as --shards, --shard and a manifest do: see 'trc help files'.\n",
	.example = examples,
	.action = question,
	.common = common,
	.shards = trc_shard_owners,
	.choose = choose,
	.output = output,
};
