/* SPDX-License-Identifier: MIT
 *
 * System calls of the program, of which only number and result are recorded. What they wrote to
 * memory shows when the program reads it, as writes by another master do on a bus (Rose and
 * Flanagan 1996, 3.1.3): to a program of user mode the kernel is another master.
 *
 * Some change how the program is recorded: those that map shared memory, install handlers, begin
 * threads and processes, execute another program, or kill.
 */
#ifndef TRC_CAPTURE_BUS_SYSCALLS_H
#define TRC_CAPTURE_BUS_SYSCALLS_H

#include <stdint.h>

/* The callbacks of a system call: before it is done, and when it returned. */
void trc_bus_on_call(uint64_t id, unsigned vcpu, int64_t number, uint64_t a, uint64_t b, uint64_t c,
                     uint64_t d, uint64_t e, uint64_t f, uint64_t g, uint64_t h);
void trc_bus_on_return(uint64_t id, unsigned vcpu, int64_t number, int64_t result);

#endif
