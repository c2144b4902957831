/* SPDX-License-Identifier: MIT
 *
 * Makes stages from the options of `trc reduce`, and writes their output.
 */
#include "cmd/reduce/reduce.h"

#include <stdio.h>
#include <string.h>

#include "base/bytes.h"
#include "cmd/geometry.h"
#include "stage/reduce/shard_rows.h"
#include "stage/reduce/strip.h"

const struct trc_opts trc_reduce_opts = TRC_OPTS(
        struct trc_reduce,
        { 0, "sad", "R", "exact for LRU and OPT memories of R pages or more", TRC_OPT_PAGES,
          TRC_WORDS_NONE, offsetof(struct trc_reduce, sad) },
        { 0, "olr", "R", "exact for LRU only, but shorter", TRC_OPT_PAGES, TRC_WORDS_NONE,
          offsetof(struct trc_reduce, olr) },
        { 0, "window", "T", "exact for working sets with windows of T or more", TRC_OPT_COUNT,
          TRC_WORDS_NONE, offsetof(struct trc_reduce, window) },
        { 0, "clock", "references|instructions|cycles", "unit of T (default references)",
          TRC_OPT_CHOICE, TRC_WORDS_NONE, offsetof(struct trc_reduce, clock) },
        { 0, "cache", "SIZE:WAYS:LINE", "exact for LRU caches with these or more sets and ways",
          TRC_OPT_LIST, TRC_WORDS_NONE, offsetof(struct trc_reduce, cache) },
        { 0, "write-backs", NULL, "write the memory traffic below --cache", TRC_OPT_FLAG,
          TRC_WORDS_NONE, offsetof(struct trc_reduce, write_backs) },
        { 0, "sample", "1/N", "keep one page in N, for estimates", TRC_OPT_TEXT, TRC_WORDS_NONE,
          offsetof(struct trc_reduce, sample) },
        { 0, "by-space", NULL, "exact for separate memories of address spaces", TRC_OPT_FLAG,
          TRC_WORDS_NONE, offsetof(struct trc_reduce, by_space) },
        { 0, "canonical", NULL, "identify pages that spaces share", TRC_OPT_FLAG, TRC_WORDS_NONE,
          offsetof(struct trc_reduce, canonical) },
        { 0, "page-size", "BYTES", "page size (default 4096)", TRC_OPT_BYTES, TRC_WORDS_NONE,
          offsetof(struct trc_reduce, page_size) },
        { 0, "no-block", NULL, "do not merge consecutive references to a page", TRC_OPT_FLAG,
          TRC_WORDS_NONE, offsetof(struct trc_reduce, no_block) });

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
		  "--sad and --olr exclude each other; --olr keeps less, for LRU only" },
		{ s->olr.n && s->window,
		  "--olr and --window exclude each other: --olr keeps too little for working "
		  "sets; use --sad and --window" },
		{ s->cache.n && (memories || s->window || s->sample || s->by_space ||
		                 s->canonical || s->page_size || s->no_block),
		  "--cache reduces lines, and can only be combined with --write-backs" },
		{ s->write_backs && !s->cache.n, "--write-backs needs --cache" },
		{ s->clock && !s->window, "--clock needs --window" },
		{ s->by_space && !memories, "--by-space needs --sad or --olr" },
		{ s->by_space && s->canonical,
		  "--by-space and --canonical exclude each other: canonical pages do not belong "
		  "to spaces" },
	};

	for (size_t i = 0; i < TRC_COUNT(rule); i++)
		if (rule[i].wrong)
			return trc_fail_as(err, TRC_USAGE, "%s", rule[i].why);
	return 0;
}

/* Parses "1/N", "0.1" or "10%". */
static int
parse_sample(const char *word, uint64_t *one_in, struct trc_err *err)
{
	*one_in = 0;
	if (!word)
		return 0;
	if (!trc_opt_part(word, one_in))
		return trc_fail_as(err, TRC_USAGE,
		                   "--sample: '%s' is not a fraction; give 1/100, 0.01 or 1%%",
		                   word);
	return 0;
}

