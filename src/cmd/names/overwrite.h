/* SPDX-License-Identifier: MIT
 *
 * An output that takes the place of its own input: refused where something of that would be lost,
 * however its name is spelled.
 */
#ifndef TRC_CMD_NAMES_OVERWRITE_H
#define TRC_CMD_NAMES_OVERWRITE_H

#include "base/base.h"

/* Fails if the file `output` is `input` ("-": standard input), or a file in the folder `input`. The
 * sentence is about `what` of it would be lost: "what --limit leaves out", NULL for all. */
int trc_overwrite_check(const char *output, const char *input, const char *what,
                        struct trc_err *err) TRC_MUST_USE;

#endif
