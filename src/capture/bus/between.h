/* SPDX-License-Identifier: MIT
 *
 * What happens between two blocks: how the last one was left, by a trap, a signal or a system call,
 * shows in the registers when the next one begins. So does what a load saw in memory that
 * other processes write (capture/bus/sharing.h): it is noted late, then.
 *
 * A handler of a signal was entered if the registers are those at the entry of one, and then the
 * frame on the stack has what they were before. It was left by its call of rt_sigreturn.
 */
#ifndef TRC_CAPTURE_BUS_BETWEEN_H
#define TRC_CAPTURE_BUS_BETWEEN_H

#include <stdint.h>

/* Records all that is not plain about the last block, before the block at `pc` begins. */
void trc_bus_between(uint64_t pc);

/* Does the part of that which needs no look for a handler: execution goes on at `pc`, in a handler
 * if `frame` is not 0. */
void trc_bus_leave_block(uint64_t pc, uint64_t frame);

/* Notes the access that is to be noted late, if there is one, by what registers have now, or in the
 * frame of the signal whose handler begins now, if `frame` is not 0. */
void trc_bus_settle(uint64_t frame);

/* Cuts the block that a trap left, as trc_bus_cut_block(), and records the signal of the trap. */
void trc_bus_cut_by_trap(int number, uint32_t rows, uint32_t insns);

#endif