/* Parses a cache of one level. It must be LRU, unless --write-backs is given. */
static int
parse_caches(const struct trc_reduce *s, struct trc_cache_shape *shape, struct trc_err *err)
{
	const struct trc_cache_shape *other = &shape[s->cache.n - 1];

	if (trc_geometry_parse_all(&s->cache, shape, err))
		return -1;
	if (shape->line < TRC_CACHE_LINE_REDUCED)
		return trc_fail_as(err, TRC_USAGE,
		                   "--cache: traces are reduced for lines of at least %d bytes",
		                   TRC_CACHE_LINE_REDUCED);
	if (s->cache.n > 2 || (s->cache.n == 2 && shape[0].part == TRC_CACHE_UNIFIED))
		return trc_fail_as(err, TRC_USAGE,
		                   "--cache: give one level; its output with --write-backs can be "
		                   "reduced by the next");
	if (other->line != shape->line)
		return trc_fail_as(err, TRC_USAGE,
		                   "--cache: both halves must have lines of the same size");
	if (shape->policy == TRC_CACHE_OPT || other->policy == TRC_CACHE_OPT)
		return trc_fail_as(err, TRC_USAGE,
		                   "--cache: opt is not supported, since its victims are only "
		                   "known later");
	if (shape->prefetch.how || other->prefetch.how)
		return trc_fail_as(err, TRC_USAGE,
		                   "--cache: traces are not reduced for prefetchers; 'trc stat "
		                   "--cache' simulates them");
	if (s->write_backs || (shape->ways == 1 && other->ways == 1))
		return 0;
	if (shape->policy != TRC_CACHE_LRU || other->policy != TRC_CACHE_LRU)
		return trc_fail_as(err, TRC_USAGE,
		                   "--cache: without --write-backs, only one way or LRU is exact");
	if (other->size != shape->size || other->ways != shape->ways)
		return trc_fail_as(err, TRC_USAGE,
		                   "--cache: halves with several ways must be "
		                   "equal");
	return 0;
}

/* Watches for references that span many pages or lines, since each may become a record. */
static int
watch(struct trc_job *job, const char *unit, unsigned bits, bool quiet, struct trc_reduced *reduced,
      struct trc_err *err)
{
	reduced->wide = (struct trc_wide_references){ unit, bits, "may become a record", !quiet,
		                                      true };
	return trc_wide_references_watch(job, &reduced->wide, err);
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

/* Sets the page size. A trace of pages has its own, which may be known only at its end, or
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

/* Sets the column that measures windows. A trace of pages without times may lack references, so
 * positions in it are not times. */
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
		                   "--window: the trace has no cycles; use windows of references");
	if (src->have & TRC_HAS_VPN)
		return trc_fail_as(
		        err, TRC_USAGE,
		        "--window: the trace has pages without %s times, so the age of a page is "
		        "unknown%s",
		        has == TRC_HAS_RTIME ? "reference" : "instruction",
		        src->have & TRC_HAS_TIME ? "; use --clock cycles" : "");
	if (has == TRC_HAS_ITIME && !(src->have & TRC_HAS_TYPE))
		return trc_fail_as(err, TRC_USAGE,
		                   "--window: the trace does not mark instructions");
	return 0;
}

/* Sets the size of the memory of --sad or --olr, in pages of 2^bits bytes; 0: neither is given. */
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

/* The parameters of a reduction of pages. */
struct plan {
	struct trc_reduction how;
	unsigned bits; /* log2 of the page size */
	uint64_t one_in;
	bool block;
};

static int
make_plan(const struct trc_reduce *s, const struct trc_source *src, struct plan *p,
          struct trc_err *err)
{
	*p = (struct plan){ .how = { .window = s->window,
		                     .lru_only = s->olr.n > 0,
		                     .scope = { s->canonical, s->by_space, 0 } },
		            .block = !s->no_block && !s->window };
	if (parse_sample(s->sample, &p->one_in, err) || page_bits(s, src, &p->bits, err) ||
	    memory(s, src, p->bits, &p->how.r, err) || check_columns(s, src, err) ||
	    (s->window && window_clock(s, src, &p->how.clock, err)))
		return -1;
	return 0;
}

/* Wraps the stages before records are dropped. */
static int
wrap_pages(struct trc_job *job, const struct plan *p, struct trc_reduced *reduced,
           struct trc_err *err)
{
	const bool merges = p->block && !p->one_in;

	if (trc_job_wrap(job, (merges ? trc_stage_page_merged :
	                                trc_stage_page)(job->src, p->bits, &reduced->refs, err)))
		return -1;
	reduced->pages = job->src;
	if (p->one_in &&
	    trc_job_wrap(job, trc_stage_sample(job->src, p->one_in, p->how.scope.canonical,
	                                       &reduced->sampled, err)))
		return -1;
	return p->block ? trc_job_wrap(job, trc_stage_block(job->src, err)) : 0;
}

/* Wraps the merging of consecutive references, if the whole trace is reduced. */
static int
wrap_block(struct trc_job *job, const struct plan *p, struct trc_err *err)
{
	return p->block && !p->how.part ? trc_job_wrap(job, trc_stage_block(job->src, err)) : 0;
}

