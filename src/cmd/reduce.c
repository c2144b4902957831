/* SPDX-License-Identifier: MIT
 * trc reduce: fewer references, with the same behaviour where it is promised. */
#include "cmd/reduce.h"

#include <stdio.h>

static const struct trc_opt opts[] = {
	{ 0, "sad", "R", "exact for LRU and OPT, R pages and more", TRC_OPT_COUNT,
	  TRC_WORDS_NONE, offsetof(struct trc_reduce, sad) },
	{ 0, "olr", "R", "exact for LRU alone, and shorter", TRC_OPT_COUNT,
	  TRC_WORDS_NONE, offsetof(struct trc_reduce, olr) },
	{ 0, "window", "T", "exact for working sets, windows of T and more", TRC_OPT_COUNT,
	  TRC_WORDS_NONE, offsetof(struct trc_reduce, window) },
	{ 0, "clock", "references|instructions|cycles", "what T counts; references", TRC_OPT_CHOICE,
	  TRC_WORDS_NONE, offsetof(struct trc_reduce, clock) },
	{ 0, "cache", "SIZE:WAYS:LINE", "exact for LRU caches of as many sets and ways", TRC_OPT_LIST,
	  TRC_WORDS_NONE, offsetof(struct trc_reduce, cache) },
	{ 0, "write-backs", NULL, "what --cache and memory exchange instead", TRC_OPT_FLAG,
	  TRC_WORDS_NONE, offsetof(struct trc_reduce, write_backs) },
	{ 0, "sample", "1/N", "approximate: keep one page in N", TRC_OPT_TEXT, TRC_WORDS_NONE,
	  offsetof(struct trc_reduce, sample) },
	{ 0, "by-space", NULL, "each address space has a memory of its own", TRC_OPT_FLAG,
	  TRC_WORDS_NONE, offsetof(struct trc_reduce, by_space) },
	{ 0, "canonical", NULL, "a page is the same in all spaces that share it", TRC_OPT_FLAG,
	  TRC_WORDS_NONE, offsetof(struct trc_reduce, canonical) },
	{ 0, "page-size", "BYTES", "bytes of a page, 4096 if not given", TRC_OPT_BYTES,
	  TRC_WORDS_NONE, offsetof(struct trc_reduce, page_size) },
	{ 0, "no-block", NULL, "do not merge neighbours of the same page", TRC_OPT_FLAG,
	  TRC_WORDS_NONE, offsetof(struct trc_reduce, no_block) },
	TRC_OPTS_IN(struct trc_reduce),
	TRC_OPTS_OUT(struct trc_reduce),
};

static void
report(const struct trc_reduced *r, uint64_t rows)
{
	fprintf(stderr, "%llu references in, %llu records out, factor %.2f\n",
	        (unsigned long long)r->refs, (unsigned long long)rows,
	        rows ? (double)r->refs / (double)rows : 0);
	if (r->one_in)
		fprintf(stderr,
		        "approximate: %llu pages are one in %llu; misses estimated from them have a "
		        "standard error of %.1f %% in large memories, %.1f %% in the smallest\n",
		        (unsigned long long)r->sampled.pages, (unsigned long long)r->one_in,
		        100 * r->sampled.error_large, 100 * r->sampled.error_small);
}

static int
run(const void *settings, const struct trc_args *args, struct trc_err *err)
{
	const struct trc_reduce *s = settings;
	const char *output = args->n > 1 ? args->word[1] : "-";
	const struct trc_format *format = trc_format_named("sad");
	struct trc_reduced reduced = { 0 };
	struct trc_job job;
	int ret;

	if (trc_job_words(args, 1, 2, err) || trc_reduce_check(s, err) ||
	    trc_job_open(&job, args->word[0], &s->in, err))
		return -1;
	ret = trc_reduce_wrap(&job, s, &reduced, err);
	if (ret == 0) {
		if (!(job.src->have & TRC_HAS_VPN))
			format = trc_format_plain(job.src->have);
		format = trc_job_format(&s->out, output, format, err);
		ret = format ? 0 : -1;
	}
	if (ret == 0)
		ret = trc_job_write(&job, output, format, &s->out, err);
	if (ret == 0 && !s->out.quiet)
		report(&reduced, job.rows);
	trc_source_close(job.src);
	return ret;
}

