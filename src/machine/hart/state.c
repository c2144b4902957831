/* SPDX-License-Identifier: MIT
 *
 * The registers of a hart by number, to save and restore a state.
 */
#include <inttypes.h>
#include <stdio.h>

#include "machine/hart/core.h"
#include "machine/hart/csr.h"

/* All registers that make up the state, in rising order, without views and counters. */
/* clang-format off */
static const uint16_t stored[] = {
	TRC_CSR_FCSR,     TRC_CSR_STVEC,      TRC_CSR_SCOUNTEREN, TRC_CSR_SENVCFG,
	TRC_CSR_SSCRATCH, TRC_CSR_SEPC,       TRC_CSR_SCAUSE,     TRC_CSR_STVAL,
	TRC_CSR_SATP,     TRC_CSR_MSTATUS,    TRC_CSR_MISA,       TRC_CSR_MEDELEG,
	TRC_CSR_MIDELEG,  TRC_CSR_MIE,        TRC_CSR_MTVEC,      TRC_CSR_MCOUNTEREN,
	TRC_CSR_MENVCFG,  TRC_CSR_MCOUNTINHIBIT,
	0x323, 0x324, 0x325, 0x326, 0x327, 0x328, 0x329, 0x32a, 0x32b, 0x32c, /* mhpmevent */
	0x32d, 0x32e, 0x32f, 0x330, 0x331, 0x332, 0x333, 0x334, 0x335, 0x336,
	0x337, 0x338, 0x339, 0x33a, 0x33b, 0x33c, 0x33d, 0x33e, 0x33f,
	TRC_CSR_MSCRATCH, TRC_CSR_MEPC,       TRC_CSR_MCAUSE,     TRC_CSR_MTVAL,
	TRC_CSR_MIP,      TRC_CSR_PMPCFG0,    TRC_CSR_PMPCFG2,
	0x3b0, 0x3b1, 0x3b2, 0x3b3, 0x3b4, 0x3b5, 0x3b6, 0x3b7, /* pmpaddr */
	0x3b8, 0x3b9, 0x3ba, 0x3bb, 0x3bc, 0x3bd, 0x3be, 0x3bf,
	TRC_CSR_MCYCLE,    TRC_CSR_MINSTRET,
	TRC_CSR_MVENDORID, TRC_CSR_MARCHID,   TRC_CSR_MIMPID,     TRC_CSR_MHARTID,
};
/* clang-format on */
_Static_assert(TRC_REG_RESERVED_VALUE + 1 + TRC_COUNT(stored) == TRC_HART_REGISTERS, "all of them");

static const char *const x_name[32] = {
	"zero", "ra", "sp", "gp", "tp",  "t0",  "t1", "t2", "s0", "s1", "a0",
	"a1",   "a2", "a3", "a4", "a5",  "a6",  "a7", "s2", "s3", "s4", "s5",
	"s6",   "s7", "s8", "s9", "s10", "s11", "t3", "t4", "t5", "t6",
};

/* Returns the register after `reg`; -1 after the last. */
static int
register_after(int reg)
{
	size_t low = 0, high = TRC_COUNT(stored);

	if (reg < TRC_REG_RESERVED_VALUE)
		return reg + 1;
	if (reg == TRC_REG_RESERVED_VALUE)
		return TRC_REG_CSR + stored[0];
	while (low < high) {
		const size_t middle = (low + high) / 2;

		if (TRC_REG_CSR + stored[middle] <= reg)
			low = middle + 1;
		else
			high = middle;
	}
	if (low > 0 && low < TRC_COUNT(stored) && TRC_REG_CSR + stored[low - 1] == reg)
		return TRC_REG_CSR + stored[low];
	return -1;
}

static uint64_t
get(const struct trc_hart *h, int reg)
{
	if (reg < TRC_REG_F)
		return h->x[reg];
	if (reg < TRC_REG_PC)
		return h->f[reg - TRC_REG_F];
	switch (reg) {
	case TRC_REG_PC: return h->pc;
	case TRC_REG_MODE: return h->mode;
	case TRC_REG_RESERVED: return h->reserved;
	case TRC_REG_RESERVATION: return h->reservation;
	case TRC_REG_RESERVED_VALUE: return h->reserved_value;
	}
	return trc_csr_get(h, (unsigned)(reg - TRC_REG_CSR));
}

bool
trc_hart_each(const struct trc_hart *h, int *reg, uint64_t *value)
{
	*reg = register_after(*reg);
	if (*reg < 0)
		return false;
	*value = get(h, *reg);
	return true;
}

char *
trc_hart_name(int reg, char *dst)
{
	static const char *const other[] = { "pc", "mode", "reserved", "reservation",
		                             "reserved value" };

	if (reg >= 0 && reg < TRC_REG_F)
		snprintf(dst, 32, "x%d (%s)", reg, x_name[reg]);
	else if (reg >= TRC_REG_F && reg < TRC_REG_PC)
		snprintf(dst, 32, "f%d", reg - TRC_REG_F);
	else if (reg >= TRC_REG_PC && reg <= TRC_REG_RESERVED_VALUE)
		snprintf(dst, 32, "%s", other[reg - TRC_REG_PC]);
	else
		snprintf(dst, 32, "CSR 0x%x", (unsigned)(reg - TRC_REG_CSR));
	return dst;
}

static int
refuse(int reg, uint64_t value, struct trc_err *err)
{
	char name[32];

	return trc_fail(err, "%s cannot be 0x%" PRIx64, trc_hart_name(reg, name), value);
}

static int
set_csr(struct trc_hart *h, int reg, uint64_t value, struct trc_err *err)
{
	const unsigned csr = (unsigned)(reg - TRC_REG_CSR);

	if (!trc_csr_set(h, csr, value) || trc_csr_get(h, csr) != value)
		return refuse(reg, value, err);
	return 0;
}

int
trc_hart_set(struct trc_hart *h, int reg, uint64_t value, struct trc_err *err)
{
	char name[32];

	if (reg < 0 ||
	    (register_after(reg) < 0 && reg != TRC_REG_CSR + stored[TRC_COUNT(stored) - 1]))
		return trc_fail(err, "there is no register %s", trc_hart_name(reg, name));
	if (reg >= TRC_REG_CSR)
		return set_csr(h, reg, value, err);
	if ((reg == TRC_REG_X && value) || (reg == TRC_REG_PC && value & 1) ||
	    (reg == TRC_REG_MODE && (value > 3 || value == 2)) ||
	    (reg == TRC_REG_RESERVED && value > 1))
		return refuse(reg, value, err);
	if (reg < TRC_REG_F)
		h->x[reg] = value;
	else if (reg < TRC_REG_PC)
		h->f[reg - TRC_REG_F] = value;
	else if (reg == TRC_REG_PC)
		h->pc = value;
	else if (reg == TRC_REG_MODE)
		h->mode = (enum trc_mode)value;
	else if (reg == TRC_REG_RESERVED)
		h->reserved = value;
	else if (reg == TRC_REG_RESERVATION)
		h->reservation = value;
	else
		h->reserved_value = value;
	return 0;
}
