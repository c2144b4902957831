/* SPDX-License-Identifier: MIT
 *
 * The legend of a plot: samples of its curves with their names, in rows above the frame. If names
 * are long or many, the text becomes smaller, then names lose their middles. The rows never take
 * more than a part of the height.
 */
#ifndef TRC_CMD_PICTURE_LEGEND_H
#define TRC_CMD_PICTURE_LEGEND_H

#include "cmd/picture/plot.h"

struct trc_legend {
	double size, row;   /* size of text; distance of rows */
	double room, width; /* available for a name; of a row */
	double step;        /* distance of columns; 0: entries are as wide as their names */
	double height;      /* 0: no legend, since a single curve needs none, or without room */
};

/* Lays out the legend of a plot in this space, in points. */
struct trc_legend trc_legend_of(const struct trc_plot *p, double width, double height);

/* Draws the legend, to the right of `corner` and below it. */
int trc_legend_draw(const struct trc_legend *l, const struct trc_plot *p,
                    const struct trc_canvas *c, struct trc_point corner,
                    struct trc_err *err) TRC_MUST_USE;

/* Sets `dst` to what follows the names if curves are left out, "and 3 more", else to "". Returns
 * `dst`. */
const char *trc_legend_rest(const struct trc_plot *p, char dst[TRC_TEXT_ROOM]);

#endif
