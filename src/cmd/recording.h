/* SPDX-License-Identifier: MIT
 *
 * Recording: runs a program under a tracer and reads its trace from a pipe at the same time.
 */
#ifndef TRC_CMD_RECORDING_H
#define TRC_CMD_RECORDING_H

#include "base/io/temporary.h"
#include "cmd/job/job.h"
#include "cmd/record/executed.h"
#include "cmd/record/program.h"

/* The owners of --record and of its --by; and the output that --record names, NULL if it is
 * absent. */
extern const struct trc_opts trc_recording_opts, trc_recording_opts_by;
const char *trc_recording_output(const struct trc_settings *settings);

/* Returns the output of a command that converts or records; NULL if it records, since the program
 * may write anything: the part of trc that reads its trace is confined later. */
const char *trc_recording_or_output(const struct trc_action *action,
                                    const struct trc_settings *settings,
                                    const struct trc_args *args);

/* Implements trc encode --record: records one process of the program in the words, with valgrind or
 * qemu. If the program fails, so does this, with its status in *err. */
int trc_recording_encode(const struct trc_settings *settings, const struct trc_args *args,
                         struct trc_err *err) TRC_MUST_USE;

/* A running program that is recorded with all processes that it starts, what they execute, and the
 * folder of the pipe for its trace. */
struct trc_recorded {
	struct trc_temporary folder;
	struct trc_tracee program;
	struct trc_executed executed;
	const struct trc_args *args; /* its words */
	bool words;                  /* instruction words are wanted */
};

/* Starts the program of `settings` under qemu, to be recorded to `output`: job->src delivers its
 * references, with instruction words if registers are wanted, and the kernel events between them.
 * On success the caller closes *r. */
int trc_recording_system(struct trc_recorded *r, struct trc_job *job, const struct trc_job_in *in,
                         const char *output, const struct trc_settings *settings,
                         struct trc_err *err) TRC_MUST_USE;

/* Appends the files whose code was executed in each space for which wanted(of, space) is true to
 * `list`, as entries of a provenance. */
int trc_recording_files(const struct trc_recorded *r,
                        bool (*wanted)(const void *of, const struct trc_executed_space *space),
                        const void *of, struct trc_buf *list, struct trc_err *err) TRC_MUST_USE;

/* Waits for the program to end, after the last row; fails with its status if it failed. */
int trc_recording_wait(struct trc_recorded *r, const char *output,
                       struct trc_err *err) TRC_MUST_USE;

/* Ends the program if it is still running. */
void trc_recording_close(struct trc_recorded *r);

#endif
