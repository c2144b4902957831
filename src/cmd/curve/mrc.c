/* SPDX-License-Identifier: MIT
 *
 * trc stat --mrc: misses by memory size: all sizes for LRU and OPT, given sizes for any other
 * policy.
 */
#include "cmd/stat/stat.h"

#include <stdlib.h>
#include <string.h>

#include "base/cores.h"
#include "cmd/geometry.h"
#include "cmd/curve/curve_plot.h"
#include "cmd/curve/curve_print.h"
#include "cmd/job/wide_references.h"
#include "cmd/stat/sizes.h"
#include "stage/simulate/object/object_caches.h"
#include "stage/stage.h"

static const struct trc_opts opts_requests =
        TRC_OPTS_FLAG("requests", "with --mrc: also count missed requests and bytes");

const struct trc_opts trc_stat_opts_sample = TRC_OPTS(
        uint64_t, { 0, "sample", "1/N", "with --mrc: estimate from one page or object in N",
                    TRC_OPT_PART, TRC_WORDS_NONE, 0 });

static const struct trc_opts opts_bypass =
        TRC_OPTS_FLAG("bypass", "with --policy opt: pages need not be admitted");

const struct trc_opts trc_stat_opts_mrc =
        TRC_OPTS_FLAG("mrc", "print the miss-ratio curve of all memory sizes");
const struct trc_opts trc_stat_opts_curves =
        TRC_OPTS(struct trc_stat_curves,
                 { 0, "all-sizes", NULL, "with --mrc: print every size", TRC_OPT_FLAG,
                   TRC_WORDS_NONE, offsetof(struct trc_stat_curves, all_sizes) },
                 { 0, "sizes", "SIZE,...", "with --mrc: sizes in pages, bytes (64K), shares (10%)",
                   TRC_OPT_LIST, TRC_WORDS_NONE, offsetof(struct trc_stat_curves, sizes) },
                 { 0, "no-first", NULL, "with --mrc: do not count first references as misses",
                   TRC_OPT_FLAG, TRC_WORDS_NONE, offsetof(struct trc_stat_curves, no_first) });
const struct trc_opts trc_stat_opts_policy =
        TRC_OPTS(const char *,
                 { 0, "policy", "POLICY,...", "with --mrc: policies; all but lru, opt need --sizes",
                   TRC_OPT_TEXT, TRC_WORDS_POLICY, 0 });

const char *
trc_stat_policy(const struct trc_settings *settings)
{
	return *(const char *const *)trc_settings_of(settings, &trc_stat_opts_policy);
}

enum {
	PAGE_BYTES = 160,   /* names, stack, levels, two histograms, each with room to grow */
	AROUND_BYTES = 120, /* additional, for the stack of write-around */
};

/* The state of the question. */
struct query {
	struct trc_query query; /* sum[0]: number of references read */
	struct trc_stat s;
	const struct trc_stat_curves *own;
	bool opt, bypass, requests;
	struct trc_mrc_rule rule;     /* the references that count, and the handling of writes */
	bool groups;                  /* the trace may be a sample of its pages */
	char word[TRC_GEOMETRY_WORD]; /* the word of --policy for which this is run */
	const char *policy;           /* the same; NULL: LRU */

	/* Of a policy other than LRU; of opt, if there are few sizes. */
	struct trc_memories_shape memories;
	uint64_t pages[TRC_SIZES_MOST], share[TRC_SIZES_MOST];
	struct trc_size size[TRC_SIZES_MOST]; /* the sizes to show */
	size_t sizes;
	bool shares; /* some are shares */

	/* Number of pages of which they are shares; 0: those of the curve at the end. */
	uint64_t of;
	uint64_t one_in; /* sampling factor, if pages are sampled here; 0: they are not */
	struct trc_sampled sampled;
	struct trc_wide_references wide;
	struct trc_curves c;
};

