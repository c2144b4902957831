/* SPDX-License-Identifier: MIT
 *
 * Partials: what some shards of a trace know of an answer, in a file of frames (base/io/frame.h),
 * whose checks cover every byte:
 *
 *   head    number: version of this form. The trc that wrote it, the question as words of a command
 *           line, the name for titles, the format and columns of the trace; how many files it has,
 *           and one fingerprint of all; shards first to last of how many; from and to which place;
 *           rows; sums of the question; what is known of the files that begin there; what was
 *           counted of references
 *   state   number: its place among these; a piece of the state of the sink
 *   end     number: bytes of the state; nothing follows
 *
 * There is no time, host or path in it: shards of the same trace are the same bytes anywhere.
 */
#ifndef TRC_CMD_SHARD_PARTIAL_H
#define TRC_CMD_SHARD_PARTIAL_H

#include "cmd/shard/shard.h"
#include "cmd/job/slices.h"
#include "stage/stage.h"

enum { TRC_PARTIAL_VERSION = 7 }; /* of this form, and of what states are */

/* What some rows left: those of a shard, of a chunk on one core, or of neighbours that were
 * joined. */
struct trc_found {
	uint64_t rows;
	uint64_t sum[TRC_QUESTION_SUMS];
	bool counted; /* these were: */
	struct trc_page_totals totals;
	struct trc_buf state; /* of the sink */
	uint64_t pages;       /* in that, as struct trc_sink has it */
};

/* Adds all but the state of what the rows behind it left, where a trace has the columns `have`. */
void trc_found_join(struct trc_found *f, const struct trc_found *next, uint32_t have);

/* A partial. Zeroed memory is an empty one; release frees. */
struct trc_partial {
	char *version;        /* of trc */
	struct trc_buf words; /* the question: "stat", "--mrc", ..., each with its NUL */
	char *name, *format;
	bool several; /* the files were named on the command line, not by a manifest */
	uint32_t have;
	uint64_t files, trace;    /* how many, and the fingerprint of all: trc_slices_identity() */
	uint64_t first, last, of; /* shards, from 1 */
	struct trc_place from, to;
	struct trc_begun begun;
	struct trc_found found;
};

void trc_partial_release(struct trc_partial *p);

/* Writes it to `out`, which the caller commits. */
int trc_partial_write(const struct trc_partial *p, struct trc_out *out,
                      struct trc_err *err) TRC_MUST_USE;

/* Reads and checks all of a file, and keeps the state only if it is asked for. Fails with a
 * sentence that begins with the path. */
int trc_partial_read(struct trc_partial *p, const char *path, bool state,
                     struct trc_err *err) TRC_MUST_USE;

/* Looks at what is there: a file that is a partial, or was one before it was damaged or cut, to
 * nothing at worst; fails with a sentence if it is anything else, or cannot be read. */
int trc_partial_at(const char *path, struct trc_err *err) TRC_MUST_USE;

/* What of two partials of one answer differs: "are of other traces"; NULL: nothing. */
const char *trc_partial_differ(const struct trc_partial *a, const struct trc_partial *b);

/* Adds all but the state of the partial of the shards behind it. */
int trc_partial_join(struct trc_partial *p, const struct trc_partial *next,
                     struct trc_err *err) TRC_MUST_USE;

#endif
