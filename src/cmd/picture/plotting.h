/* SPDX-License-Identifier: MIT
 *
 * The options of pictures, and the file that they ask for: what questions that draw share.
 */
#ifndef TRC_CMD_PICTURE_PLOTTING_H
#define TRC_CMD_PICTURE_PLOTTING_H

#include "cmd/picture/plot.h"
#include "cmd/job/settings.h"

extern const struct trc_opts trc_stat_opts_plot;

/* The file of --plot; NULL: not given. */
const char *trc_stat_plot(const struct trc_settings *all);

/* The file of --plot, which is opened before the work: whatever cannot be written is known then. */
struct trc_plotting {
	const struct trc_plot_kind *kind; /* NULL: no picture is wanted */
	struct trc_out *out;
};

/* Close it in any case. */
int trc_plotting_open(struct trc_plotting *g, const struct trc_settings *all,
                      struct trc_err *err) TRC_MUST_USE;

/* The same for a file that another option names. */
int trc_plotting_open_file(struct trc_plotting *g, const struct trc_settings *all, const char *path,
                           struct trc_err *err) TRC_MUST_USE;
void trc_plotting_close(void *g);

/* The title that was given, NULL for none; and sets what was given of the sheet. */
const char *trc_plotting_title(const struct trc_settings *all);
int trc_plotting_sheet(const struct trc_settings *all, struct trc_sheet *sheet,
                       struct trc_err *err) TRC_MUST_USE;

/* Gives the plot the style of the options: title, size, axes, colours. */
int trc_plotting_style(const struct trc_settings *all, struct trc_plot *p,
                       struct trc_err *err) TRC_MUST_USE;

/* Writes the picture, with that style, if one is wanted; with `out`, draws it there in characters
 * instead, as in a terminal: what a table shows stands above it. */
int trc_plotting_write(struct trc_plotting *g, struct trc_out *out, const struct trc_settings *all,
                       struct trc_plot *p, struct trc_err *err) TRC_MUST_USE;

#endif
