/* SPDX-License-Identifier: MIT
 *
 * Joins the partials of one answer, in order.
 */
#ifndef TRC_CMD_SHARD_JOINING_H
#define TRC_CMD_SHARD_JOINING_H

#include "cmd/shard/query.h"
#include "cmd/shard/parsed_query.h"

/* The caller sets the command line and the output; the rest is zeroed. It must not move. */
struct trc_joining {
	const struct trc_settings *settings;
	const char *output; /* NULL: standard output */
	bool open;
	size_t n;               /* partials that were joined */
	struct trc_partial sum; /* of these, without a state */
	struct trc_parsed_query parsed;
	struct trc_query_run a;
};

/* Opens an empty sink for partials of the same answer as *of, which is in the file `path`, with
 * *meta of their trace. Both must outlive it. */
int trc_joining_begin(struct trc_joining *j, const struct trc_partial *of, const char *path,
                      const struct trc_meta *meta, struct trc_err *err) TRC_MUST_USE;

/* Joins a partial that was read with its state from `path`, and may take memory of it. After an
 * error only trc_joining_end() may follow. */
int trc_joining_add(struct trc_joining *j, struct trc_partial *p, const char *path,
                    struct trc_err *err) TRC_MUST_USE;

/* Prints the answer, or writes the partial of all shards. */
int trc_joining_finish(struct trc_joining *j, struct trc_err *err) TRC_MUST_USE;

/* Drops what was joined. */
void trc_joining_end(struct trc_joining *j);

#endif
