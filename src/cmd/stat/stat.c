/* SPDX-License-Identifier: MIT
 * trc stat: questions about a trace. */
#include "cmd/stat/stat.h"

#include <string.h>
#include <strings.h>

static const struct trc_opt opts[] = {
	{ 0, "json", NULL, "one JSON object instead of text", TRC_OPT_FLAG, TRC_WORDS_NONE,
	  offsetof(struct trc_stat, json) },
	{ 0, "csv", NULL, "comma-separated values instead of text", TRC_OPT_FLAG, TRC_WORDS_NONE,
	  offsetof(struct trc_stat, csv) },
	{ 0, "cache", "SIZE:WAYS:LINE[:POLICY]", "hits, misses and write-backs of a cache",
	  TRC_OPT_LIST, TRC_WORDS_NONE, offsetof(struct trc_stat, cache) },
	{ 0, "count", NULL, "count by reading a container, not from its index", TRC_OPT_FLAG,
	  TRC_WORDS_NONE, offsetof(struct trc_stat, count) },
	{ 0, "blocks", NULL, "where the blocks of a container are", TRC_OPT_FLAG, TRC_WORDS_NONE,
	  offsetof(struct trc_stat, blocks) },
	{ 0, "mrc", NULL, "faults and write-backs of LRU memories of all sizes", TRC_OPT_FLAG,
	  TRC_WORDS_NONE, offsetof(struct trc_stat, mrc) },
	{ 0, "all-sizes", NULL, "with --mrc: every size, not a selection", TRC_OPT_FLAG,
	  TRC_WORDS_NONE, offsetof(struct trc_stat, all_sizes) },
	{ 0, "sizes", "SIZE,...", "with --mrc: these, in pages, or bytes like 64K", TRC_OPT_LIST,
	  TRC_WORDS_NONE, offsetof(struct trc_stat, sizes) },
	{ 0, "line-size", "BYTES", "count cache lines of this size, not pages", TRC_OPT_BYTES,
	  TRC_WORDS_NONE, offsetof(struct trc_stat, line_size) },
	{ 0, "no-first", NULL, "with --mrc: first references are no misses", TRC_OPT_FLAG,
	  TRC_WORDS_NONE, offsetof(struct trc_stat, no_first) },
	{ 0, "plot", "FILE", "with --mrc: draw a picture, too, as SVG", TRC_OPT_TEXT,
	  TRC_WORDS_FILE, offsetof(struct trc_stat, plot) },
	{ 0, "force", NULL, "replace FILE if it exists", TRC_OPT_FLAG, TRC_WORDS_NONE,
	  offsetof(struct trc_stat, force) },
	{ 0, "certify", NULL, "check that REDUCED faults as ORIGINAL does", TRC_OPT_FLAG,
	  TRC_WORDS_NONE, offsetof(struct trc_stat, certify) },
	{ 0, "sad", "R", "with --certify: from R pages on, not as REDUCED says", TRC_OPT_COUNT,
	  TRC_WORDS_NONE, offsetof(struct trc_stat, sad) },
	{ 0, "by-space", NULL, "a memory for each address space", TRC_OPT_FLAG, TRC_WORDS_NONE,
	  offsetof(struct trc_stat, by_space) },
	{ 0, "ws", NULL, "working sets and their misses for all windows", TRC_OPT_FLAG,
	  TRC_WORDS_NONE, offsetof(struct trc_stat, ws) },
	{ 0, "clock", "references|instructions|cycles", "with --ws: what windows are measured in",
	  TRC_OPT_CHOICE, TRC_WORDS_NONE, offsetof(struct trc_stat, clock) },
	{ 0, "shared", NULL, "canonical pages that several processes touch", TRC_OPT_FLAG,
	  TRC_WORDS_NONE, offsetof(struct trc_stat, shared) },
	{ 0, "check", NULL, "check that traces are sound; any number of them", TRC_OPT_FLAG,
	  TRC_WORDS_NONE, offsetof(struct trc_stat, check) },
	{ 0, "strict", NULL, "with --check: fail on warnings", TRC_OPT_FLAG, TRC_WORDS_NONE,
	  offsetof(struct trc_stat, strict) },
	{ 0, "tap", NULL, "with --check: write Test Anything Protocol", TRC_OPT_FLAG,
	  TRC_WORDS_NONE, offsetof(struct trc_stat, tap) },
	{ 'j', "jobs", "N", "with --check: N at a time, not one for each core", TRC_OPT_COUNT,
	  TRC_WORDS_NONE, offsetof(struct trc_stat, jobs) },
	{ '0', "null", NULL, "names on standard input end in NUL bytes", TRC_OPT_FLAG,
	  TRC_WORDS_NONE, offsetof(struct trc_stat, nul) },
	{ 0, "formats", NULL, "how small and how fast each format is", TRC_OPT_FLAG, TRC_WORDS_NONE,
	  offsetof(struct trc_stat, formats) },
	{ 0, "page-size", "BYTES", "bytes of a page, 4096 if not given", TRC_OPT_BYTES,
	  TRC_WORDS_NONE, offsetof(struct trc_stat, page_size) },
	TRC_OPTS_IN(struct trc_stat),
	{ 'q', "quiet", NULL, "show no progress", TRC_OPT_FLAG, TRC_WORDS_NONE,
	  offsetof(struct trc_stat, quiet) },
};

