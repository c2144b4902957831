/* SPDX-License-Identifier: MIT
 *
 * Takes traps and interrupts. Source: volume II, sections 3.1.6 to 3.1.9, 3.3.1 and 4.1.
 */
#include "machine/hart/core.h"

/* Returns the address of the handler: in vectored mode, interrupts have an entry for each cause. */
static uint64_t
vector(uint64_t tvec, uint64_t cause)
{
	const uint64_t base = tvec & ~UINT64_C(3);

	return cause & TRC_CAUSE_INTERRUPT && tvec & 1 ? base + 4 * (cause & 63) : base;
}

static void
take_in_supervisor(struct trc_hart *h, uint64_t cause, uint64_t tval)
{
	uint64_t *status = &h->csr.mstatus;
	const uint64_t previous = *status & TRC_STATUS_SIE ? TRC_STATUS_SPIE : 0;

	*status &= ~(TRC_STATUS_SIE | TRC_STATUS_SPIE | TRC_STATUS_SPP);
	*status |= previous | (h->mode == TRC_MODE_SUPERVISOR ? TRC_STATUS_SPP : 0);
	h->csr.scause = cause;
	h->csr.sepc = h->pc;
	h->csr.stval = tval;
	h->mode = TRC_MODE_SUPERVISOR;
	h->pc = vector(h->csr.stvec, cause);
}

static void
take_in_machine(struct trc_hart *h, uint64_t cause, uint64_t tval)
{
	uint64_t *status = &h->csr.mstatus;
	const uint64_t previous = *status & TRC_STATUS_MIE ? TRC_STATUS_MPIE : 0;

	*status &= ~(TRC_STATUS_MIE | TRC_STATUS_MPIE | TRC_STATUS_MPP);
	*status |= previous | (uint64_t)h->mode << 11;
	h->csr.mcause = cause;
	h->csr.mepc = h->pc;
	h->csr.mtval = tval;
	h->mode = TRC_MODE_MACHINE;
	h->pc = vector(h->csr.mtvec, cause);
}

void
trc_trap_take(struct trc_core *core, uint64_t cause, uint64_t tval)
{
	struct trc_hart *h = &core->h;
	const uint64_t delegated = cause & TRC_CAUSE_INTERRUPT ? h->csr.mideleg : h->csr.medeleg;

	if (h->mode != TRC_MODE_MACHINE && delegated >> (cause & 63) & 1)
		take_in_supervisor(h, cause, tval);
	else
		take_in_machine(h, cause, tval);
	h->reserved = false;
	trc_core_context(core);
}

void
trc_hart_interrupt(struct trc_hart *h, unsigned cause)
{
	trc_trap_take(trc_core_of(h), TRC_CAUSE_INTERRUPT | cause, 0);
}

/* Returns the most urgent of these interrupts: external, software, timer; machine before
 * supervisor. */
static int
most_urgent(uint64_t pending)
{
	static const uint8_t order[] = { 11, 3, 7, 9, 1, 5 };

	for (size_t i = 0; i < TRC_COUNT(order); i++)
		if (pending >> order[i] & 1)
			return order[i];
	return -1;
}

int
trc_hart_pending(const struct trc_hart *h)
{
	const struct trc_csrs *csr = &h->csr;
	const uint64_t pending = csr->mip & csr->mie;
	const bool machine = h->mode != TRC_MODE_MACHINE || csr->mstatus & TRC_STATUS_MIE;
	const bool supervisor = h->mode == TRC_MODE_USER ||
	                        (h->mode == TRC_MODE_SUPERVISOR && csr->mstatus & TRC_STATUS_SIE);
	int cause = machine ? most_urgent(pending & ~csr->mideleg) : -1;

	if (cause < 0 && supervisor)
		cause = most_urgent(pending & csr->mideleg);
	return cause;
}
