/* SPDX-License-Identifier: MIT
 *
 * Handlers of instructions that change the control flow or the mode; all of them end their block.
 * Source: volume I, chapters 2.8, 3 (Zifencei) and 9 (Zicsr); volume II, section 3.3.
 */
#include "machine/hart/core.h"

static struct trc_exit *
illegal(struct trc_core *core, const struct trc_hart_op *op)
{
	return trc_core_trap(core, op, TRC_CAUSE_ILLEGAL, trc_core_word(core, op));
}

TRC_EXEC(illegal)
{
	(void)addr;
	return illegal(core, op);
}

/* Does nothing, since memory accesses are always in program order. */
TRC_EXEC(fence)
{
	TRC_NEXT;
}

/* Does nothing, since decoded instructions are dropped when their bytes are written. */
TRC_EXEC(fence_i)
{
	(void)addr;
	return trc_core_again(core, op, 0);
}

TRC_EXEC(ecall)
{
	(void)addr;
	if (!(core->h.flags & TRC_HART_USER))
		return trc_core_trap(core, op, TRC_CAUSE_ECALL + core->h.mode, 0);
	trc_core_again(core, op, 0);
	core->why = TRC_WHY_ECALL;
	return &core->special;
}

TRC_EXEC(ebreak)
{
	(void)addr;
	return trc_core_trap(core, op, TRC_CAUSE_BREAKPOINT, 0);
}

/* Continues at `pc` in `mode`. */
static struct trc_exit *
go_back(struct trc_core *core, const struct trc_hart_op *op, enum trc_mode mode, uint64_t pc)
{
	struct trc_exit *x = trc_core_again(core, op, 0);

	if (mode != TRC_MODE_MACHINE)
		core->h.csr.mstatus &= ~TRC_STATUS_MPRV;
	core->h.mode = mode;
	core->h.reserved = false;
	core->h.pc = pc;
	trc_core_context(core);
	return x;
}

TRC_EXEC(mret)
{
	uint64_t *status = &core->h.csr.mstatus;
	const enum trc_mode mode = (enum trc_mode)((*status & TRC_STATUS_MPP) >> 11);
	const uint64_t enabled = *status & TRC_STATUS_MPIE ? TRC_STATUS_MIE : 0;

	(void)addr;
	if (core->h.mode != TRC_MODE_MACHINE)
		return illegal(core, op);
	*status &= ~(TRC_STATUS_MIE | TRC_STATUS_MPP);
	*status |= enabled | TRC_STATUS_MPIE;
	return go_back(core, op, mode, core->h.csr.mepc);
}

TRC_EXEC(sret)
{
	uint64_t *status = &core->h.csr.mstatus;
	const enum trc_mode mode = *status & TRC_STATUS_SPP ? TRC_MODE_SUPERVISOR : TRC_MODE_USER;
	const uint64_t enabled = *status & TRC_STATUS_SPIE ? TRC_STATUS_SIE : 0;

	(void)addr;
	if (core->h.mode == TRC_MODE_USER ||
	    (core->h.mode == TRC_MODE_SUPERVISOR && *status & TRC_STATUS_TSR))
		return illegal(core, op);
	*status &= ~(TRC_STATUS_SIE | TRC_STATUS_SPP);
	*status |= enabled | TRC_STATUS_SPIE;
	return go_back(core, op, mode, core->h.csr.sepc);
}

TRC_EXEC(wfi)
{
	const struct trc_hart *h = &core->h;

	(void)addr;
	if (h->mode == TRC_MODE_USER ||
	    (h->mode == TRC_MODE_SUPERVISOR && h->csr.mstatus & TRC_STATUS_TW))
		return illegal(core, op);
	trc_core_again(core, op, 0);
	if (h->flags & TRC_HART_LIVE)
		core->why = TRC_WHY_WFI;
	return &core->special;
}

TRC_EXEC(sfence_vma)
{
	const struct trc_hart *h = &core->h;

	(void)addr;
	if (h->mode == TRC_MODE_USER ||
	    (h->mode == TRC_MODE_SUPERVISOR && h->csr.mstatus & TRC_STATUS_TVM))
		return illegal(core, op);
	trc_mmu_forget(core);
	return trc_core_again(core, op, 0);
}

enum change { REPLACE, SET, CLEAR };

static uint64_t
changed(uint64_t old, enum change what, uint64_t operand)
{
	switch (what) {
	case REPLACE: return operand;
	case SET: return old | operand;
	case CLEAR: return old & ~operand;
	}
	return old;
}

/* Executes a CSR instruction. A register is not read if the value would be discarded, and not
 * written if no bit is to be set or cleared: the number of rs1 decides that, not its value. */
static struct trc_exit *
access_csr(struct trc_core *core, const struct trc_hart_op *op, enum change what, uint64_t operand)
{
	const unsigned csr = (unsigned)op->imm;
	const bool writes = what == REPLACE || op->rs1 != 0;
	uint64_t old = 0;
	int ret;

	trc_core_sync(core, op);
	ret = trc_csr_read(core, csr, writes, op->rd != 32, &old);
	if (ret == 0 && writes)
		ret = trc_csr_write(core, csr, changed(old, what, operand));
	if (ret < 0)
		return trc_core_fail(core, op);
	if (ret > 0)
		return illegal(core, op);
	core->h.x[op->rd] = old;
	return trc_core_again(core, op, 0);
}

/* Executes an access to fflags, frm or fcsr while floating point is on. A write need not mark the
 * state as dirty: blocks with such an instruction run only when it is known to be dirty, or becomes
 * dirty here. */
static uint64_t
access_fcsr(struct trc_core *core, const struct trc_hart_op *op, enum change what, uint64_t operand)
{
	const unsigned csr = (unsigned)op->imm;
	const uint64_t old = trc_csr_get(&core->h, csr);

	if (what == REPLACE || op->rs1 != 0)
		trc_csr_write(core, csr, changed(old, what, operand));
	return old;
}

#define CSR(name, what, operand)                            \
	TRC_EXEC(name)                                      \
	{                                                   \
		(void)addr;                                 \
		return access_csr(core, op, what, operand); \
	}

#define FCSR(name, what, operand)                                         \
	TRC_EXEC(name)                                                    \
	{                                                                 \
		core->h.x[op->rd] = access_fcsr(core, op, what, operand); \
		TRC_NEXT;                                                 \
	}

CSR(csrrw, REPLACE, core->h.x[op->rs1])
CSR(csrrs, SET, core->h.x[op->rs1])
CSR(csrrc, CLEAR, core->h.x[op->rs1])
CSR(csrrwi, REPLACE, op->rs1)
CSR(csrrsi, SET, op->rs1)
CSR(csrrci, CLEAR, op->rs1)

FCSR(fcsrrw, REPLACE, core->h.x[op->rs1])
FCSR(fcsrrs, SET, core->h.x[op->rs1])
FCSR(fcsrrc, CLEAR, core->h.x[op->rs1])
FCSR(fcsrrwi, REPLACE, op->rs1)
FCSR(fcsrrsi, SET, op->rs1)
FCSR(fcsrrci, CLEAR, op->rs1)