/* Returns a share of the pages that the trace touches, rounded down, at least one page. */
static uint64_t
share_of(const struct query *a, uint64_t share)
{
	const struct trc_curves *c = &a->c;
	const uint64_t all = a->of ? a->of : c->mrc.n ? c->mrc.curve->pages * c->sample : 0;

	return trc_size_share(all, share);
}

/* Sets the sizes to show, in pages; a total for shares may be known only at the end of the trace.
 * If this is one `among` several curves, sizes for which its curve is not valid are skipped. */
static int
choose_sizes(struct query *a, bool among, struct trc_err *err)
{
	struct trc_curves *c = &a->c;
	uint64_t *pages = a->pages;
	size_t hold = 0;

	for (size_t i = 0; i < a->sizes; i++) {
		a->share[hold] = a->size[i].share;
		if (a->share[hold])
			pages[hold] = share_of(a, a->share[hold]);
		else if (trc_geometry_pages(&a->size[i].pages, "sizes", c->unit, c->bytes, c->bits,
		                            &pages[hold], err))
			return -1;
		if (pages[hold] >= trc_curve_least(c))
			hold++;
		else if (!among || (i + 1 == a->sizes && hold == 0))
			return trc_fail(err,
			                "--sizes: the %s only for memories of %llu pages or more",
			                c->sample > 1 ? "sample allows estimates" :
			                                "reduced trace holds",
			                (ull)trc_curve_least(c));
	}
	c->size = pages;
	c->share = a->share;
	c->sizes = hold;
	return 0;
}

/* Returns the number of policies, each of which is run by itself. */
static size_t
ways(const struct trc_settings *settings)
{
	const char *words = trc_stat_policy(settings);

	return words ? trc_geometry_words(words) : 1;
}

/* Checks options for policies that are not stack algorithms: they are simulated at given sizes. */
static int
check_policy(const struct query *a, const char *input, struct trc_err *err)
{
	if (!input && !(a->opt && ways(a->query.settings) == 1 && a->query.one_shard))
		return trc_fail_as(
		        err, TRC_USAGE,
		        "--policy %s: a shard depends on all records before it, so there are no "
		        "shards; run it without --shard",
		        trc_stat_policy(a->query.settings));
	if (!a->opt && a->own->sizes.n == 0)
		return trc_fail_as(err, TRC_USAGE,
		                   "--policy %s: each size is simulated by itself; give --sizes, "
		                   "like 64,1M",
		                   a->policy);
	return 0;
}

/* Refuses what is not supported for reads only, or for writes that do not allocate. */
static int
check_rule(const struct query *a, const char *input, struct trc_err *err)
{
	if (a->rule.around && a->opt)
		return trc_fail_as(
		        err, TRC_USAGE,
		        "--writes around: MIN is not defined where a write may bypass the memory; "
		        "give another --policy, or --writes none");
	if (a->requests && (a->one_in || a->own->no_first))
		return trc_fail_as(err, TRC_USAGE, "--requests: %s",
		                   a->one_in ?
		                           "a sample has some pages of a request and not others; "
		                           "leave out --sample" :
		                           "first requests always count; leave out --no-first");
	if ((a->rule.none || a->rule.around) && !input)
		return trc_fail_as(
		        err, TRC_USAGE,
		        "--writes: in a shard it is unknown which pages writes hit; run it "
		        "without --shard");
	return 0;
}

/* Refuses options that exclude each other. `input` is NULL if only a shard is run. */
static int
check_own(const struct query *a, const char *input, struct trc_err *err)
{
	const struct trc_stat_curves *own = a->own;

	if (own->all_sizes && own->sizes.n > 0)
		return trc_fail_as(err, TRC_USAGE, "--all-sizes and --sizes exclude each other");
	if (check_rule(a, input, err))
		return -1;
	if (a->one_in && (a->policy || a->query.warmup || !input))
		return trc_fail_as(err, TRC_USAGE,
		                   "--sample: estimates of pages need lru without --%s%s",
		                   a->policy       ? "policy" :
		                   a->query.warmup ? "warmup" :
		                                     "shard",
		                   a->policy ? "; --bytes --sample takes policies" : "");
	if (a->shares && a->s.by_space)
		return trc_fail_as(err, TRC_USAGE,
		                   "--sizes: a percentage refers to the pages of the whole trace, "
		                   "but --by-space simulates a memory for each space; give "
		                   "numbers");
	return a->policy || (!input && ways(a->query.settings) > 1) ? check_policy(a, input, err) :
	                                                              0;
}

