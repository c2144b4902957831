/* SPDX-License-Identifier: MIT
 *
 * Partials: what some shards of a trace contribute to an answer, as a file of frames
 * (base/io/frame.h), whose checks cover every byte:
 *
 *   head    Its number is the version of this form. The version of trc that wrote it; the question
 *           as words of a command line; the name for titles; format and columns of the trace; the
 *           number of its files and one fingerprint of them all; the first and last shard, and of
 *           how many; where these begin and end; rows; sums of the question; what is known about
 *           the files that begin there; totals of references
 *   state   Its number counts from 0; one piece of the state of the sink
 *   end     Its number is the length of the state in bytes; nothing follows
 *
 * It contains no time, host or path, so a shard of the same trace gives the same bytes anywhere.
 */
#ifndef TRC_CMD_SHARD_PARTIAL_H
#define TRC_CMD_SHARD_PARTIAL_H

#include "cmd/shard/shard.h"
#include "cmd/job/slices.h"
#include "stage/stage.h"

enum { TRC_PARTIAL_VERSION = 7 }; /* of this form, and of the states of all sinks */

/* What some rows contribute: those of a shard, of a chunk on one core, or of several adjacent ones
 * that were joined. */
struct trc_found {
	uint64_t rows;
	uint64_t sum[TRC_QUERY_SUMS];
	bool counted; /* `totals` are known */
	struct trc_page_totals totals;
	struct trc_buf state; /* of the sink */
	uint64_t pages;       /* in the state; see struct trc_sink */
};

/* Adds *next, of the rows that follow, except for its state. `have`: columns of the trace. */
void trc_found_join(struct trc_found *f, const struct trc_found *next, uint32_t have);

/* A partial. Zeroed memory is an empty one; trc_partial_release() frees what it owns. */
struct trc_partial {
	char *version;        /* of trc */
	struct trc_buf words; /* the question: "stat", "--mrc", ..., each ended by a NUL */
	char *name, *format;
	bool several; /* several files were named on the command line, not by a manifest */
	uint32_t have;
	uint64_t files, trace;    /* their number and fingerprint: trc_slices_identity() */
	uint64_t first, last, of; /* its shards, counted from 1 */
	struct trc_place from, to;
	struct trc_begun begun;
	struct trc_found found;
};

void trc_partial_release(struct trc_partial *p);

/* Copies all but the state to *to, which is zeroed. */
int trc_partial_copy_head(struct trc_partial *to, const struct trc_partial *p,
                          struct trc_err *err) TRC_MUST_USE;

/* Writes *p to `out`, which the caller commits. */
int trc_partial_write(const struct trc_partial *p, struct trc_out *out,
                      struct trc_err *err) TRC_MUST_USE;

/* Reads the file `path` and checks all of it; keeps the state only if `state` is set. The error's
 * text begins with the path. */
int trc_partial_read(struct trc_partial *p, const char *path, bool state,
                     struct trc_err *err) TRC_MUST_USE;

/* Succeeds if `path` is a partial, or what damage or truncation can leave of one, down to an empty
 * file; fails if it is anything else, or cannot be read. */
int trc_partial_at(const char *path, struct trc_err *err) TRC_MUST_USE;

/* Returns why two partials are not of the same answer, such as "are of other traces"; NULL if they
 * are. */
const char *trc_partial_differ(const struct trc_partial *a, const struct trc_partial *b);

/* Adds *next, the partial of the shards that follow, except for its state. */
int trc_partial_join(struct trc_partial *p, const struct trc_partial *next,
                     struct trc_err *err) TRC_MUST_USE;

#endif
