/* SPDX-License-Identifier: MIT
 *
 * Draws a plot on a canvas, from the top: title, legend, and the frame with its curves and the
 * labels of the axes around it.
 */
#include <math.h>
#include <stdlib.h>

#include "cmd/picture/legend.h"

enum {
	SIZE = 13, /* of text, in points */
	SMALL = 11,
	TITLE = 16,
	MARGIN = 16,
	MARK = 3,    /* radius */
	X_TICK = 64, /* minimum distance of ticks */
	Y_TICK = 36,
};

/* The state of drawing a plot. */
struct drawing {
	const struct trc_plot *p;
	const struct trc_canvas *c;
	struct trc_scale x, y;
	struct trc_legend legend;
	double width, height;            /* of the picture */
	double left, right, top, bottom; /* of the frame */
};

static struct trc_point
place(const struct drawing *d, double x, double y)
{
	return (struct trc_point){
		d->left + trc_scale_place(&d->x, x) * (d->right - d->left),
		d->bottom - trc_scale_place(&d->y, y) * (d->bottom - d->top),
	};
}

static const struct trc_text_style centred = { TRC_ANCHOR_MIDDLE, SIZE, TRC_INK_TEXT, false },
                                   before = { TRC_ANCHOR_END, SIZE, TRC_INK_TEXT, false },
                                   faint = { TRC_ANCHOR_MIDDLE, SIZE, TRC_INK_FAINT, false };

static int
text(const struct drawing *d, double x, double y, const char *words, struct trc_text_style style,
     struct trc_err *err)
{
	return d->c->text(d->c->to, (struct trc_point){ x, y }, words, style, err);
}

static int
grid_line(const struct drawing *d, struct trc_point a, struct trc_point b, struct trc_err *err)
{
	const struct trc_point line[] = { a, b };

	return d->c->line(d->c->to, line, 2, (struct trc_stroke){ TRC_INK_GRID, 0, 1 }, err);
}

/* Writes a tick of the x axis in bytes as well: "256 KiB" below 64 pages. */
static int
draw_bytes(const struct drawing *d, const struct trc_tick *tick, double x, struct trc_err *err)
{
	char words[TRC_TICK_ROOM];

	if (d->p->x.bytes <= 0)
		return 0;
	trc_scale_bytes(tick->value * d->p->x.bytes, words);
	return text(d, x, d->bottom + 34, words,
	            (struct trc_text_style){ TRC_ANCHOR_MIDDLE, SMALL, TRC_INK_FAINT, false }, err);
}

static int
draw_axes(const struct drawing *d, struct trc_err *err)
{
	double free_to = d->bottom;

	for (size_t i = 0; i < d->x.ticks; i++) {
		const struct trc_point at = place(d, d->x.tick[i].value, d->y.from);

		if (grid_line(d, (struct trc_point){ at.x, d->top }, at, err) ||
		    text(d, at.x, d->bottom + 19, d->x.tick[i].label, centred, err) ||
		    draw_bytes(d, &d->x.tick[i], at.x, err))
			return -1;
	}
	for (size_t i = 0; i < d->y.ticks; i++) {
		const struct trc_point at = place(d, d->x.from, d->y.tick[i].value);

		if (at.y > free_to)
			continue; /* overlaps the label below */
		free_to = at.y - SIZE;
		if (grid_line(d, at, (struct trc_point){ d->right, at.y }, err) ||
		    text(d, d->left - 8, at.y + 4, d->y.tick[i].label, before, err))
			return -1;
	}
	return 0;
}

/* Returns where to centre text of this width: at `frame`, or in the middle of the picture if it
 * would extend beyond it. */
static double
middle_of(double frame, double all, double width)
{
	return 2 * fmin(frame, all - frame) < width + SMALL ? all / 2 : frame;
}

/* Returns the largest size up to `size` at which the text fits, or the smallest. */
static double
fitting(const char *words, double size, double room)
{
	static const double less[] = { TITLE, SIZE, SMALL };

	for (size_t i = 0; i < TRC_COUNT(less); i++)
		if (less[i] <= size && trc_text_width(words, less[i]) <= room)
			return less[i];
	return SMALL;
}

/* Writes a centred line of text, shortened if necessary. */
static int
draw_words(const struct drawing *d, const char *all, double frame, double y, double size,
           struct trc_err *err)
{
	char words[TRC_TEXT_ROOM];

	size = fitting(all, size, d->width - SMALL);
	trc_text_cut(all, size, d->width - SMALL, words);
	return text(d, middle_of(frame, d->width, trc_text_width(words, size)), y, words,
	            (struct trc_text_style){ TRC_ANCHOR_MIDDLE, size, TRC_INK_TEXT, false }, err);
}

