/* SPDX-License-Identifier: MIT
 *
 * The surface on which pictures are drawn: lines, marks, rectangles and words, in points from the
 * upper left corner. svg.c writes them directly, raster.c converts them to pixels.
 */
#ifndef TRC_CMD_PICTURE_CANVAS_H
#define TRC_CMD_PICTURE_CANVAS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/base.h"

enum trc_ink {
	TRC_INK_PAPER,
	TRC_INK_TEXT,
	TRC_INK_FAINT, /* also for second rows of tick labels */
	TRC_INK_GRID,
	/* Uses of memory, with a different brightness each, so that they differ without colour. */
	TRC_INK_READ,
	TRC_INK_WRITTEN,
	TRC_INK_BOTH,
	TRC_INK_EXECUTED,
	TRC_INK_SERIES, /* the first curve; further curves follow */
};

enum { TRC_INK_COLOURS = 8 };

/* Returns 0xRRGGBB. The colours of curves are distinct for colour-blind readers as well (M. Okabe
 * and K. Ito, "Color Universal Design", 2008; grey replaces its yellow, which is too light for
 * paper). */
uint32_t trc_ink_rgb(unsigned ink, bool dark);

/* Which end of a text is at its point. */
enum trc_anchor { TRC_ANCHOR_START, TRC_ANCHOR_MIDDLE, TRC_ANCHOR_END };

struct trc_point {
	double x, y;
};

/* Alternating lengths of dashes and gaps in points, ending with 0. */
extern const uint8_t trc_dashes[TRC_INK_COLOURS][4];

/* The style of a line; `dash` is a row of trc_dashes. */
struct trc_stroke {
	unsigned ink, dash;
	double width;
};

/* The style of a text of this height in points; `upwards`: it reads from bottom to top. */
struct trc_text_style {
	enum trc_anchor anchor;
	double size;
	unsigned ink;
	bool upwards;
};

/* Extends from x, y to the right and down. */
struct trc_rect {
	double x, y, width, height;
};

struct trc_canvas {
	void *to;
	int (*line)(void *to, const struct trc_point *p, size_t n, struct trc_stroke stroke,
	            struct trc_err *err);
	int (*mark)(void *to, struct trc_point at, unsigned shape, unsigned ink,
	            struct trc_err *err);
	int (*rects)(void *to, const struct trc_rect *r, size_t n, unsigned ink,
	             struct trc_err *err);
	int (*text)(void *to, struct trc_point at, const char *text, struct trc_text_style style,
	            struct trc_err *err);
};

/* Sets the corners of a mark around 0, 0 (circle, square, triangle, diamond, ..., by `shape`);
 * returns how many there are. */
size_t trc_mark_corners(unsigned shape, double radius, struct trc_point *corner);
enum { TRC_MARK_CORNERS = 16 };

/* Estimates the width of a text in points. */
double trc_text_width(const char *text, double size);

/* Copies a text, without as much of its middle as needed to be no wider than `room`. */
enum { TRC_TEXT_ROOM = 1024 };
void trc_text_cut(const char *text, double size, double room, char dst[TRC_TEXT_ROOM]);

/* Does the same for a number of letters. */
void trc_text_shorten(const char *text, size_t letters, char dst[TRC_TEXT_ROOM]);

/* Returns the style of curve `n` of a plot. */
struct trc_stroke trc_stroke_of(size_t n);

/* The paper; sizes in points. */
struct trc_sheet {
	unsigned width, height;
	bool dark;
};

/* Draws `what` on `c`. */
typedef int trc_draw_fn(const void *what, const struct trc_canvas *c, struct trc_err *err);

#endif
