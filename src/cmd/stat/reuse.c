/* SPDX-License-Identifier: MIT
 * trc stat --reuse: histograms of stack distances and reuse times. */
#include "cmd/stat/stat.h"

#include <stdio.h>
#include <stdlib.h>

#include "cmd/names/apart.h"
#include "cmd/picture/abreast.h"
#include "cmd/picture/plotting.h"
#include "cmd/report.h"
#include "stage/profile/reuse.h"
#include "stage/profile/warmup.h"
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
	uint64_t bytes;                 /* of it; 0: not known */
	struct trc_reuse reuse, before; /* what the warm-up did */
	struct trc_warmup warmup;
	struct trc_plotting plotting;
};

/* What is shown: the histograms of all askings, each with its name. */
struct shown {
	struct report *const *of;
	size_t traces;
	struct trc_abreast_curve *curve; /* each is of its histogram, `at` which asking */
	struct trc_reuse_histogram *histogram;
	size_t n;
};

static int
shown_init(struct shown *s, struct report *const *of, size_t traces, struct trc_err *err)
{
	char(*name)[TRC_APART_ROOM] = trc_alloc(traces, sizeof(*name), err);
	const char **path = trc_alloc(traces, sizeof(*path), err);
	size_t most = 0;

	*s = (struct shown){ .of = of, .traces = traces };
	for (size_t i = 0; i < traces; i++)
		most += trc_reuse_count(&of[i]->reuse);
	s->curve = trc_alloc(most, sizeof(*s->curve), err);
	s->histogram = trc_alloc(most, sizeof(*s->histogram), err);
	for (size_t i = 0; path && i < traces; i++)
		path[i] = of[i]->asked.path;
	if (name && path)
		trc_names_apart(path, traces, name);
	for (size_t i = 0; name && path && s->curve && s->histogram && i < traces; i++)
		for (size_t k = 0; k < trc_reuse_count(&of[i]->reuse); k++, s->n++) {
			struct trc_reuse_histogram *h = &s->histogram[s->n];

			trc_reuse_at(&of[i]->reuse, k, h);
			s->curve[s->n].of = h;
			s->curve[s->n].at = i;
			trc_abreast_name(&s->curve[s->n], traces > 1 ? name[i] : NULL, NULL,
			                 of[i]->s.by_space ? (int64_t)h->space : -1);
		}
	free(path);
	free(name);
	return name && path && s->curve && s->histogram ? 0 : -1;
}

static void
shown_release(struct shown *s)
{
	free(s->curve);
	free(s->histogram);
}

static double
share(const struct trc_reuse_histogram *h, uint64_t n)
{
	return h->touches ? (double)n / (double)h->touches : 0;
}

/* ---- the table ---- */

/* First touches have no distance: their row is behind those of all bins. */
enum { COLD = TRC_REUSE_BINS };

static void
label(const struct trc_abreast *t, uint64_t row, char dst[TRC_ABREAST_CELL])
{
	(void)t;
	if (row == COLD)
		snprintf(dst, TRC_ABREAST_CELL, "first touch");
	else
		snprintf(dst, TRC_ABREAST_CELL, "%llu", (ull)trc_reuse_edge((size_t)row));
}

static bool
shares(const struct trc_abreast *t, size_t i, uint64_t row, char dst[2][TRC_ABREAST_CELL])
{
	const struct trc_reuse_histogram *h = t->curve[i].of;

	snprintf(dst[0], TRC_ABREAST_CELL, "%.4f %%",
	         100 * share(h, row == COLD ? h->cold : h->distance[row]));
	snprintf(dst[1], TRC_ABREAST_CELL, "%.4f %%",
	         100 * share(h, row == COLD ? h->cold : h->time[row]));
	return row == COLD || row < h->bins;
}

static int
text_head(const struct report *r, struct trc_out *out, struct trc_err *err)
{
	if (trc_report(out, err, "reuse of %ss", r->unit) ||
	    (r->bytes && trc_report(out, err, " of %llu bytes", (ull)r->bytes)))
		return -1;
	return trc_report(out, err, "; distances in %ss, times in references\n", r->unit);
}

