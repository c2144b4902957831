/* SPDX-License-Identifier: MIT
 * trc stat --ws: working sets against windows. */
#include "cmd/stat/stat.h"

#include <stdio.h>
#include <stdlib.h>

#include "cmd/report.h"
#include "cmd/picture/plotting.h"
#include "stage/stage.h"
#include "stage/simulate/ws.h"

/* The settings of --ws. */
struct settings {
	bool chosen;
	unsigned clock; /* 1 references, 2 instructions, 3 cycles; 0: not given */
};

static const struct trc_opt options[] = {
	{ 0, "ws", NULL, "working sets and their misses for all windows", TRC_OPT_FLAG,
	  TRC_WORDS_NONE, offsetof(struct settings, chosen) },
	{ 0, "clock", "references|instructions|cycles", "with --ws: what windows are measured in",
	  TRC_OPT_CHOICE, TRC_WORDS_NONE, offsetof(struct settings, clock) },
};

static const struct trc_opts opts = { options, TRC_COUNT(options), sizeof(struct settings), NULL };

static const struct {
	enum trc_column column;
	const char *name;
} clock_of[] = {
	{ TRC_COL_RTIME, "references" },
	{ TRC_COL_ITIME, "instructions" },
	{ TRC_COL_TIME, "cycles" },
};

/* The question, while it is asked: what is reported, and where. */
struct report {
	struct trc_asked asked;
	struct trc_stat s;
	const struct settings *own;
	struct trc_ws ws;
	const char *clock, *unit; /* "page" or "line" */
	uint64_t bytes;           /* of it; 0: not known */
	uint64_t from;            /* the smallest window that is known */
	struct trc_out *out;
	struct trc_plotting plotting;
};

/* The windows that are shown: powers of two, or with `all` whatever is exact; the first for 0, and
 * 0 after the one that is as long as the trace. */
static uint64_t
next_window(const struct report *r, uint64_t window, bool all)
{
	uint64_t next = all ? trc_ws_window(window + 1) : window ? 2 * window : 1;

	if (window > r->ws.end - r->ws.begin || window > UINT64_MAX / 2)
		return 0;
	while (next < r->from && next <= UINT64_MAX / 2)
		next = all ? trc_ws_window(r->from) : 2 * next;
	return next;
}

/* Instants of the clock from the first to the last reference. */
static uint64_t
instants(const struct report *r)
{
	return r->ws.n ? r->ws.end - r->ws.begin + 1 : 0;
}

static double
miss_ratio(const struct report *r, const struct trc_ws_point *p)
{
	return r->ws.refs ? (double)p->misses / (double)r->ws.refs : 0;
}

static int
text_of(const struct report *r, const struct trc_ws_pages *of, struct trc_err *err)
{
	if (r->s.by_space && trc_report(r->out, err, "\nspace %lu\n", (unsigned long)of->space))
		return -1;
	if (trc_report(r->out, err, "%20s %14s %18s %14s %10s\n", "window", "mean size",
	               r->bytes ? "mean bytes" : "", "misses", "miss ratio"))
		return -1;
	for (uint64_t w = 0; (w = next_window(r, w, false));) {
		const struct trc_ws_point p = trc_ws_at(&r->ws, of, w);
		char bytes[32] = "";

		if (r->bytes)
			snprintf(bytes, sizeof(bytes), "%.0f", p.size * (double)r->bytes);
		if (trc_report(r->out, err, "%20llu %14.2f %18s %14llu %10.6f\n",
		               (unsigned long long)w, p.size, bytes, (unsigned long long)p.misses,
		               miss_ratio(r, &p)))
			return -1;
	}
	return 0;
}

static int
print_text(const struct report *r, struct trc_err *err)
{
	if (trc_report(r->out, err, "working sets of %ss", r->unit) ||
	    (r->bytes && trc_report(r->out, err, " of %llu bytes", (unsigned long long)r->bytes)) ||
	    trc_report(r->out, err, ", windows in %s, of which there are %llu\n", r->clock,
	               (unsigned long long)instants(r)))
		return -1;
	for (size_t i = 0; i < r->ws.n; i++)
		if (text_of(r, &r->ws.of[i], err))
			return -1;
	return 0;
}

