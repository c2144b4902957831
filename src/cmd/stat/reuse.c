/* SPDX-License-Identifier: MIT
 * trc stat --reuse: histograms of stack distances and reuse times. */
#include "cmd/stat/stat.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cmd/picture/abreast.h"
#include "cmd/picture/answer_plot.h"
#include "stage/profile/reuse.h"
#include "stage/stage.h"

typedef unsigned long long ull; /* for printf */

static const struct trc_opt options[] = {
	{ 0, "reuse", NULL, "histograms of stack distances and reuse times", TRC_OPT_FLAG,
	  TRC_WORDS_NONE, 0 },
};

static const struct trc_opts opts = { options, TRC_COUNT(options), sizeof(bool), NULL };

/* The question, while it is asked. */
struct report {
	struct trc_asked asked;
	struct trc_stat s;
	const char *unit;
	uint64_t bytes; /* of it; 0: not known */
	struct trc_reuse reuse;
	struct trc_plotting plotting;
};

/* What is shown: the histograms of all askings, each with its name. */
struct shown {
	struct report *const *of;
	size_t traces;
	struct trc_abreast curves; /* each is of its histogram, `at` which asking */
	struct trc_reuse_histogram *histogram;
};

static int
shown_init(struct shown *s, struct report *const *of, size_t traces, struct trc_err *err)
{
	const char **path = trc_alloc(traces, sizeof(*path), err);
	size_t most = 0, n = 0;
	int ret = path ? 0 : -1;

	*s = (struct shown){ .of = of, .traces = traces };
	for (size_t i = 0; i < traces; i++)
		most += trc_reuse_count(&of[i]->reuse);
	s->histogram = trc_alloc(most, sizeof(*s->histogram), err);
	for (size_t i = 0; path && i < traces; i++)
		path[i] = of[i]->asked.path;
	if (ret == 0)
		ret = s->histogram ? trc_abreast_init(&s->curves, path, traces, err) : -1;
	for (size_t i = 0; i < traces; i++)
		for (size_t k = 0; ret == 0 && k < trc_reuse_count(&of[i]->reuse); k++) {
			struct trc_reuse_histogram *h = &s->histogram[n++];

			trc_reuse_at(&of[i]->reuse, k, h);
			ret = trc_abreast_add(&s->curves, i, NULL,
			                      of[i]->s.by_space ? (int64_t)h->space : -1, h, i,
			                      err);
		}
	free(path);
	return ret;
}

static void
shown_release(struct shown *s)
{
	trc_abreast_release(&s->curves);
	free(s->histogram);
}

static double
share(const struct trc_reuse_histogram *h, uint64_t n)
{
	return h->touches ? (double)n / (double)h->touches : 0;
}

/* ---- the answer ---- */

/* First touches have no distance: their row is behind those of all bins, but in text alone. */
enum { COLD = TRC_REUSE_BINS };

static int
describe(void *of, size_t i, struct trc_answer_group *g, struct trc_err *err)
{
	const struct shown *s = of;
	const struct trc_abreast_curve *curve = &s->curves.curve[i];
	const struct trc_reuse_histogram *h = &s->histogram[i];
	const struct report *r = s->of[curve->at];

	(void)err;
	g->name = curve->name;
	if (*curve->name)
		snprintf(g->title, sizeof(g->title), "\n%s\n", curve->name);
	TRC_FACTS(g, { TRC_FACT(input, NULL, trc_word(s->traces > 1 ? r->asked.path : NULL)) },
	          { TRC_FACT(space, NULL, trc_count_if(r->s.by_space, h->space)) },
	          { TRC_FACT(unit, NULL, trc_word(r->unit)) },
	          { TRC_FACT(page_size, NULL, trc_count_some(r->bytes)) },
	          { TRC_FACT(touches, "", trc_count(h->touches)), .width = 14 },
	          { TRC_FACT(first_touches, "", trc_count(h->cold)), .width = 14 });
	g->rows = h->bins + (r->s.form != TRC_FORM_TEXT);
	g->above = "\n";
	return 0;
}

