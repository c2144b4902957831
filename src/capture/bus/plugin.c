/* SPDX-License-Identifier: MIT
 *
 * A plugin of QEMU's user mode for riscv64 that records a bus trace (machine/bus/bus.h) of a static
 * program, for `trc replay`:
 *
 *   qemu-riscv64 -plugin libtrc-bus.so,out=FILE[,text=on][,parent=PID][,turn=N] PROGRAM...
 *
 * Who has PID as its parent ends with it. A turn of a thread is N references, more or less.
 *
 * Of system calls only number and result are recorded. What they wrote to memory shows when the
 * program reads it, as writes by another master do on a bus (Rose and Flanagan 1996, 3.1.3): to a
 * program of user mode the kernel is another master. So are the frames of signals; that a handler
 * was entered shows in the registers at its first instruction, and that it was left in its call of
 * rt_sigreturn.
 *
 * A block of code is noted when it begins, all of it: the emulator leaves a block in the middle
 * only for a trap, and then the frame of its signal shows where. So a block costs one call, and
 * each access another. Registers are in memory when a block begins and in a system call, and are
 * read only then, and before an atomic.
 *
 * A program that shares memory is run with atomics in one piece: a single callback when all is
 * done. Then what they load is noted before them.
 *
 * Threads take turns (capture/bus/baton.h), so that what is noted here is of one at a time, and all
 * instructions have an order. A turn ends where a block does: when another thread waits and enough
 * was done, and with a system call that may wait for another thread. What such a call returns is
 * noted in the thread's next turn; its Y, if another thread had a turn meanwhile, has what a0 was.
 * Calls that wait for nobody belong to the turn, so that what they write to memory is there when
 * the next thread looks.
 *
 * Memory that other processes write is another matter (capture/bus/sharing.h): a program that maps such
 * memory to write to it goes on an instruction a block, and one that only reads it does from its
 * first access on, which is done once more.
 *
 * Of processes that the program forks, and of a program that it executes in its own place, nothing
 * is recorded.
 */
#include <fcntl.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/shown.h"
#include "capture/bus/baton.h"
#include "capture/bus/code.h"
#include "capture/extension.h"
#include "capture/guest.h"
#include "capture/host.h"
#include "capture/qemu.h"
#include "capture/bus/sharing.h"
#include "capture/bus/signal.h"
#include "capture/bus/waits.h"
#include "machine/hart/csr.h"
#include "machine/hart/hart.h"
#include "machine/hart/extensions.h"
#include "machine/bus/record.h"
#include "machine/bus/tasks.h"

enum {
	TRUTH_EVERY = 1 << 20, /* instructions, at the least */
	ROWS = 1 << 15,        /* that wait for their hash */
	TURN = 1 << 13,        /* the same where threads take turns: the rows of a turn */
	PAGE = TRC_SHADOW_PAGE,

	/* Numbers of system calls. */
	CALL_EXIT = 93,
	CALL_KILL = 129,
	CALL_TKILL = 130,
	CALL_TGKILL = 131,
	CALL_SIGACTION = 134,
	CALL_SIGRETURN = 139,
	CALL_SHMAT = 196,
	CALL_MREMAP = 216,
	CALL_CLONE = 220,
	CALL_EXECVE = 221,
	CALL_MMAP = 222,
	CALL_FLUSH_ICACHE = 259, /* which the emulator answers itself */
	CALL_EXECVEAT = 281,
	SHARES_MEMORY = 0x100, /* CLONE_VM: a thread, unless with */
	SHARED = 1,            /* MAP_SHARED */
	WRITABLE = 2,          /* PROT_WRITE */
	READ_ONLY = 010000,    /* SHM_RDONLY */
	LIKE_FORK = 0x4000,    /* CLONE_VFORK, which the emulator makes a fork */
	AGAIN = -512,          /* the result of a call that is to be called again */

	REGISTER_PC = 32, /* of trc_guest_register() */
	READABLE = 16,    /* pages that are known to be there */
	NO_VCPU = 1 << 30,

	/* Beside those of code.h: nothing ran yet; an access to shared memory is to be noted. */
	SPECIAL_START = TRC_CODE_BEYOND << 1,
	SPECIAL_LATE = SPECIAL_START << 1,
};

/* What this process was at when it was killed: on_outlived(). */
enum step {
	STEP_GUEST, /* the block runs, and its accesses are noted */
	STEP_HASH,  /* rows go into the hash: what is `safe` was before that */
	STEP_SLOW,  /* records are written, or all of this changes */
};

