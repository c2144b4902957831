/* SPDX-License-Identifier: MIT */
#include "cmd/stat/ws_print.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cmd/picture/abreast.h"

typedef unsigned long long ull; /* for printf */

/* What is printed: curves of each trace, and of each of its spaces; and of the curve at hand its
 * windows. */
struct printed {
	struct trc_ws_shown *const *of;
	size_t n;
	const struct trc_settings *all;
	struct trc_abreast curves; /* each is of its trace, `at` which of that */
	bool wide;                 /* a reference is to several pages in one of the traces */
	uint64_t *window;
	size_t cap;
};

/* The windows that are shown: powers of two, or with `all` whatever is exact; the first for 0, and
 * 0 after the one that is as long as the trace. */
static uint64_t
next_window(const struct trc_ws_shown *s, uint64_t window, bool all)
{
	uint64_t next = all ? trc_ws_window(window + 1) : window ? 2 * window : 1;

	if (window > s->ws.end - s->ws.begin || window > UINT64_MAX / 2)
		return 0;
	while (next < s->from && next <= UINT64_MAX / 2)
		next = all ? trc_ws_window(s->from) : 2 * next;
	return next;
}

/* Instants of the clock from the first to the last reference. */
static uint64_t
instants(const struct trc_ws_shown *s)
{
	return trc_ws_instants(&s->ws);
}

/* Of touches, if they are known. */
static struct trc_value
miss_ratio(const struct trc_ws_shown *s, const struct trc_ws_point *p)
{
	return s->ws.touches || !s->ws.refs ? trc_ratio(p->misses, s->ws.touches) : trc_none();
}

static int
printed_init(struct printed *p, struct trc_ws_shown *const *of, size_t n,
             const struct trc_settings *all, struct trc_err *err)
{
	const char **path = trc_alloc(n, sizeof(*path), err);
	int ret = path ? 0 : -1;

	*p = (struct printed){ .of = of, .n = n, .all = all };
	for (size_t i = 0; path && i < n; i++) {
		path[i] = of[i]->input;
		p->wide |= of[i]->ws.touches != of[i]->ws.refs;
	}
	if (ret == 0)
		ret = trc_abreast_init(&p->curves, path, n, err);
	for (size_t i = 0; i < n; i++)
		for (size_t k = 0; ret == 0 && k < of[i]->ws.n; k++)
			ret = trc_abreast_add(&p->curves, i, NULL,
			                      of[i]->by_space ? (int64_t)of[i]->ws.of[k].space : -1,
			                      of[i], k, err);
	free(path);
	return ret;
}

static void
printed_release(struct printed *p)
{
	trc_abreast_release(&p->curves);
	free(p->window);
}

static const struct trc_ws_pages *
pages_of(const struct trc_abreast_curve *curve)
{
	return &((const struct trc_ws_shown *)curve->of)->ws.of[curve->at];
}

static struct trc_ws_point
point_of(const struct trc_abreast_curve *curve, uint64_t window)
{
	const struct trc_ws_shown *s = curve->of;

	return trc_ws_at(&s->ws, pages_of(curve), window);
}

/* ---- the answer ---- */

/* Takes the windows that are shown of a trace, behind `n` others. */
static int
take_windows(struct printed *p, const struct trc_ws_shown *s, bool all, size_t *n,
             struct trc_err *err)
{
	for (uint64_t w = 0; (w = next_window(s, w, all));) {
		if (trc_grow(&p->window, &p->cap, *n + 1, sizeof(*p->window), err))
			return -1;
		p->window[(*n)++] = w;
	}
	return 0;
}

static int
describe(void *of, size_t i, struct trc_answer_group *g, struct trc_err *err)
{
	struct printed *p = of;
	const struct trc_abreast_curve *curve = &p->curves.curve[i];
	const struct trc_ws_shown *s = curve->of;
	const uint64_t touches = s->ws.touches, refs = s->ws.refs;

	if (s->by_space)
		snprintf(g->title, sizeof(g->title), "\nspace %lu\n",
		         (unsigned long)pages_of(curve)->space);
	TRC_FACTS(g, { TRC_FACT(input, NULL, trc_word(s->input)) },
	          { TRC_FACT(space, NULL, trc_count_if(s->by_space, pages_of(curve)->space)) },
	          { TRC_FACT(unit, NULL, trc_word(s->unit)) },
	          { TRC_FACT(page_size, NULL, trc_count_some(s->bytes)) },
	          { TRC_FACT(clock, NULL, trc_word(s->clock)) },
	          { TRC_FACT(instants, NULL, trc_count(instants(s))) },
	          { TRC_FACT(references, NULL, trc_count(refs)) },
	          { TRC_FACT(touches, NULL, trc_count_if(touches && touches != refs, touches)) },
	          { TRC_FACT(distinct, NULL, trc_count(pages_of(curve)->pages)) });
	return take_windows(p, s, trc_answer_form(p->all) != TRC_FORM_TEXT, &g->rows, err);
}

