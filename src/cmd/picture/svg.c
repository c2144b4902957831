/* SPDX-License-Identifier: MIT
 *
 * Writes plots as SVG 1.1 without external resources. Text stays text, so it can be searched and
 * edited.
 */
#include "cmd/picture/canvas.h"
#include "cmd/picture/plot.h"
#include "cmd/report.h"

struct svg {
	struct trc_out *out;
	bool dark;
};

static int
svg_line(void *to, const struct trc_point *p, size_t n, struct trc_stroke stroke,
         struct trc_err *err)
{
	const struct svg *s = to;
	const uint8_t *dash = trc_dashes[stroke.dash];

	if (trc_report(s->out, err,
	               "<path fill=\"none\" stroke=\"#%06x\" stroke-width=\"%g\" "
	               "stroke-linejoin=\"round\"",
	               (unsigned)trc_ink_rgb(stroke.ink, s->dark), stroke.width))
		return -1;
	if (dash[2] ? trc_report(s->out, err, " stroke-dasharray=\"%d %d %d %d\"", dash[0], dash[1],
	                         dash[2], dash[3]) :
	    dash[0] ? trc_report(s->out, err, " stroke-dasharray=\"%d %d\"", dash[0], dash[1]) :
	              0)
		return -1;
	for (size_t i = 0; i < n; i++)
		if (trc_report(s->out, err, "%s%.1f %.1f", i ? "L" : " d=\"M", p[i].x, p[i].y))
			return -1;
	return trc_report(s->out, err, "\"/>\n");
}

static int
svg_mark(void *to, struct trc_point at, unsigned shape, unsigned ink, struct trc_err *err)
{
	const struct svg *s = to;
	struct trc_point corner[TRC_MARK_CORNERS];
	const size_t n = trc_mark_corners(shape, 4, corner);

	for (size_t i = 0; i < n; i++)
		if (trc_report(s->out, err, "%s%.1f,%.1f", i ? " " : "<polygon points=\"",
		               at.x + corner[i].x, at.y + corner[i].y))
			return -1;
	return trc_report(s->out, err, "\" fill=\"#%06x\"/>\n",
	                  (unsigned)trc_ink_rgb(ink, s->dark));
}

/* Draws all rectangles as one path, which takes fewer bytes. */
static int
svg_rects(void *to, const struct trc_rect *r, size_t n, unsigned ink, struct trc_err *err)
{
	const struct svg *s = to;

	if (n == 0)
		return 0;
	if (trc_report(s->out, err, "<path shape-rendering=\"crispEdges\" fill=\"#%06x\" d=\"",
	               (unsigned)trc_ink_rgb(ink, s->dark)))
		return -1;
	for (size_t i = 0; i < n; i++)
		if (trc_report(s->out, err, "M%g %gh%gv%gh%gz", r[i].x, r[i].y, r[i].width,
		               r[i].height, -r[i].width))
			return -1;
	return trc_report(s->out, err, "\"/>\n");
}

static int
svg_text(void *to, struct trc_point at, const char *text, struct trc_text_style style,
         struct trc_err *err)
{
	static const char *const word[] = { "start", "middle", "end" };
	const struct svg *s = to;

	if (trc_report(s->out, err,
	               "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"%s\" font-size=\"%g\" "
	               "fill=\"#%06x\"",
	               at.x, at.y, word[style.anchor], style.size,
	               (unsigned)trc_ink_rgb(style.ink, s->dark)) ||
	    (style.upwards &&
	     trc_report(s->out, err, " transform=\"rotate(-90 %.1f %.1f)\"", at.x, at.y)) ||
	    trc_report(s->out, err, ">") || trc_report_xml(s->out, text, err))
		return -1;
	return trc_report(s->out, err, "</text>\n");
}

int
trc_svg_draw(trc_draw_fn *draw, const void *what, const struct trc_sheet *sheet,
             struct trc_out *out, struct trc_err *err)
{
	const unsigned width = sheet->width, height = sheet->height;
	struct svg s = { out, sheet->dark };
	const struct trc_canvas canvas = { &s, svg_line, svg_mark, svg_rects, svg_text };

	if (trc_report(out, err,
	               "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%u\" height=\"%u\" "
	               "viewBox=\"0 0 %u %u\" font-family=\"sans-serif\">\n"
	               "<rect width=\"%u\" height=\"%u\" fill=\"#%06x\"/>\n",
	               width, height, width, height, width, height,
	               (unsigned)trc_ink_rgb(TRC_INK_PAPER, sheet->dark)) ||
	    draw(what, &canvas, err))
		return -1;
	return trc_report(out, err, "</svg>\n");
}
