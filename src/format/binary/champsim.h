/* SPDX-License-Identifier: MIT
 *
 * The records of ChampSim and of CloudSuite (champsim.c describes them), for reading and writing.
 */
#ifndef TRC_FORMAT_BINARY_CHAMPSIM_H
#define TRC_FORMAT_BINARY_CHAMPSIM_H

#include "format/format.h"

/* The registers that identify branches, and one that is none of these. */
enum { STACK = TRC_REGS_SP, FLAGS = TRC_REGS_FLAGS, IP = TRC_REGS_IP, OTHER = 1 };

/* Loads per record. */
enum { PLACES = 4 };

/* The layout of a record of ChampSim or CloudSuite. */
struct layout {
	const char *name;
	unsigned size;
	unsigned dst, n_dst, src;      /* registers: offsets, number; four are read */
	unsigned store, n_store, load; /* addresses: offsets, number; four are loaded */
	unsigned asid;                 /* offset; 0: none */
	unsigned pad[2], n_pad;        /* bytes that are 0: offsets, number of each */
};

static const struct layout champsim = { "champsim", 64, 10, 2, 12, 16, 2, 32, 0, { 0, 0 }, 0 };
static const struct layout cloudsuite = {
	"cloudsuite", 96, 10, 4, 14, 24, 4, 56, 88, { 18, 90 }, 6
};

/* Maximum rows of a record. */
#define ROWS(l) (1 + (l).n_store + PLACES)

#define EACH(byte) ((uint64_t)(byte)*UINT64_C(0x0101010101010101))

/* Returns the top bit of each byte that is this register. */
static inline uint64_t
where(uint64_t regs, uint8_t reg)
{
	const uint64_t x = regs ^ EACH(reg);

	return ~(((x & EACH(0x7f)) + EACH(0x7f)) | x | EACH(0x7f));
}

/* Returns the kind of a branch from its registers, as instruction.h of ChampSim does. */
static inline uint8_t
kind_of(uint64_t regs)
{
	const uint64_t sp = where(regs, STACK), ip = where(regs, IP), flags = where(regs, FLAGS);
	const uint64_t other = ~(sp | ip | flags | where(regs, 0)) & EACH(0x80);
	const bool wsp = (uint32_t)sp, wip = (uint32_t)ip, rsp = sp >> 32, rip = ip >> 32;
	const bool rflags = flags >> 32, rother = other >> 32;

	if (!wip)
		return 0;
	if (!rsp && !rflags && !rother)
		return TRC_BRANCH_JUMP;
	if (!rsp && !rip && !rflags)
		return TRC_BRANCH_INDIRECT;
	if (!rsp && rip && !wsp)
		return TRC_BRANCH_COND;
	if (rsp && rip && wsp && !rflags)
		return rother ? TRC_BRANCH_INDIRECT_CALL : TRC_BRANCH_CALL;
	return rsp && !rip && wsp ? TRC_BRANCH_RETURN : 0;
}

/* Writing: champsim_print.c. */
extern const struct trc_print_format trc_champsim_print, trc_cloudsuite_print;
extern const struct trc_format_args trc_champsim_to;

#endif
