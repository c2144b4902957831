/* SPDX-License-Identifier: MIT
 * Writes plots as text: a gnuplot script with its data, or only the points. */
#include <math.h>

#include "cmd/picture/legend.h"
#include "cmd/report.h"

/* Writes a name in double quotes for CSV; quotes in it are doubled. */
static int
quoted(const char *name, struct trc_out *out, struct trc_err *err)
{
	if (trc_report(out, err, "\""))
		return -1;
	for (; *name; name++)
		if (trc_report(out, err, *name == '"' ? "\"\"" : "%c", *name))
			return -1;
	return trc_report(out, err, "\"");
}

int
trc_plot_csv(const struct trc_plot *p, struct trc_out *out, struct trc_err *err)
{
	if (trc_report(out, err, "curve,x,y\n"))
		return -1;
	for (size_t i = 0; i < p->n; i++)
		for (size_t k = 0; k < p->series[i].n; k++)
			if (quoted(p->series[i].name, out, err) ||
			    trc_report(out, err, ",%.9g,%.9g\n", p->series[i].x[k],
			               p->series[i].y[k]))
				return -1;
	return 0;
}

/* Writes a gnuplot string in single quotes, in which only these are special. */
static int
single(const char *before, const char *text, struct trc_out *out, struct trc_err *err)
{
	if (trc_report(out, err, "%s'", before))
		return -1;
	for (; *text; text++) {
		const char c = *text;

		if (trc_report(out, err, c == '\'' ? "''" : "%c", (unsigned char)c < ' ' ? ' ' : c))
			return -1;
	}
	return trc_report(out, err, "'");
}

static int
gnuplot_axis(const char *which, const struct trc_axis *axis, const struct trc_scale *s,
             struct trc_out *out, struct trc_err *err)
{
	/* Tick labels of two lines need space above the label of the axis. */
	const char *below = axis->bytes > 0 ? " offset 0,-1\nset bmargin 5.5" : "";

	if (s->log && trc_report(out, err, "set logscale %s %d\n", which,
	                         axis->unit == TRC_UNIT_SIZE ? 2 : 10))
		return -1;
	if (trc_report(out, err, "set %srange [%.9g:%.9g]\nset %slabel ", which, s->from, s->to,
	               which) ||
	    single("", axis->label, out, err) || trc_report(out, err, " noenhanced%s\n", below))
		return -1;
	if (trc_report(out, err, "set %stics (", which))
		return -1;
	/* Tick labels are formats, so a percent sign is doubled; labels have one only as their last
	 * character. */
	for (size_t i = 0; i < s->ticks; i++) {
		char bytes[TRC_TICK_ROOM] = "";

		if (axis->bytes > 0)
			trc_scale_bytes(s->tick[i].value * axis->bytes, bytes);
		if (trc_report(out, err, "%s\"%s%s%s%s\" %.9g", i ? ", " : "", s->tick[i].label,
		               axis->unit == TRC_UNIT_PART ? "%" : "", *bytes ? "\\n" : "", bytes,
		               s->tick[i].value))
			return -1;
	}
	return trc_report(out, err, ")\n");
}

/* Writes a curve. Curves also differ by dashes and marks; a curve with many points has only a few
 * marks. */
static int
gnuplot_curve(const struct trc_plot *p, size_t i, struct trc_out *out, struct trc_err *err)
{
	const struct trc_series *s = &p->series[i];

	if (trc_report(out, err, "%s $curve%zu with linespoints dashtype %zu pointtype %zu",
	               i ? ", \\\n " : "plot", i, i % 5 + 1, i + 4) ||
	    (!s->dots && s->n > 8 && trc_report(out, err, " pointinterval %zu", s->n / 8 + i)) ||
	    single(" title ", s->name, out, err))
		return -1;
	return trc_report(out, err, " noenhanced");
}

/* Writes the legend, above the plot. Its title mentions curves that are left out. */
static int
gnuplot_key(const struct trc_plot *p, struct trc_out *out, struct trc_err *err)
{
	char rest[TRC_TEXT_ROOM];

	if (trc_report(out, err, "set key above"))
		return -1;
	if (p->more && single(" title ", trc_legend_rest(p, rest), out, err))
		return -1;
	return trc_report(out, err, "\n");
}

/* Writes an empty plot, as pictures show it. */
static int
gnuplot_nothing(const struct trc_plot *p, struct trc_out *out, struct trc_err *err)
{
	if (single("set title ", p->title, out, err) ||
	    trc_report(out, err,
	               " noenhanced\nunset border\nunset tics\n"
	               "set label 'nothing to show' at 0.5,0.5 center\n"
	               "plot [0:1] [0:1] NaN notitle\n"))
		return -1;
	return 0;
}

int
trc_plot_gnuplot(const struct trc_plot *p, struct trc_out *out, struct trc_err *err)
{
	struct trc_scale x, y;

	if (!trc_plot_scales(p, 10, 8, &x, &y))
		return gnuplot_nothing(p, out, err);
	for (size_t i = 0; i < p->n; i++) {
		if (trc_report(out, err, "$curve%zu << EOD\n", i))
			return -1;
		for (size_t k = 0; k < p->series[i].n; k++)
			if (trc_report(out, err, "%.9g %.9g\n", p->series[i].x[k],
			               fmax(p->series[i].y[k], y.from)))
				return -1;
		if (trc_report(out, err, "EOD\n"))
			return -1;
	}
	if (single("set title ", p->title, out, err) ||
	    trc_report(out, err, " noenhanced\nset grid\n") || gnuplot_key(p, out, err) ||
	    gnuplot_axis("x", &p->x, &x, out, err) || gnuplot_axis("y", &p->y, &y, out, err))
		return -1;
	for (size_t i = 0; i < p->n; i++)
		if (gnuplot_curve(p, i, out, err))
			return -1;
	return trc_report(out, err, "\n");
}
