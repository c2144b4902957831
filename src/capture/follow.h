/* SPDX-License-Identifier: MIT
 *
 * Going on with what a guest executes. The emulator would hand it to the system, which runs it by
 * itself; instead it is run by this emulator, with the options and the plugin of this one.
 */
#ifndef TRC_CAPTURE_FOLLOW_H
#define TRC_CAPTURE_FOLLOW_H

#include "capture/calls.h"

/* Before all others: reads the command line of the emulator. `plugin` is what a followed program
 * gives the plugin, "out=NAME,limit=N". */
void trc_follow_open(const char *plugin);

/* The program of this process, as the emulator's command line has it. */
const char *trc_follow_program(void);

/* What a guest is about to execute. */
struct trc_exec {
	int at;                                /* folder that the path is seen from, or AT_FDCWD */
	uint64_t path, arguments, environment; /* addresses */
};

/* Executes `x` under the emulator; `last` is the rest of the plugin's arguments. Returns if this
 * cannot be done: there is no such file, or it is not for this guest. Then the emulator goes on as
 * without the plugin. `ready` is called when nothing can fail but the system. */
void trc_follow_exec(const struct trc_guest_memory *m, const struct trc_exec *x, const char *last,
                     void (*ready)(void));

#endif