/* A plugin has no place of its own in the calls for accesses, and there is one program. */
static struct {
	struct trc_recorder rec;
	unsigned isa; /* extensions of the processor (machine/hart/extensions.h) */
	struct trc_bus_writer *bus;
	const struct trc_translation *block; /* that runs */
	uint64_t count;                      /* instructions begun, with all of the block */
	uint64_t truth;                      /* the count of the next checkpoint, at the least */
	uint64_t *row; /* of blocks that are done, from `base` to `end` of the one now */
	uint64_t *base, *end;
	unsigned special;  /* of the block */
	uint64_t handlers; /* a bit for the address, modulo 64, of each that was installed */
	bool started, off; /* off: nothing is recorded any more */
	bool in_one_piece; /* atomics are, in what is translated from now on */
	bool shares;       /* memory that others may write */

	/* What the last load-reserved saw, and whether the store-conditional sees another value. */
	uint64_t reserved;
	bool lost;

	/* An access to memory that others write; what an atomic found there, and was given. */
	const struct trc_place *late;
	uint64_t late_addr, before, operand;
	uint64_t mapped; /* bytes of such memory that the last call is to map */

	/* The last system call. */
	int64_t call, result;
	bool returned;
	uint64_t argument; /* struct sigaction; what rt_sigreturn leaves; what mremap moves */
	uint64_t length;   /* of that */

	/* Threads: how many had a turn, which has it, the call that ended the last turn. */
	uint64_t tasks, task;
	bool several, called;
	uint64_t called_number, called_a0;
	ptrdiff_t room, turn;        /* rows, and those of a turn if it was given */
	uint64_t readable[READABLE]; /* one more than the number of a page, or 0 */
	volatile enum step step;
	struct {
		uint64_t rows, hash;
		uint64_t *end;
	} safe;
	int fd; /* of the trace */
	struct trc_err err;
} s;

/* What this thread goes on with in its next turn. */
static __thread struct {
	unsigned vcpu;
	uint64_t task; /* 0: it had none */
	uint64_t pc, ticket, reserved;
	const struct trc_translation *block;
	unsigned special;
} own = { .vcpu = NO_VCPU };

static void
give_up(void)
{
	trc_host_outlive_end();
	trc_shown(s.err.text);
	fprintf(stderr, "trc-bus: %s\n", s.err.text);
	trc_bus_abandon(s.bus);
	_Exit(1);
}

static void
put(enum trc_bus_type type, uint64_t key, uint64_t value)
{
	const struct trc_bus_record r = { type, s.count, key, value, 0, NULL, 0 };

	if (trc_bus_put(s.bus, &r, &s.err))
		give_up();
}

static void
put_registers(uint64_t pc)
{
	for (int i = 1; i < 32; i++)
		put(TRC_BUS_STATE, (uint64_t)(TRC_REG_X + i), trc_guest_register(i));
	put(TRC_BUS_STATE, TRC_REG_PC, pc);
}

static void
put_floats(void)
{
	uint64_t f[32], fcsr;

	trc_guest_floats(f);
	for (unsigned i = 0; i < 32; i++)
		put(TRC_BUS_STATE, TRC_REG_F + i, f[i]);
	if (trc_guest_csr(TRC_CSR_FCSR, &fcsr))
		put(TRC_BUS_STATE, TRC_REG_CSR + TRC_CSR_FCSR, fcsr);
}

static inline void
enter(enum step step)
{
	atomic_signal_fence(memory_order_seq_cst);
	s.step = step;
	atomic_signal_fence(memory_order_seq_cst);
}

/* All rows so far go into the hash. */
static void
hash_rows(void)
{
	s.safe.end = s.end;
	s.safe.rows = s.rec.rows;
	s.safe.hash = s.rec.hash;
	enter(STEP_HASH);
	trc_record_rows(&s.rec, s.row, (size_t)(s.end - s.row));
	enter(STEP_SLOW);
	s.end = s.row;
	if (s.count < s.truth)
		return;
	put(TRC_BUS_TRUTH, s.rec.hash, 0);
	s.truth = s.count + TRUTH_EVERY;
}

/* ---- signals ---- */

/* If a handler is about to begin at pc: the frame that has the registers of what was interrupted.
 * 0 if not. Of several signals at once, each interrupts the first instruction of the last. */
