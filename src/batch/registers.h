/* SPDX-License-Identifier: MIT
 *
 * Registers of an instruction, with the numbers that simulators of other machines expect: column
 * regs, so that ChampSim finds the kind of a branch from them (champsim.c has its rules).
 */
#ifndef TRC_BATCH_REGISTERS_H
#define TRC_BATCH_REGISTERS_H

#include "batch/annotation.h"

/* Up to four registers of each side, as the column has them, each once. The instruction pointer is
 * none of them. */
struct trc_registers {
	uint32_t written, read;
	bool more; /* than four of a side */
};

void trc_registers_read(struct trc_registers *r, uint8_t number);
void trc_registers_write(struct trc_registers *r, uint8_t number);

/* What follows from an instruction of `len` bytes with these registers, and for column branch
 * `kind`, TRC_BRANCH_COND and the like; 0: it is no branch. In front of those of a branch stand
 * registers by which its kind is known; where its own would make it another, they have another
 * number, or none. */
struct trc_annotation trc_registers_annotate(const struct trc_registers *r, uint8_t kind,
                                             uint8_t len);

/* Registers from which the kind of a branch is known, by TRC_BRANCH_KIND of its column, where its
 * own are not known; one of unknown kind is at least a branch to ChampSim. */
uint64_t trc_registers_of_branch(uint8_t branch);

#endif
