/* SPDX-License-Identifier: MIT
 *
 * Which system calls may wait for another thread of the program: with these a turn ends.
 */
#ifndef TRC_CAPTURE_BUS_WAITS_H
#define TRC_CAPTURE_BUS_WAITS_H

#include <stdbool.h>
#include <stdint.h>

/* Returns false if a system call of riscv64 Linux is known not to wait for anything that another
 * thread of the program may do; `second` is its second argument. */
bool trc_call_waits(int64_t number, uint64_t second);

#endif
