/* SPDX-License-Identifier: MIT
 *
 * A question by the words of a command line that a partial or a plan has.
 */
#ifndef TRC_CMD_SHARD_WORDED_H
#define TRC_CMD_SHARD_WORDED_H

#include "cmd/shard/partial.h"

/* The question, with its settings. Zeroed memory is none. */
struct trc_worded {
	struct trc_settings all;
	const char **word; /* of the command line */
	char **argv;
	const struct trc_action *action;
};

/* The question of `p`, which stands in the file `path`, is of `what` ("partial") and outlives it,
 * asked as the command line `all` has it but for the options of owners in `but`. To be released in
 * any case. */
int trc_worded_find(struct trc_worded *q, const struct trc_settings *all,
                    const struct trc_partial *p, const char *path, const char *what,
                    const struct trc_opts *const *but, struct trc_err *err) TRC_MUST_USE;
void trc_worded_release(struct trc_worded *q);

#endif
