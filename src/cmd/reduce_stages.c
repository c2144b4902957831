/* SPDX-License-Identifier: MIT
 * From the options of `trc reduce` to stages around the source. */
#include "cmd/reduce.h"

#include <string.h>

enum { PAGE_SIZE = 4096 };

int
trc_reduce_check(const struct trc_reduce *s, struct trc_err *err)
{
	const bool memories = s->sad || s->olr;
	const struct {
		bool wrong;
		const char *why;
	} rule[] = {
		{ s->sad && s->olr, "--sad and --olr: one of them; --olr keeps less, for LRU only" },
		{ s->olr && s->window,
		  "--olr and --window: what --olr leaves is too little for working sets; "
		  "--sad and --window go together" },
		{ s->clock && !s->window, "--clock tells what --window counts, and there is none" },
		{ s->by_space && !memories,
		  "--by-space is about the memories of --sad or --olr; nothing else depends on it" },
		{ s->by_space && s->canonical,
		  "--by-space and --canonical: canonical pages belong to no space" },
	};

	for (size_t i = 0; i < TRC_COUNT(rule); i++)
		if (rule[i].wrong)
			return trc_fail_as(err, TRC_USAGE, "%s", rule[i].why);
	return 0;
}

/* "1/N" */
static int
parse_sample(const char *word, uint64_t *one_in, struct trc_err *err)
{
	*one_in = 0;
	if (!word)
		return 0;
	if (strncmp(word, "1/", 2) != 0 || !trc_opt_number(word + 2, false, one_in) || !*one_in)
		return trc_fail_as(err, TRC_USAGE, "--sample: '%s' is no part of the pages; write "
		                                   "one like 1/100", word);
	return 0;
}

/* The page size to use. A trace of pages has its own, and may tell it only at its end, or never. */
static int
page_bits(const struct trc_reduce *s, const struct trc_source *src, unsigned *bits,
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

/* The column that tells the length of windows. A trace of pages without times may have lost any
 * number of references, so that their places in it tell nothing. */
static int
window_clock(const struct trc_reduce *s, const struct trc_source *src, uint64_t *clock,
             struct trc_err *err)
{
	static const enum trc_column column[] = { TRC_COL_RTIME, TRC_COL_RTIME, TRC_COL_ITIME,
		                                  TRC_COL_TIME };
	const uint32_t has = UINT32_C(1) << column[s->clock];

	*clock = column[s->clock];
	if (src->have & has)
		return 0;
	if (has == TRC_HAS_TIME)
		return trc_fail_as(err, TRC_USAGE, "--window: the trace has no cycles; windows of "
		                                   "references need none");
	if (src->have & TRC_HAS_VPN)
		return trc_fail_as(err, TRC_USAGE, "--window: the trace has pages without times, and "
		                                   "nobody knows how long ago a page was used");
	if (has == TRC_HAS_ITIME && !(src->have & TRC_HAS_TYPE))
		return trc_fail_as(err, TRC_USAGE, "--window: the trace does not tell which of its "
		                                   "references are instructions");
	return 0;
}

static int
check_columns(const struct trc_reduce *s, const struct trc_source *src, struct trc_err *err)
{
	if (s->canonical && !(src->have & TRC_HAS_CPN))
		return trc_fail_as(err, TRC_USAGE, "--canonical: the trace has no canonical pages");
	if (s->by_space && !(src->have & TRC_HAS_ASID))
		return trc_fail_as(err, TRC_USAGE, "--by-space: the trace has no address spaces");
	return 0;
}

int
trc_reduce_wrap(struct trc_job *job, const struct trc_reduce *s, struct trc_reduced *reduced,
                struct trc_err *err)
{
	const bool block = !s->no_block && !s->window;
	struct trc_reduction how = { .r = s->sad ? s->sad : s->olr, .window = s->window,
		                     .scope = { s->canonical, s->by_space, 0 } };
	unsigned bits;

	if (parse_sample(s->sample, &reduced->one_in, err) || page_bits(s, job->src, &bits, err) ||
	    check_columns(s, job->src, err) ||
	    (s->window && window_clock(s, job->src, &how.clock, err)) ||
	    trc_job_wrap(job, trc_stage_page(job->src, bits, &reduced->refs, err)))
		return -1;
	if (reduced->one_in &&
	    trc_job_wrap(job, trc_stage_sample(job->src, reduced->one_in, s->canonical,
	                                       &reduced->sampled, err)))
		return -1;
	if (block && trc_job_wrap(job, trc_stage_block(job->src, err)))
		return -1;
	if (s->olr)
		return trc_job_wrap(job, trc_stage_olr(job->src, &how, err));
	if (!how.r && !how.window)
		return 0;
	if (trc_job_wrap(job, trc_stage_drop(job->src, &how, err)))
		return -1;
	return block ? trc_job_wrap(job, trc_stage_block(job->src, err)) : 0;
}
