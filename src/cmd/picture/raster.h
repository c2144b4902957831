/* SPDX-License-Identifier: MIT
 *
 * A picture in pixels, drawn at SUB times their number each way and averaged, so that slanted lines
 * are smooth; and PNG of pixels.
 */
#ifndef TRC_CMD_PICTURE_RASTER_H
#define TRC_CMD_PICTURE_RASTER_H

#include "base/io/out.h"
#include "cmd/picture/canvas.h"

struct trc_raster {
	unsigned width, height; /* in dots, of which several make a pixel */
	uint32_t *dot;          /* 0xRRGGBB */
	double scale;           /* dots in a point */
	bool dark;
};

/* Makes one of that size, all paper. Release it in any case. */
int trc_raster_init(struct trc_raster *r, const struct trc_sheet *sheet,
                    struct trc_err *err) TRC_MUST_USE;
void trc_raster_release(struct trc_raster *r);

/* The canvas of it, which must not outlive it. */
struct trc_canvas trc_raster_canvas(struct trc_raster *r);

/* Writes it as PNG, in pixels of which a point has two each way. */
int trc_raster_png(const struct trc_raster *r, struct trc_out *out,
                   struct trc_err *err) TRC_MUST_USE;

/* Writes width * height pixels, 0xRRGGBB, as PNG (ISO/IEC 15948). Fails without zlib. */
int trc_png(const uint32_t *pixel, unsigned width, unsigned height, struct trc_out *out,
            struct trc_err *err) TRC_MUST_USE;

/* The shape of a printable character: 8 rows of 5 dots, the upper left one in bit 39; what is none
 * is a question mark. The last row is below the line. */
uint64_t trc_glyph(char c);

#endif
