/* SPDX-License-Identifier: MIT
 *
 * Follows a guest that executes another program. Normally the emulator lets the system execute it,
 * unrecorded; instead this emulator runs it, with the same options and the same plugin.
 */
#ifndef TRC_CAPTURE_FOLLOW_H
#define TRC_CAPTURE_FOLLOW_H

#include "capture/calls.h"

/* Reads the command line of the emulator; call it before all others. `plugin` has the arguments
 * that a followed program passes to the plugin, "out=NAME,limit=N". */
void trc_follow_open(const char *plugin);

/* Returns the program of this process, from the command line of the emulator. */
const char *trc_follow_program(void);

/* A program that the guest is about to execute. */
struct trc_exec {
	int at; /* folder to which the path is relative, or AT_FDCWD */
	uint64_t path, arguments, environment; /* addresses */
};

/* Executes `x` under the emulator; `last` has further arguments of the plugin. Returns if the file
 * does not exist or is not for this guest; then the emulator continues as without the plugin.
 * `ready` is called when only the system can still fail. */
void trc_follow_guest_exec(const struct trc_guest_memory *m, const struct trc_exec *x,
                           const char *last, void (*ready)(void));

#endif
