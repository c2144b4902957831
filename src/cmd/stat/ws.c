/* SPDX-License-Identifier: MIT
 *
 * trc stat --ws: working sets by window.
 */
#include "cmd/stat/stat.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "stage/simulate/ws.h"
#include "stage/stage.h"

/* The settings of --ws. */
struct settings {
	bool chosen;
	unsigned clock; /* 1 references, 2 instructions, 3 cycles; 0: not given */
};

static const struct trc_opts opts =
        TRC_OPTS(struct settings,
                 { 0, "ws", NULL, "print working-set sizes and misses for all windows",
                   TRC_OPT_FLAG, TRC_WORDS_NONE, offsetof(struct settings, chosen) },
                 { 0, "clock", "references|instructions|cycles", "with --ws: unit of windows",
                   TRC_OPT_CHOICE, TRC_WORDS_NONE, offsetof(struct settings, clock) });

static const struct {
	enum trc_column column;
	const char *name;
} clock_of[] = {
	{ TRC_COL_RTIME, "references" },
	{ TRC_COL_ITIME, "instructions" },
	{ TRC_COL_TIME, "cycles" },
};

/* The state of the question, and of its answer while it is printed. */
struct report {
	struct trc_query query;
	struct trc_stat s;
	const struct settings *own;
	struct trc_ws ws;
	const char *clock, *unit; /* "page", "line" or "object" */
	uint64_t bytes;           /* of a page; 0: unknown */
	uint64_t from;            /* the smallest window that is known */

	uint64_t *window; /* the windows of the current space */
	size_t cap;
	char curve[24], touched[32]; /* names */
};

typedef uint64_t next_fn(const struct report *r, uint64_t window);

/* Returns the next window to show: powers of two, or in CSV and JSON all exact ones; the first for
 * 0, and 0 after the one that covers the whole trace. */
static uint64_t
next_window(const struct report *r, uint64_t window)
{
	const bool all = r->s.form != TRC_FORM_TEXT;
	uint64_t next = all ? trc_ws_window(window + 1) : window ? 2 * window : 1;

	if (window > r->ws.end - r->ws.begin || window > UINT64_MAX / 2)
		return 0;
	while (next < r->from && next <= UINT64_MAX / 2)
		next = all ? trc_ws_window(r->from) : 2 * next;
	return next;
}

/* Returns the next window to draw: powers of two, and seven between two of them. */
static uint64_t
next_drawn(const struct report *r, uint64_t window)
{
	const uint64_t next = window < 8 ? window + 1 : trc_ws_window(window + window / 12 + 1);

	if (window > r->ws.end - r->ws.begin)
		return 0;
	return next < r->from ? trc_ws_window(r->from) : next;
}

static int
take_windows(struct report *r, next_fn *next, size_t *n, struct trc_err *err)
{
	*n = 0;
	for (uint64_t w = 0; (w = next(r, w)); r->window[(*n)++] = w)
		if (trc_grow(&r->window, &r->cap, *n + 1, sizeof(*r->window), err))
			return -1;
	return 0;
}

/* Returns the ratio of misses to touches, if these are known. */
static struct trc_value
miss_ratio(const struct report *r, const struct trc_ws_point *p)
{
	return r->ws.touches || !r->ws.refs ? trc_ratio(p->misses, r->ws.touches) : trc_none();
}

static void
name_curve(struct report *r, size_t i, struct trc_answer_group *g)
{
	snprintf(r->curve, sizeof(r->curve), r->s.by_space ? "space 0x%x" : "",
	         (unsigned)r->ws.of[i].space);
	g->name = r->curve;
}

