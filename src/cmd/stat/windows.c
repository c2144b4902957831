/* SPDX-License-Identifier: MIT
 * trc stat --over-time: references, and the pages that they touch, in windows of a trace. */
#include "stage/profile/windows.h"

#include <stdio.h>
#include <stdlib.h>

#include "cmd/report.h"
#include "cmd/stat/over_time.h"
#include "cmd/stat/stat.h"
#include "stage/profile/warmup.h"

typedef unsigned long long ull; /* for printf */

/* The question, while it is asked. */
struct asking {
	struct trc_asked asked;
	struct trc_stat s;
	struct trc_stat_unit unit;
	struct trc_windows windows;
	struct trc_plotting plotting;
};

static int
print_text(const struct asking *a, struct trc_out *out, struct trc_err *err)
{
	char pages[32], new[32];

	snprintf(pages, sizeof(pages), "%ss", a->unit.name);
	snprintf(new, sizeof(new), "new %ss", a->unit.name);
	if (trc_report(out, err, "%14s %14s %14s %14s %14s %14s %12s %12s\n", "from record",
	               "to record", "references", "reads", "writes", "fetches", pages, new))
		return -1;
	for (size_t k = 0; k < a->windows.n; k++) {
		const struct trc_window *w = &a->windows.window[k];

		if (trc_report(out, err,
		               "%14llu %14llu %14llu %14llu %14llu %14llu %12llu %12llu\n",
		               (ull)w->from + 1, (ull)w->to, (ull)w->refs, (ull)w->reads,
		               (ull)w->writes, (ull)w->fetches, (ull)w->pages, (ull)w->first))
			return -1;
	}
	return 0;
}

static int
print_csv(const struct asking *a, struct trc_out *out, struct trc_err *err)
{
	if (trc_report(out, err, "from,to,references,reads,writes,fetches,%ss,new_%ss\n",
	               a->unit.name, a->unit.name))
		return -1;
	for (size_t k = 0; k < a->windows.n; k++) {
		const struct trc_window *w = &a->windows.window[k];

		if (trc_report(out, err, "%llu,%llu,%llu,%llu,%llu,%llu,%llu,%llu\n",
		               (ull)w->from + 1, (ull)w->to, (ull)w->refs, (ull)w->reads,
		               (ull)w->writes, (ull)w->fetches, (ull)w->pages, (ull)w->first))
			return -1;
	}
	return 0;
}

static int
print_json(const struct asking *a, struct trc_out *out, struct trc_err *err)
{
	if (trc_report(out, err,
	               "{\"unit\": \"%s\", \"unit_bytes\": %llu, \"distinct\": %llu, "
	               "\"windows\": [",
	               a->unit.name, a->unit.bits ? 1ull << a->unit.bits : 0ull,
	               (ull)a->windows.pages))
		return -1;
	for (size_t k = 0; k < a->windows.n; k++) {
		const struct trc_window *w = &a->windows.window[k];

		if (trc_report(out, err,
		               "%s\n {\"from\": %llu, \"to\": %llu, \"references\": %llu, "
		               "\"reads\": %llu, \"writes\": %llu, \"fetches\": %llu, "
		               "\"footprint\": %llu, \"new\": %llu}",
		               k ? "," : "", (ull)w->from + 1, (ull)w->to, (ull)w->refs,
		               (ull)w->reads, (ull)w->writes, (ull)w->fetches, (ull)w->pages,
		               (ull)w->first))
			return -1;
	}
	return trc_report(out, err, "]}\n");
}

