/* SPDX-License-Identifier: MIT
 *
 * The riscv64 processor that QEMU emulates, and its memory, through functions that are not part of
 * the plugin interface, but of every build of QEMU 7.2. Call them where an instruction begins a
 * translated block, since registers may be elsewhere within one. Integer registers can also be read
 * in a system call, and before an atomic that is done in one piece, which may itself read them. In
 * user mode only registers are available.
 */
#ifndef TRC_CAPTURE_GUEST_H
#define TRC_CAPTURE_GUEST_H

#include <stdbool.h>
#include <stdint.h>

/* Returns a register of this thread, or of the processor that was chosen: x0 to x31, and pc as
 * number 32. Only one thread may call it at a time. */
uint64_t trc_guest_register(int n);

/* Sets an integer register of this thread. */
void trc_guest_set_register(int n, uint64_t value);

/* Reads all of f0 to f31. */
void trc_guest_floats(uint64_t f[32]);

/* Reads a control and status register; returns false if it does not exist. The first call locates
 * the registers by x0 to x31, which must not all be 0 then. */
bool trc_guest_csr(unsigned csr, uint64_t *value);

/* Leaves translated code before any effect of the block that begins at pc; the emulator handles
 * pending work, and returns to it. For a thread in user mode. */
void trc_guest_leave(uint64_t pc) __attribute__((noreturn));

/* From the next block on, makes each instruction a block, or no longer does so. */
void trc_guest_single_step(bool on);

/* Leaves translated code in the middle, from a callback of a load, or of an instruction with
 * registers, with the return address `at`: the instruction will be repeated, and everything before
 * it is done. */
void trc_guest_repeat(const void *at) __attribute__((noreturn));

/* Selects the processor, from 0, whose registers are read from now on. */
void trc_guest_choose(unsigned number);

/* Drops the translations of addresses that this processor has cached. */
void trc_guest_forget(unsigned number);

/* Returns true if the processors of a machine run one at a time, in one thread. */
bool trc_guest_takes_turns(void);

/* Stops the running processor after this block, so that the next one runs. */
void trc_guest_pause(void);

/* Translates a virtual address in the current mode of the running processor; UINT64_MAX if it is
 * unmapped. */
uint64_t trc_guest_physical(uint64_t addr);

/* Returns the RAM that begins at a physical address, and its length; NULL if there is none. */
const uint8_t *trc_guest_ram(uint64_t start, uint64_t *len);

#endif
