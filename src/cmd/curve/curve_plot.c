/* SPDX-License-Identifier: MIT
 *
 * Pictures of miss curves. A curve descends in steps, so it is drawn through many sizes. Requested
 * sizes are separate points.
 */
#include "cmd/curve/curve_plot.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/numbers.h"

enum { PLACES = 640 }; /* points of a curve, at equal distances on a logarithmic axis */

/* A picture while it is made, with room for the points of each curve. */
struct picture {
	const struct trc_curves *c; /* if there are several traces, the first */
	bool ratio;
	struct trc_plot plot;
	struct trc_series series[TRC_PLOT_SERIES];
	double *x, *y;
	char name[TRC_PLOT_SERIES][TRC_SIDE_BY_SIDE_NAME], title[160], below[96];
};

/* Returns the size at a point between `least` and `most`, in whole pages. The factor compensates
 * for rounding errors of pow(). */
static uint64_t
size_at(uint64_t least, uint64_t most, size_t place)
{
	const double at = (double)place / (PLACES - 1);

	return (uint64_t)((double)least * pow((double)most / (double)least, at) * (1 + 1e-9));
}

/* Sets the sizes of the points of a curve, in ascending order; returns their number. */
static size_t
sizes_of(const struct trc_curves *c, const struct trc_mrc_curve *curve, uint64_t *size)
{
	const uint64_t least = trc_curve_least(c), most = trc_curve_most(c, curve);
	size_t n = 0;

	if (c->sizes) {
		for (; n < c->sizes; n++)
			size[n] = c->size[n];
		trc_numbers_sort(size, n);
		return n;
	}
	for (size_t i = 0; i < PLACES; i++) {
		const uint64_t next = size_at(least, most, i);

		if (n == 0 || next > size[n - 1])
			size[n++] = next;
	}
	return n;
}

/* Returns the height of a point: the ratio, or the count if the number of touches is unknown. */
static double
height(const struct picture *p, const struct trc_curves *c, const struct trc_mrc_curve *curve,
       uint64_t count)
{
	const uint64_t touches = p->ratio ? trc_curve_touches(c, curve) : 0;

	if (!touches)
		return (double)count;
	return count < touches ? (double)count / (double)touches : 1;
}

static void
add_named(struct picture *p, const struct trc_curves *c, const struct trc_mrc_curve *curve,
          bool writebacks, const char *name)
{
	uint64_t size[PLACES];
	const size_t n = curve->pages ? sizes_of(c, curve, size) : 0, k = p->plot.n++;
	double *x = p->x + k * PLACES, *y = p->y + k * PLACES;

	for (size_t i = 0; i < n; i++) {
		const struct trc_curve_point at = trc_curve_at(c, curve, size[i]);

		x[i] = (double)size[i];
		y[i] = height(p, c, curve, writebacks ? at.writebacks : at.misses);
	}
	snprintf(p->name[k], sizeof(p->name[k]), "%s", name);
	p->series[k] = (struct trc_series){ p->name[k], x, y, n, c->sizes > 0 };
}

static void
add_space(struct picture *p, const struct trc_mrc_curve *curve)
{
	char space[32];

	snprintf(space, sizeof(space), "space 0x%x", (unsigned)curve->space);
	add_named(p, p->c, curve, false, space);
}

/* Adds the misses of a trace or a space, and its write-backs if there are any. */
static void
add_misses(struct picture *p, const struct trc_mrc_curve *curve)
{
	add_named(p, p->c, curve, false, "misses");
	if (trc_curve_at(p->c, curve, trc_curve_least(p->c)).writebacks > 0)
		add_named(p, p->c, curve, true, "write-backs");
}

/* Allocates the points, and sets up the axes. */
static int
begin_axes(struct picture *p, const struct trc_curves *c, bool ratio, bool bytes,
           struct trc_err *err)
{
	p->c = c;
	p->ratio = ratio;
	snprintf(p->below, sizeof(p->below), "memory size in %ss%s%s", c->unit,
	         bytes ? " and bytes" : "", c->sample > 1 || c->intervals ? ", approximate" : "");
	p->plot = (struct trc_plot){
		.title = p->title,
		.x = { .label = p->below,
		       .unit = TRC_UNIT_SIZE,
		       .bytes = bytes ? ldexp(1, (int)c->bits) : 0 },
		.y = { .label = !ratio  ? "references" :
		                c->wide ? "share of all touches" :
		                          "share of all references",
		       .unit = ratio ? TRC_UNIT_PART : TRC_UNIT_NUMBER },
		.series = p->series,
	};
	p->x = trc_alloc(TRC_PLOT_SERIES * PLACES, sizeof(*p->x), err);
	p->y = p->x ? trc_alloc(TRC_PLOT_SERIES * PLACES, sizeof(*p->y), err) : NULL;
	return p->y ? 0 : -1;
}

