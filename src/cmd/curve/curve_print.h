/* SPDX-License-Identifier: MIT
 *
 * Prints miss curves as an answer: each is a group, in text with a picture above it. Curves of
 * several traces or policies share one table in text.
 */
#ifndef TRC_CMD_CURVE_CURVE_PRINT_H
#define TRC_CMD_CURVE_CURVE_PRINT_H

#include "cmd/answer/answer.h"
#include "cmd/curve/curve_plot.h"

/* Prints the curves of `n` > 0 runs of the question; `g` has the style of pictures. */
int trc_curves_print(struct trc_curves *const *c, size_t n, enum trc_form form,
                     const struct trc_plotting *g, struct trc_err *err) TRC_MUST_USE;

/* Curves to compare, ordered by trace, then policy. */
struct trc_curves_compared {
	struct trc_curves *const *c;
	size_t n;

	struct trc_side_by_side curves;
	/* While they are printed: */
	const struct trc_plotting *g;
	char share[32]; /* the share of the current row */
};

/* Collects and names the curves of `n` runs with `policies` policies for each trace. Release it
 * even if this fails. Fails if page sizes differ. */
int trc_curves_compared_init(struct trc_curves_compared *all, struct trc_curves *const *c, size_t n,
                             size_t policies, struct trc_err *err) TRC_MUST_USE;
void trc_curves_compared_release(struct trc_curves_compared *all);

/* Prints the table with its picture above; `g` has the style of the picture. */
int trc_curves_compared_print(struct trc_curves_compared *all, const struct trc_plotting *g,
                              struct trc_err *err) TRC_MUST_USE;

#endif