static uint64_t
frame_of_entry(void)
{
	const uint8_t *memory = s.rec.memory;
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

/* What lies behind an instruction of the block that trapped was not done. */
static void
cut_block(uint32_t rows, uint32_t insns)
{
	s.count -= s.block->insns - insns;
	s.end = s.base + rows;
	s.special &= TRC_CODE_HOLES | (s.block->beyond < insns ? TRC_CODE_BEYOND : 0);
}

static void
cut_by_trap(int number, uint32_t rows, uint32_t insns)
{
	cut_block(rows, insns);
	put(TRC_BUS_TRAP, (uint64_t)number, 0);
}

/* Cuts the block if it was left by a trap, for which there is this frame. */
static void
cut_by_frame(uint64_t frame)
{
	const int number = trc_signal_trap(s.rec.memory, frame);
	uint32_t insns, rows = 0;

	if (number && s.end > s.base)
		rows = trc_code_until(s.block, trc_signal_register(s.rec.memory, frame, 0), &insns);
	if (rows)
		cut_by_trap(number, rows, insns);
}

static void
put_entry(uint64_t pc)
{
	static const int changed[] = { TRC_REG_RA, TRC_REG_SP, TRC_REG_A0, TRC_REG_A1, TRC_REG_A2 };

	for (size_t i = 0; i < TRC_COUNT(changed); i++)
		put(TRC_BUS_STATE, (uint64_t)(TRC_REG_X + changed[i]),
		    trc_guest_register(changed[i]));
	put(TRC_BUS_STATE, TRC_REG_PC, pc);
	put(TRC_BUS_SIGNAL, 0, 0);
}

/* A handler was left: all registers are those of its frame. */
static void
put_return(uint64_t pc)
{
	const uint64_t frame = s.argument;

	for (unsigned i = 0; i < 32; i++)
		put(TRC_BUS_STATE, TRC_REG_F + i, trc_signal_register(s.rec.memory, frame, 32 + i));
	put(TRC_BUS_STATE, TRC_REG_CSR + TRC_CSR_FCSR,
	    trc_signal_register(s.rec.memory, frame, 64));
	put_registers(pc);
	put(TRC_BUS_SIGNAL, 0, 0);
}

/* ---- between two blocks ---- */

/* What a register was when the block ended, if a handler begins now, or not. */
static uint64_t
left_in(int reg, uint64_t frame)
{
	return frame ? trc_signal_register(s.rec.memory, frame, (unsigned)reg) :
	               trc_guest_register(reg);
}

static void
put_counter(uint64_t frame)
{
	put(TRC_BUS_CSR, s.block->last >> 20, left_in(s.block->last >> 7 & 31, frame));
}

/* True if the call that ended the block was rt_sigreturn. */
static bool
put_call(uint64_t pc, uint64_t frame)
{
	const bool returned = s.returned;

	s.returned = false;
	if (!returned) {
		put(TRC_BUS_CALL, CALL_FLUSH_ICACHE, left_in(TRC_REG_A0, frame));
	} else if (s.call == CALL_SIGRETURN && s.result) {
		put_return(pc);
		return true;
	} else if (s.result == AGAIN && pc == s.block->row[s.block->rows - 1]) {
		put(TRC_BUS_STATE, TRC_REG_X + TRC_REG_A0, trc_guest_register(TRC_REG_A0));
		put(TRC_BUS_STATE, TRC_REG_PC, pc);
		put(TRC_BUS_SIGNAL, 0, 0);
	}
	return false;
}

/* ---- what others write ---- */

static uint64_t
value_at(uint64_t addr, unsigned len)
{
	const uint8_t *p = s.rec.memory + addr;

	return len == 4 ? trc_le32(p) : trc_le64(p);
}

/* The same of a floating-point register. */
static uint64_t
left_in_float(int reg, uint64_t frame)
{
	uint64_t f[32];

	if (frame)
		return trc_signal_register(s.rec.memory, frame, 32 + (unsigned)reg);
	trc_guest_floats(f);
	return f[reg];
}

static void
loaded(uint64_t value)
{
	uint8_t data[8];

	trc_put_le64(data, value);
	if (trc_record_saw(&s.rec, s.count, TRC_BUS_DATA, s.late_addr, data, s.late->len, &s.err))
		give_up();
}

static void
stored(uint64_t value)
{
	uint8_t data[8];

	trc_put_le64(data, value);
	if (trc_record_left(&s.rec, s.late_addr, data, s.late->len, &s.err))
		give_up();
}

/* One that stored found what was reserved; one that did not found anything else. */
static void
settle_conditional(const struct trc_place *p, bool did)
{
	const uint64_t now = value_at(s.late_addr, p->len);

	if (!did) {
		loaded(now != s.reserved ? now : ~now);
		return;
	}
	loaded(s.reserved);
	s.base[p->row] = s.late_addr ^ TRC_ROW_STORE;
	stored(s.operand);
}

/* What it loaded is in rd, and so is whether a store-conditional stored. Where rd is x0 nobody sees
 * what it loaded, and what was there before does as well. */
static void
settle_atomic(const struct trc_place *p, uint64_t frame)
{
	const uint64_t found = p->rd     ? left_in(p->rd, frame) :
	                       p->stores ? s.before :
	                                   value_at(s.late_addr, p->len);

	if (!p->loads) {
		settle_conditional(p, p->rd ? found == 0 : s.before == s.reserved);
		return;
	}
	loaded(found);
	if (p->stores)
		stored(trc_sharing_stored(p->op, found, s.operand));
	else
		s.reserved = p->len == 4 ? (uint32_t)found : found;
}

/* Notes the access that the last instruction made, by what registers have now, or in a frame. */
static void
settle(uint64_t frame)
{
	const struct trc_place *p = s.late;
	const int reg = p ? (p->stores ? p->rs2 : p->rd) : 0;

	if (!p)
		return;
	if (p->atomic)
		settle_atomic(p, frame);
	else if (p->stores)
		stored(p->is_float ? left_in_float(reg, frame) : reg ? left_in(reg, frame) : 0);
	else if (p->is_float)
		loaded(left_in_float(reg, frame));
	else
		loaded(reg ? left_in(reg, frame) : value_at(s.late_addr, 8));
	s.late = NULL;
}

/* An instruction that this does not know trapped, or is refused. */
static void
check_known(void)
{
	if (!(s.special & TRC_CODE_BEYOND))
		return;
	trc_extension_refuse(s.block->unknown, s.block->at, &s.err);
	give_up();
}

static void
close_holes(void)
{
	if (s.special & TRC_CODE_HOLES)
		s.end = s.base + trc_rows_close(s.base, (size_t)(s.end - s.base));
}

/* Sees to all that is not plain of the last block, behind which execution goes on at pc. */
static void
leave_block(uint64_t pc, uint64_t frame)
{
	check_known();
	close_holes();
	if (s.special & TRC_CODE_COUNTS)
		put_counter(frame);
	if (s.special & TRC_CODE_CALLS && put_call(pc, frame))
		return;
	if (frame)
		put_entry(pc);
}

/* The same, before the block at pc. */
static void
between(uint64_t pc)
{
	uint64_t frame = 0;

	if (!s.started) {
		s.started = true;
		s.special = 0;
		put_registers(pc);
		put(TRC_BUS_START, 0, 0);
		return;
	}
	if (s.handlers >> (pc / 2 % 64) & 1)
		frame = frame_of_entry();
	settle(frame);
	if (frame)
		cut_by_frame(frame);
	leave_block(pc, frame);
}

/* ---- turns ---- */

/* Ends the turn of this thread, which goes on at pc. */
static void
end_turn(uint64_t pc, unsigned special)
{
	own.pc = pc;
	own.special = special;
	own.block = s.block;
	own.reserved = s.reserved;
	trc_baton_give();
}

/* The first turn of a thread, before it did anything. */
static void
put_task(uint64_t pc)
{
	own.task = ++s.tasks;
	if (own.task > TRC_TASKS_MOST) {
		trc_fail(&s.err,
		         "the program starts more than %d threads, which a package cannot "
		         "have; nothing was recorded",
		         TRC_TASKS_MOST);
		give_up();
	}
	put(TRC_BUS_TASK, own.task, pc);
	for (int i = 1; i < 32; i++)
		put(TRC_BUS_STATE, (uint64_t)(TRC_REG_X + i), trc_guest_register(i));
	put_floats();
	put(TRC_BUS_SIGNAL, 0, 0);
}

/* This thread has the baton. True if its turn is another than the last one. */
static bool
begin_turn(uint64_t pc)
{
	if (!s.started)
		own.task = s.task = s.tasks = 1;
	if (s.task == own.task)
		return false;
	hash_rows();
	s.base = s.end; /* nothing of the block now changes any more */
	if (s.called)
		put(TRC_BUS_CALL, s.called_number, s.called_a0);
	s.called = false;
	if (own.task)
		put(TRC_BUS_TASK, own.task, own.pc);
	else
		put_task(pc);
	s.task = own.task;
	s.block = own.block;
	s.special = own.special;
	s.reserved = own.reserved;
	return true;
}

/* Waits until this thread, which is about to run the block at pc, has its turn. */
static void
await_turn(unsigned vcpu, uint64_t pc)
{
	own.vcpu = vcpu;
	if (!trc_baton_take(vcpu, &own.ticket, true))
		trc_guest_leave(pc);
	if (!s.off)
		(void)begin_turn(pc);
}

/* The rows of a turn are there, if somebody waits. */
static void
hand_on(unsigned vcpu, uint64_t pc)
{
	hash_rows();
	if (!s.several || !trc_baton_wanted())
		return;
	enter(STEP_SLOW);
	s.special = 0;
	end_turn(pc, 0);
	await_turn(vcpu, pc);
}

static void
on_block(unsigned vcpu, void *user)
{
	struct trc_translation *b = user;

	if (TRC_UNLIKELY(s.off))
		return;
	if (TRC_UNLIKELY(!trc_baton_has(vcpu)))
		await_turn(vcpu, b->addr);
	if (TRC_UNLIKELY(s.off))
		return;
	if (TRC_UNLIKELY(s.special || !b->old || s.handlers >> (b->addr / 2 % 64) & 1)) {
		enter(STEP_SLOW);
		between(b->addr);
		if (!b->old &&
		    trc_record_read(&s.rec, s.count, TRC_BUS_FETCH, b->addr, b->bytes, &s.err))
			give_up();
		b->old = true;
		enter(STEP_GUEST);
	}
	if (TRC_UNLIKELY(s.end - s.row > s.room)) {
		hand_on(vcpu, b->addr);
		if (s.off)
			return;
		enter(STEP_GUEST);
	}
	memcpy(s.end, b->row, b->rows * sizeof(*b->row));
	atomic_signal_fence(memory_order_seq_cst);
	s.block = b;
	s.special = b->special;
	s.count += b->insns;
	s.base = s.end;
	s.end += b->rows;
}

/* ---- accesses ---- */

static inline void
load(const struct trc_place *place, uint64_t addr)
{
	s.base[place->row] = addr;
	if (TRC_LIKELY(trc_record_known(&s.rec, addr, place->len)) || s.off)
		return;
	enter(STEP_SLOW);
	if (trc_record_read(&s.rec, s.count - s.block->insns + place->at, TRC_BUS_DATA, addr,
	                    place->len, &s.err))
		give_up();
	enter(STEP_GUEST);
}

static inline void
store(const struct trc_place *place, unsigned row, uint64_t addr)
{
	s.base[row] = addr ^ TRC_ROW_STORE;
	if (TRC_LIKELY(trc_record_kept(&s.rec, addr, place->len)) || s.off)
		return;
	enter(STEP_SLOW);
	if (trc_record_write(&s.rec, addr, place->len, &s.err))
		give_up();
	enter(STEP_GUEST);
}

/* True if the access is noted when the next block begins. Not where a block has more, as one of a
 * thread may have that began before memory was shared. */
static bool
is_late(const struct trc_place *place, uint64_t addr)
{
	if (s.off || s.block->insns > 1 || !trc_sharing_has(addr))
		return false;
	s.late = place;
	s.late_addr = addr;
	s.special |= SPECIAL_LATE;
	return true;
}

/* A load in the middle of a block is done again as one of its own. `at` is where the emulator's
 * code goes on. */
static void
load_again(const struct trc_place *place, const void *at)
{
	cut_block(place->row - 1u, place->at - 1u);
	check_known();
	close_holes();
	s.special = 0;
	s.base = s.end; /* nothing of it changes any more */
	trc_guest_single_step();
	trc_guest_repeat(at);
}

static void
on_load(unsigned vcpu, uint32_t info, uint64_t addr, void *user)
{
	const struct trc_place *place = user;

	(void)vcpu, (void)info;
	if (TRC_UNLIKELY(s.shares)) {
		if (!s.off && s.block->insns > 1 && trc_sharing_has(addr))
			load_again(place, __builtin_return_address(0));
		s.base[place->row] = addr;
		if (is_late(place, addr))
			return;
	}
	load(place, addr);
}

static void
on_store(unsigned vcpu, uint32_t info, uint64_t addr, void *user)
{
	const struct trc_place *place = user;

	(void)vcpu, (void)info;
	if (TRC_UNLIKELY(s.shares) && is_late(place, addr))
		s.base[place->row] = addr ^ TRC_ROW_STORE;
	else
		store(place, place->row, addr);
}

/* What an atomic loads, at its address. A load-reserved comes with what it saw; that of a
 * store-conditional is how the emulator looks at the reservation, and no row. */
static void
load_of_atomic(const struct trc_place *place, uint64_t addr)
{
	const uint64_t row = s.base[place->row];

	load(place, addr);
	if (!place->stores)
		s.reserved = value_at(addr, place->len);
	else if (!place->loads)
		s.lost = value_at(addr, place->len) != s.reserved;
	if (!place->loads)
		s.base[place->row] = row;
}

/* What is readable stays so until a call, which may take it away, or another process does. */
static bool
is_readable(uint64_t addr)
{
	const uint64_t page = addr / PAGE + 1;
	uint64_t *known = &s.readable[page % READABLE];

	if (s.shares)
		return trc_host_readable(s.rec.memory + addr);
	if (*known != page && trc_host_readable(s.rec.memory + addr))
		*known = page;
	return *known == page;
}

/* Before an atomic in one piece, where all registers are in memory: it may read them. */
static void
before_atomic(unsigned vcpu, void *user)
{
	const struct trc_place *place = user;
	uint64_t addr;

	(void)vcpu;
	if (s.off)
		return;
	addr = trc_guest_register(place->base);
	if (addr % place->len != 0 || !is_readable(addr))
		return;
	if (!s.shares || s.block->insns > 1 || !trc_sharing_has(addr)) {
		load_of_atomic(place, addr);
		return;
	}
	s.before = value_at(addr, place->len);
	s.operand = trc_guest_register(place->rs2);
	if (place->len == 4 && place->loads) {
		s.before = (uint64_t)(int32_t)s.before;
		s.operand = (uint64_t)(int32_t)s.operand;
	}
}

/* The rows of one that is noted later; whether a store-conditional stores is known then. */
static void
put_rows_of_atomic(const struct trc_place *place, uint64_t addr)
{
	if (place->loads)
		s.base[place->row] = addr;
	if (place->loads && place->stores)
		s.base[place->row + 1] = addr ^ TRC_ROW_STORE;
}

static void
on_atomic(unsigned vcpu, uint32_t info, uint64_t addr, void *user)
{
	const struct trc_place *place = user;

	(void)vcpu;
	if (TRC_UNLIKELY(s.shares) && is_late(place, addr))
		put_rows_of_atomic(place, addr);
	else if (!qemu_plugin_mem_is_store(info))
		load_of_atomic(place, addr);
	else if (place->loads || !s.lost)
		store(place, place->row + place->loads, addr);
}

/* Has the accesses of an instruction noted. */
static void
watch(struct qemu_plugin_insn *in, struct trc_place *place)
{
	const mem_fn fn = place->atomic ? on_atomic : place->loads ? on_load : on_store;

	if (place->loads + place->stores)
		qemu_plugin_register_vcpu_mem_cb(in, fn, CB_NO_REGS, MEM_READ_WRITE, place);
	if (place->atomic && place->stores && s.in_one_piece)
		qemu_plugin_register_vcpu_insn_exec_cb(in, before_atomic, CB_READ_REGS, place);
}

static void
on_translate(uint64_t id, struct qemu_plugin_tb *tb)
{
	const size_t n = qemu_plugin_tb_n_insns(tb);
	struct trc_translation *b = trc_code_new(qemu_plugin_tb_vaddr(tb), n, &s.err);

	(void)id;
	if (!b)
		give_up();
	for (size_t i = 0; i < n; i++) {
		struct qemu_plugin_insn *in = qemu_plugin_tb_get_insn(tb, i);
		uint8_t word[4] = { 0 };

		memcpy(word, qemu_plugin_insn_data(in), qemu_plugin_insn_size(in));
		watch(in, trc_code_add(b, trc_le32(word), s.isa));
	}
	if (!s.rec.memory) {
		const uint8_t *first = qemu_plugin_insn_haddr(qemu_plugin_tb_get_insn(tb, 0));

		s.rec.memory = first - b->addr;
	}
	qemu_plugin_register_vcpu_tb_exec_cb(tb, on_block, CB_READ_REGS, b);
}

/* ---- the end ---- */

static void
end_trace(void)
{
	if (trc_record_end(&s.rec, s.count, &s.err) || trc_bus_commit(s.bus, &s.err))
		give_up();
	trc_bus_abandon(s.bus);
	trc_recorder_release(&s.rec);
	s.off = true;
}

static void
finish(void)
{
	trc_host_outlive_end();
	check_known();
	close_holes();
	s.truth = 0;
	hash_rows();
	for (int i = 1; i < 32; i++)
		put(TRC_BUS_STATE, (uint64_t)(TRC_REG_X + i), trc_guest_register(i));
	put_floats();
	end_trace();
}

static void
on_end(uint64_t id, void *user)
{
	(void)id, (void)user;
	if (s.started && !s.off)
		finish();
}

static void
finish_by(int number)
{
	put(TRC_BUS_KILL, (uint64_t)number, 0);
	finish();
}

/* The last instruction of the block that made an access, if all of its rows are there; NULL: none
 * did. *rows is how many rows of the block there are with it. */
static const struct trc_place *
last_noted(uint32_t *rows)
{
	const struct trc_translation *b = s.block;
	const struct trc_place *last = NULL;

	*rows = 0;
	for (uint32_t i = 0; i < b->insns; i++) {
		const struct trc_place *p = &b->place[i];
		const unsigned n = p->loads + p->stores;

		if (n > 0 && s.base[p->row + n - 1] != TRC_ROW_HOLE) {
			last = p;
			*rows = p->row + n;
		}
	}
	return last;
}

/* Cuts the block behind that. What was about to be noted of it is noted now. */
static void
cut_to_last_noted(void)
{
	const struct trc_place *last;
	uint64_t addr;
	uint32_t rows;

	if (s.end == s.base)
		return; /* it was left already */
	last = last_noted(&rows);
	cut_block(rows, last ? last->at : 0);
	if (!last)
		return;
	addr = s.base[rows - 1] & ~TRC_ROW_STORE;
	if ((last->loads &&
	     trc_record_read(&s.rec, s.count, TRC_BUS_DATA, addr, last->len, &s.err)) ||
	    (last->stores && trc_record_write(&s.rec, addr, last->len, &s.err)))
		give_up();
}

/* False if it was killed between the first and the last word of what a block is. */
static bool
is_whole(void)
{
	return s.end == s.base ||
	       ((size_t)(s.end - s.base) == s.block->rows && s.base[0] == s.block->addr);
}

/* In the process that outlives this one, which was killed, at any place: the trace ends with the
 * last access that was noted. Registers are nowhere then. */
static void
on_outlived(void)
{
	if (!s.started || s.off || s.step == STEP_SLOW || (s.step == STEP_GUEST && !is_whole())) {
		trc_bus_abandon(s.bus);
		return;
	}
	if (s.step == STEP_GUEST) {
		cut_to_last_noted();
		close_holes();
	} else {
		s.end = s.safe.end;
		s.rec.rows = s.safe.rows;
		s.rec.hash = s.safe.hash;
	}
	s.truth = 0;
	hash_rows();
	put(TRC_BUS_KILL, SIGKILL, 0);
	end_trace();
}

/* True if the instruction whose fetch is the last of these rows of the block did not do what it
 * does: some of its accesses lack, or it does nothing but trap. */
static bool
trapped(uint32_t rows, uint32_t insns)
{
	const struct trc_translation *b = s.block;

	for (uint32_t i = rows; i < b->rows && b->row[i] == TRC_ROW_HOLE; i++)
		if (s.base[i] == TRC_ROW_HOLE)
			return true;
	return insns == b->beyond || (insns == b->insns && trc_code_breaks(b));
}

/* A signal ends the program: it came after the last block, or an instruction of that trapped. */
static void
on_fatal(int number)
{
	const uint64_t pc = trc_guest_register(REGISTER_PC);
	uint32_t insns, rows = 0;

	if (!s.started || s.off)
		return;
	settle(0);
	if (!trc_baton_has(own.vcpu) && trc_baton_take(own.vcpu, &own.ticket, false))
		(void)begin_turn(pc);
	if (s.end > s.base)
		rows = trc_code_until(s.block, pc, &insns);
	if (rows && trapped(rows, insns))
		cut_by_trap(number, rows, insns);
	leave_block(pc, 0);
	finish_by(number);
}

/* ---- system calls ---- */

/* Nothing is recorded of a program that this one becomes. The address of its path need not be one.
 */
static void
replace_program(int folder, uint64_t path)
{
	if (!trc_host_executable(folder, (const char *)s.rec.memory + path))
		return;
	finish();
	trc_baton_drop();
}

/* The call is to map so many bytes that others may write. */
static void
share(uint64_t bytes, bool writable)
{
	s.mapped = bytes;
	if (!bytes)
		return;
	s.in_one_piece = s.shares = true;
	if (writable)
		trc_guest_single_step();
}

/* It did. */
static void
note_shared(int64_t number, uint64_t addr)
{
	if (addr > -(uint64_t)PAGE)
		return;
	if ((number == CALL_MMAP || number == CALL_SHMAT) && s.mapped)
		trc_sharing_add(addr, s.mapped);
	if (number == CALL_MREMAP && trc_sharing_has(s.argument))
		trc_sharing_add(addr, s.length);
}

/* Nobody sees a signal that cannot be caught arrive. */
static void
kill_target(uint64_t pid, uint64_t number)
{
	if (number == SIGKILL && ((pid_t)pid == getpid() || pid == 0))
		finish_by(SIGKILL);
}

/* From now on there may be several threads, whose atomics the emulator does in one piece. */
static void
begin_threads(void)
{
	s.several = s.in_one_piece = true;
	s.room = s.turn > 0 && s.turn < ROWS ? s.turn : TURN;
}

/* This thread is about to make a call that may wait for another one, or to end. */
static void
pause_turn(int64_t number)
{
	s.called = true;
	s.called_number = (uint64_t)number;
	s.called_a0 = trc_guest_register(TRC_REG_A0);
	if (number != CALL_EXIT)
		end_turn(s.block->addr + s.block->bytes, s.special);
}

/* True if another thread had a turn before the call returned. */
static bool
resume_turn(unsigned vcpu)
{
	(void)trc_baton_take(vcpu, &own.ticket, false);
	return !s.off && begin_turn(0);
}

static void
on_thread_end(uint64_t id, unsigned vcpu)
{
	(void)id;
	if (!s.off && trc_baton_has(vcpu))
		trc_baton_give();
}

static void
on_call(uint64_t id, unsigned vcpu, int64_t number, uint64_t a, uint64_t b, uint64_t c, uint64_t d,
        uint64_t e, uint64_t f, uint64_t g, uint64_t h)
{
	(void)id, (void)vcpu, (void)e, (void)f, (void)g, (void)h;
	if (s.off)
		return;
	memset(s.readable, 0, sizeof(s.readable));
	enter(STEP_SLOW);
	check_known();
	close_holes();
	s.base = s.end; /* all of the block was done */
	s.special &= TRC_CODE_CALLS;
	switch (number) {
	case CALL_KILL:
	case CALL_TKILL: kill_target(a, b); break;
	case CALL_TGKILL: kill_target(a, c); break;
	case CALL_SIGACTION: s.argument = b; break;
	case CALL_MMAP: share(d & SHARED ? b : 0, c & WRITABLE); break;
	case CALL_SHMAT: share(trc_sharing_segment((int)a), !(c & READ_ONLY)); break;
	case CALL_SIGRETURN: s.argument = trc_guest_register(TRC_REG_SP); break;
	case CALL_MREMAP:
		s.argument = a;
		s.length = ((b < c ? b : c) + PAGE - 1) / PAGE * PAGE;
		break;
	case CALL_CLONE:
		if (a & SHARES_MEMORY && !(a & LIKE_FORK))
			begin_threads();
		break;
	case CALL_EXECVE: replace_program(AT_FDCWD, a); break;
	case CALL_EXECVEAT: replace_program((int)a, b); break;
	default: break;
	}
	if (s.several && !s.off && trc_call_waits(number, b))
		pause_turn(number);
	enter(STEP_GUEST);
}

/* A call returned in another turn than it was made in. */
static void
put_result(int64_t result)
{
	put(TRC_BUS_STATE, TRC_REG_X + TRC_REG_A0, (uint64_t)result);
	put(TRC_BUS_SIGNAL, 0, 0);
}

static void
on_return(uint64_t id, unsigned vcpu, int64_t number, int64_t result)
{
	bool later;

	(void)id;
	if (s.off)
		return;
	if (number == CALL_CLONE && result == 0) {
		s.off = true; /* this is the child */
		return;
	}
	later = !trc_baton_has(vcpu) && resume_turn(vcpu);
	if (s.off)
		return;
	enter(STEP_SLOW);
	s.called = false;
	s.call = number;
	s.result = result;
	s.returned = true;
	if (later)
		put_result(result);
	else
		put(TRC_BUS_CALL, (uint64_t)number, (uint64_t)result);
	note_shared(number, (uint64_t)result);
	if (number == CALL_MREMAP && result > 0 && (uint64_t)result != s.argument &&
	    trc_record_move(&s.rec, s.count, s.argument, (uint64_t)result, s.length, &s.err))
		give_up();
	if (number == CALL_SIGACTION && result == 0 && s.argument)
		s.handlers |= UINT64_C(1) << trc_le64(s.rec.memory + s.argument) / 2 % 64;
	enter(STEP_GUEST);
}

const int qemu_plugin_version = 1;

static int
open_trace(const char *path, bool text)
{
	struct trc_bus_head head = { .user = true, .line = TRC_RECORD_LINE };
	struct trc_out *out = trc_out_open(path, true, &s.err);
	char cpu[256];

	trc_host_cpu("any", cpu, sizeof(cpu));
	s.isa = trc_extensions_of_cpu(cpu);
	trc_extensions_print(s.isa, head.isa);
	s.fd = out ? out->fd : -1;
	s.bus = out ? trc_bus_create(out, &head, text, &s.err) : NULL;
	if (!s.bus) {
		trc_out_close(out);
		return -1;
	}
	s.row = trc_alloc(ROWS + 2 * TRC_CODE_MOST, sizeof(*s.row), &s.err);
	if (!s.row || trc_recorder_init(&s.rec, s.bus, &s.err)) {
		trc_bus_abandon(s.bus);
		return -1;
	}
	s.base = s.end = s.row;
	s.special = SPECIAL_START;
	s.truth = TRUTH_EVERY;
	s.room = ROWS;
	return 0;
}

int
qemu_plugin_install(uint64_t id, const struct qemu_info *info, int argc, char **argv)
{
	const char *path = "bus.trc-bus";
	bool text = false;
	int ret = 0;

	for (int i = 0; i < argc; i++) {
		if (strncmp(argv[i], "out=", 4) == 0)
			path = argv[i] + 4;
		if (strncmp(argv[i], "parent=", 7) == 0)
			trc_host_stay_with((pid_t)strtol(argv[i] + 7, NULL, 10));
		if (strncmp(argv[i], "turn=", 5) == 0)
			s.turn = strtol(argv[i] + 5, NULL, 10);
		text |= strcmp(argv[i], "text=on") == 0;
	}
	if (info->system || strcmp(info->target, "riscv64") != 0)
		ret = trc_fail(&s.err, "this records programs under qemu-riscv64, not qemu-%s%s",
		               info->system ? "system-" : "", info->target);
	if (ret || open_trace(path, text)) {
		trc_shown(s.err.text);
		fprintf(stderr, "trc-bus: %s\n", s.err.text);
		return -1;
	}
	qemu_plugin_register_vcpu_tb_trans_cb(id, on_translate);
	qemu_plugin_register_vcpu_syscall_cb(id, on_call);
	qemu_plugin_register_vcpu_syscall_ret_cb(id, on_return);
	qemu_plugin_register_vcpu_exit_cb(id, on_thread_end);
	qemu_plugin_register_atexit_cb(id, on_end, NULL);
	trc_host_watch_end(on_fatal);
	trc_host_outlive(s.fd, on_outlived);
	return 0;
}
