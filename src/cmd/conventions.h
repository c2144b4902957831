/* SPDX-License-Identifier: MIT
 *
 * Conventions of other programs on the command line: -o and -c for the output, and standard input
 * as the input if there is a pipe and nothing is named.
 */
#ifndef TRC_CMD_CONVENTIONS_H
#define TRC_CMD_CONVENTIONS_H

#include "cmd/job/settings.h"

/* -o and -c, for commands whose last word is an output; -o, for those that print an answer, which
 * comes with --force; and that --force, for commands without another. */
extern const struct trc_opts trc_conventions_opts_output, trc_conventions_opts_answer,
        trc_conventions_opts_force;

/* Appends the output that an option names to the words. Uses "-" as the input if there is none and
 * standard input is a pipe or a file. */
int trc_conventions_complete(const struct trc_settings *settings, struct trc_args *args,
                             struct trc_err *err) TRC_MUST_USE;

/* Returns the file to which the answer is written; NULL: standard output. */
const char *trc_conventions_answer(const struct trc_settings *settings);

/* The state around an action: what trc_conventions_begin() opened. */
struct trc_conventions {
	struct trc_out *answer; /* the file that replaces standard output; NULL: none */
	double start;
};

/* Refuses words that cannot be meant, before any work, and opens the file of the answer. */
int trc_conventions_begin(struct trc_conventions *h, const struct trc_settings *settings,
                          const struct trc_args *args, struct trc_err *err) TRC_MUST_USE;

/* Ends this, even if trc_conventions_begin() failed, and returns `ret`, the result of the action,
 * or -1. The file of the answer appears complete or not at all. */
int trc_conventions_end(struct trc_conventions *h, const struct trc_settings *settings, int ret,
                        struct trc_err *err) TRC_MUST_USE;

#endif
