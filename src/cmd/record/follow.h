/* SPDX-License-Identifier: MIT
 *
 * One process recorded by valgrind, from its start through whatever it becomes by exec, and no
 * other. What it forks, valgrind can silence. What is executed, it traces of all processes or of
 * none: so trc stands between valgrind and its tool lackey, and lets the one process have the tool,
 * others the program itself, which then runs as if nothing was recorded.
 */
#ifndef TRC_CMD_RECORD_FOLLOW_H
#define TRC_CMD_RECORD_FOLLOW_H

#include "base/buf.h"

enum { TRC_FOLLOW_PATH = 4096 };

/* What a folder has for that. */
struct trc_follow {
	char folder[TRC_FOLLOW_PATH];
	char log[TRC_FOLLOW_PATH];  /* the named pipe, opened by the process after each exec */
	char tool[TRC_FOLLOW_PATH]; /* valgrind's options for all that */
	char file[TRC_FOLLOW_PATH];
	char debugger[TRC_FOLLOW_PATH];
	int watch; /* that notes which processes valgrind has */
};

/* Makes it in a folder that is there, and empty. */
int trc_follow_make(struct trc_follow *f, const char *folder, struct trc_err *err) TRC_MUST_USE;

/* Appends the names of programs that other processes executed, each with a NUL behind, and sets
 * *any if there was another process, be it for a moment. */
int trc_follow_others(const struct trc_follow *f, struct trc_buf *names, bool *any,
                      struct trc_err *err) TRC_MUST_USE;

void trc_follow_close(struct trc_follow *f);

/* Of a process that valgrind starts in the place of its tool, becomes that or the program, and does
 * not return. */
void trc_follow_exec(int argc, char **argv);

#endif
