/* SPDX-License-Identifier: MIT
 *
 * Plan files: how a trace is cut into shards, and what its files are. It is made once, so that a
 * shard opens no files but its own, and a merge none. A text for people to read, not to edit:
 *
 *   #trc plan 1
 *   version 1.2                          of trc; no other version reads it
 *   trace files=2 mark=... columns=7     of all files together: cmd/job/slices.h
 *   flags several=1 end=0 uncounted=0    see struct trc_partial and struct trc_plan_file
 *   name sort.lackey and 1 more
 *   format lackey
 *   from -                               the format given by --from; -: none was
 *   words 2                              the question, one word a line
 *   word stat
 *   word --mrc
 *   shards 3
 *   memory 114M                          the most that any shard needs
 *   check 0123456789abcdef
 *   shard 1 from=0:0 to=0:5031234 bytes=5031234 records=- before=0 memory=118489088 files=1
 *   file 0 bytes=9000000 mark=... by=lines records=0 of=0 skip=- most=- sort.lackey
 *   check 0123456789abcdef
 *   ...
 *   at 00000000000000000312              offset of each shard's lines, shard 1 first
 *   ...
 *   end shards=... index=... check=0123456789abcdef
 *
 * A shard has a line for each file that it reads, or for a neighbouring one if it has no rows. To
 * compute it one reads the head, the end, two lines "at" and its own lines. Each check is XXH3 of
 * the lines before it, seeded with the check of the head. Names are relative to the folder of the
 * plan, as in a manifest.
 */
#ifndef TRC_CMD_SHARD_PLAN_FILE_H
#define TRC_CMD_SHARD_PLAN_FILE_H

#include "cmd/shard/partial.h"

/* A shard of a plan. */
struct trc_planned {
	uint64_t i; /* its number, from 1 */
	struct trc_place from, to;
	uint64_t bytes, memory;
	bool known, counted;   /* whether `rows` and `before` are exact, or upper bounds */
	uint64_t rows, before; /* its rows, and those of the trace that precede it */
};

/* A plan. Zeroed memory is an empty one. */
struct trc_plan_file {
	const char *path;
	struct trc_partial head; /* what all partials share */
	char *from;              /* name of the format, as in struct trc_job_in; NULL: recognised */
	bool meta_at_end;        /* see struct trc_slices */
	bool uncounted;          /* see struct trc_query; without filters */
	uint64_t memory;         /* the most that any shard needs, in bytes */

	/* Private. */
	struct trc_stream *stream;
	struct trc_out *out;
	uint64_t begin, index; /* offsets of the first shard and the first line "at" */
	uint64_t check;        /* of the head */
	struct trc_buf at;     /* lines "at" written so far */
};

/* Opens the plan file `path`, a string that has to outlive *p, and checks its head and end. */
int trc_plan_open(struct trc_plan_file *p, const char *path, struct trc_err *err) TRC_MUST_USE;

/* Reads shard `i`, and adds its files to *s, except one that is the last of *s already. */
int trc_plan_read(struct trc_plan_file *p, uint64_t i, struct trc_planned *shard,
                  struct trc_slices *s, struct trc_err *err) TRC_MUST_USE;

/* Releases *p after reading or writing. */
void trc_plan_close(struct trc_plan_file *p);

/* Write *p to `out`: first the head, then each shard in order, whose files are in *s, then the end.
 * `path`: where the plan will be, so that names are relative to it; NULL: unknown. */
int trc_plan_begin(struct trc_plan_file *p, struct trc_out *out, const char *path,
                   struct trc_err *err) TRC_MUST_USE;
int trc_plan_put(struct trc_plan_file *p, const struct trc_planned *shard,
                 const struct trc_slices *s, struct trc_err *err) TRC_MUST_USE;
int trc_plan_end(struct trc_plan_file *p, struct trc_err *err) TRC_MUST_USE;

#endif
