/* SPDX-License-Identifier: MIT
 *
 * Plots: curves over two axes, in a file or in a terminal. A question fills a struct trc_plot, and
 * can then be drawn in all kinds of files and in a terminal.
 *
 * Axes are logarithmic or linear, chosen by the spread of the data unless the user chooses. Curves
 * also differ by dashes and marks, so a print without colour is readable. The legend is outside the
 * frame.
 */
#ifndef TRC_CMD_PICTURE_PLOT_H
#define TRC_CMD_PICTURE_PLOT_H

#include "base/io/out.h"
#include "cmd/picture/canvas.h"
#include "cmd/picture/scale.h"

enum {
	TRC_PLOT_SERIES = 12, /* maximum number of curves in a plot */
	TRC_PLOT_WIDTH = 800,
	TRC_PLOT_HEIGHT = 480,
};

/* A curve: points from left to right. */
struct trc_series {
	const char *name;
	const double *x, *y;
	size_t n;
	bool dots; /* mark each point */
};

enum trc_axis_scale { TRC_AXIS_AUTO, TRC_AXIS_LINEAR, TRC_AXIS_LOG };

struct trc_axis {
	const char *label;
	enum trc_unit unit;
	enum trc_axis_scale scale;

	/* Bytes per unit, for a second row of tick labels in bytes; 0: none. */
	double bytes;
};

struct trc_plot {
	const char *title;
	struct trc_axis x, y;
	const struct trc_series *series;
	size_t n;
	size_t more; /* curves that are left out, which the legend mentions */
	bool filled; /* in a terminal, fill the first curve and draw the others on it as letters */
	struct trc_sheet sheet; /* width 0: the defaults above */
};

/* A kind of file, identified by its ending. */
struct trc_plot_kind {
	const char *ending, *doc;
	bool available; /* false: this trc was built without a library that it needs */

	/* Draws anything. NULL: this kind is not a picture but has the points of a plot. */
	int (*draw)(trc_draw_fn *draw, const void *what, const struct trc_sheet *sheet,
	            struct trc_out *out, struct trc_err *err);
	int (*points)(const struct trc_plot *p, struct trc_out *out, struct trc_err *err);
};

/* Returns the kind of file for a name, or NULL and an error if there is none. */
const struct trc_plot_kind *trc_plot_kind(const char *path, struct trc_err *err) TRC_MUST_USE;

/* Draws a plot in the characters of a terminal, `columns` wide: one curve as a filled shape,
 * several as letters. Prints nothing if all points have the same x. */
int trc_plot_terminal(const struct trc_plot *p, unsigned columns, struct trc_out *out,
                      struct trc_err *err) TRC_MUST_USE;

/* Returns true if the locale has block characters. */
bool trc_plot_blocks(void);

/* Returns true if `out` is a terminal with colours and block characters. */
bool trc_plot_colours(const struct trc_out *out);

/* Makes the scales of both axes with about this many ticks. Returns false if there is nothing to
 * show. */
bool trc_plot_scales(const struct trc_plot *p, unsigned x_ticks, unsigned y_ticks,
                     struct trc_scale *x, struct trc_scale *y);

/* Writes a plot as a file of this kind. */
int trc_plot_write(const struct trc_plot_kind *kind, const struct trc_plot *p, struct trc_out *out,
                   struct trc_err *err) TRC_MUST_USE;

/* A trc_draw_fn; `plot` is a struct trc_plot. */
int trc_plot_draw(const void *plot, const struct trc_canvas *c, struct trc_err *err) TRC_MUST_USE;

/* The implementations of the kinds: a drawing as SVG or PNG; */
int trc_svg_draw(trc_draw_fn *draw, const void *what, const struct trc_sheet *sheet,
                 struct trc_out *out, struct trc_err *err) TRC_MUST_USE;
int trc_png_draw(trc_draw_fn *draw, const void *what, const struct trc_sheet *sheet,
                 struct trc_out *out, struct trc_err *err) TRC_MUST_USE;

/* a gnuplot script that includes its data, or the points of all curves as CSV. */
int trc_plot_gnuplot(const struct trc_plot *p, struct trc_out *out,
                     struct trc_err *err) TRC_MUST_USE;
int trc_plot_csv(const struct trc_plot *p, struct trc_out *out, struct trc_err *err) TRC_MUST_USE;

#endif
