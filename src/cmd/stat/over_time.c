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

static struct trc_over_time_sum
sum_of(const struct trc_cache_counts *c)
{
	struct trc_over_time_sum s = { 0, 0, 0 };

	for (size_t t = 0; t < TRC_TYPES; t++) {
		s.refs += c->refs[t];
		s.misses += c->misses[t];
		s.writebacks += c->writebacks[t];
	}
	return s;
}

int
trc_over_time_add(struct trc_over_time *o, uint64_t records, bool count,
                  const struct trc_cache_counts *counts, size_t n, struct trc_err *err)
{
	struct trc_over_time_window w = { .from = o->from, .to = records };

	for (size_t i = 0; i < n; i++) {
		const struct trc_over_time_sum s = sum_of(&counts[i]), *b = &o->before[i];

		w.of[i] = (struct trc_over_time_sum){ s.refs - b->refs, s.misses - b->misses,
			                              s.writebacks - b->writebacks };
		o->before[i] = s;
	}
	o->from = records;
	o->caches = n;
	if (!count)
		return 0;
	if (trc_grow(&o->window, &o->cap, o->n + 1, sizeof(*o->window), err))
		return -1;
	o->window[o->n++] = w;
	return 0;
}

void
trc_over_time_release(struct trc_over_time *o)
{
	free(o->window);
	o->window = NULL;
}

static double
ratio(const struct trc_over_time_sum *s)
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
	for (size_t k = 0; k < o->n; k++)
		for (size_t i = 0; i < o->caches; i++) {
			const struct trc_over_time_sum *s = &o->window[k].of[i];

			if (trc_report(out, err,
			               "%14llu %14llu %-14s %14llu %14llu %11.6f %12llu\n",
			               (ull)o->window[k].from + 1, (ull)o->window[k].to, names[i],
			               (ull)s->refs, (ull)s->misses, ratio(s), (ull)s->writebacks))
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
	for (size_t k = 0; k < o->n; k++)
		for (size_t i = 0; i < o->caches; i++) {
			const struct trc_over_time_sum *s = &o->window[k].of[i];

			if (trc_report(out, err, "%llu,%llu,%s,%llu,%llu,%.9g,%llu\n",
			               (ull)o->window[k].from + 1, (ull)o->window[k].to, names[i],
			               (ull)s->refs, (ull)s->misses, ratio(s), (ull)s->writebacks))
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
	for (size_t k = 0; k < o->n; k++)
		for (size_t i = 0; i < o->caches; i++) {
			const struct trc_over_time_sum *s = &o->window[k].of[i];

			if (trc_report(out, err,
			               "%s\n {\"from\": %llu, \"to\": %llu, \"cache\": \"%s\", "
			               "\"references\": %llu, \"misses\": %llu, "
			               "\"writebacks\": %llu}",
			               k || i ? "," : "", (ull)o->window[k].from + 1,
			               (ull)o->window[k].to, names[i], (ull)s->refs, (ull)s->misses,
			               (ull)s->writebacks))
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
	double *at = out || g->kind ? trc_alloc((o->caches + 1) * (o->n + 1), sizeof(*at), err) :
	                              NULL;
	struct trc_series series[TRC_CACHES_MOST];
	char title[160], below[64];
	int ret;

	if (!at)
		return out || g->kind ? -1 : 0;
	snprintf(title, sizeof(title), "Misses of %.120s over time", trace);
	snprintf(below, sizeof(below), "records, in windows of %llu", (ull)o->every);
	for (size_t k = 0; k < o->n; k++)
		at[k] = (double)o->window[k].to;
	for (size_t i = 0; i < o->caches; i++) {
		double *y = at + (i + 1) * (o->n + 1);

		for (size_t k = 0; k < o->n; k++)
			y[k] = ratio(&o->window[k].of[i]);
		series[i] = (struct trc_series){ names[i], at, y, o->n, false };
	}
	ret = trc_plotting_write(g, out, all,
	                         &(struct trc_plot){
	                                 .title = title,
	                                 .x = { below, TRC_UNIT_COUNT, TRC_AXIS_LINEAR, 0 },
	                                 .y = { "miss ratio", TRC_UNIT_PART, TRC_AXIS_AUTO, 0 },
	                                 .series = series,
	                                 .n = o->caches },
	                         err);
	free(at);
	return ret;
}
