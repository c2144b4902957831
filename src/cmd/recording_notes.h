/* SPDX-License-Identifier: MIT
 *
 * Notes at the end of a recording: other commands that record more of the program.
 */
#ifndef TRC_CMD_RECORDING_NOTES_H
#define TRC_CMD_RECORDING_NOTES_H

#include "cmd/job/settings.h"
#include "cmd/record/alone.h"
#include "cmd/record/program.h"

/* Notes which processes are missing, or that several threads alternate, and the command that
 * records all of them. */
void trc_recording_note_others(const struct trc_settings *settings, const char *output,
                               const struct trc_record_processes *others);

/* Fails if the program did; what no tracer here can execute is recorded by other commands. */
int trc_recording_check(const struct trc_tracee *p, const struct trc_args *args, const char *output,
                        struct trc_err *err) TRC_MUST_USE;

#endif
