/* SPDX-License-Identifier: MIT
 *
 * The kinds of files that plots are written to.
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
	{ ".svg", "SVG", trc_plot_svg, true },
	{ ".png", "PNG", trc_plot_png, HAVE_ZLIB },
	{ ".gp", "a script of gnuplot", trc_plot_gnuplot, true },
	{ ".csv", "the points", trc_plot_csv, true },
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
		               "'%s': this trc was built without zlib, which %s needs; name it "
		               ".svg, or build it with zlib1g-dev",
		               path, kinds[i].doc);
		return NULL;
	}
	(void)trc_fail_as(err, TRC_USAGE,
	                  "'%s': a picture is .svg or .png, a script of gnuplot with its data .gp, "
	                  "and what would be drawn .csv: name it so",
	                  path);
	return NULL;
}