/* Of one trace, counts, too. */
static int
text_of(const struct shown *s, size_t i, struct trc_out *out, struct trc_err *err)
{
	const struct trc_reuse_histogram *h = &s->histogram[i];

	if ((*s->curve[i].name && trc_report(out, err, "\n%s\n", s->curve[i].name)) ||
	    trc_report(out, err, "%-14s%20llu\n%-14s%20llu\n\n", "touches", (ull)h->touches,
	               "first touches", (ull)h->cold) ||
	    trc_report(out, err, "%14s%18s%12s%18s%12s\n", "up to", "distances", "share", "times",
	               "share"))
		return -1;
	for (size_t k = 0; k < h->bins; k++)
		if (trc_report(out, err, "%14llu%18llu%10.4f %%%18llu%10.4f %%\n",
		               (ull)trc_reuse_edge(k), (ull)h->distance[k],
		               100 * share(h, h->distance[k]), (ull)h->time[k],
		               100 * share(h, h->time[k])))
			return -1;
	return 0;
}

/* ---- CSV and JSON ---- */

/* Of what is at no distance, "inf". */
static int
csv_row(const struct shown *s, size_t i, size_t k, struct trc_out *out, struct trc_err *err)
{
	const struct trc_reuse_histogram *h = &s->histogram[i];
	const struct report *r = s->of[s->curve[i].at];
	const uint64_t distances = k == COLD ? h->cold : h->distance[k];
	const uint64_t times = k == COLD ? h->cold : h->time[k];

	if ((s->traces > 1 && trc_abreast_csv(r->asked.path, out, err)) ||
	    (r->s.by_space && trc_report(out, err, "%lu,", (unsigned long)h->space)))
		return -1;
	if (k == COLD ? trc_report(out, err, "inf,inf") :
	                trc_report(out, err, "%llu,%llu", k ? (ull)trc_reuse_edge(k - 1) + 1 : 1,
	                           (ull)trc_reuse_edge(k)))
		return -1;
	return trc_report(out, err, ",%llu,%.9g,%llu,%.9g\n", (ull)distances, share(h, distances),
	                  (ull)times, share(h, times));
}

static int
print_csv(const struct shown *s, struct trc_out *out, struct trc_err *err)
{
	if (trc_report(out, err, "%s%sfrom,to,distances,distance_share,times,time_share\n",
	               s->traces > 1 ? "input," : "", s->of[0]->s.by_space ? "space," : ""))
		return -1;
	for (size_t i = 0; i < s->n; i++) {
		for (size_t k = 0; k < s->histogram[i].bins; k++)
			if (csv_row(s, i, k, out, err))
				return -1;
		if (csv_row(s, i, COLD, out, err))
			return -1;
	}
	return 0;
}

static int
json_histogram(const struct report *r, const struct trc_reuse_histogram *h, struct trc_out *out,
               struct trc_err *err)
{
	if (trc_report(out, err, "{") ||
	    (r->s.by_space && trc_report(out, err, "\"space\": %lu, ", (unsigned long)h->space)) ||
	    trc_report(out, err, "\"touches\": %llu, \"first\": %llu, \"bins\": [", (ull)h->touches,
	               (ull)h->cold))
		return -1;
	for (size_t k = 0; k < h->bins; k++)
		if (trc_report(out, err,
		               "%s\n  {\"from\": %llu, \"to\": %llu, \"distances\": %llu, "
		               "\"times\": %llu}",
		               k ? "," : "", k ? (ull)trc_reuse_edge(k - 1) + 1 : 1,
		               (ull)trc_reuse_edge(k), (ull)h->distance[k], (ull)h->time[k]))
			return -1;
	return trc_report(out, err, "]}");
}

/* An asking; of several, with its path. */
static int
json_object(const struct shown *s, size_t at, struct trc_out *out, struct trc_err *err)
{
	const struct report *r = s->of[at];
	const char *comma = "";

	if (trc_report(out, err, "{") ||
	    (s->traces > 1 &&
	     (trc_report(out, err, "\"input\": ") || trc_report_json(out, r->asked.path, err) ||
	      trc_report(out, err, ", "))) ||
	    trc_report(out, err, "\"unit\": \"%s\", \"unit_bytes\": %llu, \"histograms\": [",
	               r->unit, (ull)r->bytes))
		return -1;
	for (size_t i = 0; i < s->n; i++) {
		if (s->curve[i].at != at)
			continue;
		if (trc_report(out, err, "%s", comma) ||
		    json_histogram(r, &s->histogram[i], out, err))
			return -1;
		comma = ",\n ";
	}
	return trc_report(out, err, "]}");
}

