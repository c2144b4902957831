/* SPDX-License-Identifier: MIT
 *
 * The options of pictures, and the file that they name, for all questions that draw.
 */
#ifndef TRC_CMD_PICTURE_PLOTTING_H
#define TRC_CMD_PICTURE_PLOTTING_H

#include "cmd/picture/plot.h"
#include "cmd/job/settings.h"

extern const struct trc_opts trc_stat_opts_plot;

/* Returns the file of --plot; NULL: not given. */
const char *trc_stat_plot(const struct trc_settings *all);

/* The file of --plot. It is opened before the work, so that a file that cannot be written is
 * reported early. */
struct trc_plotting {
	const struct trc_plot_kind *kind; /* NULL: no picture is wanted */
	struct trc_out *out;
};

/* Opens the file, if one is wanted. The caller closes *g even on failure. */
int trc_plotting_open(struct trc_plotting *g, const struct trc_settings *all,
                      struct trc_err *err) TRC_MUST_USE;

/* Does the same for a file that another option names. */
int trc_plotting_open_file(struct trc_plotting *g, const struct trc_settings *all, const char *path,
                           struct trc_err *err) TRC_MUST_USE;
void trc_plotting_close(void *g);

/* trc_plotting_title() returns the title given by option, NULL: none. trc_plotting_sheet() sets the
 * given properties of the sheet. */
const char *trc_plotting_title(const struct trc_settings *all);
int trc_plotting_sheet(const struct trc_settings *all, struct trc_sheet *sheet,
                       struct trc_err *err) TRC_MUST_USE;

/* Applies the options to a plot: title, size, axes, colours. */
int trc_plotting_style(const struct trc_settings *all, struct trc_plot *p,
                       struct trc_err *err) TRC_MUST_USE;

/* Writes the picture with these options, if one is wanted. With `out`, draws it there in characters
 * instead, for the text above a table. */
int trc_plotting_write(struct trc_plotting *g, struct trc_out *out, const struct trc_settings *all,
                       struct trc_plot *p, struct trc_err *err) TRC_MUST_USE;

#endif
