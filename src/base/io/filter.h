/* SPDX-License-Identifier: MIT
 *
 * What Landlock (base/io/confine.h) does not see: calls that trc never makes behind it, which the
 * kernel refuses from then on with EPERM (seccomp; x86-64, 64-bit Arm and RISC-V, little-endian).
 */
#ifndef TRC_BASE_IO_FILTER_H
#define TRC_BASE_IO_FILTER_H

#include <stdbool.h>

/* Refuses to this thread, and those that it starts: networks and sockets of all kinds; modes,
 * owners, times and attributes of files; to start programs, look into other processes, and what is
 * for administrators; and to open a file for writing that is there, unless `existing`. Only what
 * the open call makes itself can be written. Returns whether the kernel agreed, which needs
 * no_new_privs. */
bool trc_filter_calls(bool existing);

#endif