static int
print_json(const struct shown *s, struct trc_out *out, struct trc_err *err)
{
	if (s->traces == 1)
		return json_object(s, 0, out, err) ? -1 : trc_report(out, err, "\n");
	if (trc_report(out, err, "{\"compared\": [\n"))
		return -1;
	for (size_t i = 0; i < s->traces; i++)
		if (json_object(s, i, out, err) ||
		    trc_report(out, err, i + 1 < s->traces ? ",\n" : "\n"))
			return -1;
	return trc_report(out, err, "]}\n");
}

/* ---- the picture: distances and times, two curves a histogram ---- */

/* Up to the last bin that has any. */
static size_t
take_points(const struct trc_reuse_histogram *h, bool times, double *x, double *y)
{
	size_t n = 0;

	for (size_t k = 0; k < h->bins; k++) {
		const uint64_t in = times ? h->time[k] : h->distance[k];

		x[k] = (double)trc_reuse_edge(k);
		y[k] = share(h, in);
		n = in ? k + 1 : n;
	}
	return n;
}

static int
draw(const struct shown *s, struct trc_plotting *g, struct trc_out *out, struct trc_err *err)
{
	enum { MOST = TRC_PLOT_SERIES / 2, BINS = TRC_REUSE_BINS };
	const size_t n = s->n < MOST ? s->n : MOST;
	double x[TRC_PLOT_SERIES][BINS], y[TRC_PLOT_SERIES][BINS];
	char name[TRC_PLOT_SERIES][TRC_ABREAST_NAME + 16], title[160], below[96];
	struct trc_series series[TRC_PLOT_SERIES];
	const struct report *r = s->of[0];

	snprintf(title, sizeof(title), "Reuse%s%.120s", s->traces > 1 ? "" : " of ",
	         s->traces > 1 ? "" : r->asked.name);
	snprintf(below, sizeof(below), "up to: stack distance in %ss, reuse time in references",
	         r->unit);
	for (size_t i = 0; i < 2 * n; i++) {
		const char *own = s->curve[i / 2].name;

		snprintf(name[i], sizeof(name[i]), "%s%s%s", own, *own ? ", " : "",
		         i % 2 ? "times" : "distances");
		series[i] =
		        (struct trc_series){ name[i], x[i], y[i],
			                     take_points(&s->histogram[i / 2], i % 2, x[i], y[i]),
			                     true };
	}
	return trc_plotting_write(
	        g, out, r->asked.all,
	        &(struct trc_plot){ .title = title,
	                            .x = { .label = below, .unit = TRC_UNIT_COUNT },
	                            .y = { .label = "share of all touches", .unit = TRC_UNIT_PART },
	                            .series = series,
	                            .n = 2 * n,
	                            .more = 2 * (s->n - n) },
	        err);
}

/* ---- the table, below the picture in characters ---- */

static int
text_several(const struct shown *s, struct trc_out *out, struct trc_err *err)
{
	const struct trc_abreast t = { .curve = s->curve,
		                       .n = s->n,
		                       .head = "        up to",
		                       .cell = { "distances", "times" },
		                       .label = label,
		                       .cells = shares };
	uint64_t row[TRC_REUSE_BINS + 1];
	size_t rows = 0;

	if (trc_report(out, err, "%16s%16s\n", "touches", "first touches"))
		return -1;
	for (size_t i = 0; i < s->n; i++) {
		const struct trc_reuse_histogram *h = &s->histogram[i];

		rows = h->bins > rows ? h->bins : rows;
		if (trc_report(out, err, "%16llu%16llu  %s\n", (ull)h->touches, (ull)h->cold,
		               s->curve[i].name))
			return -1;
	}
	for (size_t k = 0; k < rows; k++)
		row[k] = k;
	row[rows++] = COLD;
	return trc_report(out, err, "\n") || draw(s, NULL, out, err) ||
	                       trc_abreast_text(&t, row, rows, out, err) ?
	               -1 :
	               0;
}

static int
print_text(const struct shown *s, struct trc_out *out, struct trc_err *err)
{
	if (text_head(s->of[0], out, err) || (s->traces == 1 && trc_report(out, err, "\n")) ||
	    (s->traces == 1 && draw(s, NULL, out, err)))
		return -1;
	if (s->traces > 1)
		return text_several(s, out, err);
	for (size_t i = 0; i < s->n; i++)
		if (text_of(s, i, out, err))
			return -1;
	return 0;
}

