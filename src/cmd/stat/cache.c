/* SPDX-License-Identifier: MIT
 *
 * trc stat --cache and --tlb: simulates a hierarchy of caches, or of TLBs.
 */
#include "cmd/stat/stat.h"

#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "base/bytes.h"
#include "cmd/geometry.h"
#include "cmd/job/wide_references.h"
#include "cmd/stat/breakdown.h"
#include "cmd/stat/cache_report.h"
#include "cmd/stat/over_time.h"
#include "cmd/stat/ranking.h"
#include "stage/profile/marks.h"

/* The settings of --cache, of --tlb, and of both. */
struct settings {
	struct trc_opt_list cache;
};

struct tlb_settings {
	struct trc_opt_list tlb;
	const char *huge;
	uint64_t huge_size;
};

struct level_settings {
	const char *inclusion;
	unsigned by;
};

static const struct trc_opts opts = TRC_OPTS(
        struct settings, { 0, "cache", "SIZE:WAYS:LINE[:POLICY]",
                           "simulate a cache, or many: hits, misses, evictions", TRC_OPT_LIST,
                           TRC_WORDS_CACHE, offsetof(struct settings, cache) });
static const struct trc_opts opts_tlb =
        TRC_OPTS(struct tlb_settings,
                 { 0, "tlb", "ENTRIES[:WAYS[:POLICY]]", "simulate a TLB: hits and misses",
                   TRC_OPT_LIST, TRC_WORDS_NONE, offsetof(struct tlb_settings, tlb) },
                 { 0, "huge", "LO-HI,...|all", "with --tlb: addresses in huge pages", TRC_OPT_TEXT,
                   TRC_WORDS_NONE, offsetof(struct tlb_settings, huge) },
                 { 0, "huge-size", "BYTES", "with --tlb: size of huge pages (default 2M)",
                   TRC_OPT_BYTES, TRC_WORDS_NONE, offsetof(struct tlb_settings, huge_size) });
const struct trc_opts trc_stat_opts_levels = TRC_OPTS(
        struct level_settings,
        { 0, "inclusion", "KIND[,KIND...]", "relation of lower levels: inclusive, exclusive, nine",
          TRC_OPT_TEXT, TRC_WORDS_INCLUSION, offsetof(struct level_settings, inclusion) },
        { 0, "by", "page|line|pc|task|space|type|function",
          "break the misses of --cache or --tlb down", TRC_OPT_CHOICE, TRC_WORDS_NONE,
          offsetof(struct level_settings, by) });

const char *
trc_stat_by(const struct trc_settings *settings)
{
	const struct level_settings *set = trc_settings_of(settings, &trc_stat_opts_levels);

	return set->by ? trc_ranked[set->by - 1].name : NULL;
}

/* The state of the question: the simulated caches, and the report. */
struct report {
	struct trc_query query;
	struct trc_stat s;
	struct trc_wide_references wide;
	struct trc_cache_report levels;
	struct trc_marks marks;
	struct trc_cache_shares shares; /* of windows, of keys, and of a warm-up */
	struct trc_over_time windows;
	struct trc_breakdown by;
	struct trc_tlb_pages pages;
	struct trc_family family; /* instead of levels: caches side by side */
	struct trc_functions functions;
	char what[96];                  /* for pictures */
	char name[TRC_CACHES_MOST][32]; /* names of the caches */
	const char *names[TRC_CACHES_MOST];
};

/* Returns the caches: side by side, or level by level. */
static const struct trc_cache_shape *
shapes(const struct report *r, size_t *n)
{
	*n = r->family.n ? r->family.n : r->levels.n;
	return r->family.n ? r->family.shape : r->levels.shape;
}

/* Returns true if some cache prefetches with `how`, or at all if that is NONE. */
static bool
prefetches(const struct report *r, enum trc_prefetch_how how)
{
	size_t n;
	const struct trc_cache_shape *shape = shapes(r, &n);

	for (size_t i = 0; i < n; i++)
		if (how ? shape[i].prefetch.how == how : shape[i].prefetch.how != how)
			return true;
	return false;
}

/* Checks that a stripped trace is exact for the first level: it must have at least as many sets and
 * ways. Levels below see the same references as without stripping. */
