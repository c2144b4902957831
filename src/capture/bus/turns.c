/* SPDX-License-Identifier: MIT */
#include "capture/bus/turns.h"

#include "capture/bus/baton.h"
#include "capture/bus/signal.h"
#include "capture/bus/state.h"
#include "capture/guest.h"
#include "machine/bus/tasks.h"
#include "machine/hart/hart.h"

enum {
	TURN = 1 << 13, /* rows of a turn: fewer than TRC_BUS_ROWS */
	NO_VCPU = 1 << 30,
};

/* The state of this thread while others have their turns. */
static __thread struct {
	unsigned vcpu;     /* of the emulator */
	uint64_t task;     /* its number; 0: it had no turn */
	uint64_t pc;       /* where it goes on */
	uint64_t ticket;   /* capture/bus/baton.h */
	uint64_t reserved; /* as in trc_now, and so are these: */
	const struct trc_translation *block;
	unsigned special;
} own = { .vcpu = NO_VCPU };

void
trc_bus_begin_threads(void)
{
	trc_now.several = trc_now.in_one_piece = true;
	trc_now.room = trc_now.turn ? (ptrdiff_t)trc_now.turn : TURN;
}

/* Ends the turn of this thread, which goes on at pc. */
static void
end_turn(uint64_t pc, unsigned special)
{
	own.pc = pc;
	own.special = special;
	own.block = trc_now.block;
	own.reserved = trc_now.reserved;
	trc_baton_give();
}

/* Records the first turn of a thread, before it did anything. */
static void
put_task(uint64_t pc)
{
	own.task = ++trc_now.tasks;
	if (own.task > TRC_TASKS_MOST) {
		trc_fail(&trc_now.err,
		         "the program starts more than %d threads, which a package cannot "
		         "have; nothing was recorded",
		         TRC_TASKS_MOST);
		trc_bus_give_up();
	}
	trc_bus_put_value(TRC_BUS_TASK, own.task, pc);
	for (int i = 1; i < 32; i++)
		trc_bus_put_value(TRC_BUS_STATE, (uint64_t)(TRC_REG_X + i), trc_guest_register(i));
	trc_bus_put_floats();
	trc_bus_put_value(TRC_BUS_SIGNAL, 0, 0);
}

/* Begins a turn of this thread, which has the baton. Returns false if it had the last turn, too,
 * which then goes on. */
static bool
begin_turn(uint64_t pc)
{
	if (!trc_now.started)
		own.task = trc_now.task = trc_now.tasks = 1;
	if (trc_now.task == own.task)
		return false;
	trc_bus_hash_rows();
	trc_now.base = trc_now.end; /* nothing of the block now changes any more */
	if (trc_now.called)
		trc_bus_put_value(TRC_BUS_CALL, trc_now.called_number, trc_now.called_a0);
	trc_now.called = false;
	if (own.task)
		trc_bus_put_value(TRC_BUS_TASK, own.task, own.pc);
	else
		put_task(pc);
	trc_now.task = own.task;
	trc_now.block = own.block;
	trc_now.special = own.special;
	trc_now.reserved = own.reserved;
	return true;
}

void
trc_bus_await_turn(unsigned vcpu, uint64_t pc)
{
	own.vcpu = vcpu;
	if (!trc_baton_take(vcpu, &own.ticket, true))
		trc_guest_leave(pc);
	if (!trc_now.off)
		(void)begin_turn(pc);
}

void
trc_bus_hand_on(unsigned vcpu, uint64_t pc)
{
	trc_bus_hash_rows();
	if (!trc_now.several || !trc_baton_wanted())
		return;
	trc_bus_enter(TRC_BUS_STEP_SLOW);
	trc_now.special = 0;
	end_turn(pc, 0);
	trc_bus_await_turn(vcpu, pc);
}

void
trc_bus_pause_turn(int64_t number)
{
	trc_now.called = true;
	trc_now.called_number = (uint64_t)number;
	trc_now.called_a0 = trc_guest_register(TRC_REG_A0);
	if (number != TRC_SYSCALL_EXIT)
		end_turn(trc_now.block->addr + trc_now.block->bytes, trc_now.special);
}

bool
trc_bus_resume_turn(unsigned vcpu)
{
	(void)trc_baton_take(vcpu, &own.ticket, false);
	return !trc_now.off && begin_turn(0);
}

void
trc_bus_take_turn(uint64_t pc)
{
	if (!trc_baton_has(own.vcpu) && trc_baton_take(own.vcpu, &own.ticket, false))
		(void)begin_turn(pc);
}

void
trc_bus_on_thread_end(uint64_t id, unsigned vcpu)
{
	(void)id;
	if (!trc_now.off && trc_baton_has(vcpu))
		trc_baton_give();
}
