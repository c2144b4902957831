/* SPDX-License-Identifier: MIT
 * trc reduce: fewer references, with the same behaviour where it is promised. */
#include "cmd/reduce.h"

#include <stdio.h>

static const struct trc_opt opts[] = {
	{ 0, "sad", "R", "exact for LRU and OPT memories of R pages and more", TRC_OPT_COUNT,
	  TRC_WORDS_NONE, offsetof(struct trc_reduce, sad) },
	{ 0, "olr", "R", "exact for LRU memories alone, and shorter", TRC_OPT_COUNT,
	  TRC_WORDS_NONE, offsetof(struct trc_reduce, olr) },
	{ 0, "window", "T", "exact for working sets of windows of T and more", TRC_OPT_COUNT,
	  TRC_WORDS_NONE, offsetof(struct trc_reduce, window) },
	{ 0, "clock", "references|instructions|cycles", "what T counts; references", TRC_OPT_CHOICE,
	  TRC_WORDS_NONE, offsetof(struct trc_reduce, clock) },
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
	const struct trc_format *format;
	struct trc_job job;
	struct trc_reduced reduced = { 0 };
	int ret;

	if (trc_job_words(args, 1, 2, err) || trc_reduce_check(s, err))
		return -1;
	format = trc_job_format(&s->out, output, trc_format_named("sad"), err);
	if (!format || trc_job_open(&job, args->word[0], &s->in, err))
		return -1;
	ret = trc_reduce_wrap(&job, s, &reduced, err);
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
	         "\n"
	         "--sad R drops, of three references to a page, the middle one if fewer than R\n"
	         "other pages lie between the first and the third (SAD; Kaplan, Smaragdakis and\n"
	         "Wilson 1999). What stays the same, at every memory size of R pages and more:\n"
	         "\n"
	         "  LRU    faults at the same references, the same victims, clean or dirty alike,\n"
	         "         the same resident pages after each reference that is kept\n"
	         "  OPT    faults and victims of demand paging\n"
	         "\n"
	         "This also holds for each private address space of a mixed trace by itself. What\n"
	         "does not stay the same: memories of fewer than R pages, the order within the R\n"
	         "pages used last, hit counts, FIFO, CLOCK, and pages shared between spaces when\n"
	         "they are scheduled in another order. Since neighbours are merged, a page that is\n"
	         "read and then written may fault as a write; --no-block keeps the types of faults\n"
	         "and costs a few records in a hundred.\n"
	         "\n"
	         "Without --sad references are only blocked. OUTPUT is 'sad' unless its ending or\n"
	         "--to says otherwise, standard output if it is missing.\n",
	.opt = opts,
	.opts = TRC_COUNT(opts),
	.settings = sizeof(struct trc_reduce),
	.run = run,
};
