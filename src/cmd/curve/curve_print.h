/* SPDX-License-Identifier: MIT
 *
 * Miss curves as an answer: each is a group, with a picture above it in text; and curves of several
 * traces, or of one by several policies, in one table of text.
 */
#ifndef TRC_CMD_CURVE_CURVE_PRINT_H
#define TRC_CMD_CURVE_CURVE_PRINT_H

#include "cmd/answer/answer.h"
#include "cmd/job/settings.h"
#include "cmd/curve/curve_plot.h"

/* Prints the curves of `n` > 0 askings; `all` has the form, and the style of pictures. */
int trc_curves_print(struct trc_curves *const *c, size_t n, const struct trc_settings *all,
                     struct trc_err *err) TRC_MUST_USE;

/* All of them, in order of trace, then policy. */
struct trc_curves_compared {
	struct trc_curves *const *c;
	size_t n;

	struct trc_abreast curves;
	/* While they are printed: */
	const struct trc_settings *settings;
	char share[32]; /* of a row */
};

/* Takes the curves of `n` askings, with so many policies for each trace, and names them; to be
 * released in any case. Pages of several sizes are refused. */
int trc_curves_compared_init(struct trc_curves_compared *all, struct trc_curves *const *c, size_t n,
                             size_t policies, struct trc_err *err) TRC_MUST_USE;
void trc_curves_compared_release(struct trc_curves_compared *all);

/* The table with its picture above it; `settings` has the style of the picture. */
int trc_curves_compared_print(struct trc_curves_compared *all, const struct trc_settings *settings,
                              struct trc_err *err) TRC_MUST_USE;

#endif
