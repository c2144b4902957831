/* SPDX-License-Identifier: MIT
 *
 * Pictures of miss curves: the ratio of misses upwards, the memory size to the right.
 */
#ifndef TRC_CMD_CURVE_CURVE_PLOT_H
#define TRC_CMD_CURVE_CURVE_PLOT_H

#include "cmd/picture/abreast.h"
#include "cmd/curve/curve.h"
#include "cmd/picture/plotting.h"

/* One curve in the characters of a terminal. */
int trc_curve_plot(const struct trc_curves *c, const struct trc_mrc_curve *curve,
                   const struct trc_settings *all, struct trc_out *out,
                   struct trc_err *err) TRC_MUST_USE;

/* All of them, or those with most references if there are too many, as a picture. */
int trc_curves_picture(const struct trc_curves *c, const struct trc_settings *all,
                       struct trc_plotting *g, struct trc_err *err) TRC_MUST_USE;

/* Curves of several traces or policies, at least one and the first TRC_PLOT_SERIES: each is of a
 * struct trc_curves, `at` which of its curves. As a picture, or with `out` in
 * a terminal. */
int trc_curves_plot_several(const struct trc_abreast_curve *curve, size_t n,
                            const struct trc_settings *all, struct trc_plotting *g,
                            struct trc_out *out, struct trc_err *err) TRC_MUST_USE;

#endif
