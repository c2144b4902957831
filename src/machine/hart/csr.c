/* SPDX-License-Identifier: MIT
 *
 * Control and status registers. Most are a row of `plain`: where they are stored and which bits can
 * be written. Source: volume II, chapters 2 to 4. Firmware probes for optional registers and bits,
 * so these are those of QEMU 7.2 with `-cpu rv64,h=off,sstc=off,pmu-num=0,debug=off`.
 */
#include "machine/hart/csr.h"

#include <stddef.h>

#include "machine/hart/core.h"

enum { COUNTERS = 3 };

#define ALL UINT64_MAX

/* Interrupts that can be delegated; those and the three of machine mode. Both include interrupts of
 * the hypervisor and of counters, which are never raised. */
#define S_INTERRUPTS UINT64_C(0x2666)
#define M_INTERRUPTS UINT64_C(0x2eee)

#define SSTATUS_WRITES                                                                       \
	(TRC_STATUS_SIE | TRC_STATUS_SPIE | TRC_STATUS_SPP | TRC_STATUS_VS | TRC_STATUS_FS | \
	 TRC_STATUS_SUM | TRC_STATUS_MXR)
#define MSTATUS_WRITES                                                                          \
	(SSTATUS_WRITES | TRC_STATUS_MIE | TRC_STATUS_MPIE | TRC_STATUS_MPP | TRC_STATUS_MPRV | \
	 TRC_STATUS_TVM | TRC_STATUS_TW | TRC_STATUS_TSR)
#define SSTATUS_READS (SSTATUS_WRITES | TRC_STATUS_SD | UINT64_C(3) << 32) /* and UXL */

/* A register that is only a member of struct trc_csrs. */
struct plain {
	uint16_t csr, at; /* number, offset in struct trc_csrs */
	uint64_t writes;  /* writable bits */
};

#define AT(field) offsetof(struct trc_csrs, field)

static const struct plain plain[] = {
	{ TRC_CSR_STVEC, AT(stvec), ALL },
	{ TRC_CSR_SCOUNTEREN, AT(scounteren), ALL },
	{ TRC_CSR_SENVCFG, AT(senvcfg), 0xf1 },
	{ TRC_CSR_SSCRATCH, AT(sscratch), ALL },
	{ TRC_CSR_SEPC, AT(sepc), ALL & ~UINT64_C(1) },
	{ TRC_CSR_SCAUSE, AT(scause), ALL },
	{ TRC_CSR_STVAL, AT(stval), ALL },
	{ TRC_CSR_MISA, AT(misa), 0 },
	{ TRC_CSR_MEDELEG, AT(medeleg), 0xf0bfff },
	{ TRC_CSR_MIDELEG, AT(mideleg), S_INTERRUPTS },
	{ TRC_CSR_MIE, AT(mie), M_INTERRUPTS },
	{ TRC_CSR_MTVEC, AT(mtvec), ALL },
	{ TRC_CSR_MCOUNTEREN, AT(mcounteren), ALL },
	{ TRC_CSR_MENVCFG, AT(menvcfg), UINT64_C(0xc0000000000000f1) },
	{ TRC_CSR_MCOUNTINHIBIT, AT(mcountinhibit), ALL },
	{ TRC_CSR_MSCRATCH, AT(mscratch), ALL },
	{ TRC_CSR_MEPC, AT(mepc), ALL & ~UINT64_C(1) },
	{ TRC_CSR_MCAUSE, AT(mcause), ALL },
	{ TRC_CSR_MTVAL, AT(mtval), ALL },
	{ TRC_CSR_MVENDORID, AT(mvendorid), 0 },
	{ TRC_CSR_MARCHID, AT(marchid), 0 },
	{ TRC_CSR_MIMPID, AT(mimpid), 0 },
	{ TRC_CSR_MHARTID, AT(mhartid), 0 },
};

static const struct plain *
find_plain(unsigned csr)
{
	for (size_t i = 0; i < TRC_COUNT(plain); i++)
		if (plain[i].csr == csr)
			return &plain[i];
	return NULL;
}