static int
check_stripped(const struct trc_meta *meta, const struct report *r, struct trc_err *err)
{
	const struct trc_guarantee *p = &meta->guarantee;
	const bool split = p->reduced & TRC_SPLIT_CACHE;
	size_t n;
	const struct trc_cache_shape *shape = shapes(r, &n);

	if (!p->sets || p->reduced & TRC_BELOW_CACHE)
		return 0;
	if (prefetches(r, TRC_PREFETCH_NONE))
		return trc_fail(err,
		                "the trace was reduced and lacks hits, which prefetchers need");
	for (size_t i = 0; i < n && (r->family.n || trc_cache_report_at(&r->levels, i) == 1); i++) {
		const struct trc_cache_shape *s = &shape[i];

		if (s->line == p->line && s->ways >= p->ways &&
		    s->size / s->line / s->ways >= p->sets &&
		    (s->policy == TRC_CACHE_LRU ||
		     (p->ways == 1 && !trc_policy(s->policy)->counts)) &&
		    (s->part != TRC_CACHE_UNIFIED) == split)
			continue;
		return trc_fail(err,
		                "the trace was reduced for %s%scaches of at least %llu sets and "
		                "%llu ways with lines of %llu bytes, not for this one",
		                split ? "split " : "", p->ways > 1 ? "LRU " : "", (ull)p->sets,
		                (ull)p->ways, (ull)p->line);
	}
	return 0;
}

/* Parses caches side by side, which are one option. */
static int
parse_family(struct report *r, const struct trc_opt_list *words, struct trc_err *err)
{
	if (words->n > 1 || r->levels.related || r->by.kind)
		return trc_fail_as(
		        err, TRC_USAGE,
		        "--cache: '%s' names caches side by side; levels below, --inclusion and "
		        "--by need a single cache at each level",
		        words->word[0]);
	if (trc_family_parse(&r->family, words->word[0], err))
		return -1;
	r->levels.n = 0;
	return 0;
}

/* Parses the levels. */
static int
parse_levels(struct report *r, struct trc_err *err)
{
	const struct settings *own = trc_settings_of(r->query.settings, &opts);
	const struct tlb_settings *tlb = trc_settings_of(r->query.settings, &opts_tlb);
	const struct level_settings *of = trc_settings_of(r->query.settings, &trc_stat_opts_levels);
	struct trc_cache_report *l = &r->levels;

	l->n = tlb->tlb.n ? tlb->tlb.n : own->cache.n;
	l->related = of->inclusion;
	r->by.kind = of->by;
	if (trc_over_time_begin(&r->query, &r->windows.every, err))
		return -1;
	r->windows.insns = r->query.insns;
	r->windows.warmup = r->query.warmup;
	r->query.numbered = r->windows.every ? UINT64_MAX : r->query.warmup;
	if (tlb->tlb.n && (trc_geometry_tlbs(&tlb->tlb, l->shape, &r->pages.by_size, err) ||
	                   trc_geometry_huge(tlb->huge, tlb->huge_size, &r->pages, err)))
		return -1;
	for (size_t i = 0; !tlb->tlb.n && i < own->cache.n; i++)
		if (trc_geometry_is_family(own->cache.word[i]))
			return parse_family(r, &own->cache, err);
	if (!tlb->tlb.n && trc_geometry_parse_all(&own->cache, l->shape, err))
		return -1;
	l->tlb = tlb->tlb.n ? &r->pages : NULL;
	return trc_geometry_inclusion(of->inclusion, l->shape, l->n, err);
}

/* Shards can be merged only for a single level of LRU. */
static int
check_parts(const struct report *r, const char *input, struct trc_err *err)
{
	if (input || (!r->family.n && trc_cache_parts(r->levels.shape, r->levels.n)))
		return 0;
	if (r->family.n)
		return trc_fail_as(
		        err, TRC_USAGE,
		        "--cache: caches side by side cannot be computed in shards; a single LRU "
		        "cache can");
	return trc_fail_as(err, TRC_USAGE,
	                   "--%s: shards can only be merged for one level of LRU; for other "
	                   "policies, prefetchers and lower levels, run it without --shard",
	                   r->levels.tlb ? "tlb" : "cache");
}