static int
print_csv(const struct report *r, struct trc_err *err)
{
	const bool by_space = r->s.by_space;

	if (trc_report(r->out, err, "%swindow,%ss,bytes,misses,miss_ratio\n",
	               by_space ? "space," : "", r->unit))
		return -1;
	for (size_t i = 0; i < r->ws.n; i++)
		for (uint64_t w = 0; (w = next_window(r, w, true));) {
			const struct trc_ws_point p = trc_ws_at(&r->ws, &r->ws.of[i], w);

			if ((by_space &&
			     trc_report(r->out, err, "%lu,", (unsigned long)r->ws.of[i].space)) ||
			    trc_report(r->out, err, "%llu,%.9g,", (unsigned long long)w, p.size) ||
			    (r->bytes &&
			     trc_report(r->out, err, "%.12g", p.size * (double)r->bytes)) ||
			    trc_report(r->out, err, ",%llu,%.9g\n", (unsigned long long)p.misses,
			               miss_ratio(r, &p)))
				return -1;
		}
	return 0;
}

static int
print_json(const struct report *r, struct trc_err *err)
{
	if (trc_report(r->out, err,
	               "{\"unit\": \"%s\", \"unit_bytes\": %llu, \"clock\": \"%s\", "
	               "\"instants\": %llu, \"references\": %llu, \"curves\": [",
	               r->unit, (unsigned long long)r->bytes, r->clock,
	               (unsigned long long)instants(r), (unsigned long long)r->ws.refs))
		return -1;
	for (size_t i = 0; i < r->ws.n; i++) {
		const struct trc_ws_pages *of = &r->ws.of[i];
		const char *comma = "";

		if (trc_report(r->out, err, "%s{", i ? ",\n " : "") ||
		    (r->s.by_space &&
		     trc_report(r->out, err, "\"space\": %lu, ", (unsigned long)of->space)) ||
		    trc_report(r->out, err, "\"distinct\": %llu, \"windows\": [",
		               (unsigned long long)of->pages))
			return -1;
		for (uint64_t w = 0; (w = next_window(r, w, false)); comma = ",") {
			const struct trc_ws_point p = trc_ws_at(&r->ws, of, w);

			if (trc_report(r->out, err,
			               "%s\n  {\"window\": %llu, \"mean\": %.9g, "
			               "\"misses\": %llu}",
			               comma, (unsigned long long)w, p.size,
			               (unsigned long long)p.misses))
				return -1;
		}
		if (trc_report(r->out, err, "]}"))
			return -1;
	}
	return trc_report(r->out, err, "]}\n");
}

/* The windows of the picture: powers of two, and seven between two of them. */
static uint64_t
next_drawn(const struct report *r, uint64_t window)
{
	const uint64_t next = window < 8 ? window + 1 : trc_ws_window(window + window / 12 + 1);

	if (window > r->ws.end - r->ws.begin)
		return 0;
	return next < r->from ? trc_ws_window(r->from) : next;
}

/* The points of a curve, as many as there are or, without room, would be. */
static size_t
draw_curve(const struct report *r, const struct trc_ws_pages *of, double *x, double *y)
{
	size_t n = 0;

	for (uint64_t w = 0; (w = next_drawn(r, w)); n++)
		if (x) {
			x[n] = (double)w;
			y[n] = trc_ws_at(&r->ws, of, w).size;
		}
	return n;
}

static int
draw(struct report *r, struct trc_err *err)
{
	const size_t curves = r->ws.n < TRC_PLOT_SERIES ? r->ws.n : TRC_PLOT_SERIES;
	const size_t points = curves ? draw_curve(r, &r->ws.of[0], NULL, NULL) : 0;
	double *at = r->plotting.kind ? trc_alloc(2 * curves * points, sizeof(*at), err) : NULL;
	char title[160], below[96], left[32], name[TRC_PLOT_SERIES][32];
	struct trc_series series[TRC_PLOT_SERIES];
	int ret;

	if (!at)
		return r->plotting.kind ? -1 : 0;
	snprintf(title, sizeof(title), "Working sets of %.120s", r->asked.name);
	snprintf(below, sizeof(below), "window in %s", r->clock);
	snprintf(left, sizeof(left), "mean size in %ss", r->unit);
	for (size_t i = 0; i < curves; i++) {
		double *x = at + 2 * i * points, *y = x + points;

		snprintf(name[i], sizeof(name[i]), "space 0x%x", (unsigned)r->ws.of[i].space);
		series[i] = (struct trc_series){ name[i], x, y, draw_curve(r, &r->ws.of[i], x, y),
			                         false };
	}
	ret = trc_plotting_write(&r->plotting, r->asked.all,
	                         &(struct trc_plot){ .title = title,
	                                             .x = { .label = below },
	                                             .y = { .label = left },
	                                             .series = series,
	                                             .n = curves },
	                         err);
	free(at);
	return ret;
}

