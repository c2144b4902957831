/* SPDX-License-Identifier: MIT
 *
 * Partials: what some shards of a trace know of an answer, in a file of frames (base/io/frame.h),
 * whose checks cover every byte:
 *
 *   head    number: version of this form. The trc that wrote it, the question as words of a command
 *           line, the name for titles, the format and columns of the trace; its files: how many
 *           bytes, and a fingerprint; shards first to last of how many; from and to which place;
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

enum { TRC_PARTIAL_VERSION = 5 }; /* of this form, and of what states are */

/* A file of the trace, as a partial knows it. */
struct trc_partial_file {
	uint64_t size, fingerprint;
};

/* A partial. Zeroed memory is an empty one; release frees. */
struct trc_partial {
	char *version;        /* of trc */
	struct trc_buf words; /* the question: "stat", "--mrc", ..., each with its NUL */
	char *name, *format;
	bool several; /* the files were named on the command line, not by a manifest */
	uint32_t have;
	struct trc_partial_file *file;
	size_t files;
	uint64_t first, last, of; /* shards, from 1 */
	struct trc_place from, to;
	uint64_t rows;
	uint64_t sum[TRC_QUESTION_SUMS];
	struct trc_begun begun;
	bool totals; /* the three below were counted, */
	uint64_t refs, insns, last_time, touches;
	struct trc_buf state;
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
