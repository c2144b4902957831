/* SPDX-License-Identifier: MIT */
#include "cmd/stat/over_time.h"

#include <stdio.h>
#include <stdlib.h>

#include "cmd/report.h"

typedef unsigned long long ull; /* for printf */

static const struct trc_opt options[] = {
	{ 0, "over-time", "N", "of every N records: what is in them, or misses", TRC_OPT_COUNT,
	  TRC_WORDS_NONE, 0 },
};

const struct trc_opts trc_stat_opts_over_time = { options, 1, sizeof(uint64_t), NULL };

uint64_t
trc_over_time_of(const struct trc_settings *all)
{
	return *(const uint64_t *)trc_settings_of(all, &trc_stat_opts_over_time);
}

uint32_t
trc_over_time_at(const struct trc_over_time *o, uint64_t records)
{
	uint64_t window;

	if (records < o->warmup)
		return TRC_CACHE_WARM;
	window = o->every ? (records - o->warmup) / o->every : 0;
	return window < TRC_CACHE_NOBODY ? (uint32_t)window : TRC_CACHE_NOBODY;
}

/* The first record of a window, from 1, and the last. */
static ull
from(const struct trc_over_time *o, size_t window)
{
	return o->warmup + window * o->every + 1;
}

static ull
to(const struct trc_over_time *o, size_t window)
{
	return window + 1 < o->shares->n ? from(o, window + 1) - 1 : o->end;
}

static const struct trc_cache_sum *
sum(const struct trc_over_time *o, size_t window, size_t cache)
{
	return &o->shares->sum[window * o->shares->caches + cache];
}

static double
ratio(const struct trc_cache_sum *s)
{
	return s->refs ? (double)s->misses / (double)s->refs : 0;
}

static int
print_text(const struct trc_over_time *o, const char *const *names, struct trc_out *out,
           struct trc_err *err)
{
	if (trc_report(out, err, "%14s %14s %-14s %14s %14s %11s %12s\n", "from record",
	               "to record", "cache", "references", "misses", "miss ratio", "write-backs"))
		return -1;
	for (size_t k = 0; k < o->shares->n; k++)
		for (size_t i = 0; i < o->shares->caches; i++) {
			const struct trc_cache_sum *s = sum(o, k, i);

			if (trc_report(out, err,
			               "%14llu %14llu %-14s %14llu %14llu %11.6f %12llu\n",
			               from(o, k), to(o, k), names[i], (ull)s->refs, (ull)s->misses,
			               ratio(s), (ull)s->writebacks))
				return -1;
		}
	return 0;
}

static int
print_csv(const struct trc_over_time *o, const char *const *names, struct trc_out *out,
          struct trc_err *err)
{
	if (trc_report(out, err, "from,to,cache,references,misses,miss_ratio,writebacks\n"))
		return -1;
	for (size_t k = 0; k < o->shares->n; k++)
		for (size_t i = 0; i < o->shares->caches; i++) {
			const struct trc_cache_sum *s = sum(o, k, i);

			if (trc_report(out, err, "%llu,%llu,%s,%llu,%llu,%.9g,%llu\n", from(o, k),
			               to(o, k), names[i], (ull)s->refs, (ull)s->misses, ratio(s),
			               (ull)s->writebacks))
				return -1;
		}
	return 0;
}

static int
print_json(const struct trc_over_time *o, const char *const *names, struct trc_out *out,
           struct trc_err *err)
{
	if (trc_report(out, err, "{\"windows\": ["))
		return -1;
	for (size_t k = 0; k < o->shares->n; k++)
		for (size_t i = 0; i < o->shares->caches; i++) {
			const struct trc_cache_sum *s = sum(o, k, i);

			if (trc_report(out, err,
			               "%s\n {\"from\": %llu, \"to\": %llu, \"cache\": \"%s\", "
			               "\"references\": %llu, \"misses\": %llu, "
			               "\"writebacks\": %llu}",
			               k || i ? "," : "", from(o, k), to(o, k), names[i],
			               (ull)s->refs, (ull)s->misses, (ull)s->writebacks))
				return -1;
		}
	return trc_report(out, err, "]}\n");
}

int
trc_over_time_print(const struct trc_over_time *o, const char *const *names,
                    const struct trc_stat *s, struct trc_out *out, struct trc_err *err)
{
	return (s->json ? print_json : s->csv ? print_csv : print_text)(o, names, out, err);
}

int
trc_over_time_draw(const struct trc_over_time *o, const char *const *names, const char *trace,
                   const struct trc_settings *all, struct trc_plotting *g, struct trc_out *out,
                   struct trc_err *err)
{
	double *at = out || g->kind ? trc_alloc((o->shares->caches + 1) * (o->shares->n + 1),
	                                        sizeof(*at), err) :
	                              NULL;
	struct trc_series series[TRC_CACHES_MOST];
	char title[160], below[64];
	int ret;

	if (!at)
		return out || g->kind ? -1 : 0;
	snprintf(title, sizeof(title), "Misses of %.120s over time", trace);
	snprintf(below, sizeof(below), "records, in windows of %llu", (ull)o->every);
	for (size_t k = 0; k < o->shares->n; k++)
		at[k] = (double)to(o, k);
	for (size_t i = 0; i < o->shares->caches; i++) {
		double *y = at + (i + 1) * (o->shares->n + 1);

		for (size_t k = 0; k < o->shares->n; k++)
			y[k] = ratio(sum(o, k, i));
		series[i] = (struct trc_series){ names[i], at, y, o->shares->n, false };
	}
	ret = trc_plotting_write(g, out, all,
	                         &(struct trc_plot){
	                                 .title = title,
	                                 .x = { below, TRC_UNIT_COUNT, TRC_AXIS_LINEAR, 0 },
	                                 .y = { "miss ratio", TRC_UNIT_PART, TRC_AXIS_AUTO, 0 },
	                                 .series = series,
	                                 .n = o->shares->caches },
	                         err);
	free(at);
	return ret;
}