static int
print_report(struct report *r, struct trc_err *err)
{
	const struct trc_stat *s = &r->s;
	int ret;

	r->out = trc_out_open("-", false, err);
	if (!r->out)
		return -1;
	ret = (s->json ? print_json : s->csv ? print_csv : print_text)(r, err);
	if (ret == 0)
		ret = trc_out_commit(r->out, err);
	trc_out_close(r->out);
	return ret ? ret : draw(r, err);
}

static int
begin(void *q, const char *input, struct trc_err *err)
{
	struct report *r = q;

	r->s = trc_stat_of(r->asked.all);
	r->asked.quiet = r->s.quiet;
	r->asked.unit = r->s.line_size ? r->s.line_size : r->s.page_size;
	r->own = trc_settings_of(r->asked.all, &opts);
	return trc_plotting_open(&r->plotting, r->asked.all, input, err);
}

/* Wraps the source in references to pages, and finds the clock. */
static struct trc_sink *
open_sink(void *q, struct trc_job *job, struct trc_err *err)
{
	struct report *r = q;
	const size_t at = r->own->clock ? r->own->clock - 1 : 0;
	const enum trc_column clock = clock_of[at].column;
	struct trc_stat_unit unit;

	r->clock = clock_of[at].name;
	if (clock == TRC_COL_TIME && !(job->src->have & TRC_HAS_TIME)) {
		trc_fail(err, "the trace has no cycle times, which --clock cycles needs");
		return NULL;
	}
	if (trc_stat_unit(&r->s, job->src, &unit, err))
		return NULL;
	r->unit = unit.name;
	if (trc_job_wrap(job, trc_stage_page_ranges(job->src, unit.bits, &r->asked.sum[0], err)))
		return NULL;
	return trc_ws_sink(&r->ws, clock, r->s.by_space, err);
}

static int
print(void *q, const struct trc_job *job, struct trc_err *err)
{
	struct report *r = q;
	const struct trc_meta *meta = &job->src->meta;

	r->bytes = meta->page_bits ? UINT64_C(1) << meta->page_bits : 0;
	r->from = meta->guarantee.window ? meta->guarantee.window : 1;
	return print_report(r, err);
}

static void
end(void *q)
{
	struct report *r = q;

	trc_plotting_close(&r->plotting);
	trc_ws_release(&r->ws);
}

static const struct trc_opts *const shown[] = { &trc_stat_opts_plot, TRC_STAT_SHOWN, NULL };

enum { PAGE_BYTES = 128 }; /* names and times, with room to grow */

static const struct trc_question question = { .size = sizeof(struct report),
	                                      .begin = begin,
	                                      .open = open_sink,
	                                      .print = print,
	                                      .end = end,
	                                      .cores = true,
	                                      .page_bytes = PAGE_BYTES,
	                                      .shown = shown };

static int
answer_ws(const struct trc_settings *all, const struct trc_args *args, struct trc_err *err)
{
	return trc_shard_answer(&question, all, args, err);
}

static const struct trc_opts *const takes[] = { &opts,
	                                        &trc_stat_opts_plot,
	                                        &trc_stat_opts_page_size,
	                                        &trc_stat_opts_line_size,
	                                        &trc_stat_opts_by_space,
	                                        &trc_stat_opts_csv,
	                                        TRC_STAT_SHARDS,
	                                        TRC_STAT_TAKES,
	                                        NULL };

const struct trc_action trc_stat_ws = { "--ws", takes, answer_ws, &question };
