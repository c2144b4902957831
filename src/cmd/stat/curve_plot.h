/* SPDX-License-Identifier: MIT
 *
 * Pictures of miss curves: in the characters of a terminal, and as SVG.
 */
#ifndef TRC_CMD_STAT_CURVE_PLOT_H
#define TRC_CMD_STAT_CURVE_PLOT_H

#include "base/io/out.h"
#include "cmd/stat/curve.h"

/* One curve in the characters of a terminal, 80 columns wide. */
int trc_curve_plot(const struct trc_curves *c, const struct trc_mrc_curve *curve,
                   struct trc_out *out, struct trc_err *err) TRC_MUST_USE;

/* All of them, the eight with most references if there are more, as SVG. */
int trc_curves_svg(const struct trc_curves *c, struct trc_out *out,
                   struct trc_err *err) TRC_MUST_USE;

#endif
