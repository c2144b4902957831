/* SPDX-License-Identifier: MIT
 * trc stat --cache: the trace through a hierarchy of caches. */
#include "cmd/stat/stat.h"

#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "base/bytes.h"
#include "cmd/geometry.h"
#include "cmd/report.h"
#include "cmd/job/spread.h"
#include "cmd/stat/by.h"
#include "cmd/stat/over_time.h"
#include "stage/profile/marks.h"
#include "stage/profile/warmup.h"

/* The settings of --cache. */
struct settings {
	struct trc_opt_list cache;
	const char *inclusion;
	uint64_t over_time; /* records; 0: not given */
	unsigned by;
};

static const struct trc_opt options[] = {
	{ 0, "cache", "SIZE:WAYS:LINE[:POLICY]", "hits, misses and write-backs of a cache",
	  TRC_OPT_LIST, TRC_WORDS_NONE, offsetof(struct settings, cache) },
	{ 0, "inclusion", "KIND[,KIND...]", "what lower levels are: inclusive, exclusive, nine",
	  TRC_OPT_TEXT, TRC_WORDS_NONE, offsetof(struct settings, inclusion) },
	{ 0, "over-time", "N", "with --cache: misses in every N records", TRC_OPT_COUNT,
	  TRC_WORDS_NONE, offsetof(struct settings, over_time) },
	{ 0, "by", "page|line|pc|task|space|type", "with --cache: what the most misses are of",
	  TRC_OPT_CHOICE, TRC_WORDS_NONE, offsetof(struct settings, by) },
};

static const struct trc_opts opts = { options, TRC_COUNT(options), sizeof(struct settings), NULL };

static const char *const part_name[] = {
	[TRC_CACHE_UNIFIED] = "unified",
	[TRC_CACHE_FETCHES] = "fetches",
	[TRC_CACHE_DATA] = "data",
};

/* The question, while it is asked: what was run, and where the report goes. */
struct report {
	struct trc_asked asked;
	struct trc_stat s;
	struct trc_spread spread;
	struct trc_cache_shape shape[TRC_CACHES_MOST];
	struct trc_cache_counts count[TRC_CACHES_MOST];
	size_t n;
	bool related; /* some level includes or excludes others, or might have */
	struct trc_marks marks;
	struct trc_cache_counts warm[TRC_CACHES_MOST]; /* what was counted in the warm-up */
	struct trc_over_time windows;
	struct trc_by by;
	struct trc_plotting plotting;
	bool warmed;
	uint64_t original; /* references, if the trace lacks those of them that always hit */
	struct trc_out *out;
};

/* A line of one cache: of a type, of what the end copied back, or of all. */
struct line {
	const char *name;
	uint64_t refs, misses, writebacks;
	bool referred; /* the first two mean something */
};

enum { LINES_MOST = TRC_TYPES + 2 };

static double
miss_ratio(const struct line *l)
{
	return l->refs ? (double)l->misses / (double)l->refs : 0;
}

/* The lines of one cache that are not all 0; the last is of all. */
static size_t
lines_of(const struct trc_cache_counts *k, struct line *line)
{
	static const enum trc_type order[] = { TRC_FETCH, TRC_READ, TRC_WRITE, TRC_MISC,
		                               TRC_COPY_BACK };
	struct line all = { "all", 0, 0, k->writebacks_end, true };
	size_t n = 0;

	for (size_t i = 0; i < TRC_COUNT(order); i++) {
		const enum trc_type t = order[i];

		if (k->refs[t] || k->writebacks[t])
			line[n++] = (struct line){ trc_type_name[t], k->refs[t], k->misses[t],
				                   k->writebacks[t], t != TRC_COPY_BACK };
		all.refs += k->refs[t];
		all.misses += k->misses[t];
		all.writebacks += k->writebacks[t];
	}
	line[n++] = (struct line){ "end", 0, 0, k->writebacks_end, false };
	line[n++] = all;
	return n;
}

/* The number of the level that cache `i` is at. */
static size_t
level_of(const struct report *r, size_t i)
{
	return i + 1 - (i > 0 && r->shape[0].part != TRC_CACHE_UNIFIED);
}

/* What went to the level below. */
static uint64_t
bytes_down(const struct trc_cache_shape *s, const struct trc_cache_counts *k, uint64_t writebacks)
{
	return (writebacks + k->victims) * s->line;
}