/* Prints several curves, and draws the picture if one is requested. */
static int
report(struct query *a, struct trc_curves_compared *all, struct trc_err *err)
{
	const struct trc_plotting *g = a->query.plotting;

	if (a->s.form == TRC_FORM_TEXT ? trc_curves_compared_print(all, g, err) :
	                                 trc_curves_print(all->c, all->n, a->s.form, g, err))
		return -1;
	return g->kind ? trc_curves_plot_several(all->curves.curve, all->curves.n, g, NULL, err) :
	                 0;
}

/* Handles --bypass, which requires that opt is one of the policies. */
static int
choose_bypass(struct query *a, struct trc_err *err)
{
	static const char name[] = "opt bypass";
	const char *words = trc_stat_policy(a->query.settings);
	unsigned policy = TRC_CACHE_LRU;
	uint64_t seed;
	char word[TRC_GEOMETRY_WORD];

	if (!*(const bool *)trc_settings_of(a->query.settings, &opts_bypass))
		return 0;
	for (size_t i = 0; i < ways(a->query.settings) && words && policy != TRC_CACHE_OPT; i++)
		(void)trc_geometry_policy(trc_geometry_word(words, i, word), &policy, &seed);
	if (policy != TRC_CACHE_OPT)
		return trc_fail_as(err, TRC_USAGE, "--bypass is only for opt; add --policy opt");
	a->bypass = a->opt;
	if (a->opt) {
		strcpy(a->word, name);
		a->policy = a->word;
	}
	return 0;
}

/* Returns true if caches of bytes have a policy, under any of its names. */
static bool
is_of_bytes(const char *word)
{
	const struct trc_object_policy *p;

	for (size_t i = 0; (p = trc_object_policy(i)) != NULL; i++)
		if (trc_geometry_is_policy(p->name, word, strlen(word)))
			return true;
	return false;
}

bool
trc_stat_policy_of_objects(const struct trc_settings *settings)
{
	const char *words = trc_stat_policy(settings);
	char word[TRC_GEOMETRY_WORD];
	unsigned policy;
	uint64_t seed;

	for (size_t i = 0; words && i < trc_geometry_words(words); i++)
		if (!trc_geometry_policy(trc_geometry_word(words, i, word), &policy, &seed) &&
		    is_of_bytes(word))
			return true;
	return false;
}

/* Parses the policy; LRU, the default, is NULL. */
static int
choose_policy(struct query *a, struct trc_err *err)
{
	const char *words = trc_stat_policy(a->query.settings);
	char text[160];

	a->memories.seed = 1;
	if (!words)
		return 0;
	a->policy = trc_geometry_word(words, a->query.way, a->word);
	if (!trc_geometry_policy(a->policy, &a->memories.policy, &a->memories.seed))
		return trc_fail_as(err, TRC_USAGE, "--policy: '%s' is not one of %s%s", a->policy,
		                   trc_geometry_policies(text, sizeof(text)),
		                   is_of_bytes(a->policy) ? "; --bytes has it" :
		                                            "; --bytes has others");
	a->opt = a->memories.policy == TRC_CACHE_OPT;
	/* Aliases become the policy's name; a word with a seed stays. */
	if (!strchr(a->word, '='))
		a->policy = trc_policy(a->memories.policy)->name;
	if (a->memories.policy == TRC_CACHE_LRU)
		a->policy = NULL;
	return 0;
}

