/* SPDX-License-Identifier: MIT
 *
 * Instruction words and what they mean. A pure function of the word: whether an instruction may be
 * executed in this mode, or with this rounding mode, shows when it is.
 */
#ifndef TRC_MACHINE_HART_DECODE_H
#define TRC_MACHINE_HART_DECODE_H

#include <stdint.h>

enum {
	TRC_OP_ENDS = 1,     /* execution goes on elsewhere, or otherwise: the end of a block */
	TRC_OP_JUMPS = 2,    /* to pc + imm */
	TRC_OP_BRANCHES = 4, /* to pc + imm, perhaps */
	TRC_OP_FP = 8,       /* illegal while floating point is off */
	TRC_OP_WRITES_F = 16,

	/* The extension that has it, unless RV64GC does; n << 5 is for bit
	 * n - 1 of a set of extensions (extensions.h). */
	TRC_OP_ZBA = 1 << 5,
	TRC_OP_ZBB = 2 << 5,
	TRC_OP_ZBC = 3 << 5,
	TRC_OP_ZBS = 4 << 5,
	TRC_OP_ZICOND = 5 << 5,
};

/* The registers of an instruction; those with an F are of floating point. */
enum {
	TRC_OP_RD = 1, /* written; the others are read */
	TRC_OP_RS1 = 2,
	TRC_OP_RS2 = 4,
	TRC_OP_RD_F = 8,
	TRC_OP_RS1_F = 16,
	TRC_OP_RS2_F = 32,
	TRC_OP_RS3_F = 64,
};

enum trc_opcode {
#define OP(name, registers, loads, stores, size, flags) TRC_OP_##name,
#include "machine/hart/ops.def"
#undef OP
	TRC_OPS
};

/* What an operation does, whatever its operands. */
struct trc_op_info {
	const char *name;
	uint8_t registers;     /* TRC_OP_RD, ... */
	uint8_t loads, stores; /* data rows */
	uint8_t size;          /* of the data, log2 of bytes */
	uint8_t flags;
};

extern const struct trc_op_info trc_op_info[TRC_OPS];

/* A decoded instruction. */
struct trc_insn {
	uint8_t op; /* enum trc_opcode */
	uint8_t rd, rs1, rs2, rs3;
	uint8_t rm;   /* rounding mode: 0 to 4, or 7 for that of frm */
	uint8_t len;  /* 2 or 4 */
	int64_t imm;  /* immediate, shift amount or number of a CSR */
	uint32_t raw; /* the word; 16 bits if len is 2 */
};

/* What does not decode is TRC_OP_illegal. `word` holds the first halfword in its low half, and
 * anything in the other half if that is a whole instruction. */
struct trc_insn trc_decode(uint32_t word);

/* The same by a processor with these extensions (extensions.h). */
struct trc_insn trc_decode_by(uint32_t word, unsigned isa);

/* How many bytes the instruction with this first halfword has. */
static inline unsigned
trc_insn_len(uint16_t first)
{
	return (first & 3) == 3 ? 4 : 2;
}

/* The instruction of 32 bits that a compressed one stands for; 0, which is illegal, if none. */
uint32_t trc_decompress(uint16_t half);

#endif
