/* SPDX-License-Identifier: MIT
 *
 * Converts each of several inputs by itself: if the output is a folder, a command writes a file
 * there for each trace (as cmd/job/traces.h counts them), several at a time.
 */
#ifndef TRC_CMD_EACH_H
#define TRC_CMD_EACH_H

#include "cmd/job/settings.h"

/* Returns true if the last word is a folder, because it ends with a slash or -o names an existing
 * one, and the command can write into folders (`each` in cmd/job/cmd.h). */
bool trc_each_wanted(const struct trc_settings *settings, const struct trc_args *args);

/* Runs the action for each input. Failed inputs are reported, and all others are written. */
int trc_each_run(const struct trc_action *action, const struct trc_settings *settings,
                 const struct trc_args *args, struct trc_err *err) TRC_MUST_USE;

#endif
