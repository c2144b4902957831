/* SPDX-License-Identifier: MIT
 *
 * System calls of the program. Only their number and result are recorded. Data that they wrote to
 * memory is recorded when the program reads it, like writes by another bus master (Rose and
 * Flanagan 1996, 3.1.3): for a program in user mode, the kernel is another master.
 *
 * Some calls change how the program is recorded: those that map shared memory, install handlers,
 * start threads and processes, execute another program, or kill.
 */
#ifndef TRC_CAPTURE_BUS_SYSCALLS_H
#define TRC_CAPTURE_BUS_SYSCALLS_H

#include <stdint.h>

/* The callbacks of a system call: before it is done, and when it returned. */
void trc_bus_on_call(uint64_t id, unsigned vcpu, int64_t number, uint64_t a, uint64_t b, uint64_t c,
                     uint64_t d, uint64_t e, uint64_t f, uint64_t g, uint64_t h);
void trc_bus_on_return(uint64_t id, unsigned vcpu, int64_t number, int64_t result);

#endif
