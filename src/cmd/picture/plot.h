/* SPDX-License-Identifier: MIT
 *
 * Plots: curves over two axes, in a file or in a terminal. Who has an answer to show fills a struct
 * trc_plot, and all kinds of files and the terminal follow.
 *
 * Axes are logarithmic or linear as the data are spread, unless it is asked otherwise. Curves are
 * known by dashes and marks, too, so that a print without colour will do; the legend stands
 * outside the frame.
 */
#ifndef TRC_CMD_PICTURE_PLOT_H
#define TRC_CMD_PICTURE_PLOT_H

#include "base/io/out.h"
#include "cmd/picture/canvas.h"
#include "cmd/picture/scale.h"

enum {
	TRC_PLOT_SERIES = 12, /* curves in one plot, at most */
	TRC_PLOT_WIDTH = 800,
	TRC_PLOT_HEIGHT = 480,
};

/* A curve: points from left to right. */
struct trc_series {
	const char *name;
	const double *x, *y;
	size_t n;
	bool dots; /* each point is marked: they were asked for by name */
};

enum trc_axis_scale { TRC_AXIS_AUTO, TRC_AXIS_LINEAR, TRC_AXIS_LOG };

struct trc_axis {
	const char *label;
	enum trc_unit unit;
	enum trc_axis_scale scale;

	/* What one unit has in bytes, for a second row of marks below; 0: none. */
	double bytes;
};

struct trc_plot {
	const char *title;
	struct trc_axis x, y;
	const struct trc_series *series;
	size_t n;
	size_t more; /* curves that there is no room for: a sentence stands for them */
	bool filled; /* in a terminal the first is a filled shape, the others letters on it */
	struct trc_sheet sheet; /* width 0: as above */
};

/* A kind of file, by its ending. */
struct trc_plot_kind {
	const char *ending, *doc;
	bool available; /* false: this trc was built without what it needs */

	/* Any drawing; NULL: this kind is no picture, but has the points of a plot. */
	int (*draw)(trc_draw_fn *draw, const void *what, const struct trc_sheet *sheet,
	            struct trc_out *out, struct trc_err *err);
	int (*points)(const struct trc_plot *p, struct trc_out *out, struct trc_err *err);
};

/* The kind that a name asks for; NULL with a sentence if there is none. */
const struct trc_plot_kind *trc_plot_kind(const char *path, struct trc_err *err) TRC_MUST_USE;

/* In the characters of a terminal, `columns` wide: one curve is filled, of several each has a
 * letter. A plot without an extent prints nothing. */
int trc_plot_terminal(const struct trc_plot *p, unsigned columns, struct trc_out *out,
                      struct trc_err *err) TRC_MUST_USE;

/* Whether the locale has blocks to draw with. */
bool trc_plot_blocks(void);

/* Whether `out` is a terminal with colours and such blocks. */
bool trc_plot_colours(const struct trc_out *out);

/* For the kinds: the scales of both axes, with so many marks. False: there is nothing to show. */
bool trc_plot_scales(const struct trc_plot *p, unsigned x_ticks, unsigned y_ticks,
                     struct trc_scale *x, struct trc_scale *y);

/* Writes a plot as one of the kinds. */
int trc_plot_write(const struct trc_plot_kind *kind, const struct trc_plot *p, struct trc_out *out,
                   struct trc_err *err) TRC_MUST_USE;

/* A trc_draw_fn for struct trc_plot. */
int trc_plot_draw(const void *plot, const struct trc_canvas *c, struct trc_err *err) TRC_MUST_USE;

/* The kinds: a drawing as SVG and as PNG; */
int trc_svg_draw(trc_draw_fn *draw, const void *what, const struct trc_sheet *sheet,
                 struct trc_out *out, struct trc_err *err) TRC_MUST_USE;
int trc_png_draw(trc_draw_fn *draw, const void *what, const struct trc_sheet *sheet,
                 struct trc_out *out, struct trc_err *err) TRC_MUST_USE;

/* a script of gnuplot with its data, and the points of all curves as text. */
int trc_plot_gnuplot(const struct trc_plot *p, struct trc_out *out,
                     struct trc_err *err) TRC_MUST_USE;
int trc_plot_csv(const struct trc_plot *p, struct trc_out *out, struct trc_err *err) TRC_MUST_USE;

#endif
