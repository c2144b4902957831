/* SPDX-License-Identifier: MIT
 *
 * Memory that other processes write while a program runs. A plugin is called after an access is
 * done, when memory may already have another value than the one loaded or stored. That value is in
 * a register. A stored value was there before. A loaded one is in memory, as all registers are,
 * when the next block begins; so the emulator makes each instruction a block around such loads
 * (trc_guest_single_step()), and they are noted then.
 */
#ifndef TRC_CAPTURE_BUS_SHARING_H
#define TRC_CAPTURE_BUS_SHARING_H

#include <stdbool.h>
#include <stdint.h>

/* Adds addresses that other processes may write from now on. They stay when they are unmapped:
 * noting the accessed values is correct for any memory. */
void trc_sharing_add(uint64_t addr, uint64_t len);

/* Returns true if the address was added. */
bool trc_sharing_has(uint64_t addr);

/* Returns the size of a segment of shared memory in bytes; 1 if it is not known. */
uint64_t trc_sharing_segment(int id);

/* Returns what an atomic operation, of enum trc_opcode, stores, given what it loaded and its
 * operand; words of 4 bytes are as registers have them. */
uint64_t trc_sharing_stored(unsigned op, uint64_t old, uint64_t operand);

#endif
