/* SPDX-License-Identifier: MIT */
#include "cmd/stat/ws_print.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cmd/names/apart.h"
#include "cmd/picture/abreast.h"
#include "cmd/report.h"

typedef unsigned long long ull; /* for printf */

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

/* Of touches, in all digits or six; nothing if they are not known. Returns dst. */
static const char *
miss_ratio(const struct trc_ws_shown *s, const struct trc_ws_point *p, bool all,
           char dst[TRC_ABREAST_CELL])
{
	const uint64_t touches = s->ws.touches;

	*dst = 0;
	if (touches || !s->ws.refs)
		snprintf(dst, TRC_ABREAST_CELL, all ? "%.9g" : "%.6f",
		         touches ? (double)p->misses / (double)touches : 0.0);
	return dst;
}

/* True if a reference is to several pages in one of the traces. */
static bool
wide(struct trc_ws_shown *const *of, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (of[i]->ws.touches != of[i]->ws.refs)
			return true;
	return false;
}

/* ---- curves: of each trace, and of each of its spaces ---- */

static size_t
count_curves(struct trc_ws_shown *const *of, size_t n)
{
	size_t curves = 0;

	for (size_t i = 0; i < n; i++)
		curves += of[i]->ws.n;
	return curves;
}

/* All of them with their names, in a new array. */
static struct trc_abreast_curve *
name_curves(struct trc_ws_shown *const *of, size_t n, struct trc_err *err)
{
	struct trc_abreast_curve *curve = trc_alloc(count_curves(of, n), sizeof(*curve), err);
	char(*name)[TRC_APART_ROOM] = trc_alloc(n, sizeof(*name), err);
	const char **path = trc_alloc(n, sizeof(*path), err);
	size_t curves = 0;

	if (!curve || !name || !path) {
		free(curve);
		curve = NULL;
	}
	for (size_t i = 0; curve && i < n; i++)
		path[i] = of[i]->input ? of[i]->input : of[i]->name;
	if (curve)
		trc_names_apart(path, n, name);
	for (size_t i = 0; curve && i < n; i++)
		for (size_t k = 0; k < of[i]->ws.n; k++, curves++) {
			const uint32_t space = of[i]->ws.of[k].space;

			curve[curves].of = of[i];
			curve[curves].at = k;
			trc_abreast_name(&curve[curves], of[i]->input ? name[i] : NULL, NULL,
			                 of[i]->by_space ? (int64_t)space : -1);
		}
	free(name);
	free(path);
	return curve;
}

static struct trc_ws_point
point_of(const struct trc_abreast_curve *curve, uint64_t window)
{
	const struct trc_ws_shown *s = curve->of;

	return trc_ws_at(&s->ws, &s->ws.of[curve->at], window);
}

/* ---- the table ---- */

static int
text_head(const struct trc_ws_shown *s, struct trc_out *out, struct trc_err *err)
{
	if (trc_report(out, err, "working sets of %ss", s->unit) ||
	    (s->bytes && trc_report(out, err, " of %llu bytes", (ull)s->bytes)) ||
	    trc_report(out, err, ", windows in %s", s->clock))
		return -1;
	if (s->input)
		return trc_report(out, err, "\n");
	if (trc_report(out, err, ", of which there are %llu\n", (ull)instants(s)))
		return -1;
	return s->ws.touches && s->ws.touches != s->ws.refs ?
	               trc_report(out, err, "%llu references, %llu touches\n", (ull)s->ws.refs,
	                          (ull)s->ws.touches) :
	               0;
}

static int
text_of(const struct trc_ws_shown *s, const struct trc_ws_pages *of, struct trc_out *out,
        struct trc_err *err)
{
	if (s->by_space && trc_report(out, err, "\nspace %lu\n", (unsigned long)of->space))
		return -1;
	if (trc_report(out, err, "%13s %12s %16s %12s %12s %10s\n", "window", "mean size",
	               s->bytes ? "mean bytes" : "", "footprint", "misses",
	               s->ws.touches != s->ws.refs ? "of touches" : "miss ratio"))
		return -1;
	for (uint64_t w = 0; (w = next_window(s, w, false));) {
		const struct trc_ws_point p = trc_ws_at(&s->ws, of, w);
		char bytes[32] = "", footprint[32] = "-", ratio[TRC_ABREAST_CELL];

		if (s->bytes)
			snprintf(bytes, sizeof(bytes), "%.0f", p.size * (double)s->bytes);
		if (p.footprint >= 0)
			snprintf(footprint, sizeof(footprint), "%.2f", p.footprint);
		if (trc_report(out, err, "%13llu %12.2f %16s %12s %12llu %10s\n", (ull)w, p.size,
		               bytes, footprint, (ull)p.misses, miss_ratio(s, &p, false, ratio)))
			return -1;
	}
	return 0;
}