static void
row(void *of, size_t i, size_t k, struct trc_value *cell)
{
	const struct printed *p = of;
	const struct trc_abreast_curve *curve = &p->curves.curve[i];
	const struct trc_ws_shown *s = curve->of;
	const struct trc_ws_point at = point_of(curve, p->window[k]);
	const struct trc_value footprint = at.footprint >= 0 ? trc_real(at.footprint) :
	                                                       trc_unknown();
	struct trc_value bytes = trc_real_if(s->bytes, at.size * (double)s->bytes);

	bytes.kind = s->bytes ? TRC_VALUE_LONG : bytes.kind;
	TRC_VALUES(cell, trc_word(s->input), trc_count(pages_of(curve)->space),
	           trc_count(p->window[k]), trc_real(at.size), bytes, footprint,
	           trc_count(at.misses), miss_ratio(s, &at), footprint, trc_count(s->ws.refs),
	           trc_count_some(s->ws.touches));
}

static int
draw_text(const struct trc_answer *a, size_t i, struct trc_out *out, struct trc_err *err)
{
	const struct printed *p = a->of;

	(void)i;
	return trc_ws_draw(p->of, p->n, p->all, NULL, out, err);
}

static int
print_answer(struct printed *p, const char *title, struct trc_err *err)
{
	const struct trc_ws_shown *s = p->of[0];
	const struct trc_column_decl column[] = {
		{ TRC_NAMED(input), .off = !s->input },
		{ TRC_NAMED(space), .off = !s->by_space },
		{ TRC_COLUMN(window, "window", 13), .key = true },
		{ .name = trc_name_of_unit(TRC_NAME_pages, s->unit),
		  .head = "mean size",
		  .width = 12,
		  .digits = 2 },
		{ TRC_COLUMN(bytes, s->bytes ? "mean bytes" : "", 16) },
		{ .head = "footprint", .width = 12, .digits = 2 },
		{ TRC_COLUMN(misses, "misses", 12) },
		{ TRC_COLUMN(miss_ratio, p->wide ? "of touches" : "miss ratio", 10), .digits = 6 },
		{ TRC_NAMED(footprint) },
		{ TRC_NAMED(references), .off = !p->wide },
		{ TRC_NAMED(touches), .off = !p->wide },
	};

	return trc_answer_print(&(const struct trc_answer){ .form = trc_answer_form(p->all),
	                                                    TRC_TABLE(column),
	                                                    .title = title,
	                                                    .draws = true,
	                                                    .several = true,
	                                                    .groups = p->curves.n,
	                                                    .of = p,
	                                                    .group = describe,
	                                                    .row = row,
	                                                    .draw = draw_text },
	                        err);
}

/* ---- several in one table ---- */

static void
keys(void *of, uint64_t window, struct trc_value key[2])
{
	(void)of;
	key[0] = trc_count(window);
	key[1] = trc_none();
}

/* Up to the first window that is longer than the trace. */
static void
cells(void *of, const struct trc_abreast_curve *curve, uint64_t window, struct trc_value cell[2])
{
	const struct trc_ws_shown *s = curve->of;
	const struct trc_ws_point at = point_of(curve, window);

	(void)of;
	if (window < s->from || window / 2 > s->ws.end - s->ws.begin)
		return;
	cell[0] = trc_real(at.size);
	cell[1] = miss_ratio(s, &at);
}

static const char *
facts(const struct trc_abreast_curve *curve, struct trc_value fact[3])
{
	const struct trc_ws_shown *s = curve->of;

	fact[0] = trc_count(s->ws.refs);
	fact[1] = trc_count(pages_of(curve)->pages);
	fact[2] = trc_count(instants(s));
	return "";
}

static int
draw_several(void *of, struct trc_out *out, struct trc_err *err)
{
	const struct printed *p = of;

	return trc_ws_draw(p->of, p->n, p->all, NULL, out, err);
}

/* Windows are powers of two. */
static int
print_several(struct printed *p, const char *title, struct trc_err *err)
{
	char touched[32];
	struct trc_abreast_table t = {
		.curves = &p->curves,
		.title = title,
		.fact = { { .head = "references", .width = 16 },
		          { .head = touched, .width = 17 },
		          { .head = "instants", .width = 15 } },
		.key = { { .head = "window" }, { .off = true } },
		.cell = { { .head = "mean size", .digits = 2 },
		          { .head = p->wide ? "of touches" : "miss ratio", .digits = 6 } },
		.facts = facts,
		.draw = draw_several,
		.keys = keys,
		.cells = cells,
		.of = p,
	};

	snprintf(touched, sizeof(touched), "%ss touched", p->of[0]->unit);
	for (size_t i = 0; i < p->n; i++)
		if (take_windows(p, p->of[i], false, &t.rows, err))
			return -1;
	t.rows = trc_abreast_rows(p->window, t.rows);
	t.row = p->window;
	return trc_abreast_print(&t, err);
}