/* Sets the references that count, and the handling of writes. */
static int
choose_rule(struct query *a, struct trc_err *err)
{
	const enum trc_object_writes writes = trc_stat_writes(a->query.settings);

	a->rule = (struct trc_mrc_rule){ .through = writes != TRC_WRITES_BACK,
		                         .around = writes == TRC_WRITES_AROUND,
		                         .none = writes == TRC_WRITES_NONE };
	a->query.page_bytes = a->rule.around && !a->policy ? AROUND_BYTES : 0;
	a->requests = *(const bool *)trc_settings_of(a->query.settings, &opts_requests);
	return trc_stat_count_reads(a->query.settings, &a->rule.reads, err);
}

static int
begin(void *q, const char *input, struct trc_err *err)
{
	struct query *a = q;

	trc_stat_begin(&a->s, &a->query);
	a->own = trc_settings_of(a->query.settings, &trc_stat_opts_curves);
	a->one_in = *(const uint64_t *)trc_settings_of(a->query.settings, &trc_stat_opts_sample);
	/* If a sample is drawn here, its stage sets the properties of the trace. */
	a->query.whole = a->one_in;
	if (choose_policy(a, err) || choose_bypass(a, err) || choose_rule(a, err))
		return -1;
	a->query.whole |= a->rule.none;
	if (!a->policy && !a->rule.around)
		a->query.footprint = trc_footprint_by_count;
	a->c = (struct trc_curves){ .name = a->query.name,
		                    .policy = a->policy,
		                    .writes = trc_stat_writes_name(
		                            trc_stat_writes(a->query.settings)),
		                    .reads = a->rule.reads,
		                    .requests = a->requests,
		                    .by_space = a->s.by_space,
		                    .first = !a->own->no_first,
		                    .warmup = a->query.warmup,
		                    .insns = a->query.insns,
		                    .all = a->own->all_sizes };
	return trc_sizes_parse(&a->own->sizes, a->size, &a->sizes, &a->shares, err) ||
	                       check_own(a, input, err) ?
	               -1 :
	               0;
}

static int count_pages(const struct query *a, const struct trc_job *job, uint64_t *pages,
                       struct trc_err *err);

/* Also simulates OPT at the given sizes, if these are few and known before the trace is read. */
static void
choose_optimal(struct query *a)
{
	struct trc_err later;

	if (a->sizes == 0 || a->sizes > TRC_OPT_SIZES_MOST || a->shares || a->bypass ||
	    a->rule.reads || a->rule.through || a->requests || choose_sizes(a, false, &later))
		return;
	a->memories.size = a->pages;
	a->memories.n = a->sizes;
}

/* Sets the memories of a policy that is simulated size by size. */
static int
choose_memories(struct query *a, const struct trc_job *job, struct trc_err *err)
{
	if (a->opt) {
		choose_optimal(a);
		return 0;
	}
	if ((a->shares && count_pages(a, job, &a->of, err)) || choose_sizes(a, false, err))
		return -1;
	for (size_t i = 0; i < a->sizes; i++) {
		const char *wrong = trc_memories_wrong(a->memories.policy, a->pages[i]);

		if (wrong)
			return trc_fail_as(err, TRC_USAGE, "--sizes: %llu pages of policy %s: %s",
			                   (ull)a->pages[i], a->policy, wrong);
	}
	a->memories.size = a->pages;
	a->memories.n = a->sizes;
	return 0;
}

static struct trc_sink *
open_plain(struct query *a, uint32_t have, struct trc_err *err)
{
	const bool unfinished = a->query.warmup_copy;

	if (a->opt && a->memories.n == 0)
		return trc_mrc_opt_sink(&a->c.mrc, have, a->s.by_space, unfinished, a->bypass, err);
	if (a->policy)
		return trc_mrc_memories_sink(&a->c.mrc, have, a->s.by_space, unfinished,
		                             &a->memories, err);
	return trc_mrc_sink(&a->c.mrc, have, a->s.by_space, a->groups, err);
}

static struct trc_sink *
open_curves(struct query *a, uint32_t have, struct trc_err *err)
{
	struct trc_sink *sink = open_plain(a, have, err);

	if (sink)
		trc_mrc_set_rule(sink, &a->rule);
	return sink;
}

