/* SPDX-License-Identifier: MIT
 *
 * Signals of a riscv64 program: their state in registers and memory. The frame on the stack of the
 * handler has all registers of the interrupted code, and the number of the signal
 * (arch/riscv/kernel/signal.c of Linux, linux-user/riscv/signal.c of QEMU).
 */
#ifndef TRC_CAPTURE_BUS_SIGNAL_H
#define TRC_CAPTURE_BUS_SIGNAL_H

#include <stdbool.h>
#include <stdint.h>

enum {
	TRC_REG_RA = 1,
	TRC_REG_SP = 2,
	TRC_REG_A0 = 10,
	TRC_REG_A1 = 11,
	TRC_REG_A2 = 12,
	TRC_REG_A7 = 17,
	TRC_SIGNAL_REGISTERS = 66, /* pc, x1 to x31, f0 to f31, fcsr */
};

/* Returns true if these registers, x[0] to x[31], are those at the entry of a handler: a0 is a
 * signal, a1 and a2 lead into the frame at sp, and ra to the instructions that end the handler. */
bool trc_signal_entered(const uint8_t *memory, const uint64_t *x);

/* Returns the signal of a frame if an instruction caused it by a trap, 0 otherwise. */
int trc_signal_trap(const uint8_t *memory, uint64_t frame);

/* Returns a register of what was interrupted: 0 is pc, 1 to 31 x, 32 to 63 f, 64 fcsr. */
uint64_t trc_signal_register(const uint8_t *memory, uint64_t frame, unsigned i);

#endif
