/* SPDX-License-Identifier: MIT
 *
 * Draws an answer by the declaration of its columns: the column `across` has the x values, each
 * column with a `curve` has the y values of a curve of that name, and the words of a column
 * `curves` name the curves.
 */
#ifndef TRC_CMD_PICTURE_ANSWER_PLOT_H
#define TRC_CMD_PICTURE_ANSWER_PLOT_H

#include "cmd/answer/answer.h"
#include "cmd/picture/plotting.h"

/* What a picture needs in addition to the declaration of columns. */
struct trc_answer_plot {
	const struct trc_plotting *g;

	/* The title: "WHAT of NAME AFTER". Without a name, as for several traces, and with an empty
	 * `after`, it is "WHAT". */
	const char *what, *name;
	char after[32];

	struct trc_axis x, y; /* an axis without a label uses these: */
	char below[96], left[96];
	bool text;   /* also shown above the tables of text */
	bool shares; /* y values are divided by their sum */
	bool ranks;  /* y values accumulate: those of the first 1, 2, ... rows */
	bool dots;   /* mark each point, up to the last one that is not 0 */
};

/* Draws only the picture: in its file, if there is one, or to `out` in the characters of a
 * terminal. */
int trc_answer_draw(const struct trc_answer *a, const struct trc_answer_plot *how,
                    struct trc_out *out, struct trc_err *err) TRC_MUST_USE;

#endif
