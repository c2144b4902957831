/* SPDX-License-Identifier: MIT
 *
 * A program that runs beside trc: started with a pipe that it writes to, waited for, ended. Its
 * standard streams are those of trc.
 */
#ifndef TRC_CMD_RECORD_PROGRAM_H
#define TRC_CMD_RECORD_PROGRAM_H

#include <stdint.h>
#include <sys/types.h>

#include "base/base.h"

enum { TRC_PROGRAM_FD = 9 }; /* the number of the pipe in the program */

/* A running program. */
struct trc_program {
	pid_t pid;    /* 0: it was waited for */
	int fd;       /* what it writes to the pipe comes here; -1: it was taken */
	int kept;     /* the end of the pipe that keeps it open while the program runs; -1: none */
	int status;   /* as the shell has it, and */
	bool crashed; /* the tracer, at what it does not know */
	bool native;  /* its instructions are those of this machine */
	bool parent;  /* whether it had processes of its own, as far as is seen from outside */
	bool left;    /* whether it left one behind that has the pipe open */
};

/* How the program gets at the pipe. */
enum trc_program_pipe {
	TRC_PROGRAM_INHERITS, /* as TRC_PROGRAM_FD; so do all processes that it starts */
	TRC_PROGRAM_OPENS, /* by its name, again after each exec; the pipe ends with the program */
	TRC_PROGRAM_NONE,  /* there is none */
};

/* Starts argv[0], found in PATH, with a pipe; `fifo`, if it is not NULL, is a named one to use. */
int trc_program_start(struct trc_program *p, const char *const *argv, const char *fifo,
                      enum trc_program_pipe how, struct trc_err *err) TRC_MUST_USE;

/* Puts the pipe in the place of standard input, which the program has by now. */
int trc_program_read(struct trc_program *p, struct trc_err *err) TRC_MUST_USE;

/* Reads what is left in the pipe, which nobody wants, until all that write to it have ended. */
int trc_program_drain(struct trc_program *p, struct trc_err *err) TRC_MUST_USE;

/* Ends standard input where all came of a program that opens the pipe by its name: processes that
 * it forked may have it open, too, but are not to be waited for. */
void trc_program_end_pipe(struct trc_program *p);

/* Whether it has ended by now, with p->status. */
bool trc_program_ended(struct trc_program *p);

/* Waits until it ends; a signal to trc ends it. p->status is as the shell has it: its exit status,
 * or 128 and the signal. What ended before is waited for no more. */
int trc_program_wait(struct trc_program *p, struct trc_err *err) TRC_MUST_USE;

/* Whether the program, or its tracer, ended at an instruction that is unknown there. */
bool trc_program_unknown(const struct trc_program *p);

/* Fails if the program did, with its status; `output` has what it did, NULL: nothing has. */
int trc_program_check(const struct trc_program *p, const char *output,
                      struct trc_err *err) TRC_MUST_USE;

/* Ends the program, if it runs: as it will, or else after half a second. */
void trc_program_stop(struct trc_program *p);

enum { TRC_PROGRAM_PATH = 4096 };

/* Finds the file of a program as a shell does; `path`, of TRC_PROGRAM_PATH bytes, may be NULL. */
bool trc_program_find(const char *name, char *path);

/* Exit statuses of who runs a program, as env(1) and timeout(1) have them: that failed itself; the
 * program cannot be executed; there is none. */
enum { TRC_PROGRAM_FAILED = 125, TRC_PROGRAM_UNFIT = 126, TRC_PROGRAM_MISSING = 127 };

/* The same as trc_program_find(); fails with the reason, and with the status. */
int trc_program_reach(const char *name, char *path, struct trc_err *err) TRC_MUST_USE;

/* What a file is, by its first bytes. */
enum trc_program_kind {
	TRC_PROGRAM_FOREIGN, /* for another processor, or no program */
	TRC_PROGRAM_SCRIPT,
	TRC_PROGRAM_FITS
};
enum { TRC_PROGRAM_HEAD = 20 };

/* `like` is the first TRC_PROGRAM_HEAD bytes of a program that fits; NULL: trc's own. */
enum trc_program_kind trc_program_kind(const char *path, const uint8_t *like);

/* Passes `ret` on. What failed was trc, unless *err has a status of the program. */
int trc_program_own(int ret, struct trc_err *err);

/* Finds a plugin of the emulator, beside trc, as it is built, or where it is installed; `path` has
 * TRC_PROGRAM_PATH bytes. */
int trc_program_plugin(const char *plugin, char *path, struct trc_err *err) TRC_MUST_USE;

/* Appends to an option of the emulator, of as many bytes. In a value of it, commas are doubled. */
int trc_program_option(char *option, const char *text, bool value,
                       struct trc_err *err) TRC_MUST_USE;

#endif
