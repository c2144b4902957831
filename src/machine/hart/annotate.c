/* SPDX-License-Identifier: MIT
 *
 * ChampSim derives the kind of a branch from its registers (inc/instruction.h there). Every branch
 * writes the instruction pointer. In addition,
 *
 *   a jump                reads only the instruction pointer
 *   an indirect jump      reads other registers only
 *   a conditional branch  reads the instruction pointer, and flags or other registers
 *   a call                reads and writes the stack pointer and reads the instruction pointer
 *   an indirect call      also reads another register
 *   a return              reads and writes the stack pointer, but does not read the instruction
 *                         pointer
 *
 * So calls and returns are given a stack pointer that RISC-V does not use there; in a call it takes
 * the slot of the link register. No other register may look like one of these three: x6, whose
 * number is that of the stack pointer, gets the number of x2, and x25 and x26 get new numbers. A
 * branch that compares x2, or jumps through it, would be taken for another kind, so x2 has a number
 * of its own there. A branch that compares x0 with itself reads the flags.
 *
 * Calls and returns are recognised as in volume I, table 2.1 (hints for the return-address stack).
 * A jump that is both is a call here.
 */
#include "machine/hart/annotate.h"

#include "batch/registers.h"

enum { SP = TRC_REGS_SP, FLAGS = TRC_REGS_FLAGS, IP = TRC_REGS_IP };

enum {
	X25 = 32,
	X26 = 33,
	SP_OTHER = 34, /* x2 when a branch reads it */
	F0 = 64,
};

static uint8_t
number(unsigned reg, bool is_f)
{
	static const uint8_t x[32] = {
		0,  1,  SP, 3,  4,  5,  2,  7,  8,  9,   10,  11, 12, 13, 14, 15,
		16, 17, 18, 19, 20, 21, 22, 23, 24, X25, X26, 27, 28, 29, 30, 31,
	};

	return is_f ? (uint8_t)(F0 + reg) : x[reg];
}

static struct trc_annotation
plain(const struct trc_insn *i)
{
	const unsigned is = trc_op_info[i->op].registers;
	struct trc_registers r = { 0 };

	if (is & TRC_OP_RD)
		trc_registers_write(&r, number(i->rd, is & TRC_OP_RD_F));
	if (is & TRC_OP_RS1)
		trc_registers_read(&r, number(i->rs1, is & TRC_OP_RS1_F));
	if (is & TRC_OP_RS2)
		trc_registers_read(&r, number(i->rs2, is & TRC_OP_RS2_F));
	if (is & TRC_OP_RS3_F)
		trc_registers_read(&r, number(i->rs3, true));
	return trc_registers_annotate(&r, 0, i->len);
}

/* Returns the number of a register that a branch reads. */
static uint8_t
read_by_branch(unsigned reg)
{
	return reg == 2 ? SP_OTHER : number(reg, false);
}

static struct trc_annotation
conditional(const struct trc_insn *i)
{
	struct trc_registers r = { .written = IP, .read = IP };
	struct trc_annotation is;

	trc_registers_read(&r, read_by_branch(i->rs1));
	trc_registers_read(&r, read_by_branch(i->rs2));
	if (i->rs1 == 0 && i->rs2 == 0)
		trc_registers_read(&r, FLAGS);
	is = trc_registers_annotate(&r, 0, i->len);
	is.branch = TRC_BRANCH | TRC_BRANCH_COND;
	is.target = i->imm;
	return is;
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
	struct trc_registers r = { .written = IP };
	struct trc_annotation is;

	trc_registers_write(&r, stack ? SP : number(i->rd, false));
	trc_registers_read(&r, indirect ? 0 : IP);
	trc_registers_read(&r, stack ? SP : 0);
	if (i->op == TRC_OP_jalr)
		trc_registers_read(&r, read_by_branch(i->rs1));
	is = trc_registers_annotate(&r, 0, i->len);
	is.branch = TRC_BRANCH | TRC_BRANCH_TAKEN | kind;
	return is;
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
	return plain(i);
}

struct trc_annotation
trc_annotate_riscv(uint64_t word)
{
	const struct trc_insn i = trc_decode((uint32_t)word);
	const struct trc_op_info *info = &trc_op_info[i.op];
	struct trc_annotation is = { 0 };

	if (word >> 32)
		return is;
	is = trc_annotate_insn(&i);
	is.access = info->loads || info->stores ? (uint8_t)(1u << info->size) : 0;
	return is;
}
