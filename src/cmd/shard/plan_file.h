/* SPDX-License-Identifier: MIT
 *
 * Plans: how a trace is cut into shards, and what its files are, written once, so that a shard
 * opens no file but its own, and a merge none. A text, which people read and nobody edits:
 *
 *   #trc plan 1
 *   version 1.2                          of the trc that wrote it, and reads it
 *   trace files=2 mark=... columns=7     all files together: cmd/job/slices.h
 *   flags several=1 end=0 uncounted=0    how they were named; struct trc_plan_file has the rest
 *   name sort.lackey and 1 more
 *   format lackey
 *   from -                               the format that was named, if one was
 *   words 2                              the question, a word a line
 *   word stat
 *   word --mrc
 *   shards 3
 *   memory 114M                          the most that one needs
 *   check 0123456789abcdef
 *   shard 1 from=0:0 to=0:5031234 bytes=5031234 records=- before=0 memory=118489088 files=1
 *   file 0 bytes=9000000 mark=... by=lines records=0 of=0 skip=- most=- sort.lackey
 *   check 0123456789abcdef
 *   ...
 *   at 00000000000000000312              where each shard begins, from 1
 *   ...
 *   end shards=... index=... check=0123456789abcdef
 *
 * A shard has the lines of all files that it reads, and if it has no rows, of one beside it: the
 * head, the end, two lines "at" and its own lines are all that who computes it reads. Each check is
 * XXH3 of the lines in front of it, seeded by that of the head. A name is relative to the folder of
 * the plan, as in a manifest.
 */
#ifndef TRC_CMD_SHARD_PLAN_FILE_H
#define TRC_CMD_SHARD_PLAN_FILE_H

#include "cmd/shard/partial.h"

/* A shard of a plan. */
struct trc_planned {
	uint64_t i; /* from 1 */
	struct trc_place from, to;
	uint64_t bytes, memory;
	bool known, counted;   /* its rows are, and those in front of it: */
	uint64_t rows, before; /* at most, if not */
};

/* A plan. Zeroed memory is none. */
struct trc_plan_file {
	const char *path;
	struct trc_partial head; /* what all partials have in common */
	char *from;              /* as of struct trc_job_in, by name alone; NULL: by content */
	bool meta_at_end;        /* as of struct trc_slices */
	bool uncounted;          /* as of struct trc_asked, of all records */
	uint64_t memory;         /* the most that a shard needs */

	/* Private. */
	struct trc_stream *stream;
	struct trc_out *out;
	uint64_t begin, index, check; /* where shards and the lines "at" begin; of the head */
	struct trc_buf at;            /* its lines "at" so far */
};

/* Opens the plan `path`, which outlives it, and checks its head and its end. */
int trc_plan_open(struct trc_plan_file *p, const char *path, struct trc_err *err) TRC_MUST_USE;

/* Reads shard `i`; its files are added to *s, but for one that is its last. */
int trc_plan_read(struct trc_plan_file *p, uint64_t i, struct trc_planned *shard,
                  struct trc_slices *s, struct trc_err *err) TRC_MUST_USE;

/* Frees, whether it was read or written. */
void trc_plan_close(struct trc_plan_file *p);

/* Writes `p` to `out`, then all shards of the files *s in their order, then the end; `path` is
 * where it will be, NULL: nobody knows. */
int trc_plan_begin(struct trc_plan_file *p, struct trc_out *out, const char *path,
                   struct trc_err *err) TRC_MUST_USE;
int trc_plan_put(struct trc_plan_file *p, const struct trc_planned *shard,
                 const struct trc_slices *s, struct trc_err *err) TRC_MUST_USE;
int trc_plan_end(struct trc_plan_file *p, struct trc_err *err) TRC_MUST_USE;

#endif
