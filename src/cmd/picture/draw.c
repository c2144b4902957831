/* SPDX-License-Identifier: MIT
 *
 * A plot on a canvas: title, legend and frame from above, marks of the axes around the frame, and
 * curves in it.
 */
#include <math.h>
#include <stdlib.h>

#include "cmd/picture/canvas.h"
#include "cmd/picture/plot.h"

enum {
	SIZE = 13, /* of words, in points */
	SMALL = 11,
	TITLE = 16,
	MARGIN = 16,
	ROW = 18,
	SAMPLE = 30, /* of a line, in the legend */
	GAP = 22,    /* between two entries of it */
	MARK = 3,    /* radius */
	X_TICK = 64, /* at least, between two */
	Y_TICK = 36,
};

/* The plot, while it is drawn. */
struct drawing {
	const struct trc_plot *p;
	const struct trc_canvas *c;
	struct trc_scale x, y;
	double width, height;            /* of all */
	double left, right, top, bottom; /* the frame */
};

static struct trc_point
place(const struct drawing *d, double x, double y)
{
	return (struct trc_point){
		d->left + trc_scale_place(&d->x, x) * (d->right - d->left),
		d->bottom - trc_scale_place(&d->y, y) * (d->bottom - d->top),
	};
}

static int
text(const struct drawing *d, double x, double y, const char *words, enum trc_anchor anchor,
     double size, unsigned ink, struct trc_err *err)
{
	return d->c->text(d->c->to, (struct trc_point){ x, y }, words, anchor, size, false, ink,
	                  err);
}

static struct trc_stroke
stroke_of(size_t series)
{
	return (struct trc_stroke){ TRC_INK_SERIES + (unsigned)series,
		                    (unsigned)series % TRC_INK_COLOURS, 2 };
}

static double
entry_width(const struct trc_series *s)
{
	return SAMPLE + 6 + trc_text_width(s->name, SIZE) + GAP;
}

static bool
has_legend(const struct trc_plot *p)
{
	return p->n > 1;
}

static bool
begins_row(const struct drawing *d, double x, const struct trc_series *s)
{
	return x > d->left && x + entry_width(s) - GAP > d->right;
}

static double
legend_height(const struct drawing *d)
{
	double x = d->left, y = ROW;

	if (!has_legend(d->p))
		return 0;
	for (size_t i = 0; i < d->p->n; i++) {
		const bool next = begins_row(d, x, &d->p->series[i]);

		y += next ? ROW : 0;
		x = (next ? d->left : x) + entry_width(&d->p->series[i]);
	}
	return y + 6;
}

/* Entries from left to right, in as many rows as they need, between title and frame. */
static int
draw_legend(const struct drawing *d, struct trc_err *err)
{
	double x = d->left, y = d->top - legend_height(d) + ROW / 2.0;

	for (size_t i = 0; has_legend(d->p) && i < d->p->n; i++) {
		const struct trc_series *s = &d->p->series[i];

		if (begins_row(d, x, s)) {
			x = d->left;
			y += ROW;
		}
		const struct trc_point sample[] = { { x, y }, { x + SAMPLE, y } };

		if (d->c->line(d->c->to, sample, 2, stroke_of(i), err) ||
		    d->c->mark(d->c->to, (struct trc_point){ x + SAMPLE / 2.0, y }, (unsigned)i,
		               TRC_INK_SERIES + (unsigned)i, err) ||
		    text(d, x + SAMPLE + 6, y + 4, s->name, TRC_ANCHOR_START, SIZE, TRC_INK_TEXT,
		         err))
			return -1;
		x += entry_width(s);
	}
	return 0;
}

static int
grid_line(const struct drawing *d, struct trc_point a, struct trc_point b, struct trc_err *err)
{
	const struct trc_point line[] = { a, b };

	return d->c->line(d->c->to, line, 2, (struct trc_stroke){ TRC_INK_GRID, 0, 1 }, err);
}

/* What a mark of the x axis has in bytes: 64 pages are "256 KiB". */
static int
draw_bytes(const struct drawing *d, const struct trc_tick *tick, double x, struct trc_err *err)
{
	char words[TRC_TICK_ROOM];

	if (d->p->x.bytes <= 0)
		return 0;
	trc_scale_bytes(tick->value * d->p->x.bytes, words);
	return text(d, x, d->bottom + 34, words, TRC_ANCHOR_MIDDLE, SMALL, TRC_INK_FAINT, err);
}

