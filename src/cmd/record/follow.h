/* SPDX-License-Identifier: MIT
 *
 * Records one process with valgrind, from its start through all programs that it executes, and no
 * other process. valgrind has an option to silence forked processes, but it traces exec either in
 * all processes or in none. So trc is executed instead of valgrind's tool lackey: it executes the
 * tool in the recorded process, and the program itself in all others, which run as if nothing was
 * recorded.
 */
#ifndef TRC_CMD_RECORD_FOLLOW_H
#define TRC_CMD_RECORD_FOLLOW_H

#include "base/buf.h"

enum { TRC_FOLLOW_PATH = 4096 };

/* The folder, and the paths in it. */
struct trc_follow {
	char folder[TRC_FOLLOW_PATH];
	char log[TRC_FOLLOW_PATH];  /* the named pipe, which the process opens after each exec */
	char tool[TRC_FOLLOW_PATH]; /* the options for valgrind */
	char file[TRC_FOLLOW_PATH];
	char debugger[TRC_FOLLOW_PATH];
	int watch; /* inotify descriptor that notes the processes */
};

/* Fills a folder, which must exist and be empty. */
int trc_follow_make(struct trc_follow *f, const char *folder, struct trc_err *err) TRC_MUST_USE;

/* Appends the names of programs that other processes executed, each ends with NUL. Sets *any if
 * there was another process, even for a moment. */
int trc_follow_others(const struct trc_follow *f, struct trc_buf *names, bool *any,
                      struct trc_err *err) TRC_MUST_USE;

void trc_follow_close(struct trc_follow *f);

/* Called in a process that valgrind starts as its tool: executes the tool or the program. Does not
 * return. */
void trc_follow_exec(int argc, char **argv);

#endif
