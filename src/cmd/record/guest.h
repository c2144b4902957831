/* SPDX-License-Identifier: MIT
 *
 * The processor that a program is for, by the head of its file, which is found as a shell does.
 */
#ifndef TRC_CMD_RECORD_GUEST_H
#define TRC_CMD_RECORD_GUEST_H

#include <stdbool.h>

enum { TRC_RECORD_CPU = 66 }; /* bytes of a name */

/* Formats the processor of a program as QEMU calls it ("riscv64", for qemu-riscv64), and returns
 * `cpu`. If it is unknown, it is the one of this machine. */
const char *trc_record_processor(const char *program, char cpu[TRC_RECORD_CPU]);

/* Return true if a program is for this machine's processor; and if it is for another one that
 * libtrc-system records. */
bool trc_record_native(const char *program);
bool trc_record_foreign(const char *program);

#endif