/* The footprint of each window, and what in it is new, over records. */
static int
draw(struct asking *a, struct trc_out *out, struct trc_err *err)
{
	const size_t n = a->windows.n;
	double *at = out || a->plotting.kind ? trc_alloc(3 * (n + 1), sizeof(*at), err) : NULL;
	char title[160], below[64], left[32], new[32];
	int ret;

	if (!at)
		return out || a->plotting.kind ? -1 : 0;
	snprintf(title, sizeof(title), "Footprint of %.120s over time", a->asked.name);
	snprintf(below, sizeof(below), "records, in windows of %llu", (ull)a->windows.every);
	snprintf(left, sizeof(left), "%ss", a->unit.name);
	snprintf(new, sizeof(new), "new %ss", a->unit.name);
	for (size_t k = 0; k < n; k++) {
		at[k] = (double)a->windows.window[k].to;
		at[n + k] = (double)a->windows.window[k].pages;
		at[2 * n + k] = (double)a->windows.window[k].first;
	}
	ret = trc_plotting_write(
	        &a->plotting, out, a->asked.all,
	        &(struct trc_plot){
	                .title = title,
	                .x = { below, TRC_UNIT_COUNT, TRC_AXIS_LINEAR, 0 },
	                .y = { left, TRC_UNIT_COUNT, TRC_AXIS_AUTO, 0 },
	                .series =
	                        (const struct trc_series[]){ { "footprint", at, at + n, n, false },
	                                                     { new, at, at + 2 * n, n, false } },
	                .n = 2 },
	        err);
	free(at);
	return ret;
}

static int
report(struct asking *a, struct trc_err *err)
{
	const bool text = !a->s.json && !a->s.csv;
	struct trc_out *out = trc_out_open("-", false, err);
	int ret = out ? 0 : -1;

	if (ret == 0 && text)
		ret = draw(a, out, err);
	if (ret == 0)
		ret = (a->s.json ? print_json : a->s.csv ? print_csv : print_text)(a, out, err);
	if (ret == 0)
		ret = trc_out_commit(out, err);
	trc_out_close(out);
	return ret ? ret : draw(a, NULL, err);
}

static int
begin(void *q, const char *input, struct trc_err *err)
{
	struct asking *a = q;

	(void)input;
	a->s = trc_stat_of(a->asked.all);
	a->asked.quiet = a->s.quiet;
	a->asked.numbered = UINT64_MAX;
	trc_stat_plan_unit(&a->s, &a->asked);
	a->windows.every = trc_over_time_of(a->asked.all);
	a->windows.warmup = a->s.warmup;
	return trc_plotting_open_for(&a->plotting, &a->asked, err);
}

static struct trc_sink *
open_sink(void *q, struct trc_job *job, struct trc_err *err)
{
	struct asking *a = q;

	if (trc_stat_objects(&a->s, job, err) || trc_stat_unit(&a->s, job->src, &a->unit, err))
		return NULL;
	a->windows.seen = a->asked.before;
	return trc_windows_sink(&a->windows, job->src->have, a->unit.bits, err);
}

static int
print(void *q, const struct trc_job *job, struct trc_err *err)
{
	struct asking *a = q;

	if (a->s.warmup && trc_warmup_check(a->s.warmup, a->windows.seen, &job->src->meta, err))
		return -1;
	return report(a, err);
}

static void
end(void *q)
{
	struct asking *a = q;

	trc_plotting_close(&a->plotting);
	trc_windows_release(&a->windows);
}

static const struct trc_opts *const shown[] = { &trc_stat_opts_plot, TRC_STAT_SHOWN, NULL };

enum { PAGE_BYTES = 160 }; /* names and windows, with room to grow, and read again */

static const struct trc_question question = { .size = sizeof(struct asking),
	                                      .begin = begin,
	                                      .open = open_sink,
	                                      .print = print,
	                                      .end = end,
	                                      .page_bytes = PAGE_BYTES,
	                                      .shown = shown };

static const struct trc_opts *const takes[] = { &trc_stat_opts_over_time, &trc_stat_opts_warmup,
	                                        &trc_stat_opts_plot,      TRC_STAT_UNITS,
	                                        &trc_stat_opts_csv,       TRC_STAT_SHARDS,
	                                        TRC_STAT_TAKES,           NULL };

const struct trc_action trc_stat_windows = {
	.name = "--over-time", .takes = takes, .run = trc_shard_answer, .question = &question
};
