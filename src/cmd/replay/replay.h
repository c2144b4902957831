/* SPDX-License-Identifier: MIT
 *
 * The actions of `trc replay`, each with its own option rows. replay.c lists them; load.c has the
 * options that several of them take.
 */
#ifndef TRC_CMD_REPLAY_REPLAY_H
#define TRC_CMD_REPLAY_REPLAY_H

#include "cmd/job/job.h"
#include "machine/bus/package.h"
#include "machine/bus/replay.h"

/* The options of several actions; an action supports those in its `takes`. */
struct trc_replay_options {
	const char *output;
	uint64_t limit;       /* in instructions; 0: no limit */
	uint64_t memory;      /* bytes of guest memory; 0: not given */
	uint64_t checkpoints; /* instructions between two checkpoints; 0: no checkpoints */
	int level;            /* of compressing a package */
	uint64_t threads;     /* to compress the output; 0: one per core */
	struct trc_job_publish publish;
	bool quiet;
};

/* Options that all actions take, as other commands do. */
struct trc_replay_work {
	bool verbose;
	uint64_t threads;
};

extern const struct trc_opts trc_replay_opts_work, trc_replay_opts_machine, trc_replay_opts_output,
        trc_replay_opts_limit, trc_replay_opts_memory, trc_replay_opts_checkpoints;

struct trc_replay_options trc_replay_of(const struct trc_settings *settings);

/* The actions. word[0] is the name of the action, its arguments follow. */
extern const struct trc_action trc_replay_extract, trc_replay_run, trc_replay_prune,
        trc_replay_info, trc_replay_record;

/* The action `record` for a program; refuses the options of a system. */
int trc_replay_record_user(const struct trc_settings *settings, const struct trc_args *args,
                           struct trc_err *err) TRC_MUST_USE;

/* Checks that there are at most one input and one output. */
int trc_replay_words(const struct trc_replay_options *s, const struct trc_args *args,
                     struct trc_err *err) TRC_MUST_USE;

/* Returns the limit of guest memory in bytes. */
uint64_t trc_replay_memory(const struct trc_replay_options *s);

/* Reads the package `path`, or extracts it from a bus trace, with a report unless quiet. If `bus`
 * is not NULL, sets *bus if it is a bus trace. */
int trc_replay_load(const struct trc_replay_options *s, const char *path, struct trc_package *p,
                    bool *bus, struct trc_err *err) TRC_MUST_USE;

/* Returns the output of an action: -o, or the word at `at`, or `otherwise`. */
const char *trc_replay_output(const struct trc_replay_options *s, const struct trc_args *args,
                              size_t at, const char *otherwise);

#endif