static uint64_t
stored(const struct trc_hart *h, const struct plain *p)
{
	uint64_t v;

	memcpy(&v, (const char *)&h->csr + p->at, sizeof(v));
	return v;
}

static void
store(struct trc_hart *h, const struct plain *p, uint64_t value)
{
	memcpy((char *)&h->csr + p->at, &value, sizeof(value));
}

static bool
is_pmpcfg(unsigned csr)
{
	return csr == TRC_CSR_PMPCFG0 || csr == TRC_CSR_PMPCFG2;
}

static bool
is_pmpaddr(unsigned csr)
{
	return csr >= TRC_CSR_PMPADDR0 && csr < TRC_CSR_PMPADDR0 + TRC_PMPS;
}

/* Returns true for registers that the port provides: counters and pending interrupts. */
static bool
is_input(unsigned csr)
{
	return csr == TRC_CSR_MIP || csr == TRC_CSR_SIP || csr == TRC_CSR_MCYCLE ||
	       csr == TRC_CSR_MINSTRET || (csr >= TRC_CSR_CYCLE && csr < TRC_CSR_CYCLE + COUNTERS);
}

static bool
is_trigger(unsigned csr)
{
	return csr >= TRC_CSR_TSELECT && csr <= TRC_CSR_TDATA3;
}

/* Returns true for event selectors, whose counters this hart does not have. */
static bool
is_event(unsigned csr)
{
	return csr >= TRC_CSR_MHPMEVENT3 && csr < TRC_CSR_MHPMEVENT3 + TRC_EVENTS;
}

bool
trc_csr_exists(unsigned csr)
{
	/* clang-format off */
	switch (csr) {
	case TRC_CSR_FFLAGS: case TRC_CSR_FRM: case TRC_CSR_FCSR: case TRC_CSR_SSTATUS:
	case TRC_CSR_SIE: case TRC_CSR_SATP: case TRC_CSR_MSTATUS: case TRC_CSR_MCONFIGPTR:
		return true;
		/* clang-format on */
	}
	return is_input(csr) || is_pmpcfg(csr) || is_pmpaddr(csr) || is_trigger(csr) ||
	       is_event(csr) || find_plain(csr);
}

static uint64_t
pmpcfg(const struct trc_hart *h, unsigned first)
{
	uint64_t v = 0;

	for (unsigned i = 0; i < 8; i++)
		v |= (uint64_t)h->csr.pmpcfg[first + i] << 8 * i;
	return v;
}

uint64_t
trc_csr_get(const struct trc_hart *h, unsigned csr)
{
	switch (csr) {
	case TRC_CSR_FFLAGS: return h->fflags;
	case TRC_CSR_FRM: return h->frm;
	case TRC_CSR_FCSR: return (uint64_t)h->frm << 5 | h->fflags;
	case TRC_CSR_SSTATUS: return h->csr.mstatus & SSTATUS_READS;
	case TRC_CSR_SIE: return h->csr.mie & h->csr.mideleg;
	case TRC_CSR_SIP: return h->csr.mip & h->csr.mideleg;
	case TRC_CSR_MIP: return h->csr.mip;
	case TRC_CSR_SATP: return h->csr.satp;
	case TRC_CSR_MSTATUS: return h->csr.mstatus;
	case TRC_CSR_MCYCLE:
	case TRC_CSR_CYCLE: return h->count + h->csr.cycles;
	case TRC_CSR_MINSTRET:
	case TRC_CSR_INSTRET: return h->count + h->csr.instrets;
	case TRC_CSR_TIME: return h->count;
	}
	if (is_pmpcfg(csr))
		return pmpcfg(h, csr == TRC_CSR_PMPCFG0 ? 0 : 8);
	if (is_pmpaddr(csr))
		return h->csr.pmpaddr[csr - TRC_CSR_PMPADDR0];
	if (is_event(csr))
		return h->csr.mhpmevent[csr - TRC_CSR_MHPMEVENT3];
	return find_plain(csr) ? stored(h, find_plain(csr)) : 0;
}

