/* SPDX-License-Identifier: MIT
 * trc stat: questions about a trace. */
#include "cmd/stat.h"

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

static int
run(const void *settings, const struct trc_args *args, struct trc_err *err)
{
	const struct trc_stat *s = settings;
	const struct {
		const char *name; /* of the option */
		bool asked;
		trc_stat_fn answer;
		bool csv; /* it can be told so */
	} question[] = {
		{ "blocks", s->blocks, trc_stat_blocks, false },
		{ "cache", s->cache.n > 0, trc_stat_cache, true },
		{ "check", s->check, trc_stat_check, false },
		{ "formats", s->formats, trc_stat_formats, false },
	};
	size_t first = TRC_COUNT(question);

	for (size_t i = 0; i < TRC_COUNT(question); i++) {
		if (!question[i].asked)
			continue;
		if (first < TRC_COUNT(question))
			return trc_fail_as(err, TRC_USAGE, "--%s and --%s: one question at a time",
			                   question[first].name, question[i].name);
		first = i;
	}
	if (!s->check && (s->strict || s->tap || s->jobs || s->nul))
		return trc_fail_as(err, TRC_USAGE, "--%s goes with --check",
		                   s->strict ? "strict" : s->tap ? "tap" :
		                   s->jobs   ? "jobs" : "null");
	if (s->csv && s->json)
		return trc_fail_as(err, TRC_USAGE, "--json and --csv: one form at a time");
	if (s->csv && (first == TRC_COUNT(question) || !question[first].csv))
		return trc_fail_as(err, TRC_USAGE, "--csv goes with --cache");
	if (first == TRC_COUNT(question))
		return trc_stat_counts(s, args, err);
	return question[first].answer(s, args, err);
}

const struct trc_command trc_command_stat = {
	.name = "stat",
	.doc = "count what is in a trace",
	.usage = "[OPTION...] INPUT, or --check [OPTION...] INPUT...",
	.notes = "A modify (a load and a store of the same bytes by one instruction) is one record\n"
	         "and two references; dinero's copy-backs and invalidates are records, not\n"
	         "references. Pages are counted for each address space.\n"
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
	         "--check reads each INPUT to its end and says in a line whether it is sound:\n"
	         "checksums, format, types, sizes, pages, times, totals, and for SAD traces that\n"
	         "SAD would drop no more of them. A directory is all traces below it, - a list of\n"
	         "names on standard input. That times of a trace that is not reduced run backwards\n"
	         "is a warning, and so is a trace that is there twice. With --json, a line each.\n"
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