/* What stands above all. */
static void
set_title(const struct trc_ws_shown *s, char *title, size_t room)
{
	char size[40] = "", touches[80] = "";

	if (s->bytes)
		snprintf(size, sizeof(size), " of %llu bytes", (ull)s->bytes);
	if (s->ws.touches && s->ws.touches != s->ws.refs)
		snprintf(touches, sizeof(touches), "%llu references, %llu touches\n",
		         (ull)s->ws.refs, (ull)s->ws.touches);
	if (s->input)
		snprintf(title, room, "working sets of %ss%s, windows in %s\n", s->unit, size,
		         s->clock);
	else
		snprintf(title, room,
		         "working sets of %ss%s, windows in %s, of which there are %llu\n%s\n",
		         s->unit, size, s->clock, (ull)instants(s), touches);
}

int
trc_ws_print(struct trc_ws_shown *const *of, size_t n, const struct trc_settings *all,
             struct trc_err *err)
{
	struct printed p;
	char title[256];
	int ret = printed_init(&p, of, n, all, err);

	set_title(of[0], title, sizeof(title));
	if (ret == 0)
		ret = of[0]->input && trc_answer_form(all) == TRC_FORM_TEXT ?
		              print_several(&p, title, err) :
		              print_answer(&p, title, err);
	printed_release(&p);
	return ret;
}

/* ---- the picture ---- */

enum { POINTS_MOST = 64 * 16 }; /* of a curve */

/* The windows of the picture: powers of two, and seven between two of them. */
static uint64_t
next_drawn(const struct trc_ws_shown *s, uint64_t window)
{
	const uint64_t next = window < 8 ? window + 1 : trc_ws_window(window + window / 12 + 1);

	if (window > s->ws.end - s->ws.begin)
		return 0;
	return next < s->from ? trc_ws_window(s->from) : next;
}

/* Points of a curve: of its footprint, those that there are. */
static size_t
take_points(const struct trc_abreast_curve *curve, bool footprint, double *x, double *y)
{
	size_t n = 0;

	for (uint64_t w = 0; (w = next_drawn(curve->of, w)) && n < POINTS_MOST;) {
		const struct trc_ws_point p = point_of(curve, w);

		x[n] = (double)w;
		y[n] = footprint ? p.footprint : p.size;
		n += y[n] >= 0;
	}
	return n;
}

static int
draw_curves(const struct trc_abreast_curve *curve, size_t curves, const struct trc_settings *all,
            struct trc_plotting *g, struct trc_out *out, double *at, struct trc_err *err)
{
	const size_t n = curves < TRC_PLOT_SERIES ? curves : TRC_PLOT_SERIES;
	const struct trc_ws_shown *s = n ? curve[0].of : NULL;
	const bool footprint = n == 1 && !s->input && !s->by_space;
	struct trc_series series[TRC_PLOT_SERIES];
	char title[160], below[96], left[32];

	snprintf(title, sizeof(title), "Working sets%s%.120s", s && !s->input ? " of " : "",
	         s && !s->input ? s->name : "");
	snprintf(below, sizeof(below), "window in %s", s ? s->clock : "references");
	snprintf(left, sizeof(left), "mean size in %ss", s ? s->unit : "page");
	for (size_t i = 0; i < n + footprint; i++) {
		double *x = at + 2 * i * POINTS_MOST, *y = x + POINTS_MOST;
		const char *own = i ? "footprint: whole windows" : "all windows";

		series[i] = (struct trc_series){
			footprint ? own : curve[i].name, x, y,
			take_points(&curve[footprint ? 0 : i], i && footprint, x, y), false
		};
	}
	return trc_plotting_write(g, out, all,
	                          &(struct trc_plot){
	                                  .title = title,
	                                  .x = { .label = below, .unit = TRC_UNIT_COUNT },
	                                  .y = { .label = left },
	                                  .series = series,
	                                  .n = n + footprint,
	                                  .more = curves - n },
	                          err);
}

int
trc_ws_draw(struct trc_ws_shown *const *of, size_t n, const struct trc_settings *all,
            struct trc_plotting *g, struct trc_out *out, struct trc_err *err)
{
	double *at = NULL;
	struct printed p;
	int ret = 0;

	if (!out && !g->kind)
		return 0;
	ret = printed_init(&p, of, n, all, err);
	at = trc_alloc(2 * TRC_PLOT_SERIES * POINTS_MOST, sizeof(*at), err);
	if (ret == 0)
		ret = at ? draw_curves(p.curves.curve, p.curves.n, all, g, out, at, err) : -1;
	free(at);
	printed_release(&p);
	return ret;
}
