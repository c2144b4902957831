/* SPDX-License-Identifier: MIT
 * trc stat: questions about a trace. */
#include "cmd/stat.h"

#include <string.h>
#include <sys/stat.h>

static const struct trc_opt opts[] = {
	{ 0, "json", NULL, "one JSON object instead of text", TRC_OPT_FLAG, TRC_WORDS_NONE,
	  offsetof(struct trc_stat, json) },
	{ 0, "csv", NULL, "comma-separated values instead of text", TRC_OPT_FLAG, TRC_WORDS_NONE,
	  offsetof(struct trc_stat, csv) },
	{ 0, "cache", "SIZE:WAYS:LINE[:POLICY]", "hits, misses and write-backs of a cache",
	  TRC_OPT_LIST, TRC_WORDS_NONE, offsetof(struct trc_stat, cache) },
	{ 0, "count", NULL, "read a container, whatever its index tells", TRC_OPT_FLAG,
	  TRC_WORDS_NONE, offsetof(struct trc_stat, count) },
	{ 0, "blocks", NULL, "where the blocks of a container stand", TRC_OPT_FLAG, TRC_WORDS_NONE,
	  offsetof(struct trc_stat, blocks) },
	{ 0, "mrc", NULL, "faults and write-backs of LRU memories of all sizes", TRC_OPT_FLAG,
	  TRC_WORDS_NONE, offsetof(struct trc_stat, mrc) },
	{ 0, "all-sizes", NULL, "of --mrc: every size, not a choice", TRC_OPT_FLAG,
	  TRC_WORDS_NONE, offsetof(struct trc_stat, all_sizes) },
	{ 0, "sizes", "SIZE,...", "of --mrc: these; pages, or bytes like 64K", TRC_OPT_LIST,
	  TRC_WORDS_NONE, offsetof(struct trc_stat, sizes) },
	{ 0, "line-size", "BYTES", "cache lines of so many, not pages", TRC_OPT_BYTES,
	  TRC_WORDS_NONE, offsetof(struct trc_stat, line_size) },
	{ 0, "no-first", NULL, "of --mrc: first references are no misses", TRC_OPT_FLAG,
	  TRC_WORDS_NONE, offsetof(struct trc_stat, no_first) },
	{ 0, "plot", "FILE", "of --mrc: a picture too, as SVG", TRC_OPT_TEXT, TRC_WORDS_FILE,
	  offsetof(struct trc_stat, plot) },
	{ 0, "force", NULL, "replace FILE if it exists", TRC_OPT_FLAG, TRC_WORDS_NONE,
	  offsetof(struct trc_stat, force) },
	{ 0, "certify", NULL, "does REDUCED what ORIGINAL does?", TRC_OPT_FLAG, TRC_WORDS_NONE,
	  offsetof(struct trc_stat, certify) },
	{ 0, "sad", "R", "of --certify: from R pages on, not as REDUCED says", TRC_OPT_COUNT,
	  TRC_WORDS_NONE, offsetof(struct trc_stat, sad) },
	{ 0, "by-space", NULL, "a memory for each address space", TRC_OPT_FLAG, TRC_WORDS_NONE,
	  offsetof(struct trc_stat, by_space) },
	{ 0, "ws", NULL, "working sets and their misses for all windows", TRC_OPT_FLAG,
	  TRC_WORDS_NONE, offsetof(struct trc_stat, ws) },
	{ 0, "clock", "references|instructions|cycles", "of --ws: in what windows are measured",
	  TRC_OPT_CHOICE, TRC_WORDS_NONE, offsetof(struct trc_stat, clock) },
	{ 0, "shared", NULL, "canonical pages that several processes touch", TRC_OPT_FLAG,
	  TRC_WORDS_NONE, offsetof(struct trc_stat, shared) },
	{ 0, "check", NULL, "are these traces what they say? any number of them", TRC_OPT_FLAG,
	  TRC_WORDS_NONE, offsetof(struct trc_stat, check) },
	{ 0, "strict", NULL, "let warnings of --check fail", TRC_OPT_FLAG, TRC_WORDS_NONE,
	  offsetof(struct trc_stat, strict) },
	{ 0, "tap", NULL, "tell --check by the Test Anything Protocol", TRC_OPT_FLAG,
	  TRC_WORDS_NONE, offsetof(struct trc_stat, tap) },
	{ 'j', "jobs", "N", "check N files at a time, not one for each core", TRC_OPT_COUNT,
	  TRC_WORDS_NONE, offsetof(struct trc_stat, jobs) },
	{ '0', "null", NULL, "names on standard input end in NUL bytes", TRC_OPT_FLAG,
	  TRC_WORDS_NONE, offsetof(struct trc_stat, nul) },
	{ 0, "formats", NULL, "how small and how fast it is in each format", TRC_OPT_FLAG,
	  TRC_WORDS_NONE, offsetof(struct trc_stat, formats) },
	{ 0, "page-size", "BYTES", "bytes of a page, 4096 if not given", TRC_OPT_BYTES,
	  TRC_WORDS_NONE, offsetof(struct trc_stat, page_size) },
	TRC_OPTS_IN(struct trc_stat),
	{ 'q', "quiet", NULL, "no progress", TRC_OPT_FLAG, TRC_WORDS_NONE,
	  offsetof(struct trc_stat, quiet) },
};

