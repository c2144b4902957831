/* SPDX-License-Identifier: MIT
 * trc reduce: fewer references, with the same behaviour where it is promised. */
#include <stdio.h>

#include "cmd/job.h"
#include "stage/stage.h"

enum { PAGE_SIZE = 4096 };

struct settings {
	struct trc_job_in in;
	struct trc_job_out out;
	uint64_t sad;
	uint64_t page_size; /* 0: not given */
	bool no_block;
};

static const struct trc_opt opts[] = {
	{ 0, "sad", "R", "exact for LRU memories of R pages and more", TRC_OPT_COUNT,
	  TRC_WORDS_NONE, offsetof(struct settings, sad) },
	{ 0, "page-size", "BYTES", "bytes of a page, 4096 if not given", TRC_OPT_BYTES,
	  TRC_WORDS_NONE, offsetof(struct settings, page_size) },
	{ 0, "no-block", NULL, "do not merge neighbours of the same page", TRC_OPT_FLAG,
	  TRC_WORDS_NONE, offsetof(struct settings, no_block) },
	TRC_OPTS_IN(struct settings),
	TRC_OPTS_OUT(struct settings),
};

/* The page size to use. A trace of pages has its own, and may tell it only at its end, or never. */
static int
page_bits(const struct settings *s, const struct trc_source *src, unsigned *bits,
          struct trc_err *err)
{
	const uint32_t known = src->meta.page_bits;

	if (trc_job_page_bits(s->page_size ? s->page_size : PAGE_SIZE, bits, err))
		return -1;
	if (!s->page_size && (known || src->have & TRC_HAS_VPN))
		*bits = known;
	else if (known && *bits != known)
		return trc_fail_as(err, TRC_USAGE, "--page-size: the trace has pages of %llu bytes",
		                   1ull << known);
	return 0;
}

/* Wraps the stages of the reduction around the source; *refs will count what goes in. */
static int
reduce(struct trc_job *job, const struct settings *s, uint64_t *refs, struct trc_err *err)
{
	unsigned bits;

	if (page_bits(s, job->src, &bits, err) ||
	    trc_job_wrap(job, trc_stage_page(job->src, bits, refs, err)))
		return -1;
	if (!s->no_block && trc_job_wrap(job, trc_stage_block(job->src, err)))
		return -1;
	if (!s->sad)
		return 0;
	if (trc_job_wrap(job, trc_stage_sad(job->src, s->sad, err)))
		return -1;
	return s->no_block ? 0 : trc_job_wrap(job, trc_stage_block(job->src, err));
}

static void
report(uint64_t refs, uint64_t rows)
{
	fprintf(stderr, "%llu references in, %llu records out, factor %.2f\n",
	        (unsigned long long)refs, (unsigned long long)rows,
	        rows ? (double)refs / (double)rows : 0);
}

static int
run(const void *settings, const struct trc_args *args, struct trc_err *err)
{
	const struct settings *s = settings;
	const char *output = args->n > 1 ? args->word[1] : "-";
	const struct trc_format *format;
	struct trc_job job;
	uint64_t refs = 0;
	int ret;

	if (trc_job_words(args, 1, 2, err))
		return -1;
	format = trc_job_format(&s->out, output, trc_format_named("sad"), err);
	if (!format || trc_job_open(&job, args->word[0], &s->in, err))
		return -1;
	ret = reduce(&job, s, &refs, err);
	if (ret == 0)
		ret = trc_job_write(&job, output, format, &s->out, err);
	if (ret == 0 && !s->out.quiet)
		report(refs, job.rows);
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
	.settings = sizeof(struct settings),
	.run = run,
};
