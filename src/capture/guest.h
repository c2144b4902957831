/* SPDX-License-Identifier: MIT
 *
 * The processor that QEMU emulates for riscv64, and its memory, as a plugin can see them: by
 * functions that are not of the interface for plugins, but in every build of QEMU 7.2. To be called
 * where an instruction begins a translated block, since registers may be elsewhere within one;
 * those of integers in a system call, too, and before an atomic that is done in one piece, which
 * may read them. In user mode, only registers are to be had.
 */
#ifndef TRC_CAPTURE_GUEST_H
#define TRC_CAPTURE_GUEST_H

#include <stdbool.h>
#include <stdint.h>

/* x0 to x31, and as number 32 pc, of this thread; one thread asks at a time. */
uint64_t trc_guest_register(int n);

/* All of f0 to f31. */
void trc_guest_floats(uint64_t f[32]);

/* A control and status register; false if there is none. The first call finds the others by x0 to
 * x31, which must not be all 0 then. */
bool trc_guest_csr(unsigned csr, uint64_t *value);

/* Leaves translated code before it has done anything of the block that begins at pc; the emulator
 * sees to what else there is, and comes back. For a thread of user mode. */
void trc_guest_leave(uint64_t pc) __attribute__((noreturn));

/* From the next block on, each instruction is a block. */
void trc_guest_single_step(void);

/* Leaves translated code in the middle, from a callback of a load that `at`, its return address,
 * goes back to: the load will be done again, and all before it was done. */
void trc_guest_repeat(const void *at) __attribute__((noreturn));

/* Where a virtual address is in this mode; UINT64_MAX if nowhere. */
uint64_t trc_guest_physical(uint64_t addr);

/* The RAM that begins at a physical address and its length; NULL if there is none. */
const uint8_t *trc_guest_ram(uint64_t start, uint64_t *len);

#endif
