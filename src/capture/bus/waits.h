/* SPDX-License-Identifier: MIT
 *
 * Classifies the system calls that may wait for another thread of the program: a turn ends with
 * them.
 */
#ifndef TRC_CAPTURE_BUS_WAITS_H
#define TRC_CAPTURE_BUS_WAITS_H

#include <stdbool.h>
#include <stdint.h>

/* Returns false if a system call of riscv64 Linux never waits for an action of another thread of
 * the program; `second` is its second argument. */
bool trc_call_waits(int64_t number, uint64_t second);

#endif