static int
print_text(const struct report *r, size_t i, struct trc_err *err)
{
	const struct trc_cache_shape *s = &r->shape[i];
	const struct trc_cache_counts *k = &r->count[i];
	struct line line[LINES_MOST];
	const size_t n = lines_of(k, line);

	if (trc_report(r->out, err,
	               "%slevel %zu %s: %llu bytes, %llu ways, lines of %llu bytes, %s%s%s\n",
	               i ? "\n" : "", level_of(r, i), part_name[s->part],
	               (unsigned long long)s->size, (unsigned long long)s->ways,
	               (unsigned long long)s->line, trc_policy(s->policy)->name,
	               s->inclusion ? ", " : "",
	               s->inclusion ? trc_geometry_inclusions[s->inclusion] : "") ||
	    trc_report(r->out, err, "%-10s %14s %14s %14s %11s %12s\n", "", "references", "hits",
	               "misses", "miss ratio", "write-backs"))
		return -1;
	for (size_t j = 0; j < n; j++) {
		const struct line *l = &line[j];

		if (l->referred ?
		            trc_report(r->out, err, "%-10s %14llu %14llu %14llu %11.6f %12llu\n",
		                       l->name, (unsigned long long)l->refs,
		                       (unsigned long long)(l->refs - l->misses),
		                       (unsigned long long)l->misses, miss_ratio(l),
		                       (unsigned long long)l->writebacks) :
		            trc_report(r->out, err, "%-10s %69llu\n", l->name,
		                       (unsigned long long)l->writebacks))
			return -1;
	}
	if (r->related &&
	    trc_report(r->out, err,
	               "clean victims to an exclusive level %llu, lines invalidated by an "
	               "inclusive one %llu\n",
	               (unsigned long long)k->victims, (unsigned long long)k->invalidated))
		return -1;
	return trc_report(r->out, err, "bytes from below %llu, to below %llu\n",
	                  (unsigned long long)(k->filled * s->line),
	                  (unsigned long long)bytes_down(s, k, line[n - 1].writebacks));
}

/* What is of all types together stands in the last row, counted in `k`; NULL: in another. */
static int
csv_related(const struct report *r, const struct trc_cache_shape *s,
            const struct trc_cache_counts *k, struct trc_err *err)
{
	if (!r->related)
		return 0;
	return trc_report(r->out, err, ",%s,%llu,%llu", trc_geometry_inclusions[s->inclusion],
	                  (unsigned long long)(k ? k->victims : 0),
	                  (unsigned long long)(k ? k->invalidated : 0));
}

static int
print_csv(const struct report *r, size_t i, struct trc_err *err)
{
	const struct trc_cache_shape *s = &r->shape[i];
	const struct trc_cache_counts *k = &r->count[i];
	struct line line[LINES_MOST];
	const size_t n = lines_of(k, line);

	if (i == 0 && trc_report(r->out, err,
	                         "level,part,size,ways,line,policy,type,references,hits,"
	                         "misses,miss_ratio,writebacks%s\n",
	                         r->related ? ",inclusion,victims,invalidated" : ""))
		return -1;
	for (size_t j = 0; j < n; j++) {
		const struct line *l = &line[j];

		if (trc_report(r->out, err, "%zu,%s,%llu,%llu,%llu,%s,%s,%llu,%llu,%llu,%.9g,%llu",
		               level_of(r, i), part_name[s->part], (unsigned long long)s->size,
		               (unsigned long long)s->ways, (unsigned long long)s->line,
		               trc_policy(s->policy)->name, l->name, (unsigned long long)l->refs,
		               (unsigned long long)(l->refs - l->misses),
		               (unsigned long long)l->misses, miss_ratio(l),
		               (unsigned long long)l->writebacks) ||
		    csv_related(r, s, j + 1 == n ? k : NULL, err) || trc_report(r->out, err, "\n"))
			return -1;
	}
	return 0;
}