/* The unit of caches is the smallest of their lines. */
static void
plan_unit(struct report *r)
{
	size_t n;
	const struct trc_cache_shape *shape = shapes(r, &n);

	if (r->levels.tlb)
		return;
	r->query.unit = shape[0].line;
	for (size_t i = 1; i < n; i++)
		r->query.unit = shape[i].line < r->query.unit ? shape[i].line : r->query.unit;
}

/* Finds functions of instructions: from --functions, or what is known about the program before its
 * trace is read. */
static int
find_functions(struct report *r, const char *input, struct trc_err *err)
{
	const struct trc_ranked *of = r->by.kind ? &trc_ranked[r->by.kind - 1] : NULL;
	const struct trc_view none = { NULL, NULL };

	if (trc_stat_functions(r->query.settings, of, &r->functions, err) ||
	    trc_ranked_functions(&r->functions, of, input ? r->query.path : NULL, none, r->s.quiet,
	                         err))
		return -1;
	return 0;
}

static int
begin(void *q, const char *input, struct trc_err *err)
{
	struct report *r = q;

	trc_stat_begin(&r->s, &r->query);
	if (parse_levels(r, err))
		return -1;
	plan_unit(r);
	/* Each key has its own counts. */
	r->query.twice = r->by.kind;
	if (find_functions(r, input, err))
		return -1;
	if (r->by.kind && r->windows.every)
		return trc_fail_as(err, TRC_USAGE, "--by and --over-time exclude each other");
	if (check_parts(r, input, err))
		return -1;
	if (trc_stat_plot(r->query.settings) && !r->windows.every && !r->by.kind)
		return trc_fail_as(err, TRC_USAGE, "--plot: for caches, add --over-time N or --by");
	return 0;
}

/* Caches with LRU and FIFO process ranges as a whole. */
static int
watch_ranges(struct report *r, struct trc_job *job, unsigned bits, struct trc_err *err)
{
	bool any = r->levels.tlb || r->family.n, random = false;

	for (size_t i = 0; i < r->levels.n; i++) {
		any |= (r->levels.shape[i].policy != TRC_CACHE_LRU &&
		        r->levels.shape[i].policy != TRC_CACHE_FIFO) ||
		       r->levels.shape[i].prefetch.how;
		random |= r->levels.shape[i].policy == TRC_CACHE_RANDOM;
	}
	r->wide = (struct trc_wide_references){
		r->levels.tlb ? "page" : "line", bits,
		r->levels.tlb ? "is looked up by itself" :
		random        ? "is simulated by itself, since replacement is "
		                "random" :
		                "is simulated by itself; lru and fifo take "
		                "whole ranges",
		!r->s.quiet && !r->levels.tlb, !r->levels.tlb
	};
	return any ? trc_wide_references_watch(job, &r->wide, err) : 0;
}

/* Adds the counts of caches side by side in a window. */
static int
take_family(struct report *r, struct trc_err *err)
{
	struct trc_family *f = &r->family;
	const uint32_t window = r->shares.now;

	if (window == TRC_CACHE_WARM)
		trc_cache_family_forget(f->sink);
	if (window >= TRC_CACHE_NOBODY)
		return 0;
	if (trc_cache_shares_room(&r->shares, (size_t)window + 1, err))
		return -1;
	trc_cache_family_totals(f->sink, f->now);
	for (size_t i = 0; i < f->n; i++) {
		const struct trc_cache_totals *now = &f->now[i], *before = &f->totals[i];
		const struct trc_cache_sum more = { now->refs - before->refs,
			                            now->misses - before->misses,
			                            now->writebacks - before->writebacks };

		trc_cache_sum_add(&r->shares.sum[window * f->n + i], &more);
	}
	memcpy(f->totals, f->now, f->n * sizeof(*f->totals));
	return 0;
}

/* Called after the warm-up, and after each window. */
static int
at_mark(struct trc_marks *m, uint64_t records, struct trc_err *err)
{
	struct report *r = (struct report *)((char *)m - offsetof(struct report, marks));

	if (r->family.n ? take_family(r, err) :
	                  trc_cache_shares_take(&r->shares, r->levels.count, err))
		return -1;
	r->shares.now = trc_over_time_at(&r->windows, records);
	return 0;
}