struct question {
	const char *name; /* of the option */
	bool asked;
	trc_stat_fn answer;
};

/* A picture under a name of another kind opens nowhere. */
static int
check_plot(const char *path, struct trc_err *err)
{
	static const char *const other[] = {
		"png", "jpg", "jpeg", "gif", "webp", "pdf", "eps", "ps"
	};
	const char *dot = strrchr(path, '.');

	for (size_t i = 0; dot && i < TRC_COUNT(other); i++)
		if (strcasecmp(dot + 1, other[i]) == 0)
			return trc_fail_as(err, TRC_USAGE,
			                   "--plot draws SVG, and '%s' says %s; name it .svg, and "
			                   "convert that",
			                   path, other[i]);
	return 0;
}

/* Refuses options that go with other questions than the one that is asked. */
static int
check_asides(const struct trc_stat *s, const char *asked, struct trc_err *err)
{
	const struct {
		const char *name;
		bool given;
		const char *with; /* the questions, for people and for strstr() */
	} aside[] = {
		{ "count", s->count, "the plain counts" },
		{ "page-size", s->page_size > 0, "the plain counts, --mrc, --ws or --certify" },
		{ "csv", s->csv, "--cache, --mrc or --ws" },
		{ "all-sizes", s->all_sizes, "--mrc" },
		{ "sizes", s->sizes.n > 0, "--mrc" },
		{ "line-size", s->line_size > 0, "--mrc or --ws" },
		{ "clock", s->clock > 0, "--ws" },
		{ "no-first", s->no_first, "--mrc" },
		{ "plot", s->plot, "--mrc" },
		{ "force", s->force, "--mrc" },
		{ "sad", s->sad > 0, "--certify" },
		{ "strict", s->strict, "--check" },
		{ "tap", s->tap, "--check" },
		{ "jobs", s->jobs > 0, "--check" },
		{ "null", s->nul, "--check" },
		{ "by-space", s->by_space, "--mrc, --ws or --certify" },
	};

	if (s->plot && check_plot(s->plot, err))
		return -1;
	if (s->csv && s->json)
		return trc_fail_as(err, TRC_USAGE, "--json and --csv: one form at a time");
	if (s->all_sizes && s->sizes.n > 0)
		return trc_fail_as(err, TRC_USAGE, "--all-sizes and --sizes: one of them");
	for (size_t i = 0; i < TRC_COUNT(aside); i++)
		if (aside[i].given && !strstr(aside[i].with, asked ? asked : "plain"))
			return trc_fail_as(err, TRC_USAGE, "--%s goes with %s", aside[i].name,
			                   aside[i].with);
	return 0;
}

static int
run(const void *settings, const struct trc_args *args, struct trc_err *err)
{
	const struct trc_stat *s = settings;
	const struct question question[] = {
		{ "blocks", s->blocks, trc_stat_blocks },
		{ "cache", s->cache.n > 0, trc_stat_cache },
		{ "mrc", s->mrc, trc_stat_mrc },
		{ "ws", s->ws, trc_stat_ws },
		{ "certify", s->certify, trc_stat_certify },
		{ "check", s->check, trc_stat_check },
		{ "formats", s->formats, trc_stat_formats },
		{ "shared", s->shared, trc_stat_shared },
	};
	const struct question *first = NULL;

	for (size_t i = 0; i < TRC_COUNT(question); i++) {
		if (!question[i].asked)
			continue;
		if (first)
			return trc_fail_as(err, TRC_USAGE, "--%s and --%s: one question at a time",
			                   first->name, question[i].name);
		first = &question[i];
	}
	if (check_asides(s, first ? first->name : NULL, err))
		return -1;
	return (first ? first->answer : trc_stat_counts)(s, args, err);
}