static void
row(void *of, size_t i, size_t k, struct trc_value *cell)
{
	const struct shown *s = of;
	const struct trc_reuse_histogram *h = &s->histogram[i];
	const struct trc_value inf = trc_word("inf");
	const bool cold = k == h->bins;
	const uint64_t distances = cold ? h->cold : h->distance[k];
	const uint64_t times = cold ? h->cold : h->time[k];

	TRC_VALUES(cell, trc_word(s->of[s->curves.curve[i].at]->asked.path), trc_count(h->space),
	           cold ? inf : trc_count(k ? trc_reuse_edge(k - 1) + 1 : 1),
	           cold ? inf : trc_count(trc_reuse_edge(k)), trc_count(distances),
	           trc_real(share(h, distances)), trc_count(times), trc_real(share(h, times)));
}

/* ---- several in one table ---- */

static void
keys(void *of, uint64_t at, struct trc_value key[2])
{
	(void)of;
	key[0] = at == COLD ? trc_word("first touch") : trc_count(trc_reuse_edge((size_t)at));
	key[1] = trc_none();
}

static void
shares(void *of, const struct trc_abreast_curve *curve, uint64_t at, struct trc_value cell[2])
{
	const struct trc_reuse_histogram *h = curve->of;

	(void)of;
	if (at != COLD && at >= h->bins)
		return;
	cell[0] = trc_real(share(h, at == COLD ? h->cold : h->distance[at]));
	cell[1] = trc_real(share(h, at == COLD ? h->cold : h->time[at]));
}

static const char *
facts(const struct trc_abreast_curve *curve, struct trc_value fact[3])
{
	const struct trc_reuse_histogram *h = curve->of;

	fact[0] = trc_count(h->touches);
	fact[1] = trc_count(h->cold);
	return "";
}

/* An answer and its picture, which stand side by side. */
struct drawn {
	const struct trc_answer *answer;
	const struct trc_answer_plot *how;
};

static int
draw_text(void *of, struct trc_out *out, struct trc_err *err)
{
	const struct drawn *d = of;

	return trc_answer_draw(d->answer, d->how, NULL, out, err);
}

static int
print_several(const struct shown *s, const char *title, const struct trc_answer *answer,
              const struct trc_answer_plot *how, struct trc_err *err)
{
	struct drawn drawn = { answer, how };
	uint64_t at[TRC_REUSE_BINS + 1];
	struct trc_abreast_table t = {
		.curves = &s->curves,
		.title = title,
		.row = at,
		.fact = { { .head = "touches", .width = 16 },
		          { .head = "first touches", .width = 15 },
		          { .off = true } },
		.key = { { .head = "up to" }, { .off = true } },
		.cell = { { .head = "distances", .digits = 4, .percent = true },
		          { .head = "times", .digits = 4, .percent = true } },
		.facts = facts,
		.draw = draw_text,
		.keys = keys,
		.cells = shares,
		.of = &drawn,
	};

	for (size_t i = 0; i < s->curves.n; i++)
		t.rows = s->histogram[i].bins > t.rows ? s->histogram[i].bins : t.rows;
	for (size_t k = 0; k < t.rows; k++)
		at[k] = k;
	at[t.rows++] = COLD;
	return trc_abreast_print(&t, err);
}

/* ---- the question ---- */

/* In a picture each histogram has a curve of distances, and one of times. */
static int
print_shown(struct shown *s, const char *title, struct trc_plotting *g, struct trc_err *err)
{
	const struct report *r = s->of[0];
	const bool several = s->traces > 1;
	const struct trc_column_decl column[] = {
		{ TRC_NAMED(input), .off = !several },
		{ TRC_NAMED(space), .off = !r->s.by_space },
		{ TRC_NAMED(from) },
		{ TRC_COLUMN(to, "up to", 14), .key = true, .across = true },
		{ TRC_COLUMN(distances, "distances", 17) },
		{ TRC_COLUMN(distance_share, "share", 11), .digits = 4, .percent = true,
		  .curve = "distances" },
		{ TRC_COLUMN(times, "times", 17) },
		{ TRC_COLUMN(time_share, "share", 11), .digits = 4, .percent = true,
		  .curve = "times" },
	};
	char above[176], below[96];
	struct trc_answer answer = { .form = r->s.form,
		                     TRC_TABLE(column),
		                     .title = above,
		                     .several = true,
		                     .groups = s->curves.n,
		                     .of = s,
		                     .group = describe,
		                     .row = row };
	struct trc_answer_plot how = { .all = r->asked.all,
		                       .x = { .label = below, .unit = TRC_UNIT_COUNT },
		                       .y = { .label = "share of all touches",
		                              .unit = TRC_UNIT_PART },
		                       .text = true,
		                       .dots = true };

	snprintf(above, sizeof(above), "%s\n", title);
	snprintf(below, sizeof(below), "up to: stack distance in %ss, reuse time in references",
	         r->unit);
	snprintf(how.title, sizeof(how.title), "Reuse%s%.120s", several ? "" : " of ",
	         several ? "" : r->asked.name);
	if (!several || r->s.form != TRC_FORM_TEXT)
		return trc_answer_plot(&answer, &how, g, err);
	return print_several(s, title, &answer, &how, err) ||
	                       trc_answer_draw(&answer, &how, g, NULL, err) ?
	               -1 :
	               0;
}

