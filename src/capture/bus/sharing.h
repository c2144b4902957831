/* SPDX-License-Identifier: MIT
 *
 * Memory that other processes write while a program runs. A plugin is called when an access is
 * done, and memory may have another value by then than a load saw, or a store left. Those are in
 * registers, which are in memory where a block begins: so the emulator makes each instruction a
 * block (trc_guest_single_step()), and what an access to such memory saw is noted at the next one.
 */
#ifndef TRC_CAPTURE_BUS_SHARING_H
#define TRC_CAPTURE_BUS_SHARING_H

#include <stdbool.h>
#include <stdint.h>

/* Other processes may write these addresses from now on. What is unmapped again stays: to note what
 * an access saw is right everywhere. */
void trc_sharing_add(uint64_t addr, uint64_t len);
bool trc_sharing_has(uint64_t addr);

/* The bytes of a segment of shared memory, by its number. */
uint64_t trc_sharing_segment(int id);

/* What an atomic operation, of enum trc_opcode, stores: of what it loaded and its operand, words of
 * 4 bytes as registers have them. */
uint64_t trc_sharing_stored(unsigned op, uint64_t old, uint64_t operand);

#endif