static int
print_json(const struct report *r, size_t i, struct trc_err *err)
{
	const struct trc_cache_shape *s = &r->shape[i];
	const struct trc_cache_counts *k = &r->count[i];
	struct line line[LINES_MOST];
	const size_t n = lines_of(k, line);

	if (trc_report(r->out, err,
	               "%s{\"level\": %zu, \"part\": \"%s\", \"size\": %llu, \"ways\": %llu, "
	               "\"line\": %llu, \"policy\": \"%s\", \"bytes_from_below\": %llu, "
	               "\"bytes_to_below\": %llu",
	               i ? ",\n " : "{\"caches\": [", level_of(r, i), part_name[s->part],
	               (unsigned long long)s->size, (unsigned long long)s->ways,
	               (unsigned long long)s->line, trc_policy(s->policy)->name,
	               (unsigned long long)(k->filled * s->line),
	               (unsigned long long)bytes_down(s, k, line[n - 1].writebacks)))
		return -1;
	if (r->related &&
	    trc_report(r->out, err,
	               ", \"inclusion\": \"%s\", \"victims\": %llu, \"invalidated\": %llu",
	               trc_geometry_inclusions[s->inclusion], (unsigned long long)k->victims,
	               (unsigned long long)k->invalidated))
		return -1;
	for (size_t j = 0; j < n; j++) {
		const struct line *l = &line[j];

		if (l->referred ? trc_report(r->out, err,
		                             ",\n  \"%s\": {\"references\": %llu, \"hits\": %llu, "
		                             "\"misses\": %llu, \"writebacks\": %llu}",
		                             l->name, (unsigned long long)l->refs,
		                             (unsigned long long)(l->refs - l->misses),
		                             (unsigned long long)l->misses,
		                             (unsigned long long)l->writebacks) :
		                  trc_report(r->out, err, ",\n  \"%s\": {\"writebacks\": %llu}",
		                             l->name, (unsigned long long)l->writebacks))
			return -1;
	}
	return trc_report(r->out, err, "}");
}

/* The lines behind all caches. */
static int
print_end(const struct report *r, const struct trc_stat *s, struct trc_err *err)
{
	const unsigned long long original = r->original;

	if (s->csv)
		return 0;
	if (!s->json)
		return original ? trc_report(r->out, err,
		                             "the trace was reduced: of the %llu references "
		                             "of the original it lacks what hits\n",
		                             original) :
		                  0;
	if (trc_report(r->out, err, "]") ||
	    (original && trc_report(r->out, err, ",\n \"original_references\": %llu", original)))
		return -1;
	return trc_report(r->out, err, "}\n");
}

static int
print_report(const struct report *r, const struct trc_stat *s, struct trc_err *err)
{
	for (size_t i = 0; i < r->n; i++)
		if ((s->json ? print_json : s->csv ? print_csv : print_text)(r, i, err))
			return -1;
	if (print_end(r, s, err))
		return -1;
	return trc_out_commit(r->out, err);
}

/* A trace that was stripped holds for caches of as many sets and ways, or more. All levels below
 * see what they always do. */
static int
check_stripped(const struct trc_meta *meta, const struct report *r, struct trc_err *err)
{
	const struct trc_guarantee *p = &meta->guarantee;
	const bool split = p->reduced & TRC_SPLIT_CACHE;

	if (!p->sets || p->reduced & TRC_BEHIND_CACHE)
		return 0;
	for (size_t i = 0; i < r->n && level_of(r, i) == 1; i++) {
		const struct trc_cache_shape *s = &r->shape[i];

		if (s->line == p->line && s->ways >= p->ways &&
		    s->size / s->line / s->ways >= p->sets &&
		    (s->policy == TRC_CACHE_LRU ||
		     (p->ways == 1 && !trc_policy(s->policy)->counts)) &&
		    (s->part != TRC_CACHE_UNIFIED) == split)
			continue;
		return trc_fail(err,
		                "the trace was reduced for %s%scaches of at least %llu sets and "
		                "%llu ways with lines of %llu bytes, not for this one",
		                split ? "split " : "", p->ways > 1 ? "LRU " : "",
		                (unsigned long long)p->sets, (unsigned long long)p->ways,
		                (unsigned long long)p->line);
	}
	return 0;
}