const struct trc_command trc_command_stat = {
	.name = "stat",
	.doc = "count what is in a trace",
	.usage = "[OPTION...] INPUT, or --check [OPTION...] INPUT...",
	.notes =
	        "A modify (a load and a store of the same bytes by one instruction) is one record\n"
	        "and two references; dinero's copy-backs and invalidates are records, but not\n"
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
	        "--cache 32K:8:64 counts what a write-back cache of 32 KiB with 8 ways and lines\n"
	        "of 64 bytes does; WAYS may be 'full'. A second --cache is the next level below;\n"
	        "--cache i:32K:8:64 --cache d:32K:8:64 is a first level with a cache for fetches\n"
	        "and one for data. POLICY is lru, fifo or random[=SEED]. It counts as dineroIV\n"
	        "does: a reference counts once for each line that it touches, a modify is a read\n"
	        "and a write, a line that is written as a whole is not read from below, and at\n"
	        "the end of the trace dirty lines are written back.\n"
	        "\n"
	        "--mrc counts, for LRU memories of every size, the references that fault (first\n"
	        "references included) and the dirty pages evicted. A reference that crosses a\n"
	        "page boundary counts as one to each page, but only once in the denominator of\n"
	        "the ratio. The curve of a reduced trace is valid from the memory size that it\n"
	        "was reduced for, and its ratio refers to the references of the original. All\n"
	        "address spaces share a memory unless --by-space gives each its own. Requests for\n"
	        "objects (oracle) count as bytes from an address on; to count objects, however\n"
	        "large, ask with --line-size 1 what 'trc encode --drop size' leaves.\n"
	        "\n"
	        "--certify REDUCED ORIGINAL simulates both in an LRU memory of the smallest size\n"
	        "that REDUCED claims to be exact for, and compares faults, pages evicted, and\n"
	        "which of these are dirty, reference by reference. If they agree, they agree in\n"
	        "all larger memories (proof in src/stage/reduce/certify.c); else it says where\n"
	        "they part. If REDUCED has canonical pages, these are compared. --from, --skip\n"
	        "and --limit apply to ORIGINAL.\n"
	        "\n"
	        "--shared takes what trc split --kernel wrote, and counts the canonical pages\n"
	        "that more than one process touches, how many of them are written, and the\n"
	        "references to them.\n"
	        "\n"
	        "--ws tells, for windows of T references, how many pages (or lines) the last T\n"
	        "references touch on average, and how many references touch one that is not among\n"
	        "these (Denning's working set). At the beginning of the trace the window is\n"
	        "shorter. --clock measures windows by instructions or cycles; --by-space tells\n"
	        "each space's share by the clock of all; --csv has all windows up to 128, then 64\n"
	        "for each power of two.\n"
	        "\n"
	        "--check reads each INPUT to its end and says in one line whether it is sound:\n"
	        "checksums, format, types, sizes, pages, times, totals, and for a reduced trace,\n"
	        "that reducing it again would drop nothing. A directory stands for all traces\n"
	        "below it, - for a list of names on standard input. Warnings are: times that run\n"
	        "backwards in a trace that is not reduced, references to 0 bytes, a name that\n"
	        "says another format, and a trace that occurs twice. With --json, each trace is a\n"
	        "line.\n"
	        "\n"
	        "--formats writes the trace in every format that can hold all of it, plain and\n"
	        "with xz, and reads it back. It tells bytes, references per byte, how many times\n"
	        "smaller than dinero text of the same references it is, and millions of\n"
	        "references encoded and decoded per second, or else why the format cannot hold\n"
	        "the trace. Temporary files are in TMPDIR.\n",
	.opt = opts,
	.opts = TRC_COUNT(opts),
	.settings = sizeof(struct trc_stat),
	.run = run,
};
