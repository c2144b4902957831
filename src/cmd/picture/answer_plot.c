/* SPDX-License-Identifier: MIT */
#include "cmd/picture/answer_plot.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The curves while they are collected. */
struct picture {
	const struct trc_answer *a;
	const struct trc_answer_plot *how;
	struct trc_series series[TRC_PLOT_SERIES];
	double *at[TRC_PLOT_SERIES]; /* x values, then y values, each with room for `rows` */
	size_t rows[TRC_PLOT_SERIES];
	char name[TRC_PLOT_SERIES][128];
	size_t n, more; /* curves; and how many are left out */
};

static bool
number(const struct trc_value *c, double *v)
{
	*v = c->kind == TRC_VALUE_REAL ? c->v : (double)c->n;
	return c->kind == TRC_VALUE_COUNT || c->kind == TRC_VALUE_BYTES ||
	       c->kind == TRC_VALUE_REAL;
}

/* Returns the curve of this name among those from `first` on, adding it if it is new; NULL: no room
 * or no memory. */
static struct trc_series *
series_of(struct picture *p, size_t first, const char *group, const char *name, size_t rows,
          struct trc_err *err)
{
	char full[sizeof(p->name[0])];
	size_t i = first;

	snprintf(full, sizeof(full), "%s%s%s", group ? group : "",
	         group && *group && *name ? ", " : "", name);
	while (i < p->n && strcmp(p->name[i], full) != 0)
		i++;
	if (i == TRC_PLOT_SERIES)
		return NULL;
	if (i == p->n) {
		p->at[i] = trc_alloc(2 * rows + 1, sizeof(double), err);
		if (!p->at[i])
			return NULL;
		strcpy(p->name[i], full);
		p->rows[i] = rows;
		p->series[i] = (struct trc_series){ p->name[i], p->at[i], p->at[i] + rows, 0,
			                            false };
		p->n++;
	}
	return &p->series[i];
}

/* Adds the values of row `k` of a group to the curves from `first` on. */
static void
add_row(struct picture *p, const struct trc_answer_group *g, size_t k, const struct trc_value *cell,
        size_t first, struct trc_err *err)
{
	const struct trc_answer *a = p->a;
	const char *name = NULL;
	double x = (double)k + 1, y;
	bool known = p->how->ranks;

	for (size_t c = 0; c < a->columns; c++) {
		if (a->column[c].across)
			known = number(&cell[c], &x);
		if (a->column[c].curves)
			name = cell[c].s;
	}
	for (size_t c = 0; c < a->columns; c++) {
		struct trc_series *s;

		if (!known || !a->column[c].curve || !number(&cell[c], &y))
			continue;
		s = series_of(p, first, g->name, name ? name : a->column[c].curve, g->rows, err);
		if (!s)
			continue;
		p->at[s - p->series][s->n] = x;
		p->at[s - p->series][p->rows[s - p->series] + s->n++] = y;
	}
}

/* Adds the curves of a group, or counts them if there is no room. */
static int
add_group(struct picture *p, size_t i, struct trc_answer_group *g, struct trc_value *cell,
          struct trc_err *err)
{
	const struct trc_answer *a = p->a;
	const size_t first = p->n;
	bool named = false;
	size_t each = 0;

	for (size_t c = 0; c < a->columns; c++) {
		each += a->column[c].curve != NULL;
		named |= a->column[c].curves;
	}
	memset(g, 0, sizeof(*g));
	if (a->group(a->of, i, g, err))
		return -1;
	if (first + each > TRC_PLOT_SERIES) {
		p->more += each;
		return 0;
	}
	/* Curves named by columns exist even without rows. */
	for (size_t c = 0; c < a->columns && !named; c++)
		if (a->column[c].curve)
			(void)series_of(p, first, g->name, a->column[c].curve, g->rows, err);
	for (size_t k = 0; k < g->rows && err->code == TRC_OK; k++) {
		a->row(a->of, i, k, cell);
		add_row(p, g, k, cell, first, err);
	}
	return err->code == TRC_OK ? 0 : -1;
}

/* Accumulates the values and thins them out: all ranks at first, then steps of 1/64 of the rank,
 * which a picture cannot show finer. */
static void
add_up(struct trc_series *s, double *x, double *y)
{
	enum { POINTS = 2048 };
	size_t n = 0, next = 0;
	double sum = 0;

	for (size_t i = 0; i < s->n; i++) {
		sum += y[i];
		if ((i < next && i + 1 < s->n) || n == POINTS)
			continue;
		x[n] = x[i];
		y[n++] = sum;
		next = i + 1 + i / 64;
	}
	s->n = n;
}

static void
finish(struct picture *p)
{
	const struct trc_answer_plot *how = p->how;

	for (size_t i = 0; i < p->n; i++) {
		struct trc_series *s = &p->series[i];
		double *y = p->at[i] + p->rows[i], sum = 0;

		s->dots = how->dots;
		while (how->dots && s->n > 0 && y[s->n - 1] == 0)
			s->n--;
		for (size_t k = 0; k < s->n; k++)
			sum += y[k];
		if (how->ranks)
			add_up(s, p->at[i], y);
		for (size_t k = 0; how->shares && k < s->n; k++)
			y[k] = sum > 0 ? y[k] / sum : 0;
	}
}

/* Returns an axis whose label is `otherwise` if it has none. */
static struct trc_axis
labelled(struct trc_axis axis, const char *otherwise)
{
	axis.label = axis.label ? axis.label : otherwise;
	return axis;
}

static void
set_title(const struct trc_answer_plot *how, char *title, size_t room)
{
	const char *name = how->name ? how->name : "";

	snprintf(title, room, "%s%s%.120s%s%s", how->what, *name ? " of " : "", name,
	         *how->after ? " " : "", how->after);
}

static int
draw(const struct trc_answer *a, const struct trc_answer_plot *how, struct trc_out *out,
     struct trc_err *err)
{
	struct picture *p = trc_alloc(1, sizeof(*p), err);
	struct trc_answer_group *group = trc_alloc(1, sizeof(*group), err);
	struct trc_value *cell = trc_alloc(a->columns + 1, sizeof(*cell), err);
	int ret = p && group && cell ? 0 : -1;
	char title[256];

	set_title(how, title, sizeof(title));
	if (p) {
		p->a = a;
		p->how = how;
	}
	for (size_t i = 0; ret == 0 && i < (a->several ? a->groups : 1); i++)
		ret = add_group(p, i, group, cell, err);
	if (ret == 0) {
		finish(p);
		ret = trc_plotting_write(how->g, out,
		                         &(struct trc_plot){ .title = title,
		                                             .x = labelled(how->x, how->below),
		                                             .y = labelled(how->y, how->left),
		                                             .series = p->series,
		                                             .n = p->n,
		                                             .more = p->more },
		                         err);
	}
	for (size_t i = 0; p && i < p->n; i++)
		free(p->at[i]);
	free(cell);
	free(group);
	free(p);
	return ret;
}

int
trc_answer_draw(const struct trc_answer *a, const struct trc_answer_plot *how, struct trc_out *out,
                struct trc_err *err)
{
	return out || how->g->kind ? draw(a, how, out, err) : 0;
}