static void
label(const struct trc_abreast *t, uint64_t row, char dst[TRC_ABREAST_CELL])
{
	(void)t;
	snprintf(dst, TRC_ABREAST_CELL, "%13llu", (ull)row);
}

/* Up to the first window that is longer than the trace. */
static bool
cells(const struct trc_abreast *t, size_t i, uint64_t row, char dst[2][TRC_ABREAST_CELL])
{
	const struct trc_ws_shown *s = t->curve[i].of;
	const struct trc_ws_point p = point_of(&t->curve[i], row);

	snprintf(dst[0], TRC_ABREAST_CELL, "%.2f", p.size);
	miss_ratio(s, &p, false, dst[1]);
	return row >= s->from && row / 2 <= s->ws.end - s->ws.begin;
}

static int
text_facts(const struct trc_abreast *t, const char *unit, struct trc_out *out, struct trc_err *err)
{
	if (trc_report(out, err, "%16s%9ss touched%16s\n", "references", unit, "instants"))
		return -1;
	for (size_t i = 0; i < t->n; i++) {
		const struct trc_ws_shown *s = t->curve[i].of;

		if (trc_report(out, err, "%16llu%18llu%16llu  %s\n", (ull)s->ws.refs,
		               (ull)s->ws.of[t->curve[i].at].pages, (ull)instants(s),
		               t->curve[i].name))
			return -1;
	}
	return trc_report(out, err, "\n");
}

/* Windows are powers of two. */
static int
text_several(struct trc_ws_shown *const *of, size_t n, const struct trc_settings *all,
             struct trc_out *out, struct trc_err *err)
{
	struct trc_abreast_curve *curve = name_curves(of, n, err);
	const struct trc_abreast t = { .curve = curve,
		                       .n = count_curves(of, n),
		                       .head = "       window",
		                       .cell = { "mean size",
		                                 wide(of, n) ? "of touches" : "miss ratio" },
		                       .label = label,
		                       .cells = cells };
	uint64_t window[64 * 4];
	size_t windows = 0;
	int ret;

	for (size_t i = 0; i < n; i++) {
		for (uint64_t w = 0; (w = next_window(of[i], w, false));)
			window[windows++] = w;
		windows = trc_abreast_rows(window, windows);
	}
	ret = curve && text_facts(&t, of[0]->unit, out, err) == 0 &&
	                      trc_ws_draw(of, n, all, NULL, out, err) == 0 ?
	              trc_abreast_text(&t, window, windows, out, err) :
	              -1;
	free(curve);
	return ret;
}

int
trc_ws_text(struct trc_ws_shown *const *of, size_t n, const struct trc_settings *all,
            struct trc_out *out, struct trc_err *err)
{
	const struct trc_ws_shown *s = of[0];

	if (text_head(s, out, err))
		return -1;
	if (s->input)
		return text_several(of, n, all, out, err);
	if (trc_report(out, err, "\n") || trc_ws_draw(of, n, all, NULL, out, err))
		return -1;
	for (size_t i = 0; i < s->ws.n; i++)
		if (text_of(s, &s->ws.of[i], out, err))
			return -1;
	return 0;
}

/* ---- CSV and JSON ---- */

static int
csv_row(const struct trc_ws_shown *s, const struct trc_ws_pages *of, uint64_t w, bool counts,
        struct trc_out *out, struct trc_err *err)
{
	const struct trc_ws_point p = trc_ws_at(&s->ws, of, w);
	char ratio[TRC_ABREAST_CELL];

	if ((s->input && trc_abreast_csv(s->input, out, err)) ||
	    (s->by_space && trc_report(out, err, "%lu,", (unsigned long)of->space)) ||
	    trc_report(out, err, "%llu,%.9g,", (ull)w, p.size) ||
	    (s->bytes && trc_report(out, err, "%.12g", p.size * (double)s->bytes)) ||
	    trc_report(out, err, ",%llu,%s,", (ull)p.misses, miss_ratio(s, &p, true, ratio)) ||
	    (p.footprint >= 0 && trc_report(out, err, "%.9g", p.footprint)) ||
	    (counts && trc_report(out, err, s->ws.touches ? ",%llu,%llu" : ",%llu,",
	                          (ull)s->ws.refs, (ull)s->ws.touches)))
		return -1;
	return trc_report(out, err, "\n");
}

