/* SPDX-License-Identifier: MIT */
#include "capture/bus/end.h"

#include <signal.h>

#include "capture/bus/between.h"
#include "capture/bus/state.h"
#include "capture/bus/turns.h"
#include "capture/guest.h"
#include "capture/host.h"
#include "machine/float/fp.h"
#include "machine/hart/csr.h"
#include "machine/hart/decode.h"
#include "machine/hart/hart.h"

enum { REGISTER_PC = 32 }; /* of trc_guest_register() */

/* Ends the trace and closes it. */
static void
end_trace(void)
{
	if (trc_record_end(&trc_now.rec, trc_now.count, &trc_now.err) ||
	    trc_bus_commit(trc_now.bus, &trc_now.err))
		trc_bus_give_up();
	trc_bus_abandon(trc_now.bus);
	trc_recorder_release(&trc_now.rec);
	trc_now.off = true;
}

void
trc_bus_finish(void)
{
	trc_host_outlive_end();
	trc_bus_check_known();
	trc_bus_close_holes();
	trc_now.truth = 0;
	trc_bus_hash_rows();
	for (int i = 1; i < 32; i++)
		trc_bus_put_value(TRC_BUS_STATE, (uint64_t)(TRC_REG_X + i), trc_guest_register(i));
	trc_bus_put_floats();
	end_trace();
}

void
trc_bus_on_end(uint64_t id, void *user)
{
	(void)id, (void)user;
	if (trc_now.started && !trc_now.off)
		trc_bus_finish();
}

void
trc_bus_finish_by(int number)
{
	trc_bus_put_value(TRC_BUS_KILL, (uint64_t)number, 0);
	trc_bus_finish();
}

/* Returns the last instruction of the block that made an access, if all of its rows are there; NULL
 * if none did. Sets *rows to the number of rows of the block up to it. */
static const struct trc_code_place *
last_noted(uint32_t *rows)
{
	const struct trc_translation *b = trc_now.block;
	const struct trc_code_place *last = NULL;

	*rows = 0;
	for (uint32_t i = 0; i < b->insns; i++) {
		const struct trc_code_place *p = &b->place[i];
		const unsigned n = p->loads + p->stores;

		if (n > 0 && trc_now.base[p->row + n - 1] != TRC_ROW_HOLE) {
			last = p;
			*rows = p->row + n;
		}
	}
	return last;
}

/* Cuts the block after the last access that was noted, and notes what memory shows of it. */
static void
cut_to_last_noted(void)
{
	const struct trc_code_place *last;
	uint64_t addr;
	uint32_t rows;

	if (trc_now.end == trc_now.base)
		return; /* it was left already */
	last = last_noted(&rows);
	trc_bus_cut_block(rows, last ? last->at : 0);
	if (!last)
		return;
	addr = trc_now.base[rows - 1] & ~TRC_ROW_STORE;
	if ((last->loads && trc_record_read(&trc_now.rec, trc_now.count, TRC_BUS_DATA, addr,
	                                    last->len, &trc_now.err)) ||
	    (last->stores && trc_record_write(&trc_now.rec, addr, last->len, &trc_now.err)))
		trc_bus_give_up();
}

/* Returns false if the process was killed while a block was being noted. */
static bool
is_whole(void)
{
	return trc_now.end == trc_now.base ||
	       ((size_t)(trc_now.end - trc_now.base) == trc_now.block->rows &&
	        trc_now.base[0] == trc_now.block->addr);
}

void
trc_bus_on_outlived(void)
{
	if (!trc_now.started || trc_now.off || trc_now.step == TRC_BUS_STEP_SLOW ||
	    (trc_now.step == TRC_BUS_STEP_GUEST && !is_whole())) {
		trc_bus_abandon(trc_now.bus);
		return;
	}
	if (trc_now.step == TRC_BUS_STEP_GUEST) {
		cut_to_last_noted();
		trc_bus_close_holes();
	} else {
		trc_now.end = trc_now.safe.end;
		trc_now.rec.rows = trc_now.safe.rows;
		trc_now.rec.hash = trc_now.safe.hash;
	}
	trc_now.truth = 0;
	trc_bus_hash_rows();
	trc_bus_put_value(TRC_BUS_KILL, SIGKILL, 0);
	end_trace();
}

/* Returns true if the instruction at pc rounds by frm, which has no such mode. */
static bool
lacks_rounding(uint64_t pc)
{
	const struct trc_insn insn = trc_decode((uint32_t)trc_bus_value_at(pc, 4));
	const unsigned floats = TRC_OP_RD_F | TRC_OP_RS1_F;
	uint64_t frm;

	return insn.rm == 7 && trc_op_info[insn.op].registers & floats &&
	       trc_guest_csr(TRC_CSR_FRM, &frm) && frm >= TRC_FP_ROUNDS;
}

/* Returns true if the last instruction in these rows of the block trapped: some of its accesses are
 * missing, or it is an instruction that only traps, or traps now. */
static bool
trapped(uint64_t pc, uint32_t rows, uint32_t insns)
{
	const struct trc_translation *b = trc_now.block;

	for (uint32_t i = rows; i < b->rows && b->row[i] == TRC_ROW_HOLE; i++)
		if (trc_now.base[i] == TRC_ROW_HOLE)
			return true;
	return insns == b->beyond || (insns == b->insns && trc_code_breaks(b)) ||
	       lacks_rounding(pc);
}

void
trc_bus_on_fatal(int number)
{
	const uint64_t pc = trc_guest_register(REGISTER_PC);
	uint32_t insns, rows = 0;

	if (!trc_now.started || trc_now.off)
		return;
	trc_bus_settle(0);
	trc_bus_take_turn(pc);
	if (trc_now.end > trc_now.base)
		rows = trc_code_until(trc_now.block, pc, &insns);
	if (rows && trapped(pc, rows, insns))
		trc_bus_cut_by_trap(number, rows, insns);
	trc_bus_leave_block(pc, 0);
	trc_bus_finish_by(number);
}
