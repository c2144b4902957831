/* SPDX-License-Identifier: MIT
 *
 * Refuses system calls that Landlock (base/io/confine.h) does not cover and that trc never makes
 * once confined. The kernel then fails them with EPERM (seccomp; on little-endian x86-64, 64-bit
 * Arm and RISC-V).
 */
#ifndef TRC_BASE_IO_FILTER_H
#define TRC_BASE_IO_FILTER_H

#include <stdbool.h>

/* Refuses, for this thread and those that it starts: networks and sockets of all kinds; changing
 * modes, owners, times and attributes of files; starting programs, inspecting other processes, and
 * administrative calls; and, unless `existing`, opening an existing file for writing, so that only
 * files created by the open call itself can be written. Returns true if the kernel accepted the
 * filter, which requires no_new_privs. */
bool trc_filter_calls(bool existing);

#endif