static int
begin(struct picture *p, const struct trc_curves *c, struct trc_err *err)
{
	const bool ratio = c->mrc.n > 0 && trc_curve_touches(c, &c->mrc.curve[0]);

	*p = (struct picture){ .c = c };
	snprintf(p->title, sizeof(p->title), "%s misses%s of %.120s", c->policy ? c->policy : "LRU",
	         c->first ? "" : " (first ones not counted)", c->name);
	return begin_axes(p, c, ratio, c->bytes, err);
}

static void
release(struct picture *p)
{
	free(p->x);
	free(p->y);
}

int
trc_curve_plot(const struct trc_curves *c, const struct trc_mrc_curve *curve,
               const struct trc_plotting *g, struct trc_out *out, struct trc_err *err)
{
	struct picture p;
	int ret = begin(&p, c, err);

	if (ret == 0) {
		add_misses(&p, curve);
		p.plot.filled = true;
		ret = trc_plotting_write(g, out, &p.plot, err);
	}
	release(&p);
	return ret;
}

static int
by_refs(const void *a, const void *b)
{
	const struct trc_mrc_curve *x = *(const struct trc_mrc_curve *const *)a;
	const struct trc_mrc_curve *y = *(const struct trc_mrc_curve *const *)b;

	return x->refs > y->refs ? -1 : x->refs < y->refs;
}

/* Adds the curves of the spaces with the most references, or the curve of the whole memory, with
 * its write-backs. */
static int
add_curves(struct picture *p, struct trc_err *err)
{
	const struct trc_mrc *mrc = &p->c->mrc;
	const struct trc_mrc_curve **all = trc_alloc(mrc->n, sizeof(*all), err);

	if (!all)
		return -1;
	for (size_t i = 0; i < mrc->n; i++)
		all[i] = &mrc->curve[i];
	qsort(all, mrc->n, sizeof(*all), by_refs);
	if (!p->c->by_space && mrc->n)
		add_misses(p, all[0]);
	for (size_t i = 0; p->c->by_space && i < mrc->n && i < TRC_PLOT_SERIES; i++)
		add_space(p, all[i]);
	if (mrc->n > TRC_PLOT_SERIES)
		p->plot.more = mrc->n - TRC_PLOT_SERIES;
	free(all);
	return 0;
}

int
trc_curves_picture(const struct trc_curves *c, const struct trc_plotting *g, struct trc_err *err)
{
	struct picture p;
	int ret;

	if (!g->kind)
		return 0;
	ret = begin(&p, c, err) || add_curves(&p, err) ||
	                      trc_plotting_write(g, NULL, &p.plot, err) ?
	              -1 :
	              0;
	release(&p);
	return ret;
}

/* Sets the title: "LRU misses" for several traces, "Misses of a.trc" for several policies. */
static void
title_several(struct picture *p, const struct trc_curves *c)
{
	const char *policy = c->way ? "" : c->policy ? c->policy : "LRU";

	snprintf(p->title, sizeof(p->title), "%s%sisses%s%s%.120s", policy, *policy ? " m" : "M",
	         c->first ? "" : " (first ones not counted)", c->input ? "" : " of ",
	         c->input ? "" : c->name);
}

int
trc_curves_plot_several(const struct trc_side_by_side_curve *curve, size_t n,
                        const struct trc_plotting *g, struct trc_out *out, struct trc_err *err)
{
	const struct trc_curves *known = curve[0].of;
	struct picture p = { .ratio = false };
	bool ratio = true;
	int ret;

	for (size_t i = 0; i < n; i++) {
		const struct trc_curves *c = curve[i].of;
		const struct trc_mrc_curve *at = &c->mrc.curve[curve[i].at];

		ratio &= at->pages == 0 || trc_curve_touches(c, at) > 0;
		known = c->bytes ? c : known;
	}
	title_several(&p, curve[0].of);
	ret = begin_axes(&p, known, ratio, known->bytes, err);
	for (size_t i = 0; i < n && i < TRC_PLOT_SERIES && ret == 0; i++) {
		const struct trc_curves *c = curve[i].of;

		add_named(&p, c, &c->mrc.curve[curve[i].at], false, curve[i].name);
	}
	p.plot.more = n > TRC_PLOT_SERIES ? n - TRC_PLOT_SERIES : 0;
	if (ret == 0)
		ret = trc_plotting_write(g, out, &p.plot, err);
	release(&p);
	return ret;
}
