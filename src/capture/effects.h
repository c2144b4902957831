/* SPDX-License-Identifier: MIT
 *
 * Logs the effects of the guest's system calls on files, mappings and shared memory as events. The
 * emulator shares files and memory with its host, so the host knows what a descriptor or an address
 * stands for.
 */
#ifndef TRC_CAPTURE_EFFECTS_H
#define TRC_CAPTURE_EFFECTS_H

#include "capture/calls.h"

enum { TRC_ARGUMENTS = 6 };

/* Call these before and after a system call of this thread, which is task `tid`. */
void trc_effects_before(const struct trc_guest_memory *m, enum trc_call call,
                        const uint64_t *argument);
void trc_effects_after(const struct trc_guest_memory *m, enum trc_call call, uint64_t result,
                       uint32_t tid);

/* Resolves the link `link`: for an entry of /proc/self/fd, the name of the open file. The name is
 * "" if that fails. */
void trc_effects_link(const char *link, char *name, size_t room);

#endif
