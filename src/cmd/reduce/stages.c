/* SPDX-License-Identifier: MIT
 * From the options of `trc reduce` to stages around the source. */
#include "cmd/reduce/reduce.h"

#include <string.h>

#include "base/bytes.h"
#include "base/cores.h"
#include "cmd/geometry.h"
#include "stage/reduce/strip.h"

enum { PAGE_SIZE = 4096 };

int
trc_reduce_check(const struct trc_reduce *s, struct trc_err *err)
{
	const bool memories = s->sad.n || s->olr.n;
	const struct {
		bool wrong;
		const char *why;
	} rule[] = {
		{ s->sad.n && s->olr.n,
		  "--sad and --olr: one of them; --olr keeps less, for LRU only" },
		{ s->olr.n && s->window,
		  "--olr and --window: what --olr leaves is too little for working sets; "
		  "--sad and --window go together" },
		{ s->cache.n && (memories || s->window || s->sample || s->by_space ||
		                 s->canonical || s->page_size || s->no_block),
		  "--cache is about lines of addresses, and goes with --write-backs "
		  "alone" },
		{ s->write_backs && !s->cache.n,
		  "--write-backs tells what --cache is to leave, and there is none" },
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
		return trc_fail_as(err, TRC_USAGE,
		                   "--sample: '%s' is no part of the pages; write "
		                   "one like 1/100",
		                   word);
	return 0;
}

/* A cache of one level, LRU unless the trace behind it is to be made. */
static int
parse_caches(const struct trc_reduce *s, struct trc_cache_shape *shape, struct trc_err *err)
{
	const struct trc_cache_shape *other = &shape[s->cache.n - 1];

	if (trc_geometry_parse_all(&s->cache, shape, err))
		return -1;
	if (s->cache.n > 2 || (s->cache.n == 2 && shape[0].part == TRC_CACHE_UNIFIED))
		return trc_fail_as(err, TRC_USAGE,
		                   "--cache: is about one level; what it leaves with "
		                   "--write-backs goes through the next");
	if (other->line != shape->line)
		return trc_fail_as(err, TRC_USAGE, "--cache: both halves have lines of one size");
	if (s->write_backs || (shape->ways == 1 && other->ways == 1))
		return 0;
	if (shape->policy != TRC_CACHE_LRU || other->policy != TRC_CACHE_LRU)
		return trc_fail_as(err, TRC_USAGE,
		                   "--cache: without --write-backs it has one way, or is LRU: "
		                   "nothing is exact for others");
	if (other->size != shape->size || other->ways != shape->ways)
		return trc_fail_as(err, TRC_USAGE, "--cache: halves of several ways are alike");
	return 0;
}

/* Of each page or line that a reference touches there may be a record. */
static int
watch(struct trc_job *job, const char *unit, unsigned bits, bool quiet, struct trc_reduced *reduced,
      struct trc_err *err)
{
	reduced->spread = (struct trc_spread){ unit, bits, "may become a record" };
	return quiet ? 0 : trc_spread_watch(job, &reduced->spread, err);
}

static int
wrap_cache(struct trc_job *job, const struct trc_reduce *s, bool quiet, struct trc_reduced *reduced,
           struct trc_err *err)
{
	struct trc_cache_shape shape[TRC_CACHES_MOST], one[2];
	const size_t n = s->cache.n;
	struct trc_reduction how = { 0 };
	bool sizes;

	if (parse_caches(s, shape, err) ||
	    watch(job, "line", (unsigned)trc_ctz64(shape->line), quiet, reduced, err))
		return -1;
	if (s->write_backs || (shape[0].ways == 1 && shape[n - 1].ways == 1))
		return trc_job_wrap(job, trc_stage_strip(job->src, shape, n, s->write_backs,
		                                         &reduced->refs, err));
	how.r = shape->ways;
	how.scope.sets = shape->size / shape->ways / shape->line * n;
	for (size_t i = 0; i < n; i++) {
		one[i] = shape[i];
		one[i].size /= one[i].ways;
		one[i].ways = 1;
	}
	sizes = job->src->have & TRC_HAS_SIZE;
	if (trc_job_wrap(job, trc_stage_strip(job->src, one, n, false, &reduced->refs, err)) ||
	    trc_job_wrap(job, trc_stage_lines(job->src, shape, n, err)) ||
	    trc_job_wrap(job, trc_stage_drop(job->src, &how, err)))
		return -1;
	return trc_job_wrap(job, trc_stage_unlines(job->src, shape, n, sizes, err));
}

/* The page size to use. A trace of pages has its own, which may be known only at its end, or
 * never. */
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

/* The column that measures windows. A trace of pages without times may have lost any number of
 * references, so that places in it measure nothing. */
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
		return trc_fail_as(err, TRC_USAGE,
		                   "--window: the trace has no cycles; windows of "
		                   "references need none");
	if (src->have & TRC_HAS_VPN)
		return trc_fail_as(
		        err, TRC_USAGE,
		        "--window: the trace has pages without %s times, and nobody knows "
		        "how long ago a page was used%s",
		        has == TRC_HAS_RTIME ? "reference" : "instruction",
		        src->have & TRC_HAS_TIME ? "; --clock cycles tells it" : "");
	if (has == TRC_HAS_ITIME && !(src->have & TRC_HAS_TYPE))
		return trc_fail_as(err, TRC_USAGE,
		                   "--window: the trace does not tell which of its "
		                   "references are instructions");
	return 0;
}

