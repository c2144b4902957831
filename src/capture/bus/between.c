/* SPDX-License-Identifier: MIT */
#include "capture/bus/between.h"

#include "capture/bus/sharing.h"
#include "capture/bus/signal.h"
#include "capture/bus/state.h"
#include "capture/guest.h"
#include "machine/hart/csr.h"
#include "machine/hart/hart.h"

enum { AGAIN = -512 }; /* the result of a system call that is to be called again */

/* Returns the frame that has the registers of what was interrupted, if a handler is about to begin;
 * 0 if not. Of several signals at once, each interrupts the first instruction of the handler of the
 * one before, so the frame looked for is the outermost. */
static uint64_t
frame_of_entry(void)
{
	const uint8_t *memory = trc_now.rec.memory;
	uint64_t x[32] = { 0 }, frame = 0;

	for (int i = 1; i < 32; i++)
		x[i] = trc_guest_register(i);
	while (trc_signal_entered(memory, x) && x[TRC_REG_SP] > frame) {
		frame = x[TRC_REG_SP];
		for (unsigned i = 1; i < 32; i++)
			x[i] = trc_signal_register(memory, frame, i);
	}
	return frame;
}

void
trc_bus_cut_by_trap(int number, uint32_t rows, uint32_t insns)
{
	trc_bus_cut_block(rows, insns);
	trc_bus_put_value(TRC_BUS_TRAP, (uint64_t)number, 0);
}

/* Cuts the block if it was left by a trap, for which this is the frame. */
static void
cut_by_frame(uint64_t frame)
{
	const int number = trc_signal_trap(trc_now.rec.memory, frame);
	uint32_t insns, rows = 0;

	if (number && trc_now.end > trc_now.base)
		rows = trc_code_until(trc_now.block,
		                      trc_signal_register(trc_now.rec.memory, frame, 0), &insns);
	if (rows)
		trc_bus_cut_by_trap(number, rows, insns);
}

/* Records that a handler begins at pc. */
static void
put_entry(uint64_t pc)
{
	static const int changed[] = { TRC_REG_RA, TRC_REG_SP, TRC_REG_A0, TRC_REG_A1, TRC_REG_A2 };

	for (size_t i = 0; i < TRC_COUNT(changed); i++)
		trc_bus_put_value(TRC_BUS_STATE, (uint64_t)(TRC_REG_X + changed[i]),
		                  trc_guest_register(changed[i]));
	trc_bus_put_value(TRC_BUS_STATE, TRC_REG_PC, pc);
	trc_bus_put_value(TRC_BUS_SIGNAL, 0, 0);
}

/* Records that a handler returned: all registers are those in its frame. */
static void
put_return(uint64_t pc)
{
	const uint64_t frame = trc_now.argument;

	for (unsigned i = 0; i < 32; i++)
		trc_bus_put_value(TRC_BUS_STATE, TRC_REG_F + i,
		                  trc_signal_register(trc_now.rec.memory, frame, 32 + i));
	trc_bus_put_value(TRC_BUS_STATE, TRC_REG_CSR + TRC_CSR_FCSR,
	                  trc_signal_register(trc_now.rec.memory, frame, 64));
	trc_bus_put_registers(pc);
	trc_bus_put_value(TRC_BUS_SIGNAL, 0, 0);
}

/* Returns what an integer register was when the block ended. `frame` is that of the signal whose
 * handler begins now, which has the registers then, or 0. */
static uint64_t
left_in(int reg, uint64_t frame)
{
	return frame ? trc_signal_register(trc_now.rec.memory, frame, (unsigned)reg) :
	               trc_guest_register(reg);
}

/* Does the same for a floating-point register. */
static uint64_t
left_in_float(int reg, uint64_t frame)
{
	uint64_t f[32];

	if (frame)
		return trc_signal_register(trc_now.rec.memory, frame, 32 + (unsigned)reg);
	trc_guest_floats(f);
	return f[reg];
}

/* Records that the late access loaded this value. */
static void
loaded(uint64_t value)
{
	uint8_t data[8];

	trc_put_le64(data, value);
	if (trc_record_saw(&trc_now.rec, trc_now.count, TRC_BUS_DATA, trc_now.late_addr, data,
	                   trc_now.late->len, &trc_now.err))
		trc_bus_give_up();
}