/* Returns true if the current mode may read a counter. */
static bool
counter_allowed(const struct trc_hart *h, unsigned csr)
{
	const uint64_t bit = UINT64_C(1) << (csr - TRC_CSR_CYCLE);

	if (h->flags & TRC_HART_USER || h->mode == TRC_MODE_MACHINE)
		return true;
	if (!(h->csr.mcounteren & bit))
		return false;
	return h->mode == TRC_MODE_SUPERVISOR || h->csr.scounteren & bit;
}

static bool
allowed(const struct trc_hart *h, unsigned csr, bool writes)
{
	if (!trc_csr_exists(csr) || (csr >> 8 & 3) > (unsigned)h->mode ||
	    (writes && csr >> 10 == 3))
		return false;
	if (csr <= TRC_CSR_FCSR)
		return h->csr.mstatus & TRC_STATUS_FS;
	if (csr == TRC_CSR_SATP)
		return h->mode == TRC_MODE_MACHINE || !(h->csr.mstatus & TRC_STATUS_TVM);
	return csr >> 4 != TRC_CSR_CYCLE >> 4 || counter_allowed(h, csr);
}

int
trc_csr_read(struct trc_core *core, unsigned csr, bool writes, bool input, uint64_t *value)
{
	struct trc_hart *h = &core->h;

	if (!allowed(h, csr, writes))
		return 1;
	*value = trc_csr_get(h, csr);
	if (input && is_input(csr) && h->port->csr)
		return h->port->csr(h->port, h, csr, value, core->err);
	return 0;
}

static void
set_fcsr(struct trc_core *core, unsigned csr, uint64_t v)
{
	if (csr != TRC_CSR_FRM)
		core->h.fflags = v & 31;
	if (csr == TRC_CSR_FCSR)
		v >>= 5;
	if (csr != TRC_CSR_FFLAGS)
		core->h.frm = v & 7;
	trc_core_dirty_f(core);
}

void
trc_core_dirty_f(struct trc_core *core)
{
	core->h.csr.mstatus |= TRC_STATUS_FS | TRC_STATUS_SD;
	core->lacks = TRC_NEEDS_CROSS;
}

void
trc_core_refresh(struct trc_core *core)
{
	uint64_t *status = &core->h.csr.mstatus;
	const bool dirty = (*status & TRC_STATUS_FS) == TRC_STATUS_FS;
	const bool any = dirty || (*status & TRC_STATUS_VS) == TRC_STATUS_VS;

	*status = (*status & ~TRC_STATUS_SD) | (any ? TRC_STATUS_SD : 0);
	core->lacks = TRC_NEEDS_CROSS | (dirty ? 0 : TRC_NEEDS_FP);
	trc_core_context(core);
}

static void
set_status(struct trc_core *core, uint64_t mask, uint64_t v)
{
	uint64_t *status = &core->h.csr.mstatus;
	const uint64_t old = *status;

	if ((v & TRC_STATUS_MPP) == UINT64_C(2) << 11) /* a reserved mode */
		mask &= ~TRC_STATUS_MPP;
	*status = (old & ~mask) | (v & mask);
	if ((old ^ *status) & TRC_STATUS_MXR)
		trc_mmu_forget_data(core);
	trc_core_refresh(core);
}

/* Returns true if the mode of satp is supported: no translation, Sv39, Sv48 or Sv57. */
static bool
is_satp(uint64_t v)
{
	return v >> 60 == 0 || (v >> 60 >= 8 && v >> 60 <= 10);
}

static void
set_satp(struct trc_core *core, uint64_t v)
{
	if (!is_satp(v) || v == core->h.csr.satp)
		return;
	core->h.csr.satp = v;
	trc_mmu_forget(core);
}

static bool
locked(const struct trc_csrs *csr, unsigned i)
{
	return csr->pmpcfg[i] & 0x80;
}

static void
set_pmpcfg(struct trc_core *core, unsigned first, uint64_t v)
{
	for (unsigned i = 0; i < 8; i++) {
		const uint8_t cfg = v >> 8 * i & 0x9f;

		/* Write without read is a reserved combination. */
		if (!locked(&core->h.csr, first + i) && (cfg & 3) != 2)
			core->h.csr.pmpcfg[first + i] = cfg;
	}
	trc_mmu_forget(core);
}