/* ---- the question ---- */

static int
print_all(struct report *const *of, size_t n, struct trc_err *err)
{
	struct trc_out *out = trc_out_open("-", false, err);
	const struct trc_stat *o = &of[0]->s;
	struct shown s = { .n = 0 };
	int ret = out && shown_init(&s, of, n, err) == 0 ? 0 : -1;

	if (ret == 0)
		ret = (o->json ? print_json : o->csv ? print_csv : print_text)(&s, out, err);
	if (ret == 0)
		ret = trc_out_commit(out, err);
	trc_out_close(out);
	if (ret == 0)
		ret = draw(&s, &of[0]->plotting, NULL, err);
	shown_release(&s);
	return ret;
}

static int
begin(void *q, const char *input, struct trc_err *err)
{
	struct report *r = q;

	(void)input;
	r->s = trc_stat_of(r->asked.all);
	r->asked.quiet = r->s.quiet;
	trc_stat_plan_unit(&r->s, &r->asked);
	trc_stat_warmup(&r->s, &r->asked, &r->warmup);
	return trc_plotting_open_for(&r->plotting, &r->asked, err);
}

/* The sink of all, and of the warm-up if there is one. */
static struct trc_sink *
open_sinks(struct report *r, uint32_t have, struct trc_err *err)
{
	struct trc_sink *all = trc_reuse_sink(&r->reuse, have, r->s.by_space, err);

	if (!all || !r->s.warmup)
		return all;
	return trc_warmup_sink(all, trc_reuse_sink(&r->before, have, r->s.by_space, err),
	                       &r->warmup, err);
}

static struct trc_sink *
open_sink(void *q, struct trc_job *job, struct trc_err *err)
{
	struct report *r = q;
	struct trc_stat_unit unit;

	if (trc_stat_objects(&r->s, job, err) || trc_stat_unit(&r->s, job->src, &unit, err))
		return NULL;
	r->unit = unit.name;
	if (trc_stat_warmup_source(job, &r->asked, &r->warmup, err) ||
	    (job->src->have & TRC_HAS_EVENT &&
	     trc_job_wrap(job, trc_stage_columns(job->src, TRC_HAS_EVENT, 0, NULL, 0, err))) ||
	    trc_job_wrap(job, trc_stage_page_ranges(job->src, unit.bits, &r->asked.sum[0], err)))
		return NULL;
	return open_sinks(r, job->src->have, err);
}

static int
settle(void *q, const struct trc_job *job, struct trc_err *err)
{
	struct report *r = q;
	const uint32_t bits = job->src->meta.page_bits;

	r->bytes = bits ? UINT64_C(1) << bits : 0;
	return r->s.warmup ? trc_reuse_behind(&r->reuse, &r->before, err) : 0;
}

static int
print(void *q, const struct trc_job *job, struct trc_err *err)
{
	struct report *of = q;

	return settle(q, job, err) ? -1 : print_all(&of, 1, err);
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

static void
end(void *q)
{
	struct report *r = q;

	trc_plotting_close(&r->plotting);
	trc_reuse_release(&r->reuse);
	trc_reuse_release(&r->before);
}

static const struct trc_opts *const shown[] = { &trc_stat_opts_plot, TRC_STAT_SHOWN, NULL };

enum { PAGE_BYTES = 288 }; /* what --mrc and --ws take */

static const struct trc_question question = { .size = sizeof(struct report),
	                                      .begin = begin,
	                                      .open = open_sink,
	                                      .print = print,
	                                      .end = end,
	                                      .settle = settle,
	                                      .compare = compare,
	                                      .cores = true,
	                                      .page_bytes = PAGE_BYTES,
	                                      .shown = shown };

static const struct trc_opts *const takes[] = {
	&opts,           &trc_stat_opts_warmup,   &trc_stat_opts_plot,
	TRC_STAT_UNITS,  &trc_stat_opts_by_space, &trc_stat_opts_csv,
	TRC_STAT_SHARDS, TRC_STAT_TAKES,          NULL
};

const struct trc_action trc_stat_reuse = {
	.name = "--reuse", .takes = takes, .run = trc_shard_answer, .question = &question
};