/* If a container has an index, too many spaces are refused before any are counted. */
static int
check_spaces(const struct query *a, const struct trc_job *job, struct trc_err *err)
{
	const struct trc_index *index = NULL;

	if (!a->s.by_space || !job->whole)
		return 0;
	if (trc_source_index(job->file, &index, err))
		return -1;
	if (index && index->counts.spaces > TRC_MRC_SPACES_MOST)
		return trc_fail(err,
		                "%s: has %llu address spaces, but at most %d can have curves; "
		                "choose some with --space",
		                job->in->name, (ull)index->counts.spaces, TRC_MRC_SPACES_MOST);
	return 0;
}

/* LRU memories process ranges of pages as a whole; otherwise each page is processed by itself. */
static int
watch_ranges(struct query *a, struct trc_job *job, struct trc_err *err)
{
	const char *alone = a->policy   ? "is simulated by itself; lru takes whole ranges" :
	                    a->requests ? "is simulated by itself with --requests" :
	                    a->rule.around || a->rule.none ?
	                                  "is simulated by itself if writes do not fill" :
	                                  NULL;

	a->wide = (struct trc_wide_references){ a->c.unit, a->c.bits, alone, !a->s.quiet, false };
	return alone && a->c.bytes ? trc_wide_references_watch(job, &a->wide, err) : 0;
}

static struct trc_sink *
open_sink(void *q, struct trc_job *job, struct trc_err *err)
{
	struct query *a = q;
	uint64_t *seen = &a->query.sum[0];
	struct trc_stat_unit unit;
	struct trc_sink *sink;

	if (a->query.warmup_copy)
		return open_curves(a, job->src->have, err);
	if (trc_stat_objects(&a->s, job, err) || trc_stat_unit(&a->s, job->src, &unit, err))
		return NULL;
	if (!a->query.again)
		trc_stat_note_requests(&a->s, job, false,
		                       "--objects and --bytes are of whole objects");
	a->c.unit = unit.name;
	a->c.bits = unit.bits;
	a->rule.page = a->requests ? UINT64_C(1) << unit.bits : 0;
	a->c.bytes = unit.known || job->src->meta.page_bits;
	/* A trace of addresses was never sampled. */
	a->groups = (a->one_in || job->src->have & TRC_HAS_VPN) && !a->query.warmup;
	if (check_spaces(a, job, err) || watch_ranges(a, job, err))
		return NULL;
	if (trc_job_drop(job, TRC_HAS_EVENT, err) ||
	    trc_job_wrap(job, a->requests ?
	                              trc_stage_page_requests(job->src, unit.bits, seen, err) :
	                      a->one_in ? trc_stage_page(job->src, unit.bits, seen, err) :
	                                  trc_stage_page_ranges(job->src, unit.bits, seen, err)) ||
	    (a->one_in &&
	     trc_job_wrap(job, trc_stage_sample(job->src, a->one_in, false, &a->sampled, err))))
		return NULL;
	if (a->policy && choose_memories(a, job, err))
		return NULL;
	sink = open_curves(a, job->src->have, err);
	if (sink && !a->policy && trc_threads(job->threads) > 1)
		trc_mrc_companion(sink);
	return sink;
}

/* A reduction preserves only the LRU misses of all references, with writes that allocate. */
static int
check_kept(const struct query *a, const struct trc_meta *meta, struct trc_err *err)
{
	const bool sample = a->c.sample > 1 && !meta->guarantee.sad &&
	                    !(meta->guarantee.reduced & TRC_MERGED);

	if (a->policy && a->c.reduced)
		return trc_fail(err,
		                "--policy %s: the trace was reduced for LRU memories; use the "
		                "original",
		                a->c.policy);
	if (!a->c.reduced || sample || !(a->rule.reads || a->rule.through || a->requests))
		return 0;
	return trc_fail(err,
	                "--%s: the trace was reduced and lacks some of its reads and writes; use "
	                "the original",
	                a->requests   ? "requests" :
	                a->rule.reads ? "count read" :
	                                "writes");
}