int
trc_stat_unit(const struct trc_stat *s, const struct trc_source *src, struct trc_stat_unit *unit,
              struct trc_err *err)
{
	const char *option = s->line_size ? "--line-size" : "--page-size";
	const uint64_t given = s->line_size ? s->line_size : s->page_size;
	const bool pages = src->have & TRC_HAS_VPN;
	const uint32_t own = src->meta.page_bits;

	*unit = (struct trc_stat_unit){ s->line_size ? "line" : "page", own, given || !pages };
	if (s->line_size && s->page_size)
		return trc_fail_as(err, TRC_USAGE, "--line-size and --page-size: one of them");
	if (s->line_size && pages)
		return trc_fail_as(err, TRC_USAGE, "--line-size: the trace has pages, no addresses");
	if (s->by_space && !(src->have & TRC_HAS_ASID))
		return trc_fail(err, "--by-space: the trace has no address spaces");
	if (!unit->known)
		return 0;
	if (given & (given - 1))
		return trc_fail_as(err, TRC_USAGE, "%s: %llu is no power of two", option,
		                   (unsigned long long)given);
	if (trc_job_page_bits(given ? given : TRC_STAT_PAGE_SIZE, &unit->bits, err))
		return -1;
	if (given && own && unit->bits != own)
		return trc_fail_as(err, TRC_USAGE, "%s: the trace has pages of %llu bytes", option,
		                   1ull << own);
	return 0;
}

int
trc_stat_file(const char *path, const char *again, struct trc_err *err)
{
	struct stat st;

	/* Why a name that is nothing cannot be opened, whoever opens it says. */
	if (strcmp(path, "-") == 0 ||
	    (stat(path, &st) == 0 && !S_ISREG(st.st_mode) && !S_ISDIR(st.st_mode)))
		return trc_fail_as(err, TRC_USAGE, "%s, so it has to be a file", again);
	return 0;
}

struct question {
	const char *name; /* of the option */
	bool asked;
	trc_stat_fn answer;
};

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
	.notes = "A modify (a load and a store of the same bytes by one instruction) is one record\n"
	         "and two references; dinero's copy-backs and invalidates are records, not\n"
	         "references. Pages are counted for each address space, unless single references\n"
	         "go over millions of them.\n"
	         "\n"
	         "A container is not read: its index tells all but the different pages, spaces\n"
	         "and tasks of containers joined, which show as '-' unless --count counts them.\n"
	         "--blocks lists where blocks begin, and which begin a new program: reading in the\n"
	         "middle begins there.\n"
	         "\n"
	         "--cache 32K:8:64 counts what a write-back cache of 32 KiB with 8 ways and lines\n"
	         "of 64 bytes does; WAYS may be 'full'. Given again, it is the next level below;\n"
	         "--cache i:32K:8:64 --cache d:32K:8:64 is a first level for fetches and one for\n"
	         "data. POLICY is lru, fifo or random[=SEED]. It counts as dineroIV does: a\n"
	         "reference is one to each line that it touches, a modify is a read and a write,\n"
	         "and when the trace has ended, what is dirty is copied back.\n"
	         "\n"
	         "--mrc counts, for LRU memories of every size, the references that fault, first\n"
	         "references included, and the dirty pages evicted. A reference that crosses a\n"
	         "page counts as one to each, but once in the number that the ratio is of. The\n"
	         "curve of a reduced trace holds from the memory that it was reduced for, and its\n"
	         "ratio is of the references of the original. All address spaces share a memory\n"
	         "unless --by-space gives each its own.\n"
	         "\n"
	         "--certify REDUCED ORIGINAL compares what both do in an LRU memory of the size\n"
	         "that REDUCED is said to hold from, reference by reference: faults, pages\n"
	         "evicted, and which of them are dirty. If they are the same, so they are in all\n"
	         "larger memories (the proof is in src/stage/certify.c); else it says where they\n"
	         "part. Pages are canonical ones if REDUCED was reduced over these.\n"
	         "--from, --skip and --limit are about ORIGINAL.\n"
	         "\n"
	         "--shared, of what trc split --kernel writes: how many canonical pages more than\n"
	         "one process touches, which of them are written, and how often they are touched.\n"
	         "\n"
	         "--ws tells for windows of T references how many pages, or lines, the last T\n"
	         "references touch on average, and how many references touch another (Denning's\n"
	         "working set). At the beginning the window is shorter. --clock measures windows\n"
	         "by instructions or cycles; --by-space tells each space's share by the clock of\n"
	         "all; --csv has all windows up to 128 and 64 in each power of two above.\n"
	         "\n"
	         "--check reads each INPUT to its end and says in a line whether it is sound:\n"
	         "checksums, format, types, sizes, pages, times, totals, and if it was reduced\n"
	         "that nothing more would be. A directory is all traces below it, - a list of\n"
	         "names on standard input. That times of a trace that is not reduced run backwards\n"
	         "is a warning; so is a reference to 0 bytes, a name that says another format, and\n"
	         "a trace that is there twice. With --json, a line each.\n"
	         "\n"
	         "--formats writes the trace in every format that holds all of it, plain and with\n"
	         "xz, and reads it back: bytes, references a byte, the size of the same references\n"
	         "as dinero text divided by that, and millions of references encoded and decoded a\n"
	         "second, or why the format cannot hold it. The files are in TMPDIR meanwhile.\n",
	.opt = opts,
	.opts = TRC_COUNT(opts),
	.settings = sizeof(struct trc_stat),
	.run = run,
};
