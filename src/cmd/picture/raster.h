/* SPDX-License-Identifier: MIT
 *
 * A picture in pixels. It is drawn with SUB times as many dots in both directions and then
 * averaged, so slanted lines are smooth. Pixels are written as PNG.
 */
#ifndef TRC_CMD_PICTURE_RASTER_H
#define TRC_CMD_PICTURE_RASTER_H

#include "base/io/out.h"
#include "cmd/picture/canvas.h"

struct trc_raster {
	unsigned width, height; /* in dots, several of which make a pixel */
	uint32_t *dot;          /* 0xRRGGBB */
	double scale;           /* dots per point */
	bool dark;
};

/* Makes an empty picture of this size. The caller releases *r even on failure. */
int trc_raster_init(struct trc_raster *r, const struct trc_sheet *sheet,
                    struct trc_err *err) TRC_MUST_USE;
void trc_raster_release(struct trc_raster *r);

/* Returns a canvas that draws on `r`, which must outlive it. */
struct trc_canvas trc_raster_canvas(struct trc_raster *r);

/* Writes the picture as PNG, with two pixels per point in both directions. */
int trc_raster_png(const struct trc_raster *r, struct trc_out *out,
                   struct trc_err *err) TRC_MUST_USE;

/* Writes width * height pixels (0xRRGGBB) as PNG (ISO/IEC 15948). Fails if trc was built without
 * zlib. */
int trc_png(const uint32_t *pixel, unsigned width, unsigned height, struct trc_out *out,
            struct trc_err *err) TRC_MUST_USE;

/* Returns the shape of a printable character as 8 rows of 5 dots, the upper left one in bit 39; the
 * last row is below the baseline. Other characters become question marks. */
uint64_t trc_glyph(char c);

#endif