static struct trc_sink *
mark(struct report *r, struct trc_sink *sink, struct trc_err *err)
{
	struct trc_sink *marked;

	if (!sink || !r->query.numbered)
		return sink;
	r->marks = (struct trc_marks){ r->query.warmup, r->windows.every, r->windows.insns,
		                       r->query.before, at_mark };
	r->shares.now = trc_over_time_at(&r->windows, r->query.before);
	marked = trc_marks_sink(sink, &r->marks, err);
	if (!marked)
		trc_sink_close(sink);
	return marked;
}

static struct trc_sink *
count_by(struct report *r, struct trc_sink *sink, const struct trc_source *src, struct trc_err *err)
{
	const bool lines = r->by.kind == 2 && !r->levels.tlb;
	struct trc_sink *by;

	if (!sink || !r->by.kind)
		return sink;
	r->by.count = r->levels.count;
	r->by.shares = &r->shares;
	r->by.bits = (unsigned)trc_ctz64(lines ? r->levels.shape[0].line : TRC_STAT_PAGE_SIZE);
	by = trc_breakdown_sink(&r->by, sink, src, err);
	if (!by)
		trc_sink_close(sink);
	return by;
}

/* Wraps TLBs, which are caches, in look-ups of pages. */
static struct trc_sink *
open_tlbs(struct report *r, struct trc_job *job, struct trc_sink *caches, struct trc_err *err)
{
	const struct trc_source *src = job->src;
	struct trc_stat_unit unit;
	struct trc_sink *sink;

	if (trc_stat_unit(&r->s, src, &unit, err))
		goto out;
	r->pages.bits = unit.bits ? unit.bits : (unsigned)trc_ctz64(TRC_STAT_PAGE_SIZE);
	if (r->pages.bits < TRC_TLB_BITS_LEAST || r->pages.bits >= r->pages.huge_bits) {
		trc_fail_as(err, TRC_USAGE,
		            "--tlb: pages have at least %u bytes, and huge ones are larger",
		            1u << TRC_TLB_BITS_LEAST);
		goto out;
	}
	if (watch_ranges(r, job, r->pages.bits, err))
		goto out;
	sink = trc_tlb_sink(caches, &r->pages, job->src->have, err);
	if (sink)
		return sink;
out:
	trc_sink_close(caches);
	return NULL;
}

/* Prefetching by stride needs the instructions of references. */
static int
check_stride(const struct report *r, const struct trc_source *src, struct trc_err *err)
{
	enum { PC = 2 }; /* index in trc_ranked */

	if (!(src->have & TRC_HAS_PC) && !trc_last_fetch_shows(src->have))
		return trc_fail(err,
		                "%s: has neither 'pc' nor fetches, and prefetcher 'stride' "
		                "needs the instruction of each reference",
		                r->query.path);
	return trc_ranked_check(&trc_ranked[PC], src, err);
}

static struct trc_sink *
open_sink(void *q, struct trc_job *job, struct trc_err *err)
{
	struct report *r = q;
	struct trc_cache_report *l = &r->levels;
	struct trc_sink *sink;

	if (!(job->src->have & (TRC_HAS_ADDR | (l->tlb ? TRC_HAS_VPN : 0)))) {
		trc_fail(err, "%s: has no addresses, which --%s needs", r->query.path,
		         l->tlb ? "tlb" : "cache");
		return NULL;
	}
	if (!l->tlb && watch_ranges(r, job, (unsigned)trc_ctz64(r->query.unit), err))
		return NULL;
	if (prefetches(r, TRC_PREFETCH_STRIDE) && check_stride(r, job->src, err))
		return NULL;
	if (r->family.n) {
		r->family.prefetches = prefetches(r, TRC_PREFETCH_NONE);
		sink = trc_cache_family_sink(r->family.shape, r->family.n, r->family.totals, err);
		r->family.sink = sink;
		r->shares.caches = r->family.n;
		return mark(r, sink, err);
	}
	l->prefetches = prefetches(r, TRC_PREFETCH_NONE);
	sink = trc_cache_sink(l->shape, l->n, l->count, err);
	r->shares.caches = l->n;
	if (sink && (r->by.kind || r->query.numbered))
		trc_cache_share(sink, &r->shares);
	if (sink && l->tlb)
		sink = open_tlbs(r, job, sink, err);
	return mark(r, count_by(r, sink, job->src, err), err);
}