/* The memory of --sad or --olr in pages of 2^bits bytes; 0: there is none. */
static int
memory(const struct trc_reduce *s, const struct trc_source *src, unsigned bits, uint64_t *r,
       struct trc_err *err)
{
	const bool known = s->page_size || src->meta.page_bits || !(src->have & TRC_HAS_VPN);

	return trc_geometry_pages(s->sad.n ? &s->sad : &s->olr, s->sad.n ? "sad" : "olr", "page",
	                          known, bits, r, err);
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
trc_reduce_wrap(struct trc_job *job, const struct trc_reduce *s, bool quiet,
                struct trc_reduced *reduced, struct trc_err *err)
{
	const bool block = !s->no_block && !s->window;
	struct trc_reduction how = { .window = s->window,
		                     .scope = { s->canonical, s->by_space, 0 } };
	const int threads = trc_threads(job->threads);
	unsigned bits;

	if (s->cache.n)
		return wrap_cache(job, s, quiet, reduced, err);
	if (parse_sample(s->sample, &reduced->one_in, err) || page_bits(s, job->src, &bits, err) ||
	    memory(s, job->src, bits, &how.r, err) || check_columns(s, job->src, err) ||
	    (s->window && window_clock(s, job->src, &how.clock, err)) ||
	    watch(job, "page", bits, quiet, reduced, err))
		return -1;
	if (s->sad.n && !reduced->one_in && threads > 1 && trc_drop_has_chunks(job->src, &how)) {
		if (trc_job_wrap(job, trc_stage_drop_chunks(job->src, bits, block, &how, threads,
		                                            &reduced->refs, err)) ||
		    trc_job_wrap(job, trc_stage_drop(job->src, &how, err)))
			return -1;
		return block ? trc_job_wrap(job, trc_stage_block(job->src, err)) : 0;
	}
	if (trc_job_wrap(job, trc_stage_page(job->src, bits, &reduced->refs, err)))
		return -1;
	if (reduced->one_in &&
	    trc_job_wrap(job, trc_stage_sample(job->src, reduced->one_in, s->canonical,
	                                       &reduced->sampled, err)))
		return -1;
	if (block && trc_job_wrap(job, trc_stage_block(job->src, err)))
		return -1;
	if (s->olr.n)
		return trc_job_wrap(job, trc_stage_olr(job->src, &how, err));
	if (!how.r && !how.window)
		return 0;
	if (trc_job_wrap(job, trc_stage_drop(job->src, &how, err)))
		return -1;
	return block ? trc_job_wrap(job, trc_stage_block(job->src, err)) : 0;
}