static int
draw_axes(const struct drawing *d, struct trc_err *err)
{
	const double below = d->bottom + (d->p->x.bytes > 0 ? 56 : 42);
	const struct trc_point middle = { MARGIN, (d->top + d->bottom) / 2 };

	for (size_t i = 0; i < d->x.ticks; i++) {
		const struct trc_point at = place(d, d->x.tick[i].value, d->y.from);

		if (grid_line(d, (struct trc_point){ at.x, d->top }, at, err) ||
		    text(d, at.x, d->bottom + 19, d->x.tick[i].label, TRC_ANCHOR_MIDDLE, SIZE,
		         TRC_INK_TEXT, err) ||
		    draw_bytes(d, &d->x.tick[i], at.x, err))
			return -1;
	}
	for (size_t i = 0; i < d->y.ticks; i++) {
		const struct trc_point at = place(d, d->x.from, d->y.tick[i].value);

		if (grid_line(d, at, (struct trc_point){ d->right, at.y }, err) ||
		    text(d, d->left - 8, at.y + 4, d->y.tick[i].label, TRC_ANCHOR_END, SIZE,
		         TRC_INK_TEXT, err))
			return -1;
	}
	return text(d, (d->left + d->right) / 2, below, d->p->x.label, TRC_ANCHOR_MIDDLE, SIZE,
	            TRC_INK_TEXT, err) ||
	                       d->c->text(d->c->to, middle, d->p->y.label, TRC_ANCHOR_MIDDLE, SIZE,
	                                  true, TRC_INK_TEXT, err) ?
	               -1 :
	               0;
}

static int
draw_frame(const struct drawing *d, struct trc_err *err)
{
	const struct trc_point frame[] = { { d->left, d->top },
		                           { d->left, d->bottom },
		                           { d->right, d->bottom } };

	return d->c->line(d->c->to, frame, TRC_COUNT(frame),
	                  (struct trc_stroke){ TRC_INK_FAINT, 0, 1 }, err);
}

/* Marks: at all points that were asked for by name; else, where there are several curves, at a few
 * places that differ from curve to curve. */
static int
draw_marks(const struct drawing *d, size_t series, struct trc_err *err)
{
	const struct trc_series *s = &d->p->series[series];
	double last = d->left - 40 - 13 * (double)(series % 5);

	for (size_t i = 0; i < s->n; i++) {
		const struct trc_point at = place(d, s->x[i], s->y[i]);

		if (!s->dots && (d->p->n < 2 || at.x < last + 90))
			continue;
		last = at.x;
		if (d->c->mark(d->c->to, at, (unsigned)series, TRC_INK_SERIES + (unsigned)series,
		               err))
			return -1;
	}
	return 0;
}

static int
draw_curve(const struct drawing *d, size_t series, struct trc_err *err)
{
	const struct trc_series *s = &d->p->series[series];
	struct trc_point *line = trc_alloc(s->n, sizeof(*line), err);
	int ret;

	if (!line)
		return -1;
	for (size_t i = 0; i < s->n; i++)
		line[i] = place(d, s->x[i], s->y[i]);
	ret = s->n ? d->c->line(d->c->to, line, s->n, stroke_of(series), err) : 0;
	free(line);
	return ret ? ret : draw_marks(d, series, err);
}

/* The frame takes what the words around it leave. */
static void
find_frame(struct drawing *d)
{
	double widest = 0;

	d->right = d->width - 2 * MARGIN;
	for (size_t i = 0; i < d->y.ticks; i++)
		widest = fmax(widest, trc_text_width(d->y.tick[i].label, SIZE));
	d->left = MARGIN + SIZE + widest + 12;
	d->top = MARGIN + TITLE + 14 + legend_height(d);
	d->bottom = d->height - (d->p->x.bytes > 0 ? 68 : 54);
}

int
trc_plot_draw(const void *plot, const struct trc_canvas *c, struct trc_err *err)
{
	const struct trc_plot *p = plot;
	struct drawing d = { .p = p, .c = c, .width = p->sheet.width, .height = p->sheet.height };
	const bool some = trc_plot_scales(p, (unsigned)fmax(2, (d.width - 110) / X_TICK),
	                                  (unsigned)fmax(2, (d.height - 130) / Y_TICK), &d.x, &d.y);

	find_frame(&d);
	if (text(&d, (d.left + d.right) / 2, MARGIN + TITLE - 2, p->title, TRC_ANCHOR_MIDDLE, TITLE,
	         TRC_INK_TEXT, err))
		return -1;
	if (!some)
		return text(&d, d.width / 2, d.height / 2, "nothing to show", TRC_ANCHOR_MIDDLE,
		            SIZE, TRC_INK_FAINT, err);
	if (draw_legend(&d, err) || draw_axes(&d, err) || draw_frame(&d, err))
		return -1;
	/* The first is solid: what others do there shows above it. */
	for (size_t i = 0; i < p->n; i++)
		if (draw_curve(&d, i, err))
			return -1;
	return 0;
}