/* Parts have an answer if LRU is all there is. */
static int
begin(void *q, const char *input, struct trc_err *err)
{
	struct report *r = q;
	const struct settings *own = trc_settings_of(r->asked.all, &opts);

	r->s = trc_stat_of(r->asked.all);
	r->asked.quiet = r->s.quiet;
	r->n = own->cache.n;
	r->related = own->inclusion;
	if (trc_geometry_parse_all(&own->cache, r->shape, err) ||
	    trc_geometry_inclusion(own->inclusion, r->shape, r->n, err))
		return -1;
	r->asked.unit = r->shape[0].line;
	for (size_t i = 1; i < r->n; i++)
		r->asked.unit = r->shape[i].line < r->asked.unit ? r->shape[i].line : r->asked.unit;
	r->windows.every = own->over_time;
	r->by.kind = own->by;
	if (r->by.kind && r->windows.every)
		return trc_fail_as(err, TRC_USAGE, "--by and --over-time: one of them");
	if (!input && r->by.kind)
		return trc_fail_as(err, TRC_USAGE,
		                   "--by: what misses of a key are depends on all that was before, "
		                   "so ask without --shard");
	if (trc_plotting_open(&r->plotting, r->asked.all, input, err))
		return -1;
	if (r->plotting.kind && !r->windows.every)
		return trc_fail_as(err, TRC_USAGE, "--plot: of caches, --over-time N is drawn");
	if (trc_stat_warmup(&r->s, input, err))
		return -1;
	if (!input && r->windows.every)
		return trc_fail_as(err, TRC_USAGE,
		                   "--over-time counts from records of the whole trace on, so ask "
		                   "without --shard");
	if (!input && !trc_cache_parts(r->shape, r->n))
		return trc_fail_as(
		        err, TRC_USAGE,
		        "--cache: what shards do can be merged for one level of LRU; "
		        "other policies and lower levels depend on all that was before, so "
		        "ask without --shard");
	return 0;
}

/* Ranges go through caches of LRU and FIFO as ranges. */
static int
watch_ranges(struct report *r, struct trc_job *job, struct trc_err *err)
{
	bool any = false, random = false;

	for (size_t i = 0; i < r->n; i++) {
		any |= r->shape[i].policy != TRC_CACHE_LRU && r->shape[i].policy != TRC_CACHE_FIFO;
		random |= r->shape[i].policy == TRC_CACHE_RANDOM;
	}
	r->spread = (struct trc_spread){ "line", (unsigned)trc_ctz64(r->shape[0].line),
		                         random ? "is simulated by itself, since replacement is "
		                                  "random" :
		                                  "is simulated by itself; lru and fifo take "
		                                  "ranges as a whole" };
	return any && !r->s.quiet ? trc_spread_watch(job, &r->spread, err) : 0;
}

/* Behind the warm-up, and behind each window. */
static int
at_mark(struct trc_marks *m, uint64_t records, struct trc_err *err)
{
	struct report *r = (struct report *)((char *)m - offsetof(struct report, marks));
	const bool warm = r->s.warmup && !r->warmed && records == r->s.warmup;

	if (warm) {
		memcpy(r->warm, r->count, sizeof(r->warm));
		r->warmed = true;
		trc_by_forget(&r->by);
	}
	return r->windows.every ?
	               trc_over_time_add(&r->windows, records, !warm, r->count, r->n, err) :
	               0;
}

static struct trc_sink *
mark(struct report *r, struct trc_sink *sink, struct trc_err *err)
{
	struct trc_sink *marked;

	if (!sink || !(r->s.warmup || r->windows.every))
		return sink;
	r->marks = (struct trc_marks){ r->s.warmup, r->windows.every, at_mark };
	marked = trc_marks_sink(sink, &r->marks, err);
	if (!marked)
		trc_sink_close(sink);
	return marked;
}

/* What the warm-up counted is left out; what it left dirty and the end copied back stays. */
static int
leave_out_warmup(struct report *r, const struct trc_meta *meta, struct trc_err *err)
{
	if (r->s.warmup && trc_warmup_check(r->s.warmup, r->warmed ? r->s.warmup : 0, meta, err))
		return -1;
	for (size_t i = 0; i < r->n; i++) {
		struct trc_cache_counts *c = &r->count[i];
		const struct trc_cache_counts *w = &r->warm[i];

		for (size_t t = 0; t < TRC_TYPES; t++) {
			c->refs[t] -= w->refs[t];
			c->misses[t] -= w->misses[t];
			c->writebacks[t] -= w->writebacks[t];
		}
		c->filled -= w->filled;
		c->victims -= w->victims;
		c->invalidated -= w->invalidated;
	}
	return 0;
}

