/* SPDX-License-Identifier: MIT
 * Integer arithmetic. Source: volume I, chapters 5 and 7 (M). */
#include "machine/hart/core.h"
#include "machine/float/wide.h"

#define RS1 (core->h.x[op->rs1])
#define RS2 (core->h.x[op->rs2])
#define IMM ((uint64_t)op->imm)

/* An instruction that sets rd to `value`. */
#define SETS(name, value)                    \
	TRC_EXEC(name)                       \
	{                                    \
		core->h.x[op->rd] = (value); \
		TRC_NEXT;                    \
	}

/* The low word, extended by its sign. */
static inline uint64_t
word(uint64_t v)
{
	return (uint64_t)(int64_t)(int32_t)(uint32_t)v;
}

static inline uint64_t
shift_signed(uint64_t v, unsigned n)
{
	return (uint64_t)((int64_t)v >> n);
}

static inline uint64_t
shift_signed_word(uint64_t v, unsigned n)
{
	return (uint64_t)(int64_t)((int32_t)(uint32_t)v >> n);
}

SETS(lui, IMM)
SETS(auipc, core->base + IMM)
SETS(addi, RS1 + IMM)
SETS(slti, (int64_t)RS1 < op->imm)
SETS(sltiu, RS1 < IMM)
SETS(xori, RS1 ^ IMM)
SETS(ori, RS1 | IMM)
SETS(andi, RS1 &IMM)
SETS(slli, RS1 << IMM)
SETS(srli, RS1 >> IMM)
SETS(srai, shift_signed(RS1, (unsigned)IMM))
SETS(addiw, word(RS1 + IMM))
SETS(slliw, word(RS1 << IMM))
SETS(srliw, word((uint32_t)RS1 >> IMM))
SETS(sraiw, shift_signed_word(RS1, (unsigned)IMM))

SETS(add, RS1 + RS2)
SETS(sub, RS1 - RS2)
SETS(sll, RS1 << (RS2 & 63))
SETS(slt, (int64_t)RS1 < (int64_t)RS2)
SETS(sltu, RS1 < RS2)
SETS(xor, RS1 ^ RS2)
SETS(srl, RS1 >> (RS2 & 63))
SETS(sra, shift_signed(RS1, RS2 & 63))
SETS(or, RS1 | RS2)
SETS(and, RS1 &RS2)
SETS(addw, word(RS1 + RS2))
SETS(subw, word(RS1 - RS2))
SETS(sllw, word(RS1 << (RS2 & 31)))
SETS(srlw, word((uint32_t)RS1 >> (RS2 & 31)))
SETS(sraw, shift_signed_word(RS1, RS2 & 31))

/* High halves of products: the signed one is the unsigned one, less the other operand for each
 * negative one. */
static uint64_t
high_unsigned(uint64_t a, uint64_t b)
{
	uint64_t high;

	trc_wide_mul(a, b, &high);
	return high;
}

static uint64_t
high_mixed(uint64_t a, uint64_t b)
{
	return high_unsigned(a, b) - (a >> 63 ? b : 0);
}

static uint64_t
high_signed(uint64_t a, uint64_t b)
{
	return high_mixed(a, b) - (b >> 63 ? a : 0);
}

/* Division by zero gives all ones and the dividend, and the one signed quotient that does not fit
 * gives the dividend and 0. */
static uint64_t
div_signed(uint64_t a, uint64_t b)
{
	if (b == 0)
		return UINT64_MAX;
	return b == UINT64_MAX ? 0 - a : (uint64_t)((int64_t)a / (int64_t)b);
}

static uint64_t
rem_signed(uint64_t a, uint64_t b)
{
	if (b == 0)
		return a;
	return b == UINT64_MAX ? 0 : (uint64_t)((int64_t)a % (int64_t)b);
}

static uint64_t
div_unsigned(uint64_t a, uint64_t b)
{
	return b ? a / b : UINT64_MAX;
}

static uint64_t
rem_unsigned(uint64_t a, uint64_t b)
{
	return b ? a % b : a;
}

static uint64_t
div_word(uint64_t a, uint64_t b)
{
	return word(div_signed(word(a), word(b)));
}

static uint64_t
rem_word(uint64_t a, uint64_t b)
{
	return word(rem_signed(word(a), word(b)));
}

static uint64_t
div_word_unsigned(uint64_t a, uint64_t b)
{
	return (uint32_t)b ? word((uint32_t)a / (uint32_t)b) : UINT64_MAX;
}

static uint64_t
rem_word_unsigned(uint64_t a, uint64_t b)
{
	return word((uint32_t)b ? (uint32_t)a % (uint32_t)b : (uint32_t)a);
}

SETS(mul, RS1 *RS2)
SETS(mulh, high_signed(RS1, RS2))
SETS(mulhsu, high_mixed(RS1, RS2))
SETS(mulhu, high_unsigned(RS1, RS2))
SETS(div, div_signed(RS1, RS2))
SETS(divu, div_unsigned(RS1, RS2))
SETS(rem, rem_signed(RS1, RS2))
SETS(remu, rem_unsigned(RS1, RS2))
SETS(mulw, word(RS1 *RS2))
SETS(divw, div_word(RS1, RS2))
SETS(divuw, div_word_unsigned(RS1, RS2))
SETS(remw, rem_word(RS1, RS2))
SETS(remuw, rem_word_unsigned(RS1, RS2))
