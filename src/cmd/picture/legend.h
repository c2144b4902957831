/* SPDX-License-Identifier: MIT
 *
 * The legend of a plot: samples of its curves with their names, in rows above the frame. Where
 * names are long or many, words become smaller, then names lose their middles: the rows never take
 * more than a part of the height.
 */
#ifndef TRC_CMD_PICTURE_LEGEND_H
#define TRC_CMD_PICTURE_LEGEND_H

#include "cmd/picture/plot.h"

struct trc_legend {
	double size, row;   /* of words, and from row to row */
	double room, width; /* for a name, and for a row */
	double step;        /* from column to column; 0: entries are as wide as their names */
	double height;      /* 0: there is none, as the only curve needs no name, or there is no
	                     * room */
};

/* The legend of a plot with so much room, in points. */
struct trc_legend trc_legend_of(const struct trc_plot *p, double width, double height);

/* Draws it, from a corner to the right and down. */
int trc_legend_draw(const struct trc_legend *l, const struct trc_plot *p,
                    const struct trc_canvas *c, struct trc_point corner,
                    struct trc_err *err) TRC_MUST_USE;

/* What stands behind the names if curves are left out: "and 3 more"; else nothing. Returns dst. */
const char *trc_legend_rest(const struct trc_plot *p, char dst[TRC_TEXT_ROOM]);

#endif
