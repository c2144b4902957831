/* SPDX-License-Identifier: MIT
 *
 * The services of the system that the recorder of programs runs on. Addresses are those of the
 * emulator; they need not be those of the guest.
 */
#ifndef TRC_CAPTURE_HOST_H
#define TRC_CAPTURE_HOST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/* Returns true if the 8 aligned bytes that contain `at` can be read. */
bool trc_host_readable(const uint8_t *at);

/* Returns true if the system would execute this file, relative to an open folder, or AT_FDCWD. */
bool trc_host_executable(int folder, const char *path);

/* Copies the processor that QEMU emulates: that of its option -cpu, before --, or that of QEMU_CPU,
 * or `usual`; at most room - 1 characters. */
void trc_host_cpu(const char *usual, char *dst, size_t room);

/* Ends this process when `parent` ends in any way; it must be a child of it. */
void trc_host_stay_with(pid_t parent);

/* Calls `fn` before a signal that the program does not handle ends it. The emulator then ends
 * itself by the same signal, so that its parent sees the status, and does not notify plugins. `fn`
 * is called in the thread that the signal ends, with all registers of the guest in memory. It is
 * not called if the emulator is linked in another way than its own builds. */
void trc_host_watch_end(void (*fn)(int number));

/* Starts a process that shares the memory of this one and outlives it: whatever ends this one, even
 * SIGKILL, `fn` is called there, with everything as this one left it. Of the open files only `keep`
 * stays open. It gives up after some seconds, since `fn` may need a lock that is never released. If
 * all processes of this memory are ended, as by a system out of memory, it ends, too. */
void trc_host_outlive(int keep, void (*fn)(void));
void trc_host_outlive_end(void);

#endif
