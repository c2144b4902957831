/* SPDX-License-Identifier: MIT
 *
 * What pictures are drawn on: lines, marks, rectangles and words, in points from the upper left
 * corner. svg.c writes them as they come, raster.c puts them into pixels.
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
	TRC_INK_FAINT, /* second rows of marks */
	TRC_INK_GRID,
	/* What happens to memory: no two of these are as dark as each other. */
	TRC_INK_READ,
	TRC_INK_WRITTEN,
	TRC_INK_BOTH,
	TRC_INK_EXECUTED,
	TRC_INK_SERIES, /* of the first curve; the next ones follow */
};

enum { TRC_INK_COLOURS = 8 };

/* 0xRRGGBB. Colours of curves differ for those, too, who see colours otherwise (M. Okabe and
 * K. Ito, "Color Universal Design", 2008; its yellow, which is too light for paper, is grey). */
uint32_t trc_ink_rgb(unsigned ink, bool dark);

enum trc_anchor { TRC_ANCHOR_START, TRC_ANCHOR_MIDDLE, TRC_ANCHOR_END };

struct trc_point {
	double x, y;
};

/* Lengths of dashes and gaps by turns, in points, as many as are not 0. */
extern const uint8_t trc_dashes[TRC_INK_COLOURS][4];

/* How a line looks: `dash` is a row of trc_dashes. */
struct trc_stroke {
	unsigned ink, dash;
	double width;
};

/* From x, y to the right and down. */
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
	int (*text)(void *to, struct trc_point at, const char *text, enum trc_anchor anchor,
	            double size, bool upwards, unsigned ink, struct trc_err *err);
};

/* Corners of a mark around 0, 0: circle, square, triangle, diamond and so on by `shape`. */
size_t trc_mark_corners(unsigned shape, double radius, struct trc_point *corner);
enum { TRC_MARK_CORNERS = 16 };

/* About how wide a text is. */
double trc_text_width(const char *text, double size);

/* A text, without so much of its middle that it is no wider than `room`. */
enum { TRC_TEXT_ROOM = 1024 };
void trc_text_cut(const char *text, double size, double room, char dst[TRC_TEXT_ROOM]);

/* The same for so many letters. */
void trc_text_shorten(const char *text, size_t letters, char dst[TRC_TEXT_ROOM]);

/* How the n-th curve of a plot looks. */
struct trc_stroke trc_stroke_of(size_t n);

/* The paper, in points. */
struct trc_sheet {
	unsigned width, height;
	bool dark;
};

/* Draws `what`. */
typedef int trc_draw_fn(const void *what, const struct trc_canvas *c, struct trc_err *err);

#endif
