/* SPDX-License-Identifier: MIT
 * Numbers of control and status registers. Source: volume II, section 2.2. */
#ifndef TRC_MACHINE_HART_CSR_H
#define TRC_MACHINE_HART_CSR_H

#include <stdbool.h>

enum {
	TRC_CSR_FFLAGS = 0x001,
	TRC_CSR_FRM = 0x002,
	TRC_CSR_FCSR = 0x003,
	TRC_CSR_SSTATUS = 0x100,
	TRC_CSR_SIE = 0x104,
	TRC_CSR_STVEC = 0x105,
	TRC_CSR_SCOUNTEREN = 0x106,
	TRC_CSR_SENVCFG = 0x10a,
	TRC_CSR_SSCRATCH = 0x140,
	TRC_CSR_SEPC = 0x141,
	TRC_CSR_SCAUSE = 0x142,
	TRC_CSR_STVAL = 0x143,
	TRC_CSR_SIP = 0x144,
	TRC_CSR_SATP = 0x180,
	TRC_CSR_MSTATUS = 0x300,
	TRC_CSR_MISA = 0x301,
	TRC_CSR_MEDELEG = 0x302,
	TRC_CSR_MIDELEG = 0x303,
	TRC_CSR_MIE = 0x304,
	TRC_CSR_MTVEC = 0x305,
	TRC_CSR_MCOUNTEREN = 0x306,
	TRC_CSR_MENVCFG = 0x30a,
	TRC_CSR_MCOUNTINHIBIT = 0x320,
	TRC_CSR_MHPMEVENT3 = 0x323,
	TRC_CSR_MSCRATCH = 0x340,
	TRC_CSR_MEPC = 0x341,
	TRC_CSR_MCAUSE = 0x342,
	TRC_CSR_MTVAL = 0x343,
	TRC_CSR_MIP = 0x344,
	TRC_CSR_PMPCFG0 = 0x3a0, /* PMPCFG0 and 2 have eight entries each */
	TRC_CSR_PMPCFG2 = 0x3a2,
	TRC_CSR_PMPADDR0 = 0x3b0, /* to 0x3bf */
	TRC_CSR_TSELECT = 0x7a0,  /* up to tdata3; there are no triggers */
	TRC_CSR_TDATA3 = 0x7a3,
	TRC_CSR_MCYCLE = 0xb00,
	TRC_CSR_MINSTRET = 0xb02,
	TRC_CSR_CYCLE = 0xc00,
	TRC_CSR_TIME = 0xc01,
	TRC_CSR_INSTRET = 0xc02,
	TRC_CSR_MVENDORID = 0xf11,
	TRC_CSR_MARCHID = 0xf12,
	TRC_CSR_MIMPID = 0xf13,
	TRC_CSR_MHARTID = 0xf14,
	TRC_CSR_MCONFIGPTR = 0xf15,
};

/* Returns true if the processor has this register, in any mode. */
bool trc_csr_exists(unsigned csr);

#endif
