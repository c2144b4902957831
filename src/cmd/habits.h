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

/* What stands around an action. */
struct trc_habits {
	struct trc_out *answer; /* the file in the place of standard output; NULL: none */
	double start;
};

/* Refuses words that cannot be meant, before any work, and opens the file of the answer. */
int trc_habits_begin(struct trc_habits *h, const struct trc_settings *all,
                     const struct trc_args *args, struct trc_err *err) TRC_MUST_USE;

/* Ends what began, or failed to, and gives what the action returned: the answer is there whole, or
 * not at all. */
int trc_habits_end(struct trc_habits *h, const struct trc_settings *all, int ret,
                   struct trc_err *err) TRC_MUST_USE;

#endif
