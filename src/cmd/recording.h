/* SPDX-License-Identifier: MIT
 *
 * Recording: a program runs under a tracer, whose trace comes through a pipe while it runs.
 */
#ifndef TRC_CMD_RECORDING_H
#define TRC_CMD_RECORDING_H

#include "base/io/temporary.h"
#include "cmd/job/job.h"
#include "cmd/record/program.h"

/* The owner of --record, and the output it names; NULL: not given. */
extern const struct trc_opts trc_recording_opts;
const char *trc_recording_output(const struct trc_settings *all);

/* trc encode --record: one trace of the program that the words are, by valgrind or qemu. Ends with
 * the program's status in *err if that is not 0. */
int trc_recording_encode(const struct trc_settings *all, const struct trc_args *args,
                         struct trc_err *err) TRC_MUST_USE;

/* A program that runs and is recorded, with all that it starts, and the folder of the pipe through
 * which that comes. */
struct trc_recorded {
	struct trc_temporary folder;
	struct trc_program program;
};

/* Starts it by qemu, for `output`: job->src gives its references, with the events of the kernel in
 * their places. To be closed if that succeeds. */
int trc_recording_system(struct trc_recorded *r, struct trc_job *job, const struct trc_job_in *in,
                         const char *output, const struct trc_args *args,
                         struct trc_err *err) TRC_MUST_USE;

/* Behind the last row: waits until the program ends; fails with its status if it failed. */
int trc_recording_wait(struct trc_recorded *r, const char *output,
                       struct trc_err *err) TRC_MUST_USE;

/* Ends the program, if it runs. */
void trc_recording_close(struct trc_recorded *r);

#endif
