/* SPDX-License-Identifier: MIT
 *
 * What system calls of the guest do to files, mappings and shared memory, logged as events. The
 * emulator shares files and memory with its host, so what a descriptor or an address stands for is
 * looked up at the host.
 */
#ifndef TRC_CAPTURE_EFFECTS_H
#define TRC_CAPTURE_EFFECTS_H

#include "capture/calls.h"

enum { TRC_ARGUMENTS = 6 };

/* This thread is about to make a call, and has made it; task `tid` is this thread. */
void trc_effects_before(const struct trc_guest_memory *m, enum trc_call call,
                        const uint64_t *argument);
void trc_effects_after(const struct trc_guest_memory *m, enum trc_call call, uint64_t result,
                       uint32_t tid);

/* Where the link `link` leads: an open file's name, if it is one of /proc/self/fd. "" if nowhere. */
void trc_effects_link(const char *link, char *name, size_t room);

#endif
