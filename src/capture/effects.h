/* SPDX-License-Identifier: MIT
 *
 * What system calls of the guest do to files, mappings and shared memory, told as events. The
 * emulator shares files and memory with its host, so what a descriptor or an address stands for is
 * asked of the host.
 */
#ifndef TRC_CAPTURE_EFFECTS_H
#define TRC_CAPTURE_EFFECTS_H

#include <stddef.h>
#include <stdint.h>

#include "capture/calls.h"

enum { TRC_ARGUMENTS = 6 };

/* Before all others: the guest, by QEMU's name of it. */
void trc_effects_open(const char *target);

/* This thread is about to make a call; the memory of the guest begins at `base`. Returns which. */
enum trc_call trc_effects_before(int64_t number, const uint64_t *argument, uint64_t base);

/* The call is done; task `tid` made it. */
void trc_effects_after(int64_t number, uint64_t result, uint32_t tid);

/* The name of what descriptor `fd` is open on, or "". */
void trc_effects_name(int fd, char *name, size_t room);

#endif
