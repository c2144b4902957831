/* SPDX-License-Identifier: MIT */
#include "cmd/stat/ranking.h"

#include <stdio.h>
#include <stdlib.h>

enum { POINTS = 2048 };

/* The ranks that are drawn: all at first, then steps of one in 64. */
static size_t
take_points(const struct trc_ranking *r, double *x, double *y)
{
	uint64_t sum = 0;
	size_t n = 0, next = 0;

	for (size_t i = 0; i < r->n; i++) {
		sum += r->value(r->of, i);
		if ((i < next && i + 1 < r->n) || n == POINTS)
			continue;
		x[n] = (double)(i + 1);
		y[n++] = r->all ? (double)sum / (double)r->all : 0;
		next = i + 1 + i / 64;
	}
	return n;
}

int
trc_ranking_draw(const struct trc_ranking *r, size_t curves, const char *title, const char *rank,
                 const char *what, const struct trc_settings *all, struct trc_plotting *g,
                 struct trc_err *err)
{
	double *at = g->kind ? trc_alloc(2 * curves * POINTS, sizeof(*at), err) : NULL;
	struct trc_series series[TRC_PLOT_SERIES];
	char left[64];
	int ret;

	if (!at)
		return g->kind ? -1 : 0;
	snprintf(left, sizeof(left), "share of all %s", what);
	for (size_t i = 0; i < curves; i++) {
		double *x = at + 2 * i * POINTS, *y = x + POINTS;

		series[i] = (struct trc_series){ r[i].name, x, y, take_points(&r[i], x, y), false };
	}
	ret = trc_plotting_write(g, NULL, all,
	                         &(struct trc_plot){
	                                 .title = title,
	                                 .x = { rank, TRC_UNIT_COUNT, TRC_AXIS_LOG, 0 },
	                                 .y = { left, TRC_UNIT_PART, TRC_AXIS_LINEAR, 0 },
	                                 .series = series,
	                                 .n = curves },
	                         err);
	free(at);
	return ret;
}
