/* SPDX-License-Identifier: MIT */
#include "cmd/stat/over_time.h"

#include <stdio.h>
#include <string.h>

#include "cmd/picture/answer_plot.h"

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

/* What is printed. */
struct printed {
	const struct trc_over_time *o;
	const char *const *names;
};

static int
describe(void *of, size_t i, struct trc_answer_group *g, struct trc_err *err)
{
	const struct trc_over_time *o = ((const struct printed *)of)->o;

	(void)i, (void)err;
	g->rows = o->shares->n * o->shares->caches;
	return 0;
}

static void
row(void *of, size_t i, size_t k, struct trc_value *cell)
{
	const struct printed *p = of;
	const size_t caches = p->o->shares->caches;
	const struct trc_cache_sum *s = sum(p->o, k / caches, k % caches);

	(void)i;
	TRC_VALUES(cell, trc_count(from(p->o, k / caches)), trc_count(to(p->o, k / caches)),
	           trc_word(p->names[k % caches]), trc_count(s->refs), trc_count(s->misses),
	           trc_ratio(s->misses, s->refs), trc_count(s->writebacks));
}

int
trc_over_time_print(const struct trc_over_time *o, const char *const *names, const char *trace,
                    const struct trc_settings *all, struct trc_plotting *g, struct trc_err *err)
{
	static const struct trc_column_decl column[] = {
		{ TRC_COLUMN(from, "from record", 14), .key = true },
		{ TRC_COLUMN(to, "to record", 14), .key = true, .across = true },
		{ TRC_COLUMN(cache, "cache", -14), .key = true, .curves = true },
		{ TRC_COLUMN(references, "references", 14) },
		{ TRC_COLUMN(misses, "misses", 14) },
		{ TRC_COLUMN(miss_ratio, "miss ratio", 11), .digits = 6, .curve = "miss ratio" },
		{ TRC_COLUMN(writebacks, "write-backs", 12) },
	};
	struct printed p = { o, names };
	struct trc_answer answer = { .form = trc_answer_form(all),
		                     TRC_TABLE(column),
		                     .of = &p,
		                     .group = describe,
		                     .row = row };
	char below[64];
	struct trc_answer_plot how = { .all = all,
		                       .x = { below, TRC_UNIT_COUNT, TRC_AXIS_LINEAR, 0 },
		                       .y = { "miss ratio", TRC_UNIT_PART, TRC_AXIS_AUTO, 0 },
		                       .text = true };

	snprintf(how.title, sizeof(how.title), "Misses of %.120s over time", trace);
	snprintf(below, sizeof(below), "records, in windows of %llu", (ull)o->every);
	return trc_answer_plot(&answer, &how, g, err);
}
