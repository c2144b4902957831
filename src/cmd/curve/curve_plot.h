/* SPDX-License-Identifier: MIT
 *
 * Pictures of miss curves: miss ratio (y) by memory size (x).
 */
#ifndef TRC_CMD_CURVE_CURVE_PLOT_H
#define TRC_CMD_CURVE_CURVE_PLOT_H

#include "cmd/picture/side_by_side.h"
#include "cmd/curve/curve.h"
#include "cmd/picture/plotting.h"

/* Draws a curve with characters, for a terminal. */
int trc_curve_plot(const struct trc_curves *c, const struct trc_mrc_curve *curve,
                   const struct trc_plotting *g, struct trc_out *out,
                   struct trc_err *err) TRC_MUST_USE;

/* Draws all curves as a picture; if there are too many, those with the most references. */
int trc_curves_picture(const struct trc_curves *c, const struct trc_plotting *g,
                       struct trc_err *err) TRC_MUST_USE;

/* Draws curves of several traces or policies. There must be at least one; only the first
 * TRC_PLOT_SERIES are drawn. Each curve is number `at` of a struct trc_curves. With `out`, draws
 * characters for a terminal; if it is NULL, a picture. */
int trc_curves_plot_several(const struct trc_side_by_side_curve *curve, size_t n,
                            const struct trc_plotting *g, struct trc_out *out,
                            struct trc_err *err) TRC_MUST_USE;

#endif
