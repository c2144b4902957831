/* SPDX-License-Identifier: MIT
 *
 * The picture of an answer, by the declaration of its columns: one is `across`, each with a `curve`
 * is a curve of that name, and one may have the names of `curves` in its cells.
 */
#ifndef TRC_CMD_PICTURE_ANSWER_PLOT_H
#define TRC_CMD_PICTURE_ANSWER_PLOT_H

#include "cmd/answer/answer.h"
#include "cmd/picture/plotting.h"

/* What a declaration does not have. */
struct trc_answer_plot {
	const struct trc_settings *all;

	/* Its title: "WHAT of NAME AFTER"; without a name, which several traces do not have, and with
	 * nothing after it, "WHAT". */
	const char *what, *name;
	char after[32];

	struct trc_axis x, y; /* without a label they have: */
	char below[96], left[96];
	bool text;   /* it stands above the tables of text, too */
	bool shares; /* values are shares of their sum */
	bool ranks;  /* and those of the first 1, 2, ... rows together */
	bool dots;   /* each point is marked, up to the last that is not 0 */
};

/* The picture alone: in a file, if one is wanted, or with `out` in a terminal. */
int trc_answer_draw(const struct trc_answer *a, const struct trc_answer_plot *how,
                    struct trc_plotting *g, struct trc_out *out, struct trc_err *err) TRC_MUST_USE;

#endif
