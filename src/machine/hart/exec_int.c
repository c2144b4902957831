/* SPDX-License-Identifier: MIT
 *
 * Handlers of integer arithmetic. Source: volume I, chapters 5 and 7 (M); bit-manipulation 1.0;
 * Zicond 1.0.
 */
#include "machine/hart/core.h"
#include "machine/float/wide.h"

#define RS1 (core->h.x[op->rs1])
#define RS2 (core->h.x[op->rs2])
#define IMM ((uint64_t)op->imm)

/* Defines an instruction that sets rd to `value`. */
#define SETS(name, value)                    \
	TRC_EXEC(name)                       \
	{                                    \
		core->h.x[op->rd] = (value); \
		TRC_NEXT;                    \
	}

/* Returns the low word, sign-extended. */
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

/* High halves of products: the signed product is the unsigned one, less the other operand for each
 * negative operand. */
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

/* Division by zero gives all ones, and the dividend as remainder. The one signed quotient that
 * overflows gives the dividend, and remainder 0. */
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

/* ---- Zba: address generation ---- */

#define UW(v) ((uint64_t)(uint32_t)(v))

SETS(sh1add, RS2 + (RS1 << 1))
SETS(sh2add, RS2 + (RS1 << 2))
SETS(sh3add, RS2 + (RS1 << 3))
SETS(add_uw, RS2 + UW(RS1))
SETS(sh1add_uw, RS2 + (UW(RS1) << 1))
SETS(sh2add_uw, RS2 + (UW(RS1) << 2))
SETS(sh3add_uw, RS2 + (UW(RS1) << 3))
SETS(slli_uw, UW(RS1) << IMM)

/* ---- Zbb: basic bit manipulation ---- */

static inline uint64_t
rotate_right(uint64_t v, uint64_t n)
{
	return v >> (n & 63) | v << (-n & 63);
}

static inline uint64_t
rotate_right_word(uint64_t v, uint64_t n)
{
	return word(UW(v) >> (n & 31) | UW(v) << (-n & 31));
}

static uint64_t
count_ones(uint64_t v)
{
	uint64_t n = 0;

	for (; v; v &= v - 1)
		n++;
	return n;
}

/* Sets all bits of each byte that is not 0. */
static uint64_t
fill_bytes(uint64_t v)
{
	const uint64_t ones = UINT64_MAX / 255, low = 127 * ones;

	return 255 * ((((v & low) + low) | v) >> 7 & ones);
}

static uint64_t
reverse_bytes(uint64_t v)
{
	uint64_t r = 0;

	for (int i = 0; i < 8; i++, v >>= 8)
		r = r << 8 | (v & 255);
	return r;
}

SETS(andn, RS1 & ~RS2)
SETS(orn, RS1 | ~RS2)
SETS(xnor, ~(RS1 ^ RS2))
SETS(min, (int64_t)RS1 < (int64_t)RS2 ? RS1 : RS2)
SETS(minu, RS1 < RS2 ? RS1 : RS2)
SETS(max, (int64_t)RS1 > (int64_t)RS2 ? RS1 : RS2)
SETS(maxu, RS1 > RS2 ? RS1 : RS2)
SETS(rol, rotate_right(RS1, -RS2))
SETS(ror, rotate_right(RS1, RS2))
SETS(rori, rotate_right(RS1, IMM))
SETS(rolw, rotate_right_word(RS1, -RS2))
SETS(rorw, rotate_right_word(RS1, RS2))
SETS(roriw, rotate_right_word(RS1, IMM))
SETS(clz, (uint64_t)trc_clz64(RS1))
SETS(ctz, RS1 ? (uint64_t)trc_ctz64(RS1) : 64)
SETS(cpop, count_ones(RS1))
SETS(clzw, (uint64_t)trc_clz64(UW(RS1)) - 32)
SETS(ctzw, (uint64_t)trc_ctz64(RS1 | UINT64_C(1) << 32))
SETS(cpopw, count_ones(UW(RS1)))
SETS(sext_b, (uint64_t)(int64_t)(int8_t)(uint8_t)RS1)
SETS(sext_h, (uint64_t)(int64_t)(int16_t)(uint16_t)RS1)
SETS(zext_h, RS1 & 0xffff)
SETS(orc_b, fill_bytes(RS1))
SETS(rev8, reverse_bytes(RS1))

/* ---- Zbc: carry-less multiplication ---- */

/* Returns bits [from, from + 64) of the product. */
static uint64_t
carryless(uint64_t a, uint64_t b, unsigned from)
{
	uint64_t sum = 0;

	for (unsigned i = 0; i < 64; i++)
		if (b >> i & 1)
			sum ^= i >= from ? a << (i - from) : a >> (from - i);
	return sum;
}

SETS(clmul, carryless(RS1, RS2, 0))
SETS(clmulr, carryless(RS1, RS2, 63))
SETS(clmulh, carryless(RS1, RS2, 63) >> 1)

/* ---- Zbs: single bits; Zicond ---- */

#define BIT(n) (UINT64_C(1) << ((n)&63))

SETS(bclr, RS1 & ~BIT(RS2))
SETS(bclri, RS1 & ~BIT(IMM))
SETS(bext, RS1 >> (RS2 & 63) & 1)
SETS(bexti, RS1 >> IMM & 1)
SETS(binv, RS1 ^ BIT(RS2))
SETS(binvi, RS1 ^ BIT(IMM))
SETS(bset, RS1 | BIT(RS2))
SETS(bseti, RS1 | BIT(IMM))
SETS(czero_eqz, RS2 ? RS1 : 0)
SETS(czero_nez, RS2 ? 0 : RS1)
