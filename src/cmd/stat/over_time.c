/* SPDX-License-Identifier: MIT */
#include "cmd/stat/over_time.h"

#include <stdio.h>
#include <string.h>

#include "batch/extent.h"
#include "stage/profile/warmup.h"

const struct trc_opts trc_stat_opts_over_time = TRC_OPTS(
        uint64_t, { 0, "over-time", "N[i]", "print a row for every N records (Ni: instructions)",
                    TRC_OPT_EXTENT, TRC_WORDS_NONE, 0 });

int
trc_over_time_begin(struct trc_query *query, uint64_t *every, struct trc_err *err)
{
	const uint64_t n = *(const uint64_t *)trc_settings_of(query->settings,
	                                                      &trc_stat_opts_over_time);
	const bool insns = n ? n & TRC_OPT_INSNS : query->insns;

	if (query->warmup && insns != query->insns)
		return trc_fail_as(err, TRC_USAGE,
		                   "--warmup and --over-time: both count records, or both "
		                   "instructions, like 10Mi");
	*every = n & ~TRC_OPT_INSNS;
	query->insns = insns;
	return 0;
}

int
trc_over_time_end(const struct trc_query *query, uint64_t seen, const struct trc_meta *meta,
                  struct trc_err *err)
{
	if (query->insns && seen == 0)
		return trc_extent_fail_none(err);
	if (query->warmup == 0)
		return 0;
	return trc_warmup_check(query->warmup, query->insns, seen, meta, err);
}

const char *
trc_over_time_head(bool insns, bool last)
{
	if (insns)
		return last ? "to instr." : "from instr.";
	return last ? "to record" : "from record";
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

/* Return the first record of a window, from 1, and the last. */
static ull
first_record(const struct trc_over_time *o, size_t window)
{
	return o->warmup + window * o->every + 1;
}

static ull
last_record(const struct trc_over_time *o, size_t window)
{
	return window + 1 < o->shares->n ? first_record(o, window + 1) - 1 : o->end;
}

static const struct trc_cache_sum *
sum(const struct trc_over_time *o, size_t window, size_t cache)
{
	return &o->shares->sum[window * o->shares->caches + cache];
}

static int
describe(void *of, size_t i, struct trc_answer_group *g, struct trc_err *err)
{
	const struct trc_over_time *o = of;

	(void)i, (void)err;
	g->rows = o->shares->n * o->shares->caches;
	return 0;
}

static void
row(void *of, size_t i, size_t k, struct trc_value *cell)
{
	const struct trc_over_time *o = of;
	const size_t caches = o->shares->caches;
	const struct trc_cache_sum *s = sum(o, k / caches, k % caches);

	(void)i;
	TRC_VALUES(cell, trc_count(first_record(o, k / caches)),
	           trc_count(last_record(o, k / caches)), trc_word(o->name[k % caches]),
	           trc_count(s->refs), trc_count(s->misses), trc_ratio(s->misses, s->refs),
	           trc_count(s->writebacks));
}

void
trc_over_time_plot(struct trc_answered *a, const char *what, uint64_t every, bool insns)
{
	a->plot.what = what;
	strcpy(a->plot.after, "over time");
	snprintf(a->plot.below, sizeof(a->plot.below), "%s, in windows of %llu",
	         insns ? "instructions" : "records", (ull)every);
	a->plot.x = (struct trc_axis){ .unit = TRC_UNIT_COUNT, .scale = TRC_AXIS_LINEAR };
	a->plot.text = true;
}

void
trc_over_time_answer(struct trc_over_time *o, struct trc_answered *a)
{
	TRC_ANSWERED_TABLE(
	        a, { TRC_COLUMN(from, trc_over_time_head(o->insns, false), 14), .key = true },
	        { TRC_COLUMN(to, trc_over_time_head(o->insns, true), 14), .key = true,
	          .across = true },
	        { TRC_COLUMN(cache, "cache", -14), .key = true, .curves = true },
	        { TRC_COLUMN(references, "references", 14) }, { TRC_COLUMN(misses, "misses", 14) },
	        { TRC_COLUMN(miss_ratio, "miss ratio", 11), .digits = 6, .curve = "miss ratio" },
	        { TRC_COLUMN(writebacks, "write-backs", 12), .off = o->tlb });
	a->answer.of = o;
	a->answer.group = describe;
	a->answer.row = row;
	trc_over_time_plot(a, "Misses", o->every, o->insns);
	a->plot.y = (struct trc_axis){ "miss ratio", TRC_UNIT_PART, TRC_AXIS_AUTO, 0 };
}
