/* SPDX-License-Identifier: MIT
 * Draws a picture in pixels. */
#include "cmd/picture/raster.h"

#include <math.h>
#include <stdlib.h>

#include "cmd/picture/plot.h"

enum {
	PIXELS = 2, /* per point */
	SUB = 2,    /* dots per pixel */
	SIDE_MOST = 16384,
};

int
trc_raster_init(struct trc_raster *r, const struct trc_sheet *sheet, struct trc_err *err)
{
	const unsigned width = sheet->width, height = sheet->height;
	const uint32_t paper = trc_ink_rgb(TRC_INK_PAPER, sheet->dark);
	const size_t dots = (size_t)width * height * PIXELS * PIXELS * SUB * SUB;

	*r = (struct trc_raster){ .width = width * PIXELS * SUB,
		                  .height = height * PIXELS * SUB,
		                  .scale = PIXELS * SUB,
		                  .dark = sheet->dark };
	if (r->width > SIDE_MOST || r->height > SIDE_MOST)
		return trc_fail(err, "a picture of %u by %u points is too large for PNG output",
		                width, height);
	r->dot = trc_alloc(dots, sizeof(*r->dot), err);
	for (size_t i = 0; r->dot && i < dots; i++)
		r->dot[i] = paper;
	return r->dot ? 0 : -1;
}

void
trc_raster_release(struct trc_raster *r)
{
	free(r->dot);
	r->dot = NULL;
}

static void
fill(struct trc_raster *r, long x0, long x1, long y, uint32_t rgb)
{
	if (y < 0 || y >= (long)r->height)
		return;
	for (long x = x0 < 0 ? 0 : x0; x < x1 && x < (long)r->width; x++)
		r->dot[(size_t)y * r->width + (size_t)x] = rgb;
}

static void
disc(struct trc_raster *r, double x, double y, double radius, uint32_t rgb)
{
	for (long row = lround(y - radius); row <= lround(y + radius); row++) {
		const double dy = (double)row + 0.5 - y, half = radius * radius - dy * dy;

		if (half > 0)
			fill(r, lround(x - sqrt(half)), lround(x + sqrt(half)), row, rgb);
	}
}

/* Returns true if a line at distance `at` from its beginning is in a dash. The round pen extends a
 * dash by half its width at both ends, so dashes are shortened by that. */
static bool
in_dash(const uint8_t *dash, double at, double half)
{
	double all = 0;

	for (size_t i = 0; i < 4; i++)
		all += dash[i];
	if (all == 0)
		return true;
	at = fmod(at, all);
	for (size_t i = 0; i < 4; at -= dash[i++])
		if (at < dash[i])
			return i % 2 == 0 &&
			       (dash[i] <= 2 * half ? at < 0.5 : at > half && at < dash[i] - half);
	return false;
}

/* Moves a round pen along the line. */
static int
raster_line(void *to, const struct trc_point *p, size_t n, struct trc_stroke stroke,
            struct trc_err *err)
{
	struct trc_raster *r = to;
	const uint32_t rgb = trc_ink_rgb(stroke.ink, r->dark);
	const double step = 0.5 / r->scale;
	double at = 0;

	(void)err;
	for (size_t i = 1; i < n; i++) {
		const double dx = p[i].x - p[i - 1].x, dy = p[i].y - p[i - 1].y,
		             length = hypot(dx, dy);

		for (double t = 0; t <= length; t += step) {
			const double part = length > 0 ? t / length : 0;

			if (in_dash(trc_dashes[stroke.dash], at + t, stroke.width / 2))
				disc(r, (p[i - 1].x + part * dx) * r->scale,
				     (p[i - 1].y + part * dy) * r->scale,
				     stroke.width / 2 * r->scale, rgb);
		}
		at += length;
	}
	return 0;
}

/* Fills a convex polygon row by row, between the outermost edges that cross it. */
static int
raster_mark(void *to, struct trc_point at, unsigned shape, unsigned ink, struct trc_err *err)
{
	struct trc_raster *r = to;
	struct trc_point corner[TRC_MARK_CORNERS];
	const size_t n = trc_mark_corners(shape, 4, corner);
	const uint32_t rgb = trc_ink_rgb(ink, r->dark);

	(void)err;
	for (long row = lround((at.y - 4) * r->scale); row <= lround((at.y + 4) * r->scale);
	     row++) {
		const double y = ((double)row + 0.5) / r->scale - at.y;
		double left = INFINITY, right = -INFINITY;

		for (size_t i = 0; i < n; i++) {
			const struct trc_point a = corner[i], b = corner[(i + 1) % n];

			if ((a.y <= y) == (b.y <= y))
				continue;
			const double x = a.x + (y - a.y) / (b.y - a.y) * (b.x - a.x);

			left = fmin(left, x);
			right = fmax(right, x);
		}
		if (left < right)
			fill(r, lround((at.x + left) * r->scale), lround((at.x + right) * r->scale),
			     row, rgb);
	}
	return 0;
}

