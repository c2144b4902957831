/* SPDX-License-Identifier: MIT
 * The options of pictures. */
#include "cmd/picture/plotting.h"

#include <stddef.h>
#include <stdlib.h>

#include "cmd/report.h"

const struct trc_opts trc_stat_opts_plot = TRC_OPTS(
        struct trc_plot_options,
        { 0, "plot", "FILE", "also draw a picture: .svg, .png, .gp, .csv", TRC_OPT_TEXT,
          TRC_WORDS_OUTPUT, offsetof(struct trc_plot_options, plot) },
        { 0, "title", "TEXT", "with --plot: title of the picture", TRC_OPT_TEXT, TRC_WORDS_NONE,
          offsetof(struct trc_plot_options, title) },
        { 0, "plot-size", "WxH", "with --plot: size in points (default 800x480)", TRC_OPT_TEXT,
          TRC_WORDS_NONE, offsetof(struct trc_plot_options, size) },
        { 0, "axes", "linear|log|log-x|log-y", "scales of axes (default: chosen by the data)",
          TRC_OPT_CHOICE, TRC_WORDS_NONE, offsetof(struct trc_plot_options, axes) },
        { 0, "dark", NULL, "with --plot: light lines on a dark background", TRC_OPT_FLAG,
          TRC_WORDS_NONE, offsetof(struct trc_plot_options, dark) });

const char *
trc_stat_plot(const struct trc_settings *settings)
{
	const struct trc_plot_options *how = trc_settings_of(settings, &trc_stat_opts_plot);

	return how->plot;
}

/* Parses "800x480", from 200x150 to 4096x4096. */
static int
parse_size(const char *text, unsigned *width, unsigned *height, struct trc_err *err)
{
	char *end;
	const unsigned long w = strtoul(text, &end, 10);
	const unsigned long h = *end == 'x' ? strtoul(end + 1, &end, 10) : 0;

	if (*end || w < 200 || h < 150 || w > 4096 || h > 4096)
		return trc_fail_as(err, TRC_USAGE,
		                   "--plot-size: '%s' is not a size from 200x150 to 4096x4096",
		                   text);
	*width = (unsigned)w;
	*height = (unsigned)h;
	return 0;
}

void
trc_plotting_init(struct trc_plotting *g, const struct trc_settings *settings)
{
	*g = (struct trc_plotting){ .how = trc_settings_of(settings, &trc_stat_opts_plot),
		                    .force = trc_settings_named(settings, "force") };
}

int
trc_plotting_sheet(const struct trc_plotting *g, struct trc_sheet *sheet, struct trc_err *err)
{
	const struct trc_plot_options *how = g->how;

	sheet->dark = how->dark;
	return how->size ? parse_size(how->size, &sheet->width, &sheet->height, err) : 0;
}

/* Applies the options to a plot: title, size, axes, colours. */
static int
set_style(const struct trc_plotting *g, struct trc_plot *p, struct trc_err *err)
{
	static const enum trc_axis_scale x_of[] = { TRC_AXIS_AUTO, TRC_AXIS_LINEAR, TRC_AXIS_LOG,
		                                    TRC_AXIS_LOG, TRC_AXIS_LINEAR };
	static const enum trc_axis_scale y_of[] = { TRC_AXIS_AUTO, TRC_AXIS_LINEAR, TRC_AXIS_LOG,
		                                    TRC_AXIS_LINEAR, TRC_AXIS_LOG };
	const struct trc_plot_options *how = g->how;

	if (how->title)
		p->title = how->title;
	if (how->axes) {
		p->x.scale = x_of[how->axes];
		p->y.scale = y_of[how->axes];
	}
	return trc_plotting_sheet(g, &p->sheet, err);
}

int
trc_plotting_open(struct trc_plotting *g, struct trc_err *err)
{
	const struct trc_plot_options *how = g->how;
	struct trc_plot none = { 0 };

	if (!how->plot && (how->title || how->size || how->dark))
		return trc_fail_as(err, TRC_USAGE,
		                   "--title, --plot-size and --dark need --plot FILE");
	if (set_style(g, &none, err))
		return -1;
	return how->plot ? trc_plotting_open_file(g, how->plot, err) : 0;
}

int
trc_plotting_open_file(struct trc_plotting *g, const char *path, struct trc_err *err)
{
	g->kind = trc_plot_kind(path, err);
	if (!g->kind)
		return -1;
	g->out = trc_out_open(path, g->force, err);
	return g->out ? 0 : -1;
}

void
trc_plotting_close(void *of)
{
	trc_out_close(((struct trc_plotting *)of)->out);
}

int
trc_plotting_write(const struct trc_plotting *g, struct trc_out *out, struct trc_plot *p,
                   struct trc_err *err)
{
	if (!out && !g->kind)
		return 0;
	if (set_style(g, p, err))
		return -1;
	if (out)
		return trc_plot_terminal(p, trc_report_columns(out), out, err);
	return trc_plot_write(g->kind, p, g->out, err) || trc_out_commit(g->out, err) ? -1 : 0;
}
