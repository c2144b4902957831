/* SPDX-License-Identifier: MIT
 *
 * The actions of `trc replay`: each with option rows of its own. replay.c has
 * their list, load.c what several of them take.
 */
#ifndef TRC_CMD_REPLAY_REPLAY_H
#define TRC_CMD_REPLAY_REPLAY_H

#include "cmd/job/job.h"
#include "machine/bus/package.h"
#include "machine/bus/replay.h"

/* What several actions take, each if it takes the owner. */
struct trc_replay {
	const char *output;
	uint64_t limit;       /* instructions; 0: all */
	uint64_t memory;      /* bytes of guest memory; 0: not given */
	uint64_t checkpoints; /* instructions from one to the next; 0: none */
	int level;            /* of packing a package */
	uint64_t threads;     /* that pack what is written; 0: one for each core */
	struct trc_job_publish publish;
	bool quiet;
};

/* What all of them take, habits of other commands. */
struct trc_replay_work {
	bool verbose;
	uint64_t threads;
};

extern const struct trc_opts trc_replay_opts_work, trc_replay_opts_machine, trc_replay_opts_output,
        trc_replay_opts_limit, trc_replay_opts_memory, trc_replay_opts_checkpoints;

struct trc_replay trc_replay_of(const struct trc_settings *all);

/* The actions. Their words are word[1] on: the first is the name. */
extern const struct trc_action trc_replay_extract, trc_replay_run, trc_replay_prune,
        trc_replay_info, trc_replay_record;

/* The action `record` of a program, for which the options of a system are not meant. */
int trc_replay_record_user(const struct trc_settings *all, const struct trc_args *args,
                           struct trc_err *err) TRC_MUST_USE;

/* Checks that there is at most an input, which no output takes the place of, and one output. */
int trc_replay_words(const struct trc_replay *s, const struct trc_args *args,
                     struct trc_err *err) TRC_MUST_USE;

/* Bytes of guest memory, by the settings. */
uint64_t trc_replay_memory(const struct trc_replay *s);

/* Reads the package `path`, or extracts it if that is a bus trace, and reports that unless quiet.
 * *bus, if not NULL, is set to which it was. */
int trc_replay_load(const struct trc_replay *s, const char *path, struct trc_package *p, bool *bus,
                    struct trc_err *err) TRC_MUST_USE;

/* Where an action writes: -o, or the word at `at`, or `otherwise`. */
const char *trc_replay_output(const struct trc_replay *s, const struct trc_args *args, size_t at,
                              const char *otherwise);

#endif
