/* SPDX-License-Identifier: MIT
 *
 * The C extension: each compressed instruction of RV64C stands for a 32-bit instruction. Source:
 * volume I, chapter 16, tables 16.5 to 16.7. Reserved encodings give 0; hints give the instruction
 * that they encode.
 */
#include "machine/hart/decode.h"

enum { SP = 2 };

/* Returns bits [hi, lo] of c, moved to position `to`. */
static uint32_t
bits(uint32_t c, int hi, int lo, int to)
{
	return (c >> lo & ((UINT32_C(1) << (hi - lo + 1)) - 1)) << to;
}

/* Returns the low `n` bits of v as a signed number. */
static int32_t
sext(uint32_t v, int n)
{
	const uint32_t sign = UINT32_C(1) << (n - 1);

	return (int32_t)((v ^ sign) - sign);
}

static uint32_t
type_i(int32_t imm, uint32_t rs1, uint32_t funct3, uint32_t rd, uint32_t opcode)
{
	return (uint32_t)imm << 20 | rs1 << 15 | funct3 << 12 | rd << 7 | opcode;
}

static uint32_t
type_r(uint32_t funct7, uint32_t rs2, uint32_t rs1, uint32_t funct3, uint32_t rd, uint32_t opcode)
{
	return funct7 << 25 | rs2 << 20 | rs1 << 15 | funct3 << 12 | rd << 7 | opcode;
}

static uint32_t
type_s(uint32_t imm, uint32_t rs2, uint32_t rs1, uint32_t funct3, uint32_t opcode)
{
	return bits(imm, 11, 5, 25) | rs2 << 20 | rs1 << 15 | funct3 << 12 | bits(imm, 4, 0, 7) |
	       opcode;
}

static uint32_t
type_b(int32_t offset, uint32_t rs1, uint32_t funct3)
{
	const uint32_t o = (uint32_t)offset;

	return bits(o, 12, 12, 31) | bits(o, 10, 5, 25) | rs1 << 15 | funct3 << 12 |
	       bits(o, 4, 1, 8) | bits(o, 11, 11, 7) | 0x63;
}

static uint32_t
type_j(int32_t offset)
{
	const uint32_t o = (uint32_t)offset;

	return bits(o, 20, 20, 31) | bits(o, 10, 1, 21) | bits(o, 11, 11, 20) |
	       bits(o, 19, 12, 12) | 0x6f;
}

/* Offsets of loads and stores: of words and doublewords, relative to a register and to the stack
 * pointer. */
static uint32_t
word_offset(uint32_t c)
{
	return bits(c, 12, 10, 3) | bits(c, 6, 6, 2) | bits(c, 5, 5, 6);
}

static uint32_t
double_offset(uint32_t c)
{
	return bits(c, 12, 10, 3) | bits(c, 6, 5, 6);
}

static uint32_t
word_from_stack(uint32_t c)
{
	return bits(c, 12, 12, 5) | bits(c, 6, 4, 2) | bits(c, 3, 2, 6);
}

static uint32_t
double_from_stack(uint32_t c)
{
	return bits(c, 12, 12, 5) | bits(c, 6, 5, 3) | bits(c, 4, 2, 6);
}

static uint32_t
quadrant_0(uint32_t c)
{
	const uint32_t rs1 = 8 + bits(c, 9, 7, 0), rd = 8 + bits(c, 4, 2, 0);
	const uint32_t add = bits(c, 10, 7, 6) | bits(c, 12, 11, 4) | bits(c, 5, 5, 3) |
	                     bits(c, 6, 6, 2);

	switch (c >> 13) {
	case 0: return add ? type_i((int32_t)add, SP, 0, rd, 0x13) : 0;
	case 1: return type_i((int32_t)double_offset(c), rs1, 3, rd, 0x07);
	case 2: return type_i((int32_t)word_offset(c), rs1, 2, rd, 0x03);
	case 3: return type_i((int32_t)double_offset(c), rs1, 3, rd, 0x03);
	case 5: return type_s(double_offset(c), rd, rs1, 3, 0x27);
	case 6: return type_s(word_offset(c), rd, rs1, 2, 0x23);
	case 7: return type_s(double_offset(c), rd, rs1, 3, 0x23);
	}
	return 0;
}

