/* SPDX-License-Identifier: MIT
 *
 * A program that runs beside trc: started with a pipe that it writes to, waited for, ended. Its
 * standard streams are those of trc.
 */
#ifndef TRC_CMD_RECORD_PROGRAM_H
#define TRC_CMD_RECORD_PROGRAM_H

#include <sys/types.h>

#include "base/base.h"

enum { TRC_PROGRAM_FD = 9 }; /* the number of the pipe in the program */

/* A running program. */
struct trc_program {
	pid_t pid; /* 0: it was waited for */
	int fd;    /* what it writes to the pipe comes here; -1: it was taken */
	int status;
};

/* Starts argv[0], found in PATH, with the write end of a pipe as TRC_PROGRAM_FD; `fifo`, if it is
 * not NULL, is a named pipe to use instead, for those that open it by its name, too. */
int trc_program_start(struct trc_program *p, const char *const *argv, const char *fifo,
                      struct trc_err *err) TRC_MUST_USE;

/* Puts the pipe in the place of standard input, which the program has by now. */
int trc_program_read(struct trc_program *p, struct trc_err *err) TRC_MUST_USE;

/* Reads what is left in the pipe, which nobody wants, until all that write to it have ended. */
int trc_program_drain(struct trc_err *err) TRC_MUST_USE;

/* Whether it has ended by now, with p->status. */
bool trc_program_ended(struct trc_program *p);

/* Waits until it ends; a signal to trc ends it. p->status is as the shell has it: its exit status,
 * or 128 and the signal. What ended before is waited for no more. */
int trc_program_wait(struct trc_program *p, struct trc_err *err) TRC_MUST_USE;

/* Ends the program, if it runs: as it will, or else after half a second. */
void trc_program_stop(struct trc_program *p);

enum { TRC_PROGRAM_PATH = 4096 };

/* Finds the file of a program as a shell does; `path`, of TRC_PROGRAM_PATH bytes, may be NULL. */
bool trc_program_find(const char *name, char *path);

/* Finds a plugin of the emulator, beside trc, as it is built, or where it is installed; `path` has
 * TRC_PROGRAM_PATH bytes. */
int trc_program_plugin(const char *plugin, char *path, struct trc_err *err) TRC_MUST_USE;

/* Appends to an option of the emulator, of as many bytes. In a value of it, commas are doubled. */
int trc_program_option(char *option, const char *text, bool value,
                       struct trc_err *err) TRC_MUST_USE;

#endif