/* Wraps the stages that drop records, and then merge consecutive references. */
static int
wrap_drop(struct trc_job *job, const struct plan *p, struct trc_err *err)
{
	if (p->how.lru_only)
		return trc_job_wrap(job, trc_stage_olr(job->src, &p->how, err));
	if (!p->how.r && !p->how.window)
		return 0;
	if (trc_job_wrap(job, trc_stage_drop(job->src, &p->how, err)))
		return -1;
	return wrap_block(job, p, err);
}

int
trc_reduce_leave_out(struct trc_job *job, const struct trc_settings *settings, struct trc_err *err)
{
	const struct trc_opt_list *drop = trc_settings_values(settings, "drop");
	uint32_t types = 0;

	for (size_t i = 0; i < drop->n; i++)
		for (const char *p = drop->word[i]; *p;
		     p += strcspn(p, ",") + (strchr(p, ',') != NULL))
			types |= trc_type_dropped(p, strcspn(p, ","));
	types &= UINT32_C(1) << TRC_INVALIDATE;
	return types ? trc_job_wrap(job, trc_stage_columns(job->src, 0, types, NULL, 0, err)) : 0;
}

int
trc_reduce_wrap(struct trc_job *job, const struct trc_reduce *s, bool quiet,
                struct trc_reduced *reduced, struct trc_err *err)
{
	const int threads = trc_job_threads(job);
	struct plan p;

	if (s->cache.n)
		return wrap_cache(job, s, quiet, reduced, err);
	if (make_plan(s, job->src, &p, err) || watch(job, "page", p.bits, quiet, reduced, err))
		return -1;
	reduced->one_in = p.one_in;
	if (s->sad.n && !p.one_in && threads > 1 && trc_drop_has_chunks(job->src, &p.how)) {
		if (trc_job_wrap(job, trc_stage_drop_chunks(job->src, p.bits, p.block, &p.how,
		                                            threads, &reduced->refs, err)))
			return -1;
		return wrap_block(job, &p, err);
	}
	return wrap_pages(job, &p, reduced, err) || wrap_drop(job, &p, err) ? -1 : 0;
}

int
trc_reduce_wrap_part(struct trc_job *job, const struct trc_reduce *s, struct trc_reduced *reduced,
                     struct trc_err *err)
{
	struct plan p;

	if (make_plan(s, job->src, &p, err))
		return -1;
	if (s->by_space && job->src->have & TRC_HAS_RTIME)
		return trc_fail(err, "a trace with reference times cannot be reduced by space in "
		                     "shards; use the original");
	p.how.part = true;
	reduced->block = p.block;
	reduced->decides = !p.one_in && trc_drop_decides(&p.how);
	return wrap_pages(job, &p, reduced, err) || wrap_drop(job, &p, err) ? -1 : 0;
}

int
trc_reduce_wrap_rest(struct trc_job *job, const struct trc_reduce *s, struct trc_reduced *reduced,
                     struct trc_err *err)
{
	struct plan p;

	if (make_plan(s, job->src, &p, err))
		return -1;
	reduced->one_in = p.one_in;
	if (reduced->decides) {
		if (trc_job_wrap(job, trc_stage_join(job->src, trc_shard_rows_decided, &p.how,
		                                     p.block, err)))
			return -1;
		return wrap_block(job, &p, err);
	}
	if (p.one_in &&
	    trc_job_wrap(job, trc_stage_sample(job->src, p.one_in, p.how.scope.canonical,
	                                       &reduced->sampled, err)))
		return -1;
	return wrap_drop(job, &p, err);
}

static void
report(const struct trc_reduced *r, uint64_t rows)
{
	fprintf(stderr, "%llu references in, %llu records out", (ull)r->refs, (ull)rows);
	if (rows)
		fprintf(stderr, ", factor %.2f", (double)r->refs / (double)rows);
	fputc('\n', stderr);
	if (r->one_in)
		fprintf(stderr,
		        "approximate: %llu pages, one in %llu, standard error %.1f %%; trc stat "
		        "--mrc estimates misses with intervals\n",
		        (ull)r->sampled.pages, (ull)r->one_in, 100 * r->sampled.error);
}

int
trc_reduce_write(struct trc_job *job, const char *output, struct trc_job_out *out,
                 const struct trc_reduced *reduced, struct trc_err *err)
{
	const struct trc_format *format = trc_format_named("sad");

	out->loses = "the records dropped by reduce";
	if (!(job->src->have & TRC_HAS_VPN))
		format = trc_format_plain(job->src->have & ~job->src->spare);
	format = trc_job_format(out, output, format, err);
	if (!format)
		return -1;
	if (job->progress && trc_job_quiet(out, output, format))
		job->progress->wanted = false;
	if (trc_job_write(job, output, format, out, err))
		return -1;
	if (job->progress)
		trc_progress_end(job->progress);
	if (!out->quiet)
		report(reduced, job->rows);
	return 0;
}