static void
name_caches(struct report *r)
{
	for (size_t i = 0; i < r->levels.n; i++) {
		snprintf(r->name[i], sizeof(r->name[i]), "level %zu %s",
		         trc_cache_report_at(&r->levels, i), trc_cache_report_part(&r->levels, i));
		r->names[i] = r->name[i];
	}
	r->windows.name = r->by.name = r->names;
	snprintf(r->what, sizeof(r->what), "Misses in");
	for (size_t i = 0; i < r->levels.n; i++) {
		const size_t n = strlen(r->what);
		char text[48];

		snprintf(r->what + n, sizeof(r->what) - n, "%s %s", i ? "," : "",
		         trc_geometry_text(&r->levels.shape[i], text, sizeof(text)));
	}
}

static int
answer(void *q, const struct trc_job *job, struct trc_answered *to, struct trc_err *err)
{
	struct report *r = q;
	const struct trc_meta *meta = &job->src->meta;

	if (check_stripped(meta, r, err))
		return -1;
	if (meta->guarantee.sets && trc_meta_own_totals(meta))
		r->levels.original = r->family.original = meta->refs;
	r->windows.shares = &r->shares;
	r->windows.tlb = r->levels.tlb != NULL;
	r->windows.end = r->marks.rows;
	if (trc_over_time_end(&r->query, r->marks.rows, meta, err))
		return -1;
	if (r->family.n) {
		r->windows.name = r->family.names;
		if (r->windows.every)
			trc_over_time_answer(&r->windows, to);
		else
			trc_family_answer(&r->family, to);
		return 0;
	}
	name_caches(r);
	r->by.functions = &r->functions;
	if (r->by.kind &&
	    (trc_ranked_functions(&r->functions, &trc_ranked[r->by.kind - 1], NULL,
	                          meta->provenance, r->s.quiet, err) ||
	     trc_ranked_check_functions(&r->functions, &trc_ranked[r->by.kind - 1], err) ||
	     trc_breakdown_answer(&r->by, trc_stat_rows(r->query.settings), to, err)))
		return -1;
	if (!r->by.kind && r->windows.every)
		trc_over_time_answer(&r->windows, to);
	else if (!r->by.kind)
		trc_cache_report_answer(&r->levels, to);
	if (to->plot.what && !r->levels.tlb)
		to->plot.what = r->what;
	return 0;
}

enum { PAGE_BYTES = 64 }; /* for a line in the cache, or one that may have been in it */

static const struct trc_query_ops query_ops = {
	.size = sizeof(struct report),
	.begin = begin,
	.open = open_sink,
	.owns = { { offsetof(struct report, shares), trc_cache_shares_release },
	          { offsetof(struct report, by), trc_breakdown_release },
	          { offsetof(struct report, family), trc_family_release },
	          { offsetof(struct report, functions), trc_functions_release } },
	.answer = answer,
	.cores = true,
	.page_bytes = PAGE_BYTES
};

const struct trc_action trc_stat_cache = {
	.name = "--cache",
	.takes = TRC_TAKES(&opts, &trc_stat_opts_levels, &trc_stat_opts_over_time,
	                   &trc_shard_opts_warmup, &trc_stat_opts_rows, &trc_stat_opts_functions,
	                   &trc_stat_opts_plot, TRC_STAT_SHARDS, TRC_STAT_TAKES),
	.run = trc_shard_answer,
	.query = &query_ops
};

const struct trc_action trc_stat_tlb = {
	.name = "--tlb",
	.takes = TRC_TAKES(&opts_tlb, &trc_stat_opts_levels, &trc_stat_opts_over_time,
	                   &trc_shard_opts_warmup, &trc_stat_opts_rows, &trc_stat_opts_functions,
	                   &trc_stat_opts_plot, &trc_stat_opts_page_size, TRC_STAT_SHARDS,
	                   TRC_STAT_TAKES),
	.run = trc_shard_answer,
	.query = &query_ops
};
