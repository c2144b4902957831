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

/* What was recorded of all processes of a program: files in a folder, which closing it removes. */
struct trc_recorded {
	struct trc_temporary folder;
	char refs[TRC_PROGRAM_PATH], kernel[TRC_PROGRAM_PATH];
	int status;
};

/* Records it, beside `output`, by qemu; to be closed if that succeeds. */
int trc_recording_system(struct trc_recorded *r, const char *output, const struct trc_args *args,
                         struct trc_err *err) TRC_MUST_USE;
void trc_recording_close(struct trc_recorded *r);

/* Fails if the program did, with its status; `output` has what it did. */
int trc_recording_status(int status, const char *output, struct trc_err *err) TRC_MUST_USE;

#endif