static struct trc_sink *
count_by(struct report *r, struct trc_sink *sink, uint32_t have, struct trc_err *err)
{
	const bool lines = r->by.kind == 2;
	struct trc_sink *by;

	if (!sink || !r->by.kind)
		return sink;
	r->by.count = r->count;
	r->by.caches = r->n;
	r->by.bits = (unsigned)trc_ctz64(lines ? r->shape[0].line : TRC_STAT_PAGE_SIZE);
	by = trc_by_sink(&r->by, sink, have, err);
	if (!by)
		trc_sink_close(sink);
	return by;
}

static struct trc_sink *
open_sink(void *q, struct trc_job *job, struct trc_err *err)
{
	struct report *r = q;

	if (!(job->src->have & TRC_HAS_ADDR)) {
		trc_fail(err, "%s: has no addresses, which --cache needs", r->asked.name);
		return NULL;
	}
	return watch_ranges(r, job, err) ?
	               NULL :
	               mark(r,
	                    count_by(r, trc_cache_sink(r->shape, r->n, r->count, err),
	                             job->src->have, err),
	                    err);
}

static int
print_over_time(struct report *r, const char *const *names, struct trc_err *err)
{
	const bool text = !r->s.json && !r->s.csv;

	if ((text && trc_over_time_draw(&r->windows, names, r->asked.name, r->asked.all, NULL,
	                                r->out, err)) ||
	    trc_over_time_print(&r->windows, names, &r->s, r->out, err) ||
	    trc_out_commit(r->out, err))
		return -1;
	return trc_over_time_draw(&r->windows, names, r->asked.name, r->asked.all, &r->plotting,
	                          NULL, err);
}

/* The caches' names, and their misses over time, or by key. */
static int
print_windows(struct report *r, struct trc_err *err)
{
	const struct settings *own = trc_settings_of(r->asked.all, &opts);
	const uint64_t *rows = trc_settings_of(r->asked.all, &trc_stat_opts_rows);
	char name[TRC_CACHES_MOST][32];
	const char *names[TRC_CACHES_MOST];

	for (size_t i = 0; i < r->n; i++) {
		snprintf(name[i], sizeof(name[i]), "level %zu %s", level_of(r, i),
		         part_name[r->shape[i].part]);
		names[i] = name[i];
	}
	if (own->by)
		return trc_by_print(&r->by, names, *rows, &r->s, r->out, err) ?
		               -1 :
		               trc_out_commit(r->out, err);
	return print_over_time(r, names, err);
}

static int
print(void *q, const struct trc_job *job, struct trc_err *err)
{
	struct report *r = q;
	const struct trc_meta *meta = &job->src->meta;

	if (check_stripped(meta, r, err))
		return -1;
	if (meta->guarantee.sets && trc_meta_own_totals(meta))
		r->original = meta->refs;
	if (leave_out_warmup(r, meta, err))
		return -1;
	r->out = trc_out_open("-", false, err);
	if (!r->out)
		return -1;
	return r->windows.every || r->by.kind ? print_windows(r, err) : print_report(r, &r->s, err);
}

static void
end(void *q)
{
	struct report *r = q;

	trc_out_close(r->out);
	trc_plotting_close(&r->plotting);
	trc_over_time_release(&r->windows);
	trc_by_release(&r->by);
}

static const struct trc_opts *const shown[] = { &trc_stat_opts_plot, TRC_STAT_SHOWN, NULL };

enum { PAGE_BYTES = 64 }; /* of a line that is held, or may have been */

static const struct trc_question question = { .size = sizeof(struct report),
	                                      .begin = begin,
	                                      .open = open_sink,
	                                      .print = print,
	                                      .end = end,
	                                      .cores = true,
	                                      .page_bytes = PAGE_BYTES,
	                                      .shown = shown };

static int
answer_cache(const struct trc_settings *all, const struct trc_args *args, struct trc_err *err)
{
	return trc_shard_answer(&question, all, args, err);
}

static const struct trc_opts *const takes[] = { &opts,
	                                        &trc_stat_opts_warmup,
	                                        &trc_stat_opts_rows,
	                                        &trc_stat_opts_plot,
	                                        &trc_stat_opts_csv,
	                                        TRC_STAT_SHARDS,
	                                        TRC_STAT_TAKES,
	                                        NULL };

const struct trc_action trc_stat_cache = { "--cache", takes, answer_cache, &question };
