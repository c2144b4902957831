/* SPDX-License-Identifier: MIT
 *
 * ChampSim finds the kind of a branch from its registers (inc/instruction.h there): all write the
 * instruction pointer, and
 *
 *   a jump                reads nothing else than the instruction pointer
 *   an indirect jump      reads other registers only
 *   a conditional branch  reads the instruction pointer, and flags or other registers
 *   a call                reads and writes the stack pointer and reads the instruction pointer
 *   an indirect call      reads another register besides
 *   a return              reads and writes the stack pointer, but does not read the other
 *
 * So calls and returns are given a stack pointer that they do not have here, for which the link
 * register of a call gives its place up, and a register must not look like one of the three that it
 * is not: x6, which has the number of the stack pointer, gets that of x2, and x25 and x26 get new
 * ones. Where x2 is compared or jumped through, it would turn a branch into another kind, and has a
 * number for that. A branch that compares x0 with itself reads the flags.
 *
 * What is a call and what a return: volume I, table 2.1 (hints for the stack of return addresses);
 * what does both there is a call here.
 */
#include "machine/hart/annotate.h"

enum { SP = TRC_REGS_SP, FLAGS = TRC_REGS_FLAGS, IP = TRC_REGS_IP };

enum {
	X25 = 32,
	X26 = 33,
	SP_OTHER = 34, /* x2 in a branch */
	F0 = 64,
	READS = 32, /* bits of the written registers, below the read ones */
};

static unsigned
number(unsigned reg, bool is_f)
{
	static const uint8_t x[32] = {
		0,  1,  SP, 3,  4,  5,  2,  7,  8,  9,   10,  11, 12, 13, 14, 15,
		16, 17, 18, 19, 20, 21, 22, 23, 24, X25, X26, 27, 28, 29, 30, 31,
	};

	return is_f ? F0 + reg : x[reg];
}

/* Adds a register to the four of one kind, from bit `at` on, if it is one and not there yet. */
static void
add(uint64_t *regs, unsigned at, unsigned reg)
{
	for (unsigned i = at; reg && i < at + 32; i += 8) {
		const unsigned there = *regs >> i & 255;

		if (there == 0)
			*regs |= (uint64_t)reg << i;
		if (there == 0 || there == reg)
			break;
	}
}

static uint64_t
plain(const struct trc_insn *i)
{
	const unsigned is = trc_op_info[i->op].registers;
	uint64_t regs = 0;

	if (is & TRC_OP_RD)
		add(&regs, 0, number(i->rd, is & TRC_OP_RD_F));
	if (is & TRC_OP_RS1)
		add(&regs, READS, number(i->rs1, is & TRC_OP_RS1_F));
	if (is & TRC_OP_RS2)
		add(&regs, READS, number(i->rs2, is & TRC_OP_RS2_F));
	if (is & TRC_OP_RS3_F)
		add(&regs, READS, number(i->rs3, true));
	return regs;
}

/* A register that a branch reads. */
static unsigned
read_by_branch(unsigned reg)
{
	return reg == 2 ? SP_OTHER : number(reg, false);
}

static struct trc_annotation
conditional(const struct trc_insn *i)
{
	uint64_t regs = IP | (uint64_t)IP << READS;

	add(&regs, READS, read_by_branch(i->rs1));
	add(&regs, READS, read_by_branch(i->rs2));
	if (i->rs1 == 0 && i->rs2 == 0)
		add(&regs, READS, FLAGS);
	return (struct trc_annotation){ regs, i->imm, i->len, TRC_BRANCH | TRC_BRANCH_COND, false };
}

static bool
is_link(unsigned reg)
{
	return reg == 1 || reg == 5;
}

static uint8_t
kind_of_jump(const struct trc_insn *i)
{
	const bool direct = i->op == TRC_OP_jal || i->rs1 == 0;

	if (is_link(i->rd))
		return direct ? TRC_BRANCH_CALL : TRC_BRANCH_INDIRECT_CALL;
	if (direct)
		return TRC_BRANCH_JUMP;
	return is_link(i->rs1) ? TRC_BRANCH_RETURN : TRC_BRANCH_INDIRECT;
}

static struct trc_annotation
jump(const struct trc_insn *i)
{
	const uint8_t kind = kind_of_jump(i);
	const bool indirect = kind == TRC_BRANCH_INDIRECT || kind == TRC_BRANCH_RETURN;
	const bool stack = kind != TRC_BRANCH_INDIRECT && kind != TRC_BRANCH_JUMP;
	uint64_t regs = IP;

	add(&regs, 0, stack ? SP : number(i->rd, false));
	if (!indirect)
		add(&regs, READS, IP);
	if (stack)
		add(&regs, READS, SP);
	if (i->op == TRC_OP_jalr)
		add(&regs, READS, read_by_branch(i->rs1));
	return (struct trc_annotation){ regs, 0, i->len, TRC_BRANCH | TRC_BRANCH_TAKEN | kind,
		                        false };
}

struct trc_annotation
trc_annotate_insn(const struct trc_insn *i)
{
	if (i->op == TRC_OP_illegal)
		return (struct trc_annotation){ 0 };
	if (trc_op_info[i->op].flags & TRC_OP_BRANCHES)
		return conditional(i);
	if (i->op == TRC_OP_jal || i->op == TRC_OP_jalr)
		return jump(i);
	return (struct trc_annotation){ .regs = plain(i), .len = i->len };
}

struct trc_annotation
trc_annotate_riscv(uint64_t word)
{
	const struct trc_insn i = trc_decode((uint32_t)word);

	return word >> 32 ? (struct trc_annotation){ 0 } : trc_annotate_insn(&i);
}
