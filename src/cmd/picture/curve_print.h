/* SPDX-License-Identifier: MIT
 *
 * Miss curves as a table with a picture above it, as CSV and as JSON.
 */
#ifndef TRC_CMD_PICTURE_CURVE_PRINT_H
#define TRC_CMD_PICTURE_CURVE_PRINT_H

#include "base/io/out.h"
#include "cmd/job/settings.h"
#include "cmd/picture/curve.h"

/* `all` has the style of the picture. */
int trc_curves_text(const struct trc_curves *c, const struct trc_settings *all, struct trc_out *out,
                    struct trc_err *err) TRC_MUST_USE;
int trc_curves_csv(const struct trc_curves *c, struct trc_out *out,
                   struct trc_err *err) TRC_MUST_USE;
int trc_curves_json(const struct trc_curves *c, struct trc_out *out,
                    struct trc_err *err) TRC_MUST_USE;

/* Pieces of these, where there are more behind them. */
int trc_curves_csv_head(const struct trc_curves *c, struct trc_out *out,
                        struct trc_err *err) TRC_MUST_USE;
int trc_curves_csv_rows(const struct trc_curves *c, struct trc_out *out,
                        struct trc_err *err) TRC_MUST_USE;
int trc_curves_json_object(const struct trc_curves *c, struct trc_out *out,
                           struct trc_err *err) TRC_MUST_USE;

#endif