static void
set_pmpaddr(struct trc_core *core, unsigned i, uint64_t v)
{
	struct trc_csrs *csr = &core->h.csr;
	/* A locked TOR range also locks the address register below it. */
	const bool top = i + 1 < TRC_PMPS && (csr->pmpcfg[i + 1] & 0x98) == 0x88;

	if (locked(csr, i) || top)
		return;
	csr->pmpaddr[i] = v;
	trc_mmu_forget(core);
}

/* Sets the bits of `mask` in *field. */
static void
set_bits(uint64_t *field, uint64_t mask, uint64_t v)
{
	*field = (*field & ~mask) | (v & mask);
}

int
trc_csr_write(struct trc_core *core, unsigned csr, uint64_t v)
{
	struct trc_csrs *c = &core->h.csr;
	const struct plain *p = find_plain(csr);

	switch (csr) {
	case TRC_CSR_FFLAGS:
	case TRC_CSR_FRM:
	case TRC_CSR_FCSR: set_fcsr(core, csr, v); return 0;
	case TRC_CSR_SSTATUS: set_status(core, SSTATUS_WRITES, v); return 0;
	case TRC_CSR_MSTATUS: set_status(core, MSTATUS_WRITES, v); return 0;
	case TRC_CSR_SIE: set_bits(&c->mie, c->mideleg, v); return 0;
	case TRC_CSR_SIP: set_bits(&c->mip, c->mideleg & 2, v); return 0;
	case TRC_CSR_MIP: set_bits(&c->mip, S_INTERRUPTS, v); return 0;
	case TRC_CSR_SATP: set_satp(core, v); return 0;
	case TRC_CSR_STVEC:
	case TRC_CSR_MTVEC:
		if (v & 2) /* a reserved mode */
			return 0;
		break;
	/* The next instruction reads the written value, so this instruction does not count in
	 * it. */
	case TRC_CSR_MCYCLE: c->cycles = v - core->h.count - 1; return 0;
	case TRC_CSR_MINSTRET: c->instrets = v - core->h.count - 1; return 0;
	}
	if (is_pmpcfg(csr))
		set_pmpcfg(core, csr == TRC_CSR_PMPCFG0 ? 0 : 8, v);
	else if (is_pmpaddr(csr))
		set_pmpaddr(core, csr - TRC_CSR_PMPADDR0, v);
	else if (is_event(csr))
		c->mhpmevent[csr - TRC_CSR_MHPMEVENT3] = v;
	else if (p)
		store(&core->h, p, (stored(&core->h, p) & ~p->writes) | (v & p->writes));
	return 0;
}

bool
trc_csr_set(struct trc_hart *h, unsigned csr, uint64_t v)
{
	const struct plain *p = find_plain(csr);
	struct trc_csrs *c = &h->csr;
	const unsigned first = csr == TRC_CSR_PMPCFG0 ? 0 : 8;

	if (csr == TRC_CSR_FCSR) {
		h->fflags = v & 31;
		h->frm = v >> 5 & 7;
	} else if (csr == TRC_CSR_MSTATUS) {
		c->mstatus = v & (MSTATUS_WRITES | SSTATUS_READS | UINT64_C(3) << 34);
	} else if (csr == TRC_CSR_MCYCLE) {
		c->cycles = v - h->count;
	} else if (csr == TRC_CSR_MINSTRET) {
		c->instrets = v - h->count;
	} else if (csr == TRC_CSR_MIP) {
		c->mip = v & M_INTERRUPTS;
	} else if (csr == TRC_CSR_SATP) {
		c->satp = is_satp(v) ? v : 0;
	} else if (is_pmpcfg(csr)) {
		for (unsigned i = 0; i < 8; i++)
			c->pmpcfg[first + i] = v >> 8 * i & 0x9f;
	} else if (is_pmpaddr(csr)) {
		c->pmpaddr[csr - TRC_CSR_PMPADDR0] = v;
	} else if (is_event(csr)) {
		c->mhpmevent[csr - TRC_CSR_MHPMEVENT3] = v;
	} else if (p) {
		store(h, p, p->writes ? v & p->writes : v);
	} else {
		return false;
	}
	return true;
}
