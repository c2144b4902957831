/* SPDX-License-Identifier: MIT
 * trc stat --reuse: histograms of stack distances and reuse times. */
#include "cmd/stat/stat.h"

#include <stdio.h>
#include <string.h>

#include "stage/profile/reuse.h"
#include "stage/stage.h"

static const struct trc_opts opts =
        TRC_OPTS_FLAG("reuse", "print histograms of stack distances and reuse times");

/* The state of the question. */
struct report {
	struct trc_query query;
	struct trc_stat s;
	const char *unit;
	uint64_t bytes; /* bytes of a page; 0: unknown */
	struct trc_reuse reuse;

	/* For printing: the current histogram, and its name. */
	struct trc_reuse_histogram at;
	char name[24];
};

static double
share(const struct trc_reuse_histogram *h, uint64_t n)
{
	return h->touches ? (double)n / (double)h->touches : 0;
}

/* ---- the answer ---- */

/* First touches have no distance: they are a row after all bins, except in the text for one
 * trace. */
static int
describe(void *of, size_t i, struct trc_answer_group *g, struct trc_err *err)
{
	struct report *r = of;
	const struct trc_reuse_histogram *h = &r->at;

	(void)err;
	trc_reuse_at(&r->reuse, i, &r->at);
	snprintf(r->name, sizeof(r->name), r->s.by_space ? "space 0x%x" : "", (unsigned)h->space);
	g->name = r->name;
	if (*r->name)
		snprintf(g->title, sizeof(g->title), "\n%s\n", r->name);
	TRC_FACTS(g, { TRC_FACT(space, NULL, trc_count_if(r->s.by_space, h->space)) },
	          { TRC_FACT(unit, NULL, trc_word(r->unit)) },
	          { TRC_FACT(page_size, NULL, trc_count_some(r->bytes)) },
	          { TRC_FACT(touches, "", trc_count(h->touches)), .width = 14,
	            .beside = "touches" },
	          { TRC_FACT(first_touches, "", trc_count(h->cold)), .width = 14,
	            .beside = "first touches" });
	g->rows = h->bins + (r->s.form != TRC_FORM_TEXT || r->query.among);
	g->above = "\n";
	return 0;
}

static void
row(void *of, size_t i, size_t k, struct trc_value *cell)
{
	const struct report *r = of;
	const struct trc_reuse_histogram *h = &r->at;
	const bool cold = k == h->bins;
	const struct trc_value first = trc_word(r->s.form == TRC_FORM_TEXT ? "first touch" : "inf");
	const uint64_t distances = cold ? h->cold : h->distance[k];
	const uint64_t times = cold ? h->cold : h->time[k];

	(void)i;
	TRC_VALUES(cell, trc_count(h->space),
	           cold ? first : trc_count(k ? trc_reuse_edge(k - 1) + 1 : 1),
	           cold ? first : trc_count(trc_reuse_edge(k)), trc_count(distances),
	           trc_real(share(h, distances)), trc_count(times), trc_real(share(h, times)));
}

static void
set_titles(const struct report *r, struct trc_answered *to)
{
	char size[40] = "";

	if (r->bytes)
		snprintf(size, sizeof(size), " of %llu bytes", (ull)r->bytes);
	snprintf(to->title, sizeof(to->title),
	         "reuse of %ss%s; distances in %ss, times in references\n%s", r->unit, size,
	         r->unit, r->query.among ? "" : "\n");
	to->plot.what = "Reuse";
	snprintf(to->plot.below, sizeof(to->plot.below),
	         "up to: stack distance in %ss, reuse time in references", r->unit);
}

/* In a picture each histogram has a curve of distances, and one of times. */
static int
answer(void *q, const struct trc_job *job, struct trc_answered *to, struct trc_err *err)
{
	struct report *r = q;
	const uint32_t bits = job->src->meta.page_bits;

	(void)err;
	r->bytes = bits ? UINT64_C(1) << bits : 0;
	TRC_ANSWERED_TABLE(to, { TRC_NAMED(space), .off = !r->s.by_space }, { TRC_NAMED(from) },
	                   { TRC_COLUMN(to, "up to", 14), .key = true, .across = true },
	                   { TRC_COLUMN(distances, "distances", 17) },
	                   { TRC_COLUMN(distance_share, "share", 11), .digits = 4, .percent = true,
	                     .curve = "distances", .beside = true },
	                   { TRC_COLUMN(times, "times", 17) },
	                   { TRC_COLUMN(time_share, "share", 11), .digits = 4, .percent = true,
	                     .curve = "times", .beside = true });
	to->answer.title = to->title;
	to->answer.several = true;
	to->answer.groups = trc_reuse_count(&r->reuse);
	to->answer.group = describe;
	to->answer.row = row;
	to->plot.x.unit = TRC_UNIT_COUNT;
	to->plot.y = (struct trc_axis){ .label = "share of all touches", .unit = TRC_UNIT_PART };
	to->plot.text = to->plot.dots = true;
	set_titles(r, to);
	return 0;
}

/* ---- the question ---- */

static int
begin(void *q, const char *input, struct trc_err *err)
{
	struct report *r = q;

	(void)input, (void)err;
	trc_stat_begin(&r->s, &r->query);
	return 0;
}

static struct trc_sink *
open_sink(void *q, struct trc_job *job, struct trc_err *err)
{
	struct report *r = q;
	struct trc_stat_unit unit;

	if (r->query.warmup_copy)
		return trc_reuse_sink(&r->reuse, job->src->have, r->s.by_space, err);
	if (trc_stat_objects(&r->s, job, err) || trc_stat_unit(&r->s, job->src, &unit, err))
		return NULL;
	r->unit = unit.name;
	if (trc_job_drop(job, TRC_HAS_EVENT, err) ||
	    trc_job_wrap(job, trc_stage_page_ranges(job->src, unit.bits, &r->query.sum[0], err)))
		return NULL;
	return trc_reuse_sink(&r->reuse, job->src->have, r->s.by_space, err);
}

enum { PAGE_BYTES = 288 }; /* for the data of --mrc and --ws */

const struct trc_action trc_stat_reuse = {
	.name = "--reuse",
	.takes = TRC_TAKES(&opts, &trc_shard_opts_warmup, &trc_stat_opts_plot, TRC_STAT_UNITS,
	                   &trc_stat_opts_by_space, TRC_STAT_SHARDS, TRC_STAT_TAKES),
	.run = trc_shard_answer,
	.query = TRC_QUERY(.size = sizeof(struct report), .begin = begin, .open = open_sink,
	                   .owns = { { offsetof(struct report, reuse), trc_reuse_release } },
	                   .subtract = trc_reuse_subtract, .answer = answer, .cores = true,
	                   .page_bytes = PAGE_BYTES),
};
