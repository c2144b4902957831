/* SPDX-License-Identifier: MIT */
#include "cmd/stat/ranking.h"

#include <stdio.h>
#include <stdlib.h>

enum { POINTS = 2048, ROWS = 20 };

static const struct trc_opt option_rows[] = {
	{ 0, "rows", "N", "with --top and --by: so many, not 20", TRC_OPT_COUNT, TRC_WORDS_NONE,
	  0 },
};

const struct trc_opts trc_stat_opts_rows = { option_rows, 1, sizeof(uint64_t), NULL };

const struct trc_ranked trc_ranked[] = {
	{ "page", TRC_HOT_PAGE, TRC_NAME_page },    { "line", TRC_HOT_PAGE, TRC_NAME_line },
	{ "pc", TRC_HOT_PC, TRC_NAME_pc },          { "task", TRC_HOT_TASK, TRC_NAME_task },
	{ "space", TRC_HOT_SPACE, TRC_NAME_space }, { "type", TRC_HOT_TYPE, TRC_NAME_type },
};

bool
trc_ranked_in_space(const struct trc_ranked *r)
{
	return r->by == TRC_HOT_PAGE || r->by == TRC_HOT_PC;
}

struct trc_value
trc_ranked_value(const struct trc_ranked *r, uint64_t key, unsigned bits)
{
	if (r->by == TRC_HOT_TYPE)
		return trc_word(trc_type_name[key]);
	if (!trc_ranked_in_space(r))
		return trc_count(key);
	return trc_value(TRC_VALUE_ADDRESS, key << (r->by == TRC_HOT_PAGE ? bits : 0));
}

uint64_t
trc_ranked_rows(const struct trc_settings *all)
{
	const uint64_t *rows = trc_settings_of(all, &trc_stat_opts_rows);

	return *rows ? *rows : ROWS;
}

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
