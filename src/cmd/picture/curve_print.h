/* SPDX-License-Identifier: MIT
 * Miss curves as an answer: each is a group, with a picture above it in text. */
#ifndef TRC_CMD_PICTURE_CURVE_PRINT_H
#define TRC_CMD_PICTURE_CURVE_PRINT_H

#include "cmd/answer/answer.h"
#include "cmd/job/settings.h"
#include "cmd/picture/curve.h"

/* Prints the curves of `n` > 0 askings; `all` has the form, and the style of pictures. */
int trc_curves_print(struct trc_curves *const *c, size_t n, const struct trc_settings *all,
                     struct trc_err *err) TRC_MUST_USE;

#endif
