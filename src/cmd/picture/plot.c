/* SPDX-License-Identifier: MIT
 *
 * The kinds of files to which plots are written.
 */
#include "cmd/picture/plot.h"

#include <string.h>
#include <strings.h>

#ifdef TRC_WITH_ZLIB
enum { HAVE_ZLIB = 1 };
#else
enum { HAVE_ZLIB = 0 };
#endif

static const struct trc_plot_kind kinds[] = {
	{ ".svg", "SVG", true, trc_svg_draw, NULL },
	{ ".png", "PNG", HAVE_ZLIB, trc_png_draw, NULL },
	{ ".gp", "a script of gnuplot", true, NULL, trc_plot_gnuplot },
	{ ".csv", "the points", true, NULL, trc_plot_csv },
};

const struct trc_plot_kind *
trc_plot_kind(const char *path, struct trc_err *err)
{
	const char *dot = strrchr(path, '.');

	for (size_t i = 0; dot && i < TRC_COUNT(kinds); i++) {
		if (strcasecmp(dot, kinds[i].ending) != 0)
			continue;
		if (kinds[i].available)
			return &kinds[i];
		(void)trc_fail(err,
		               "'%s': this trc was built without zlib, which %s needs; write "
		               ".svg, or install zlib1g-dev and rebuild",
		               path, kinds[i].doc);
		return NULL;
	}
	(void)trc_fail_as(err, TRC_USAGE,
	                  "'%s': the name must end in .svg or .png (a picture), .gp (a gnuplot "
	                  "script) or .csv (its points)",
	                  path);
	return NULL;
}

int
trc_plot_write(const struct trc_plot_kind *kind, const struct trc_plot *p, struct trc_out *out,
               struct trc_err *err)
{
	struct trc_plot plot = *p;

	if (!plot.sheet.width) {
		plot.sheet.width = TRC_PLOT_WIDTH;
		plot.sheet.height = TRC_PLOT_HEIGHT;
	}
	return kind->draw ? kind->draw(trc_plot_draw, &plot, &plot.sheet, out, err) :
	                    kind->points(&plot, out, err);
}
