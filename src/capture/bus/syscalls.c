/* SPDX-License-Identifier: MIT */
#include "capture/bus/syscalls.h"

#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

#include "capture/bus/baton.h"
#include "capture/bus/end.h"
#include "capture/bus/sharing.h"
#include "capture/bus/signal.h"
#include "capture/bus/state.h"
#include "capture/bus/turns.h"
#include "capture/bus/waits.h"
#include "capture/guest.h"
#include "capture/host.h"
#include "machine/hart/hart.h"

enum {
	PAGE = TRC_SHADOW_PAGE,

	/* Numbers of system calls, beside those of state.h. */
	CALL_KILL = 129,
	CALL_TKILL = 130,
	CALL_TGKILL = 131,
	CALL_SIGACTION = 134,
	CALL_SHMAT = 196,
	CALL_MREMAP = 216,
	CALL_CLONE = 220,
	CALL_EXECVE = 221,
	CALL_MMAP = 222,
	CALL_EXECVEAT = 281,

	SHARES_MEMORY = 0x100, /* CLONE_VM: a thread, unless LIKE_FORK is set, too */
	LIKE_FORK = 0x4000,    /* CLONE_VFORK, which the emulator makes a fork */
	SHARED = 1,            /* MAP_SHARED */
};

/* Ends the trace if this call executes another program in place of this one. The path is the
 * guest's, and need not be a valid address. */
static void
replace_program(int folder, uint64_t path)
{
	if (!trc_host_executable(folder, (const char *)trc_now.rec.memory + path))
		return;
	trc_bus_finish();
	trc_baton_drop();
}

/* Prepares for a call that will map memory that other processes may write. */
static void
share(uint64_t bytes)
{
	trc_now.mapped = bytes;
	if (!bytes)
		return;
	trc_now.in_one_piece = trc_now.shares = true;
}

/* Notes the addresses that such a call mapped. */
static void
note_shared(int64_t number, uint64_t addr)
{
	if (addr > -(uint64_t)PAGE)
		return;
	if ((number == CALL_MMAP || number == CALL_SHMAT) && trc_now.mapped)
		trc_sharing_add(addr, trc_now.mapped);
	if (number == CALL_MREMAP && trc_sharing_has(trc_now.argument))
		trc_sharing_add(addr, trc_now.length);
}

/* Ends the trace if the program kills itself: a signal that cannot be caught never arrives. */
static void
kill_target(uint64_t pid, uint64_t number)
{
	if (number == SIGKILL && ((pid_t)pid == getpid() || pid == 0))
		trc_bus_finish_by(SIGKILL);
}

void
trc_bus_on_call(uint64_t id, unsigned vcpu, int64_t number, uint64_t a, uint64_t b, uint64_t c,
                uint64_t d, uint64_t e, uint64_t f, uint64_t g, uint64_t h)
{
	(void)id, (void)vcpu, (void)e, (void)f, (void)g, (void)h;
	if (trc_now.off)
		return;
	memset(trc_now.readable, 0, sizeof(trc_now.readable));
	trc_bus_enter(TRC_BUS_STEP_SLOW);
	trc_bus_check_known();
	trc_bus_close_holes();
	trc_now.base = trc_now.end; /* all of the block was done */
	trc_now.special &= TRC_CODE_CALLS;
	switch (number) {
	case CALL_KILL:
	case CALL_TKILL: kill_target(a, b); break;
	case CALL_TGKILL: kill_target(a, c); break;
	case CALL_SIGACTION: trc_now.argument = b; break;
	case CALL_MMAP: share(d & SHARED ? b : 0); break;
	case CALL_SHMAT: share(trc_sharing_segment((int)a)); break;
	case TRC_SYSCALL_SIGRETURN: trc_now.argument = trc_guest_register(TRC_REG_SP); break;
	case CALL_MREMAP:
		trc_now.argument = a;
		trc_now.length = ((b < c ? b : c) + PAGE - 1) / PAGE * PAGE;
		break;
	case CALL_CLONE:
		if (a & SHARES_MEMORY && !(a & LIKE_FORK))
			trc_bus_begin_threads();
		break;
	case CALL_EXECVE: replace_program(AT_FDCWD, a); break;
	case CALL_EXECVEAT: replace_program((int)a, b); break;
	default: break;
	}
	if (trc_now.several && !trc_now.off && trc_call_waits(number, b))
		trc_bus_pause_turn(number);
	trc_bus_enter(TRC_BUS_STEP_GUEST);
}

/* Records what a call returned in another turn than it was made in. */
static void
put_result(int64_t result)
{
	trc_bus_put_value(TRC_BUS_STATE, TRC_REG_X + TRC_REG_A0, (uint64_t)result);
	trc_bus_put_value(TRC_BUS_SIGNAL, 0, 0);
}

void
trc_bus_on_return(uint64_t id, unsigned vcpu, int64_t number, int64_t result)
{
	bool later;

	(void)id;
	if (trc_now.off)
		return;
	if (number == CALL_CLONE && result == 0) {
		trc_now.off = true; /* this is the child */
		return;
	}
	later = !trc_baton_has(vcpu) && trc_bus_resume_turn(vcpu);
	if (trc_now.off)
		return;
	trc_bus_enter(TRC_BUS_STEP_SLOW);
	trc_now.called = false;
	trc_now.call = number;
	trc_now.result = result;
	trc_now.returned = true;
	if (later)
		put_result(result);
	else
		trc_bus_put_value(TRC_BUS_CALL, (uint64_t)number, (uint64_t)result);
	note_shared(number, (uint64_t)result);
	if (number == CALL_MREMAP && result > 0 && (uint64_t)result != trc_now.argument &&
	    trc_record_move(&trc_now.rec, trc_now.count, trc_now.argument, (uint64_t)result,
	                    trc_now.length, &trc_now.err))
		trc_bus_give_up();
	if (number == CALL_SIGACTION && result == 0 && trc_now.argument)
		trc_now.handlers |= UINT64_C(1)
		                    << trc_le64(trc_now.rec.memory + trc_now.argument) / 2 % 64;
	trc_bus_enter(TRC_BUS_STEP_GUEST);
}
