/* SPDX-License-Identifier: MIT */
#include "capture/bus/signal.h"

#include "base/bytes.h"

enum {
	/* The frame: a siginfo_t, then a ucontext_t. */
	INFO_CODE = 8,
	CONTEXT = 128,
	REGISTERS = CONTEXT + 176, /* pc, x1 to x31, f0 to f31: 8 bytes each; fcsr: 4 */
	FCSR = 64,

	CODE_MOST = 0x7f, /* codes of what an instruction did; 0x80 is the kernel's own */
	NUMBER_MOST = 64,
	SIGILL = 4,
	SIGTRAP = 5,
	SIGBUS = 7,
	SIGSEGV = 11,

	LI_A7_139 = 0x08b00893, /* rt_sigreturn */
	ECALL = 0x73,
};

bool
trc_signal_entered(const uint8_t *memory, const uint64_t *x)
{
	const uint64_t sp = x[TRC_REG_SP];

	return x[TRC_REG_A0] >= 1 && x[TRC_REG_A0] <= NUMBER_MOST && x[TRC_REG_A1] == sp &&
	       x[TRC_REG_A2] == sp + CONTEXT && trc_le32(memory + x[TRC_REG_RA]) == LI_A7_139 &&
	       trc_le32(memory + x[TRC_REG_RA] + 4) == ECALL;
}

int
trc_signal_trap(const uint8_t *memory, uint64_t frame)
{
	const uint32_t number = trc_le32(memory + frame);
	const uint32_t code = trc_le32(memory + frame + INFO_CODE);

	if (code < 1 || code > CODE_MOST)
		return 0;
	return number == SIGILL || number == SIGTRAP || number == SIGBUS || number == SIGSEGV ?
	               (int)number :
	               0;
}

uint64_t
trc_signal_register(const uint8_t *memory, uint64_t frame, unsigned i)
{
	const uint8_t *at = memory + frame + REGISTERS + 8 * i;

	return i == FCSR ? trc_le32(at) : trc_le64(at);
}