const struct trc_command trc_command_reduce = {
	.name = "reduce",
	.doc = "drop references without changing what is promised",
	.usage = "[OPTION...] INPUT [OUTPUT]",
	.notes = "References become references to pages: one to each page touched, reads and\n"
	         "writes (a fetch reads), each with its cycle, instruction and reference time.\n"
	         "Neighbours that touch the same page merge into one, a write if one of them is.\n"
	         "Then references are dropped that do not matter to what you simulate, at all\n"
	         "memory sizes of R pages and more (R+), or all windows of T and more (T+):\n"
	         "\n"
	         "                     merged   --sad R  --olr R  --window T  --cache  --sample\n"
	         "  LRU                1+       R+       R+       no          no       estimate\n"
	         "  OPT                1+       R+       no       no          no       estimate\n"
	         "  FIFO, CLOCK        1+       no       no       no          no       estimate\n"
	         "  working set, VMIN  no       no       no       T+          no       estimate\n"
	         "  set-associative    no       no       no       no          below    no\n"
	         "\n"
	         "What is promised are faults at the same references, the same victims, clean or\n"
	         "dirty alike, and the same resident pages after each reference that is kept. What\n"
	         "is not: smaller memories or windows, the order within the R pages used last, the\n"
	         "number of hits, and pages shared between spaces that are scheduled in another\n"
	         "order. --sad and --window together promise both. What was reduced for one thing\n"
	         "is not reduced for another: that is refused.\n"
	         "\n"
	         "--sad R drops, of three references to a page, the middle one if fewer than R\n"
	         "other pages lie between the first and the third (SAD; Kaplan, Smaragdakis and\n"
	         "Wilson 1999). --olr R leaves the shortest trace that still makes LRU do the same\n"
	         "(OLR-S). Since neighbours are merged, and --olr moves writes back, a page that\n"
	         "is read and then written may fault as a write; --sad with --no-block keeps the\n"
	         "types of faults and costs a few records in a hundred.\n"
	         "\n"
	         "--window T drops the middle one if the third is at most T behind the first. A\n"
	         "page used exactly T ago counts as in the window. Nothing else is merged.\n"
	         "\n"
	         "--cache keeps references to lines of addresses, and is exact for write-allocate\n"
	         "caches with lines of LINE bytes, at least as many sets, and at least as many\n"
	         "ways: misses, what they replace, and what is written back. With one way it keeps\n"
	         "what misses, and first writes to clean lines; then it is exact for LRU, FIFO and\n"
	         "random replacement (Puzak 1985; Wang and Baer 1991). With more it is for LRU,\n"
	         "and each set is reduced by SAD. The halves of a split cache are given as\n"
	         "--cache i:32K:8:64 --cache d:32K:8:64, and stand for split caches.\n"
	         "\n"
	         "With --write-backs the trace is what this very cache and the memory behind it\n"
	         "exchange: reads of lines that miss, and writes of dirty lines that are replaced.\n"
	         "WAYS may be 'full', and :fifo or :random may follow LINE. What is in the cache\n"
	         "at the end stays there.\n"
	         "\n"
	         "--sample 1/N is approximate, for any policy: it keeps all references to one page\n"
	         "in N (SHARDS; Waldspurger and others 2015). A memory of m pages has about N\n"
	         "times the misses that one of m / N pages has on the sample; trc stat --mrc does\n"
	         "so by itself. R counts pages of the sample. What is printed at the end is the\n"
	         "standard error of misses estimated so, relative to them.\n"
	         "\n"
	         "All but --cache is about one memory for the whole trace, and holds for each\n"
	         "private address space of it by itself, too. With --by-space it holds only for\n"
	         "memories of each space by itself, and fewer references are left. With\n"
	         "--canonical a page is what its spaces share, not what they call it.\n"
	         "\n"
	         "OUTPUT is 'sad', or of --cache the plainest text that holds it, unless its\n"
	         "ending or --to says otherwise; standard output if it is missing.\n",
	.opt = opts,
	.opts = TRC_COUNT(opts),
	.settings = sizeof(struct trc_reduce),
	.run = run,
};