static int
describe(void *of, size_t i, struct trc_answer_group *g, struct trc_err *err)
{
	struct report *r = of;
	const struct trc_ws_pages *p = &r->ws.of[i];
	const uint64_t touches = r->ws.touches, refs = r->ws.refs;

	name_curve(r, i, g);
	if (r->s.by_space)
		snprintf(g->title, sizeof(g->title), "\nspace %lu\n", (unsigned long)p->space);
	TRC_FACTS(g, { TRC_FACT(space, NULL, trc_count_if(r->s.by_space, p->space)) },
	          { TRC_FACT(unit, NULL, trc_word(r->unit)) },
	          { TRC_FACT(page_size, NULL, trc_count_some(r->bytes)) },
	          { TRC_FACT(clock, NULL, trc_word(r->clock)) },
	          { TRC_FACT(instants, NULL, trc_count(trc_ws_instants(&r->ws))),
	            .beside = "instants" },
	          { TRC_FACT(references, NULL, trc_count(refs)), .beside = "references" },
	          { TRC_FACT(touches, NULL, trc_count_if(touches && touches != refs, touches)) },
	          { TRC_FACT(distinct, NULL, trc_count(p->pages)), .beside = r->touched });
	return take_windows(r, next_window, &g->rows, err);
}

static void
row(void *of, size_t i, size_t k, struct trc_value *cell)
{
	const struct report *r = of;
	const struct trc_ws_point at = trc_ws_at(&r->ws, &r->ws.of[i], r->window[k]);
	const struct trc_value footprint = at.footprint >= 0 ? trc_real(at.footprint) :
	                                                       trc_unknown();
	struct trc_value bytes = trc_real_if(r->bytes, at.size * (double)r->bytes);

	bytes.kind = r->bytes ? TRC_VALUE_LONG : bytes.kind;
	TRC_VALUES(cell, trc_count(r->ws.of[i].space), trc_count(r->window[k]), trc_real(at.size),
	           bytes, footprint, trc_count(at.misses), miss_ratio(r, &at), footprint,
	           trc_count(r->ws.refs), trc_count_some(r->ws.touches));
}

/* ---- the picture ---- */

static int
describe_drawn(void *of, size_t i, struct trc_answer_group *g, struct trc_err *err)
{
	struct report *r = of;

	name_curve(r, i, g);
	return take_windows(r, next_drawn, &g->rows, err);
}

static void
row_drawn(void *of, size_t i, size_t k, struct trc_value *cell)
{
	const struct report *r = of;
	const struct trc_ws_point at = trc_ws_at(&r->ws, &r->ws.of[i], r->window[k]);

	TRC_VALUES(cell, trc_count(r->window[k]), trc_real(at.size),
	           trc_real_if(at.footprint >= 0, at.footprint));
}

static void
set_picture(const struct report *r, struct trc_answered *to)
{
	static const struct trc_column_decl sizes[] = { { .across = true },
		                                        { .curve = "" },
		                                        { .off = true } };
	static const struct trc_column_decl both[] = { { .across = true },
		                                       { .curve = "all windows" },
		                                       { .curve = "footprint: whole windows" } };

	to->drawn = to->answer;
	to->drawn.column = r->query.among || r->s.by_space ? sizes : both;
	to->drawn.columns = TRC_COUNT(both);
	to->drawn.group = describe_drawn;
	to->drawn.row = row_drawn;
	to->plot.x.unit = TRC_UNIT_COUNT;
	to->plot.text = true;
	to->plot.what = "Working sets";
	snprintf(to->plot.below, sizeof(to->plot.below), "window in %s", r->clock);
	snprintf(to->plot.left, sizeof(to->plot.left), "mean size in %ss", r->unit);
}

/* ---- the answer ---- */

/* Writes the title of the whole answer. */
static void
set_title(const struct report *r, char *title, size_t room)
{
	char size[40] = "", touches[80] = "";

	if (r->bytes)
		snprintf(size, sizeof(size), " of %llu bytes", (ull)r->bytes);
	if (r->ws.touches && r->ws.touches != r->ws.refs)
		snprintf(touches, sizeof(touches), "%llu references, %llu touches\n",
		         (ull)r->ws.refs, (ull)r->ws.touches);
	if (r->query.among)
		snprintf(title, room, "working sets of %ss%s, windows in %s\n", r->unit, size,
		         r->clock);
	else
		snprintf(title, room, "working sets of %ss%s, windows in %s (%llu in total)\n%s\n",
		         r->unit, size, r->clock, (ull)trc_ws_instants(&r->ws), touches);
}

