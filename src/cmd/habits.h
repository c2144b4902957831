/* SPDX-License-Identifier: MIT
 *
 * The words of a command line as other programs have them: the output by -o or -c, standard input
 * where a pipe comes and nothing is named.
 */
#ifndef TRC_CMD_HABITS_H
#define TRC_CMD_HABITS_H

#include "cmd/job/settings.h"

/* -o and -c of commands whose last word is an output; -o of those that answer, with which comes the
 * --force of those that have no other. */
extern const struct trc_opts trc_habits_opts_output, trc_habits_opts_answer, trc_habits_opts_force;

/* Puts the output that an option names behind the inputs, and "-" in the place of these if there
 * are none and standard input is a pipe or a file. */
int trc_habits_complete(const struct trc_settings *all, struct trc_args *args,
                        struct trc_err *err) TRC_MUST_USE;

/* The file that the answer goes to; NULL: standard output. */
const char *trc_habits_answer(const struct trc_settings *all);

/* Runs the action. Its answer, if it is to be a file, is there whole or not at all. */
int trc_habits_run(const struct trc_action *action, const struct trc_settings *all,
                   const struct trc_args *args, struct trc_err *err) TRC_MUST_USE;

#endif
