/* SPDX-License-Identifier: MIT
 *
 * What the recorder of programs asks of the system that it runs on. Addresses are those of the
 * emulator; no guest's pointer needs to be one.
 */
#ifndef TRC_CAPTURE_HOST_H
#define TRC_CAPTURE_HOST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/* Whether the 8 aligned bytes that `at` is in can be read. */
bool trc_host_readable(const uint8_t *at);

/* Whether a call would execute this file, seen from an open folder, or AT_FDCWD. */
bool trc_host_executable(int folder, const char *path);

/* The processor that QEMU is, as its option -cpu, in front of --, or QEMU_CPU has it, else `usual`;
 * at most room - 1 letters. */
void trc_host_cpu(const char *usual, char *dst, size_t room);

/* Ends this process when `parent`, whose child it is, ends in whatever way. */
void trc_host_stay_with(pid_t parent);

/* Has `fn` called before a signal that the program does not handle ends it: the emulator then ends
 * itself by the same signal, for the status that its parent sees, and no plugin hears of it. It is
 * called in the thread that the signal ends, with all registers of the guest in memory. In an
 * emulator that is linked otherwise than its builds are, nothing calls it. */
void trc_host_watch_end(void (*fn)(int number));

/* Starts a process that shares this one's memory and ends later: whatever ends this one, even
 * SIGKILL, `fn` is called there, where all is as this one left it. Of open files it has `keep`
 * alone. It gives up after some seconds, as `fn` may need a lock that is never released; and what
 * ends all processes of this memory, as a system without memory does, ends it, too. */
void trc_host_outlive(int keep, void (*fn)(void));
void trc_host_outlive_end(void);

#endif
