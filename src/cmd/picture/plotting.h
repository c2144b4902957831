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
const char *trc_stat_plot(const struct trc_settings *settings);

/* The options. */
struct trc_plot_options {
	const char *plot, *title, *size;
	unsigned axes;
	bool dark;
};

/* A picture with these options, and the file of --plot. That is opened before the work, so that a
 * file that cannot be written is reported early. */
struct trc_plotting {
	const struct trc_plot_options *how;
	bool force;                       /* the file may replace one */
	const struct trc_plot_kind *kind; /* NULL: no file is wanted */
	struct trc_out *out;
};

/* Takes the options; some action of the command must take them. */
void trc_plotting_init(struct trc_plotting *g, const struct trc_settings *settings);

/* Opens the file, if one is wanted. The caller closes *g even on failure. */
int trc_plotting_open(struct trc_plotting *g, struct trc_err *err) TRC_MUST_USE;

/* Does the same for a file that another option names. */
int trc_plotting_open_file(struct trc_plotting *g, const char *path,
                           struct trc_err *err) TRC_MUST_USE;
void trc_plotting_close(void *g);

/* Sets the given properties of the sheet. */
int trc_plotting_sheet(const struct trc_plotting *g, struct trc_sheet *sheet,
                       struct trc_err *err) TRC_MUST_USE;

/* Writes the picture with these options, if one is wanted. With `out`, draws it there in characters
 * instead, for the text above a table. */
int trc_plotting_write(const struct trc_plotting *g, struct trc_out *out, struct trc_plot *p,
                       struct trc_err *err) TRC_MUST_USE;

#endif
