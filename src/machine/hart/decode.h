/* SPDX-License-Identifier: MIT
 *
 * Decodes instruction words. The result depends on the word only: whether the current mode or
 * rounding mode allows an instruction is checked when it executes.
 */
#ifndef TRC_MACHINE_HART_DECODE_H
#define TRC_MACHINE_HART_DECODE_H

#include <stdint.h>

enum {
	/* Ends a block: the next instruction or the state is not known in advance. */
	TRC_OP_ENDS = 1,
	TRC_OP_JUMPS = 2,    /* always, to pc + imm */
	TRC_OP_BRANCHES = 4, /* conditionally, to pc + imm */
	TRC_OP_FP = 8,       /* illegal while floating point is off */
	TRC_OP_WRITES_F = 16,

	/* The extension that defines it, if RV64GC does not: n << 5 stands for bit n - 1 of a set
	 * of extensions (extensions.h). */
	TRC_OP_ZBA = 1 << 5,
	TRC_OP_ZBB = 2 << 5,
	TRC_OP_ZBC = 3 << 5,
	TRC_OP_ZBS = 4 << 5,
	TRC_OP_ZICOND = 5 << 5,
	TRC_OP_ZFHMIN = 6 << 5,
	TRC_OP_ZFH = 7 << 5,
	TRC_OP_ZICBOM = 8 << 5,
	TRC_OP_ZICBOZ = 9 << 5,
};

/* The registers of an instruction; those with an F are floating-point registers. */
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

/* The properties of an operation that do not depend on its operands. */
struct trc_op_info {
	const char *name;
	uint8_t registers;     /* TRC_OP_RD, ... */
	uint8_t loads, stores; /* number of data rows */
	uint8_t size;          /* of the data, as log2 of bytes */
	uint16_t flags;
};

extern const struct trc_op_info trc_op_info[TRC_OPS];

/* A decoded instruction. */
struct trc_insn {
	uint8_t op; /* enum trc_opcode */
	uint8_t rd, rs1, rs2, rs3;
	uint8_t rm;   /* rounding mode: 0 to 4, or 7 for the one in frm */
	uint8_t len;  /* 2 or 4 */
	int64_t imm;  /* immediate, shift amount or CSR number */
	uint32_t raw; /* the word; 16 bits if len is 2 */
};

/* Decodes an instruction; op is TRC_OP_illegal if it is not valid. `word` holds the first halfword
 * in its low half. If that is a whole instruction, the high half is ignored. */
struct trc_insn trc_decode(uint32_t word);

/* Decodes for a processor with these extensions (extensions.h). */
struct trc_insn trc_decode_by(uint32_t word, unsigned isa);

/* Returns the length in bytes of the instruction that begins with this halfword. */
static inline unsigned
trc_insn_len(uint16_t first)
{
	return (first & 3) == 3 ? 4 : 2;
}

/* Returns the 32-bit instruction that a compressed one stands for; 0, which is illegal, if there is
 * none. */
uint32_t trc_decompress(uint16_t half);

#endif
