/* SPDX-License-Identifier: MIT
 *
 * Determines the processor of a program by the head of its file. The file is found as a shell does.
 */
#ifndef TRC_CMD_RECORD_GUEST_H
#define TRC_CMD_RECORD_GUEST_H

#include <stdbool.h>

enum { TRC_RECORD_CPU = 66 }; /* room for a name, in bytes */

/* Sets `cpu` to the name of a program's processor in QEMU ("riscv64", for qemu-riscv64), and
 * returns it. If it is unknown, takes this machine's processor. */
const char *trc_record_processor(const char *program, char cpu[TRC_RECORD_CPU]);

/* Return true if a program is for this machine's processor, or for another one that libtrc-system
 * supports, respectively. */
bool trc_record_native(const char *program);
bool trc_record_foreign(const char *program);

#endif
