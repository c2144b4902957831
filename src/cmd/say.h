/* SPDX-License-Identifier: MIT
 *
 * printf() to an output.
 */
#ifndef TRC_CMD_SAY_H
#define TRC_CMD_SAY_H

#include "base/out.h"

/* At most 511 bytes at a time. */
int trc_say(struct trc_out *out, struct trc_err *err, const char *fmt, ...) TRC_PRINTF(3, 4)
        TRC_MUST_USE;

#endif
