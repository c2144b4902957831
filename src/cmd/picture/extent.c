/* SPDX-License-Identifier: MIT
 * Finds the extent of a plot's curves, and the scales that follow. */
#include <math.h>

#include "cmd/picture/plot.h"

struct range {
	double least, most, least_above_0;
};

static void
widen(struct range *r, const double *v, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		r->least = fmin(r->least, v[i]);
		r->most = fmax(r->most, v[i]);
		if (v[i] > 0)
			r->least_above_0 = fmin(r->least_above_0, v[i]);
	}
}

/* Makes a logarithmic scale if the values span more than two powers of ten, or a factor of 3 for
 * sizes. A value of 0 then has a tick of its own, below all others. */
static void
make(struct trc_scale *s, const struct trc_axis *axis, const struct range *r, bool loose,
     unsigned ticks)
{
	const double spread = axis->unit == TRC_UNIT_SIZE ? 3 : 100;
	const bool positive = r->least_above_0 < INFINITY,
	           log = positive && axis->scale != TRC_AXIS_LINEAR &&
	                 (axis->scale == TRC_AXIS_LOG || r->most > spread * r->least_above_0);

	trc_scale_make(s, log ? r->least_above_0 : r->least, r->most, log, loose, axis->unit,
	               ticks);
	if (log && r->least <= 0)
		trc_scale_zero(s, axis->unit);
}

/* Centres a single value. */
static void
surround(struct range *r)
{
	r->least = r->least > 0 ? r->least / 2 : r->least - 1;
	r->most = r->most > 0 ? r->most * 2 : r->most + 1;
	r->least_above_0 = r->least > 0 ? r->least : r->most;
}

bool
trc_plot_scales(const struct trc_plot *p, unsigned x_ticks, unsigned y_ticks, struct trc_scale *x,
                struct trc_scale *y)
{
	struct range of_x = { INFINITY, -INFINITY, INFINITY }, of_y = of_x;

	for (size_t i = 0; i < p->n; i++) {
		widen(&of_x, p->series[i].x, p->series[i].n);
		widen(&of_y, p->series[i].y, p->series[i].n);
	}
	if (of_x.most < of_x.least) {
		*x = *y = (struct trc_scale){ .to = 1 };
		return false;
	}
	if (of_x.most <= of_x.least)
		surround(&of_x);
	make(x, &p->x, &of_x, false, x_ticks);
	make(y, &p->y, &of_y, true, y_ticks);
	return true;
}
