/* SPDX-License-Identifier: MIT
 *
 * The registers of an instruction in column regs, with the numbers that simulators of other
 * machines expect, so that ChampSim recognises the kind of a branch (champsim.c has its rules).
 */
#ifndef TRC_BATCH_REGISTERS_H
#define TRC_BATCH_REGISTERS_H

#include "batch/annotation.h"

/* Up to four different registers each that are written and read, as in the column. The instruction
 * pointer is not included. */
struct trc_registers {
	uint32_t written, read;
	bool more; /* there are more than four written or read */
};

/* Add a register that is read, or written, and set `more` if there are four others; 0 is none. */
void trc_registers_read(struct trc_registers *r, uint8_t number);
void trc_registers_write(struct trc_registers *r, uint8_t number);

/* Returns the annotation of an instruction of `len` bytes with these registers. `kind` is
 * TRC_BRANCH_COND and the like for column branch; 0: not a branch. A branch first gets the
 * registers that identify its kind; its own registers follow, but get another number, or are left
 * out, if they would change the kind. */
struct trc_annotation trc_registers_annotate(const struct trc_registers *r, uint8_t kind,
                                             uint8_t len);

/* Returns registers that identify a branch of this kind (TRC_BRANCH_KIND of its column), if its own
 * are unknown. One of unknown kind is recognised by ChampSim at least as a branch. */
uint64_t trc_registers_of_branch(uint8_t branch);

/* Returns `byte` in each byte. */
static inline uint64_t
trc_registers_each(uint8_t byte)
{
	return byte * UINT64_C(0x0101010101010101);
}

/* Returns the top bit of each byte of `regs` that is this register. */
static inline uint64_t
trc_registers_find(uint64_t regs, uint8_t reg)
{
	const uint64_t low = trc_registers_each(0x7f), x = regs ^ trc_registers_each(reg);

	return ~(((x & low) + low) | x | low);
}

/* Returns true for the registers of a branch: the instruction pointer is written. */
static inline bool
trc_registers_branch(uint64_t regs)
{
	return (uint32_t)trc_registers_find(regs, TRC_REGS_IP);
}

/* Returns the kind of a branch from its registers, as instruction.h of ChampSim does. ChampSim
 * assumes that all kinds but TRC_BRANCH_COND and 0 are taken. 0: another kind, or not a branch. */
static inline uint8_t
trc_registers_kind(uint64_t regs)
{
	const uint64_t sp = trc_registers_find(regs, TRC_REGS_SP);
	const uint64_t ip = trc_registers_find(regs, TRC_REGS_IP);
	const uint64_t flags = trc_registers_find(regs, TRC_REGS_FLAGS);
	const uint64_t none = sp | ip | flags | trc_registers_find(regs, 0);
	const bool wsp = (uint32_t)sp, wip = (uint32_t)ip, rsp = sp >> 32, rip = ip >> 32;
	const bool rflags = flags >> 32, rother = (~none & trc_registers_each(0x80)) >> 32;

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

#endif
