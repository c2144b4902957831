/* SPDX-License-Identifier: MIT */
#include "cmd/picture/legend.h"

#include <math.h>
#include <stdio.h>

enum {
	SIZE = 13, /* of text, in points */
	SMALL = 11,
	SAMPLE = 30, /* length of a sample line */
	SPACE = 6,   /* between a sample and its name */
	GAP = 22,    /* between two entries */
};

const char *
trc_legend_rest(const struct trc_plot *p, char dst[TRC_TEXT_ROOM])
{
	*dst = 0;
	if (p->more)
		snprintf(dst, TRC_TEXT_ROOM, "and %zu more, not drawn", p->more);
	return dst;
}

/* The position of an entry; entries go from left to right. */
struct place {
	double x, y; /* relative to the legend */
	bool any;    /* the row has an entry */
};

/* Starts a new row if an entry of this width does not fit. */
static void
begin_entry(struct place *at, const struct trc_legend *l, double width)
{
	if (at->any && at->x + width > l->width) {
		at->x = 0;
		at->y += l->row;
	}
	at->any = true;
}

static double
width_of(const struct trc_legend *l, const char *name)
{
	return SAMPLE + SPACE + fmin(l->room, trc_text_width(name, l->size));
}

static double
height_of(const struct trc_legend *l, const struct trc_plot *p)
{
	struct place at = { 0, 0, false };
	char rest[TRC_TEXT_ROOM];

	for (size_t i = 0; i < p->n; i++) {
		const double width = width_of(l, p->series[i].name);

		begin_entry(&at, l, width);
		at.x += l->step > 0 ? l->step : width + GAP;
	}
	if (p->more)
		begin_entry(&at, l, trc_text_width(trc_legend_rest(p, rest), l->size));
	return at.y + l->row + SPACE;
}

/* Aligns several rows in columns, unless that needs more rows. */
static void
align(struct trc_legend *l, const struct trc_plot *p)
{
	const double height = height_of(l, p);

	if (height <= l->row + SPACE)
		return;
	for (size_t i = 0; i < p->n; i++)
		l->step = fmax(l->step, width_of(l, p->series[i].name) + GAP);
	if (height_of(l, p) > height)
		l->step = 0;
}

struct trc_legend
trc_legend_of(const struct trc_plot *p, double width, double height)
{
	struct trc_legend l = { .size = SIZE, .row = SIZE + 5, .width = width };

	if (p->n < 2)
		return l;
	/* The number of entries that fit into a row, at least. */
	for (unsigned in_row = 1; in_row <= 4; in_row++) {
		l.room = fmax(4 * SMALL, (width + GAP) / in_row - GAP - SAMPLE - SPACE);
		l.height = height_of(&l, p);
		if (l.height <= height)
			break;
		l.size = SMALL;
		l.row = SMALL + 4;
	}
	align(&l, p);
	l.height = height < l.row ? 0 : fmin(l.height, floor(height / l.row) * l.row + SPACE);
	return l;
}

static int
draw_entry(const struct trc_legend *l, const struct trc_canvas *c, struct trc_point at,
           const struct trc_series *s, size_t i, struct trc_err *err)
{
	const struct trc_point sample[] = { at, { at.x + SAMPLE, at.y } };
	const struct trc_point middle = { at.x + SAMPLE / 2.0, at.y },
	                       word = { at.x + SAMPLE + SPACE, at.y + 4 };
	char name[TRC_TEXT_ROOM];

	trc_text_cut(s->name, l->size, l->room, name);
	if (c->line(c->to, sample, 2, trc_stroke_of(i), err) ||
	    c->mark(c->to, middle, (unsigned)i, TRC_INK_SERIES + (unsigned)i, err) ||
	    c->text(c->to, word, name,
	            (struct trc_text_style){ TRC_ANCHOR_START, l->size, TRC_INK_TEXT, false }, err))
		return -1;
	return 0;
}

int
trc_legend_draw(const struct trc_legend *l, const struct trc_plot *p, const struct trc_canvas *c,
                struct trc_point corner, struct trc_err *err)
{
	struct place at = { 0, 0, false };
	char rest[TRC_TEXT_ROOM];

	if (l->height <= 0)
		return 0;
	corner.y += l->row / 2;
	for (size_t i = 0; i < p->n; i++) {
		const double width = width_of(l, p->series[i].name);

		begin_entry(&at, l, width);
		if (at.y + l->row > l->height)
			return 0; /* the picture is too small for more */
		if (draw_entry(l, c, (struct trc_point){ corner.x + at.x, corner.y + at.y },
		               &p->series[i], i, err))
			return -1;
		at.x += l->step > 0 ? l->step : width + GAP;
	}
	if (!p->more)
		return 0;
	begin_entry(&at, l, trc_text_width(trc_legend_rest(p, rest), l->size));
	if (at.y + l->row > l->height)
		return 0;
	return c->text(c->to, (struct trc_point){ corner.x + at.x, corner.y + at.y + 4 }, rest,
	               (struct trc_text_style){ TRC_ANCHOR_START, l->size, TRC_INK_FAINT, false },
	               err);
}