/* Notes a store-conditional. If it stored, it found the reserved value; if it did not, it found any
 * other value. */
static void
settle_conditional(const struct trc_code_place *p, bool did)
{
	const uint64_t now = trc_bus_value_at(trc_now.late_addr, p->len);

	if (!did) {
		loaded(now != trc_now.reserved ? now : ~now);
		return;
	}
	loaded(trc_now.reserved);
	trc_now.base[p->row] = trc_now.late_addr ^ TRC_ROW_STORE;
	trc_bus_put_stored(trc_now.late_addr, p->len, trc_now.operand);
}

/* Notes an atomic. What it loaded is in rd, and so is whether a store-conditional stored. If rd is
 * x0, the program does not see what was loaded, so what was there just before serves as well. */
static void
settle_atomic(const struct trc_code_place *p, uint64_t frame)
{
	const uint64_t found = p->rd     ? left_in(p->rd, frame) :
	                       p->stores ? trc_now.before :
	                                   trc_bus_value_at(trc_now.late_addr, p->len);

	if (!p->loads) {
		settle_conditional(p, p->rd ? found == 0 : trc_now.before == trc_now.reserved);
		return;
	}
	loaded(found);
	if (p->stores)
		trc_bus_put_stored(trc_now.late_addr, p->len,
		                   trc_sharing_stored(p->op, found, trc_now.operand));
	else
		trc_now.reserved = p->len == 4 ? (uint32_t)found : found;
}

void
trc_bus_settle(uint64_t frame)
{
	const struct trc_code_place *p = trc_now.late;
	const int reg = p ? p->rd : 0;

	if (!p)
		return;
	if (p->atomic)
		settle_atomic(p, frame);
	else if (p->is_float)
		loaded(left_in_float(reg, frame));
	else
		loaded(reg ? left_in(reg, frame) : trc_bus_value_at(trc_now.late_addr, 8));
	trc_now.late = NULL;
}

/* Records what the instruction that ends the block read from a counter. */
static void
put_counter(uint64_t frame)
{
	trc_bus_put_value(TRC_BUS_CSR, trc_now.block->last >> 20,
	                  left_in(trc_now.block->last >> 7 & 31, frame));
}

/* Records how the system call that ended the block ended. Returns true if it was rt_sigreturn. */
static bool
put_call(uint64_t pc, uint64_t frame)
{
	const bool returned = trc_now.returned;

	trc_now.returned = false;
	if (!returned) {
		trc_bus_put_value(TRC_BUS_CALL, TRC_SYSCALL_FLUSH_ICACHE,
		                  left_in(TRC_REG_A0, frame));
	} else if (trc_now.call == TRC_SYSCALL_SIGRETURN && trc_now.result) {
		put_return(pc);
		return true;
	} else if (trc_now.result == AGAIN && pc == trc_now.block->row[trc_now.block->rows - 1]) {
		trc_bus_put_value(TRC_BUS_STATE, TRC_REG_X + TRC_REG_A0,
		                  trc_guest_register(TRC_REG_A0));
		trc_bus_put_value(TRC_BUS_STATE, TRC_REG_PC, pc);
		trc_bus_put_value(TRC_BUS_SIGNAL, 0, 0);
	}
	return false;
}

void
trc_bus_leave_block(uint64_t pc, uint64_t frame)
{
	trc_bus_check_known();
	trc_bus_close_holes();
	if (trc_now.special & TRC_CODE_COUNTS)
		put_counter(frame);
	if (trc_now.special & TRC_CODE_CALLS && put_call(pc, frame))
		return;
	if (frame)
		put_entry(pc);
}

void
trc_bus_between(uint64_t pc)
{
	uint64_t frame = 0;

	if (!trc_now.started) {
		trc_now.started = true;
		trc_now.special = 0;
		trc_bus_put_registers(pc);
		trc_bus_put_value(TRC_BUS_START, 0, 0);
		return;
	}
	if (trc_now.handlers >> (pc / 2 % 64) & 1)
		frame = frame_of_entry();
	trc_bus_settle(frame);
	if (frame)
		cut_by_frame(frame);
	trc_bus_leave_block(pc, frame);
}