/* c.srli, c.srai, c.andi and arithmetic of two registers. */
static uint32_t
arithmetic(uint32_t c)
{
	static const uint8_t funct3[4] = { 0, 4, 6, 7 };
	const uint32_t rd = 8 + bits(c, 9, 7, 0), rs2 = 8 + bits(c, 4, 2, 0);
	const uint32_t imm = bits(c, 12, 12, 5) | bits(c, 6, 2, 0), what = bits(c, 6, 5, 0);

	switch (bits(c, 11, 10, 0)) {
	case 0: return type_i((int32_t)imm, rd, 5, rd, 0x13);
	case 1: return type_i((int32_t)(0x400 | imm), rd, 5, rd, 0x13);
	case 2: return type_i(sext(imm, 6), rd, 7, rd, 0x13);
	}
	if (!bits(c, 12, 12, 0))
		return type_r(what ? 0 : 0x20, rs2, rd, funct3[what], rd, 0x33);
	return what < 2 ? type_r(what ? 0 : 0x20, rs2, rd, 0, rd, 0x3b) : 0;
}

/* c.addi16sp and c.lui. */
static uint32_t
upper(uint32_t c, uint32_t rd, int32_t imm)
{
	const int32_t stack = sext(bits(c, 12, 12, 9) | bits(c, 4, 3, 7) | bits(c, 5, 5, 6) |
	                                   bits(c, 2, 2, 5) | bits(c, 6, 6, 4),
	                           10);

	if (imm == 0)
		return 0;
	return rd == SP ? type_i(stack, SP, 0, SP, 0x13) : (uint32_t)imm << 12 | rd << 7 | 0x37;
}

static uint32_t
quadrant_1(uint32_t c)
{
	const uint32_t rd = bits(c, 11, 7, 0);
	const int32_t imm = sext(bits(c, 12, 12, 5) | bits(c, 6, 2, 0), 6);
	const int32_t jump = sext(bits(c, 12, 12, 11) | bits(c, 8, 8, 10) | bits(c, 10, 9, 8) |
	                                  bits(c, 6, 6, 7) | bits(c, 7, 7, 6) | bits(c, 2, 2, 5) |
	                                  bits(c, 11, 11, 4) | bits(c, 5, 3, 1),
	                          12);
	const int32_t branch = sext(bits(c, 12, 12, 8) | bits(c, 6, 5, 6) | bits(c, 2, 2, 5) |
	                                    bits(c, 11, 10, 3) | bits(c, 4, 3, 1),
	                            9);

	switch (c >> 13) {
	case 0: return type_i(imm, rd, 0, rd, 0x13);
	case 1: return rd ? type_i(imm, rd, 0, rd, 0x1b) : 0;
	case 2: return type_i(imm, 0, 0, rd, 0x13);
	case 3: return upper(c, rd, imm);
	case 4: return arithmetic(c);
	case 5: return type_j(jump);
	}
	return type_b(branch, 8 + bits(c, 9, 7, 0), c >> 13 == 6 ? 0 : 1);
}

/* c.jr, c.mv, c.ebreak, c.jalr and c.add. */
static uint32_t
jump_or_move(uint32_t c)
{
	const uint32_t rd = bits(c, 11, 7, 0), rs2 = bits(c, 6, 2, 0);
	const uint32_t link = bits(c, 12, 12, 0);

	if (rs2)
		return type_r(0, rs2, link ? rd : 0, 0, rd, 0x33);
	if (rd)
		return type_i(0, rd, 0, link, 0x67);
	return link ? 0x00100073 : 0;
}

static uint32_t
quadrant_2(uint32_t c)
{
	const uint32_t rd = bits(c, 11, 7, 0), rs2 = bits(c, 6, 2, 0);
	const uint32_t store_double = bits(c, 12, 10, 3) | bits(c, 9, 7, 6);
	const uint32_t store_word = bits(c, 12, 9, 2) | bits(c, 8, 7, 6);

	switch (c >> 13) {
	case 0: return type_i((int32_t)(bits(c, 12, 12, 5) | rs2), rd, 1, rd, 0x13);
	case 1: return type_i((int32_t)double_from_stack(c), SP, 3, rd, 0x07);
	case 2: return rd ? type_i((int32_t)word_from_stack(c), SP, 2, rd, 0x03) : 0;
	case 3: return rd ? type_i((int32_t)double_from_stack(c), SP, 3, rd, 0x03) : 0;
	case 4: return jump_or_move(c);
	case 5: return type_s(store_double, rs2, SP, 3, 0x27);
	case 6: return type_s(store_word, rs2, SP, 2, 0x23);
	}
	return type_s(store_double, rs2, SP, 3, 0x23);
}

uint32_t
trc_decompress(uint16_t half)
{
	switch (half & 3) {
	case 0: return quadrant_0(half);
	case 1: return quadrant_1(half);
	case 2: return quadrant_2(half);
	}
	return 0;
}
