/* SPDX-License-Identifier: MIT
 *
 * Several inputs, each by itself: where the output is a folder, a command writes a file there for
 * each input, several at a time: for each trace, as cmd/job/traces.h has them.
 */
#ifndef TRC_CMD_EACH_H
#define TRC_CMD_EACH_H

#include "cmd/job/settings.h"

/* True if the last word is a folder, by a slash at its end or because -o names one that is there,
 * and the command writes into folders (cmd/job/cmd.h: `each`). */
bool trc_each_wanted(const struct trc_settings *all, const struct trc_args *args);

/* Runs the action for each input. Those that fail are named, and all others are written. */
int trc_each_run(const struct trc_action *action, const struct trc_settings *all,
                 const struct trc_args *args, struct trc_err *err) TRC_MUST_USE;

#endif
