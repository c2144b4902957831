/* SPDX-License-Identifier: MIT
 *
 * The programs that record: which of them are there, and what they can start.
 */
#ifndef TRC_CMD_RECORD_TRACER_H
#define TRC_CMD_RECORD_TRACER_H

#include <stdbool.h>
#include <stddef.h>

#include "base/base.h"

#define TRC_RECORD_PLUGIN "libtrc-system.so" /* of qemu */

/* Formats the name of the emulator for a program, such as qemu-x86_64. Returns `name`. */
const char *trc_record_emulator(const char *program, char *name, size_t room);

/* Returns true if qemu can record the program, several times faster than valgrind; it cannot start
 * scripts. */
bool trc_record_qemu_can(const char *name);

/* Refuses programs that a tracer would fail to start without giving the reason. */
int trc_record_check(const char *name, bool valgrind, struct trc_err *err) TRC_MUST_USE;

#endif
