/* SPDX-License-Identifier: MIT
 *
 * Starts a program with a pipe for its output, waits for it, and ends it. It shares the standard
 * streams of trc.
 */
#ifndef TRC_CMD_RECORD_PROGRAM_H
#define TRC_CMD_RECORD_PROGRAM_H

#include <stdint.h>
#include <sys/types.h>

#include "base/base.h"

enum {
	TRC_PROGRAM_FD = 9,       /* number of the pipe in the program */
	TRC_PROGRAM_SIGNALS = 64, /* number of signals of a system */
};

/* An instruction: its first `n` bytes, and the file that has it; n is 0, or the file "", if they are
 * unknown. */
struct trc_tracee_insn {
	uint8_t byte[8];
	size_t n;
	char file[256];
};

/* A running program. */
struct trc_tracee {
	pid_t pid;    /* 0: it was waited for */
	int fd;       /* read end of the pipe; -1: it replaced standard input */
	int kept;     /* write end that keeps the pipe open while the program runs; -1: none */
	int status;   /* exit status, as in the shell */
	bool crashed; /* the tracer failed at an unknown instruction */
	struct trc_tracee_insn last; /* the last one; of valgrind, only if unknown to it */
	bool native;                 /* it has instructions of this machine */
	bool parent;                 /* it had child processes, as far as can be seen */
	bool left;                   /* it left a child process that has the pipe open */
};

/* How the program opens the pipe. */
enum trc_tracee_pipe {
	TRC_PROGRAM_INHERITS, /* it inherits TRC_PROGRAM_FD, as do all of its child processes */
	TRC_PROGRAM_OPENS,    /* by name, again after each exec; the pipe ends with the program */
	TRC_PROGRAM_NONE,     /* there is no pipe */
};

/* Starts argv[0], found in PATH, with a pipe: a named one if `fifo` is not NULL. */
int trc_tracee_start(struct trc_tracee *p, const char *const *argv, const char *fifo,
                     enum trc_tracee_pipe how, struct trc_err *err) TRC_MUST_USE;

/* Replaces standard input by the pipe; the program must have started. */
int trc_tracee_read(struct trc_tracee *p, struct trc_err *err) TRC_MUST_USE;

/* Discards the rest of the pipe, until all writers have ended. */
int trc_tracee_drain(struct trc_tracee *p, struct trc_err *err) TRC_MUST_USE;

/* Ends standard input when a program that opens the pipe by name has ended: forked processes that
 * still have it open are not waited for. */
void trc_tracee_end_pipe(struct trc_tracee *p);

/* Returns true if the program has ended, with p->status. */
bool trc_tracee_ended(struct trc_tracee *p);

/* Waits until the program ends; a signal to trc ends it. Sets p->status as shells do: the exit
 * status, or 128 + the signal. If it was waited for already, returns at once. */
int trc_tracee_wait(struct trc_tracee *p, struct trc_err *err) TRC_MUST_USE;

/* Returns true if the program, or its tracer, ended at an instruction that the tracer does not
 * know, other than one by which programs end themselves. */
bool trc_tracee_unknown(const struct trc_tracee *p);

/* Fails if the program failed, with its status; `output` is the file of its trace; NULL: there is
 * none. */
int trc_tracee_check(const struct trc_tracee *p, const char *output,
                     struct trc_err *err) TRC_MUST_USE;

/* Ends the program if it runs, forcibly after half a second. */
void trc_tracee_stop(struct trc_tracee *p);

enum { TRC_PROGRAM_PATH = 4096 };

/* Finds the file of a program as a shell does; `path` has TRC_PROGRAM_PATH bytes, or is NULL. */
bool trc_program_find(const char *name, char *path);

/* Exit statuses as in env(1) and timeout(1): trc itself failed; the program cannot be executed; it
 * does not exist. */
enum { TRC_PROGRAM_FAILED = 125, TRC_PROGRAM_UNFIT = 126, TRC_PROGRAM_MISSING = 127 };

/* Does the same as trc_program_find(), but fails with the reason and the status. */
int trc_program_reach(const char *name, char *path, struct trc_err *err) TRC_MUST_USE;

/* The kind of a file, by its first bytes. */
enum trc_program_kind {
	TRC_PROGRAM_FOREIGN, /* for another processor, or not a program */
	TRC_PROGRAM_SCRIPT,
	TRC_PROGRAM_FITS
};
enum { TRC_PROGRAM_HEAD = 20 };

/* Compares a file with `like`, the first TRC_PROGRAM_HEAD bytes of a program that fits; NULL: those
 * of trc. */
enum trc_program_kind trc_program_kind(const char *path, const uint8_t *like);

/* Returns `ret`. Sets the status of a failure of trc itself, unless *err has one of the program. */
int trc_program_own(int ret, struct trc_err *err);

/* Finds a plugin of the emulator next to trc in the build folder, or where it is installed; `path`
 * has TRC_PROGRAM_PATH bytes. */
int trc_program_plugin(const char *plugin, char *path, struct trc_err *err) TRC_MUST_USE;

/* Appends to an option of the emulator, which has TRC_PROGRAM_PATH bytes. In a value, commas are
 * doubled. */
int trc_program_option(char *option, const char *text, bool value,
                       struct trc_err *err) TRC_MUST_USE;

#endif
