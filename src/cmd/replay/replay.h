/* SPDX-License-Identifier: MIT
 *
 * The actions of `trc replay`: a row each in replay.c, which has the options in one struct that all
 * of them read.
 */
#ifndef TRC_CMD_REPLAY_REPLAY_H
#define TRC_CMD_REPLAY_REPLAY_H

#include "cmd/job.h"
#include "machine/bus/package.h"
#include "machine/bus/replay.h"

struct trc_replay {
	struct trc_job_out out;
	uint64_t skip, limit; /* instructions; limit 0: all */
	uint64_t memory;      /* bytes of guest memory; 0: not given */
	uint64_t seed;        /* of the live machine */
	uint64_t checkpoints; /* instructions from one to the next; 0: none */
	const char *output, *against, *machine, *cache, *type, *disk, *firmware, *tree;
};

/* Words of one action, its name left out, are word[1] on. */
typedef int (*trc_replay_fn)(const struct trc_replay *s, const struct trc_args *args,
                             struct trc_err *err);

int trc_replay_extract(const struct trc_replay *s, const struct trc_args *args,
                       struct trc_err *err) TRC_MUST_USE;
int trc_replay_run(const struct trc_replay *s, const struct trc_args *args,
                   struct trc_err *err) TRC_MUST_USE;
int trc_replay_prune(const struct trc_replay *s, const struct trc_args *args,
                     struct trc_err *err) TRC_MUST_USE;
int trc_replay_info(const struct trc_replay *s, const struct trc_args *args,
                    struct trc_err *err) TRC_MUST_USE;

int trc_replay_record(const struct trc_replay *s, const struct trc_args *args,
                      struct trc_err *err) TRC_MUST_USE;
int trc_replay_record_user(const struct trc_replay *s, const struct trc_args *args,
                           struct trc_err *err) TRC_MUST_USE;

/* Bytes of guest memory, as the settings say. */
uint64_t trc_replay_memory(const struct trc_replay *s);

/* Reads the package `path`, or extracts it if that is a bus trace, and tells of that unless quiet.
 * *bus, if not NULL, says which it was. */
int trc_replay_load(const struct trc_replay *s, const char *path, struct trc_package *p, bool *bus,
                    struct trc_err *err) TRC_MUST_USE;

/* Where an action writes: -o, or the word at `at`, or `otherwise`. */
const char *trc_replay_output(const struct trc_replay *s, const struct trc_args *args, size_t at,
                              const char *otherwise);

#endif
