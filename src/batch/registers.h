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

#endif