int
trc_ws_csv(struct trc_ws_shown *const *of, size_t n, struct trc_out *out, struct trc_err *err)
{
	const bool counts = wide(of, n);

	if (trc_report(out, err, "%s%swindow,%ss,bytes,misses,miss_ratio,footprint%s\n",
	               of[0]->input ? "input," : "", of[0]->by_space ? "space," : "", of[0]->unit,
	               counts ? ",references,touches" : ""))
		return -1;
	for (size_t i = 0; i < n; i++)
		for (size_t k = 0; k < of[i]->ws.n; k++)
			for (uint64_t w = 0; (w = next_window(of[i], w, true));)
				if (csv_row(of[i], &of[i]->ws.of[k], w, counts, out, err))
					return -1;
	return 0;
}

static int
json_curve(const struct trc_ws_shown *s, const struct trc_ws_pages *of, struct trc_out *out,
           struct trc_err *err)
{
	const char *comma = "";

	if ((s->by_space && trc_report(out, err, "\"space\": %lu, ", (unsigned long)of->space)) ||
	    trc_report(out, err, "\"distinct\": %llu, \"windows\": [", (ull)of->pages))
		return -1;
	for (uint64_t w = 0; (w = next_window(s, w, false)); comma = ",") {
		const struct trc_ws_point p = trc_ws_at(&s->ws, of, w);

		if (trc_report(out, err,
		               "%s\n  {\"window\": %llu, \"mean\": %.9g, "
		               "\"misses\": %llu",
		               comma, (ull)w, p.size, (ull)p.misses) ||
		    (p.footprint >= 0 &&
		     trc_report(out, err, ", \"footprint\": %.9g", p.footprint)) ||
		    trc_report(out, err, "}"))
			return -1;
	}
	return trc_report(out, err, "]}");
}

static int
json_object(const struct trc_ws_shown *s, struct trc_out *out, struct trc_err *err)
{
	if (trc_report(out, err, "{") ||
	    (s->input && (trc_report(out, err, "\"input\": ") ||
	                  trc_report_json(out, s->input, err) || trc_report(out, err, ", "))) ||
	    trc_report(out, err,
	               "\"unit\": \"%s\", \"unit_bytes\": %llu, \"clock\": \"%s\", "
	               "\"instants\": %llu, \"references\": %llu",
	               s->unit, (ull)s->bytes, s->clock, (ull)instants(s), (ull)s->ws.refs) ||
	    (s->ws.touches && s->ws.touches != s->ws.refs &&
	     trc_report(out, err, ", \"touches\": %llu", (ull)s->ws.touches)) ||
	    trc_report(out, err, ", \"curves\": ["))
		return -1;
	for (size_t i = 0; i < s->ws.n; i++)
		if (trc_report(out, err, "%s{", i ? ",\n " : "") ||
		    json_curve(s, &s->ws.of[i], out, err))
			return -1;
	return trc_report(out, err, "]}");
}

int
trc_ws_json(struct trc_ws_shown *const *of, size_t n, struct trc_out *out, struct trc_err *err)
{
	if (!of[0]->input)
		return json_object(of[0], out, err) ? -1 : trc_report(out, err, "\n");
	if (trc_report(out, err, "{\"compared\": [\n"))
		return -1;
	for (size_t i = 0; i < n; i++)
		if (json_object(of[i], out, err) || trc_report(out, err, i + 1 < n ? ",\n" : "\n"))
			return -1;
	return trc_report(out, err, "]}\n");
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
	const size_t curves = count_curves(of, n);
	struct trc_abreast_curve *curve = out || g->kind ? name_curves(of, n, err) : NULL;
	double *at = curve ? trc_alloc(2 * TRC_PLOT_SERIES * POINTS_MOST, sizeof(*at), err) : NULL;
	int ret = out || g->kind ? -1 : 0;

	if (at)
		ret = draw_curves(curve, curves, all, g, out, at, err);
	free(at);
	free(curve);
	return ret;
}