static int
raster_rects(void *to, const struct trc_rect *rect, size_t n, unsigned ink, struct trc_err *err)
{
	struct trc_raster *r = to;
	const uint32_t rgb = trc_ink_rgb(ink, r->dark);

	(void)err;
	for (size_t i = 0; i < n; i++)
		for (long row = lround(rect[i].y * r->scale);
		     row < lround((rect[i].y + rect[i].height) * r->scale); row++)
			fill(r, lround(rect[i].x * r->scale),
			     lround((rect[i].x + rect[i].width) * r->scale), row, rgb);
	return 0;
}

static void
square(struct trc_raster *r, long left, long top, long width, uint32_t rgb)
{
	for (long row = 0; row < width; row++)
		fill(r, left, left + width, top + row, rgb);
}

/* Draws a character of a text at `at`, all in dots, as squares of `unit`; `across` is how far its
 * left edge is along the text. */
static void
character(struct trc_raster *r, struct trc_point at, double across, char c, long unit,
          struct trc_text_style style)
{
	const uint64_t shape = trc_glyph(c);
	const uint32_t rgb = trc_ink_rgb(style.ink, r->dark);

	for (int dot = 0; dot < 40; dot++) {
		const double right = across + (double)(dot % 5 * unit),
		             down = (double)((dot / 5 - 7) * unit);

		if (!(shape >> (39 - dot) & 1))
			continue;
		if (style.upwards)
			square(r, lround(at.x + down), lround(at.y - right - (double)unit), unit,
			       rgb);
		else
			square(r, lround(at.x + right), lround(at.y + down), unit, rgb);
	}
}

static int
raster_text(void *to, struct trc_point at, const char *text, struct trc_text_style style,
            struct trc_err *err)
{
	struct trc_raster *r = to;
	const long unit = lround(style.size * r->scale * 0.096);
	const struct trc_point dot = { at.x * r->scale, at.y * r->scale };
	double across, letters = 0;

	(void)err;
	for (const char *c = text; *c; c++)
		letters += (*c & 0xc0) != 0x80;
	across = -(double)unit * (6 * letters - 1) * style.anchor / 2;
	for (; *text; text++) {
		if ((*text & 0xc0) == 0x80)
			continue; /* the rest of a UTF-8 sequence, which is drawn as one '?' */
		character(r, dot, across, *text, unit, style);
		across += 6 * (double)unit;
	}
	return 0;
}

struct trc_canvas
trc_raster_canvas(struct trc_raster *r)
{
	return (struct trc_canvas){ r, raster_line, raster_mark, raster_rects, raster_text };
}

/* Returns the mean of the dots of a pixel. All three colours are added at once, 16 bits apart, so
 * their sums do not overlap. */
static uint32_t
pixel_of(const struct trc_raster *r, unsigned x, unsigned y)
{
	uint64_t sum = 0;

	for (unsigned i = 0; i < SUB * SUB; i++) {
		const uint64_t rgb =
		        r->dot[(size_t)(SUB * y + i / SUB) * r->width + SUB * x + i % SUB];

		sum += (rgb & 0xff) | (rgb & 0xff00) << 8 | (rgb & 0xff0000) << 16;
	}
	sum /= SUB * SUB; /* the remainder of a higher colour is masked off below */
	return (uint32_t)((sum & 0xff) | (sum >> 8 & 0xff00) | (sum >> 16 & 0xff0000));
}

int
trc_raster_png(const struct trc_raster *r, struct trc_out *out, struct trc_err *err)
{
	const unsigned width = r->width / SUB, height = r->height / SUB;
	uint32_t *pixel = trc_alloc((size_t)width * height, sizeof(*pixel), err);
	int ret;

	if (!pixel)
		return -1;
	for (unsigned y = 0; y < height; y++)
		for (unsigned x = 0; x < width; x++)
			pixel[(size_t)y * width + x] = pixel_of(r, x, y);
	ret = trc_png(pixel, width, height, out, err);
	free(pixel);
	return ret;
}

int
trc_png_draw(trc_draw_fn *draw, const void *what, const struct trc_sheet *sheet,
             struct trc_out *out, struct trc_err *err)
{
	struct trc_raster r;
	int ret = trc_raster_init(&r, sheet, err);

	if (ret == 0) {
		const struct trc_canvas canvas = trc_raster_canvas(&r);

		ret = draw(what, &canvas, err) || trc_raster_png(&r, out, err) ? -1 : 0;
	}
	trc_raster_release(&r);
	return ret;
}