static int
draw_labels(const struct drawing *d, struct trc_err *err)
{
	const double size = fitting(d->p->y.label, SIZE, d->height - SMALL);
	char words[TRC_TEXT_ROOM];

	trc_text_cut(d->p->y.label, size, d->height - SMALL, words);
	const struct trc_point left = { MARGIN, middle_of((d->top + d->bottom) / 2, d->height,
		                                          trc_text_width(words, size)) };

	if (d->c->text(d->c->to, left, words,
	               (struct trc_text_style){ TRC_ANCHOR_MIDDLE, size, TRC_INK_TEXT, true }, err))
		return -1;
	return draw_words(d, d->p->x.label, (d->left + d->right) / 2,
	                  d->bottom + (d->p->x.bytes > 0 ? 56 : 42), SIZE, err);
}

/* Draws small ticks between the decades of a logarithmic axis if only decades are labelled. */
static int
draw_small_marks(const struct drawing *d, const struct trc_scale *s, bool upwards,
                 struct trc_err *err)
{
	double mark[TRC_SMALL_TICKS_MOST];
	const size_t n = trc_scale_between(s, mark);

	for (size_t i = 0; i < n; i++) {
		const double at = trc_scale_place(s, mark[i]);
		const double x = upwards ? d->left : d->left + at * (d->right - d->left),
		             y = upwards ? d->bottom - at * (d->bottom - d->top) : d->bottom;
		const struct trc_point line[] = { { x, y },
			                          { upwards ? x - 3 : x, upwards ? y : y + 3 } };

		if (d->c->line(d->c->to, line, 2, (struct trc_stroke){ TRC_INK_FAINT, 0, 1 }, err))
			return -1;
	}
	return 0;
}

static int
draw_frame(const struct drawing *d, struct trc_err *err)
{
	const struct trc_point frame[] = { { d->left, d->top },
		                           { d->left, d->bottom },
		                           { d->right, d->bottom } };

	if (d->c->line(d->c->to, frame, TRC_COUNT(frame),
	               (struct trc_stroke){ TRC_INK_FAINT, 0, 1 }, err) ||
	    draw_small_marks(d, &d->x, false, err) || draw_small_marks(d, &d->y, true, err))
		return -1;
	return 0;
}

/* Draws marks: at all points of a curve with `dots`; otherwise, if there are several curves, at a
 * few points that differ from curve to curve. */
static int
draw_marks(const struct drawing *d, size_t series, struct trc_err *err)
{
	const struct trc_series *s = &d->p->series[series];
	double last = d->left - 40 - 13 * (double)(series % 5);

	for (size_t i = 0; i < s->n; i++) {
		const struct trc_point at = place(d, s->x[i], s->y[i]);

		if (!s->dots && s->n > 1 && (d->p->n < 2 || at.x < last + 90))
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
	ret = s->n ? d->c->line(d->c->to, line, s->n, trc_stroke_of(series), err) : 0;
	free(line);
	return ret ? ret : draw_marks(d, series, err);
}

/* Sets the frame to the space that the text around it leaves. */
static void
find_frame(struct drawing *d)
{
	const double above = MARGIN + TITLE + 14, below = d->p->x.bytes > 0 ? 68 : 54;
	double widest = 0;

	d->right = d->width - 2 * MARGIN;
	for (size_t i = 0; i < d->y.ticks; i++)
		widest = fmax(widest, trc_text_width(d->y.tick[i].label, SIZE));
	d->left = MARGIN + SIZE + widest + 12;
	d->legend = trc_legend_of(d->p, d->right - d->left,
	                          fmin(d->height * 0.4, d->height - above - below - Y_TICK));
	d->top = above + d->legend.height;
	d->bottom = d->height - below;
}

int
trc_plot_draw(const void *plot, const struct trc_canvas *c, struct trc_err *err)
{
	const struct trc_plot *p = plot;
	struct drawing d = { .p = p, .c = c, .width = p->sheet.width, .height = p->sheet.height };
	bool some = trc_plot_scales(p, (unsigned)fmax(2, (d.width - 110) / X_TICK),
	                            (unsigned)fmax(2, (d.height - 130) / Y_TICK), &d.x, &d.y);

	find_frame(&d);
	some = some && trc_plot_scales(p, (unsigned)fmax(2, (d.right - d.left) / X_TICK),
	                               (unsigned)fmax(1, (d.bottom - d.top) / Y_TICK), &d.x, &d.y);
	find_frame(&d);
	if (draw_words(&d, p->title, (d.left + d.right) / 2, MARGIN + TITLE - 2, TITLE, err))
		return -1;
	if (!some)
		return text(&d, d.width / 2, d.height / 2, "nothing to draw", faint, err);
	if (trc_legend_draw(&d.legend, p, c, (struct trc_point){ d.left, d.top - d.legend.height },
	                    err) ||
	    draw_axes(&d, err) || draw_labels(&d, err) || draw_frame(&d, err))
		return -1;
	/* The first curve is solid, so later ones remain visible on top of it. */
	for (size_t i = 0; i < p->n; i++)
		if (draw_curve(&d, i, err))
			return -1;
	return 0;
}
