/* SPDX-License-Identifier: MIT
 *
 * Finds the question whose words a partial or a plan records.
 */
#ifndef TRC_CMD_SHARD_PARSED_QUERY_H
#define TRC_CMD_SHARD_PARSED_QUERY_H

#include "cmd/shard/partial.h"

/* The question with its settings. Zeroed memory is an empty one. */
struct trc_parsed_query {
	struct trc_settings settings;
	const char **word; /* of the command line */
	char **argv;
	const struct trc_action *action;
};

/* Parses the words of *p, read from the file `path`, which is a `what` ("partial"). Options given
 * on the command line `settings` are added, except those of owners in `except`. *p has to outlive
 * *q, which has to be released even if this fails. */
int trc_parsed_query_find(struct trc_parsed_query *q, const struct trc_settings *settings,
                          const struct trc_partial *p, const char *path, const char *what,
                          const struct trc_opts *const *except, struct trc_err *err) TRC_MUST_USE;
void trc_parsed_query_release(struct trc_parsed_query *q);

#endif