/* Sets the answer and its picture: mean sizes, and for a single trace its footprint. */
static int
answer(void *q, const struct trc_job *job, struct trc_answered *to, struct trc_err *err)
{
	struct report *r = q;
	const struct trc_meta *meta = &job->src->meta;
	const bool wide = r->ws.touches != r->ws.refs;

	(void)err;
	r->bytes = meta->page_bits ? UINT64_C(1) << meta->page_bits : 0;
	r->from = meta->guarantee.window ? meta->guarantee.window : 1;
	TRC_ANSWERED_TABLE(to, { TRC_NAMED(space), .off = !r->s.by_space },
	                   { TRC_COLUMN(window, "window", 13), .key = true, .across = true },
	                   { .name = trc_name_of_unit(TRC_NAME_pages, r->unit),
	                     .head = "mean size",
	                     .width = 12,
	                     .digits = 2,
	                     .beside = true },
	                   { TRC_COLUMN(bytes, r->bytes ? "mean bytes" : "", 16) },
	                   { .head = "footprint", .width = 12, .digits = 2 },
	                   { TRC_COLUMN(misses, "misses", 12) },
	                   { TRC_COLUMN(miss_ratio, wide ? "of touches" : "miss ratio", 10),
	                     .digits = 6, .beside = true },
	                   { TRC_NAMED(footprint) }, { TRC_NAMED(references), .off = !wide },
	                   { TRC_NAMED(touches), .off = !wide });
	set_title(r, to->title, sizeof(to->title));
	snprintf(r->touched, sizeof(r->touched), "%ss touched", r->unit);
	to->answer.title = to->title;
	to->answer.several = true;
	to->answer.groups = r->ws.n;
	to->answer.group = describe;
	to->answer.row = row;
	set_picture(r, to);
	return 0;
}

static void
release_windows(void *window)
{
	free(*(uint64_t **)window);
}

/* ---- the question ---- */

static int
begin(void *q, const char *input, struct trc_err *err)
{
	struct report *r = q;

	(void)input, (void)err;
	trc_stat_begin(&r->s, &r->query);
	r->own = trc_settings_of(r->query.settings, &opts);
	return 0;
}

/* Wraps the source in references to pages, and determines the clock. */
static struct trc_sink *
open_sink(void *q, struct trc_job *job, struct trc_err *err)
{
	struct report *r = q;
	const size_t at = r->own->clock ? r->own->clock - 1 : 0;
	const enum trc_column clock = clock_of[at].column;
	struct trc_stat_unit unit;

	if (r->query.warmup_copy)
		return trc_ws_sink(&r->ws, clock, r->s.by_space, err);
	r->clock = clock_of[at].name;
	if (clock == TRC_COL_TIME && !(job->src->have & TRC_HAS_TIME)) {
		trc_fail(err, "the trace has no cycle times, which --clock cycles needs");
		return NULL;
	}
	if (trc_stat_objects(&r->s, job, err) || trc_stat_unit(&r->s, job->src, &unit, err))
		return NULL;
	r->unit = unit.name;
	if (trc_job_wrap(job, trc_stage_page_ranges(job->src, unit.bits, &r->query.sum[0], err)))
		return NULL;
	return trc_ws_sink(&r->ws, clock, r->s.by_space, err);
}

enum { PAGE_BYTES = 128 }; /* for names and times, with room to grow */

const struct trc_action trc_stat_ws = {
	.name = "--ws",
	.takes = TRC_TAKES(&opts, &trc_shard_opts_warmup, &trc_stat_opts_plot, TRC_STAT_UNITS,
	                   &trc_stat_opts_by_space, TRC_STAT_SHARDS, TRC_STAT_TAKES),
	.run = trc_shard_answer,
	.query = TRC_QUERY(.size = sizeof(struct report), .begin = begin, .open = open_sink,
	                   .owns = { { offsetof(struct report, ws), trc_ws_release },
	                             { offsetof(struct report, window), release_windows } },
	                   .subtract = trc_ws_subtract, .answer = answer, .cores = true,
	                   .page_bytes = PAGE_BYTES),
};