static int
print_all(struct report *const *of, size_t n, struct trc_err *err)
{
	const struct report *r = of[0];
	char size[40] = "", title[160];
	struct shown s;
	int ret = shown_init(&s, of, n, err);

	if (r->bytes)
		snprintf(size, sizeof(size), " of %llu bytes", (ull)r->bytes);
	snprintf(title, sizeof(title), "reuse of %ss%s; distances in %ss, times in references\n",
	         r->unit, size, r->unit);
	if (ret == 0)
		ret = print_shown(&s, title, &of[0]->plotting, err);
	shown_release(&s);
	return ret;
}

static int
begin(void *q, const char *input, struct trc_err *err)
{
	struct report *r = q;

	(void)input;
	trc_stat_begin(&r->s, &r->asked);
	return trc_plotting_open_for(&r->plotting, &r->asked, err);
}

static struct trc_sink *
open_sink(void *q, struct trc_job *job, struct trc_err *err)
{
	struct report *r = q;
	struct trc_stat_unit unit;

	if (r->asked.goes_on)
		return trc_reuse_sink(&r->reuse, job->src->have, r->s.by_space, err);
	if (trc_stat_objects(&r->s, job, err) || trc_stat_unit(&r->s, job->src, &unit, err))
		return NULL;
	r->unit = unit.name;
	if ((job->src->have & TRC_HAS_EVENT &&
	     trc_job_wrap(job, trc_stage_columns(job->src, TRC_HAS_EVENT, 0, NULL, 0, err))) ||
	    trc_job_wrap(job, trc_stage_page_ranges(job->src, unit.bits, &r->asked.sum[0], err)))
		return NULL;
	return trc_reuse_sink(&r->reuse, job->src->have, r->s.by_space, err);
}

static int
settle(void *q, const struct trc_job *job, struct trc_err *err)
{
	struct report *r = q;
	const uint32_t bits = job->src->meta.page_bits;

	r->bytes = bits ? UINT64_C(1) << bits : 0;
	(void)err;
	return 0;
}

static int
compare(void *const *q, size_t n, size_t ways, struct trc_err *err)
{
	struct report **of = trc_alloc(n, sizeof(struct report *), err);
	int ret;

	(void)ways;
	for (size_t i = 0; of && i < n; i++)
		of[i] = q[i];
	ret = of ? print_all(of, n, err) : -1;
	free(of);
	return ret;
}

static const struct trc_opts *const shown[] = { &trc_stat_opts_plot, TRC_STAT_SHOWN, NULL };

enum { PAGE_BYTES = 288 }; /* what --mrc and --ws take */

static const struct trc_question question = {
	.size = sizeof(struct report),
	.begin = begin,
	.open = open_sink,
	.owns = { { offsetof(struct report, reuse), trc_reuse_release },
	          { offsetof(struct report, plotting), trc_plotting_close } },
	.subtract = trc_reuse_subtract,
	.settle = settle,
	.compare = compare,
	.cores = true,
	.page_bytes = PAGE_BYTES,
	.shown = shown
};

static const struct trc_opts *const takes[] = { &opts,
	                                        &trc_stat_opts_warmup,
	                                        &trc_stat_opts_plot,
	                                        TRC_STAT_UNITS,
	                                        &trc_stat_opts_by_space,
	                                        TRC_STAT_SHARDS,
	                                        TRC_STAT_TAKES,
	                                        NULL };

const struct trc_action trc_stat_reuse = {
	.name = "--reuse", .takes = takes, .run = trc_shard_answer, .question = &question
};