/* Applies the properties of the trace that are known at its end. */
static int
end_trace(struct query *a, const struct trc_job *job, bool among, struct trc_err *err)
{
	if (trc_curves_take_meta(&a->c, &job->src->meta, a->query.sum[0], a->s.quiet, err) ||
	    check_kept(a, &job->src->meta, err))
		return -1;
	a->c.wide = trc_curves_wide(&a->c);
	return choose_sizes(a, among, err);
}

/* Counts the pages that the trace touches, in an extra pass: the LRU curve has their number. */
static int
count_pages(const struct query *a, const struct trc_job *job, uint64_t *pages, struct trc_err *err)
{
	struct query all = *a;
	struct trc_sink *sink = NULL;
	struct trc_progress progress;
	struct trc_job again;
	int ret;

	all.policy = NULL;
	all.opt = false;
	all.rule = (struct trc_mrc_rule){ .reads = false };
	all.requests = false;
	all.sizes = 0;
	if (trc_stat_open_again(a->query.settings, job, &again, "pages", err))
		return -1;
	trc_job_begin_progress(&again, &progress, a->query.quiet);
	ret = trc_job_wrap(&again, trc_progress_source(again.src, &progress, err));
	if (ret == 0)
		sink = open_sink(&all, &again, err);
	if (!sink || trc_pump(again.src, sink, TRC_BATCH_ROWS, NULL, err) ||
	    end_trace(&all, &again, false, err))
		ret = -1;
	*pages = ret == 0 ? all.c.mrc.curve->pages * all.c.sample : 0;
	trc_progress_end(&progress);
	trc_sink_close(sink);
	trc_source_close(again.src);
	trc_mrc_release(&all.c.mrc);
	return ret;
}

static int
print(void *q, const struct trc_job *job, struct trc_err *err)
{
	struct query *a = q;
	struct trc_curves *c = &a->c;

	if (end_trace(a, job, false, err) ||
	    trc_curves_print(&c, 1, a->s.form, a->query.plotting, err))
		return -1;
	return trc_curves_picture(c, a->query.plotting, err);
}

static int
settle(void *q, const struct trc_job *job, struct trc_err *err)
{
	return end_trace(q, job, true, err);
}

static int
compare(void *const *q, size_t n, size_t policies, struct trc_err *err)
{
	struct trc_curves **c = trc_alloc(n, sizeof(*c), err);
	struct trc_curves_compared all = { .n = 0 };
	int ret = -1;

	for (size_t i = 0; c && i < n; i++) {
		struct query *a = q[i];

		c[i] = &a->c;
		c[i]->input = a->query.among ? a->query.path : NULL;
		c[i]->way = policies > 1 ? a->word : NULL;
	}
	if (c && trc_curves_compared_init(&all, c, n, policies, err) == 0)
		ret = report(q[0], &all, err);
	trc_curves_compared_release(&all);
	free(c);
	return ret;
}

static const struct trc_opts *const takes[] = {
	&trc_stat_opts_mrc,    &trc_stat_opts_policy,  &opts_bypass,
	&trc_stat_opts_sample, &trc_shard_opts_warmup, &trc_stat_opts_curves,
	&trc_stat_opts_plot,   TRC_STAT_UNITS,         &trc_stat_opts_by_space,
	&trc_stat_opts_writes, &trc_stat_opts_count,   &opts_requests,

	TRC_STAT_SHARDS,       TRC_STAT_TAKES,         NULL
};

const struct trc_action trc_stat_mrc = {
	.name = "--mrc",
	.takes = takes,
	.run = trc_shard_answer,
	.query = TRC_QUERY(.size = sizeof(struct query), .begin = begin, .open = open_sink,
	                   .owns = { { offsetof(struct query, c.mrc), trc_mrc_release } },
	                   .subtract = trc_mrc_subtract, .print = print, .settle = settle,
	                   .compare = compare, .ways = ways, .cores = true,
	                   .page_bytes = PAGE_BYTES),
};
