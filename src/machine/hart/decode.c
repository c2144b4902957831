/* SPDX-License-Identifier: MIT
 *
 * Decodes instruction words, by opcode and then by the function fields. Source: volume I, chapter
 * 24 (the tables of encodings); volume II, chapter 5 for the privileged instructions;
 * bit-manipulation 1.0 (Zba, Zbb, Zbc, Zbs) and Zicond 1.0, chapters 2; Zfh 1.0; cache blocks 1.0.
 */
#include "machine/hart/decode.h"

#include "base/base.h"
#include "machine/hart/csr.h"

const struct trc_op_info trc_op_info[TRC_OPS] = {
#define OP(name, registers, loads, stores, size, flags) \
	{ #name, registers, loads, stores, size, flags },
#include "machine/hart/ops.def"
#undef OP
};

/* Returns the bits of an instruction from bit `lo` up as a signed number. */
static int64_t
signed_from(uint32_t w, int lo)
{
	return (int64_t)(int32_t)w >> lo;
}

static unsigned
funct3(uint32_t w)
{
	return w >> 12 & 7;
}

static int64_t
imm_s(uint32_t w)
{
	return (int64_t)((uint64_t)signed_from(w, 25) << 5 | (w >> 7 & 31));
}

static int64_t
imm_b(uint32_t w)
{
	const uint32_t low = (w << 4 & 0x800) | (w >> 20 & 0x7e0) | (w >> 7 & 0x1e);

	return (int64_t)((uint64_t)signed_from(w, 31) << 12 | low);
}

static int64_t
imm_j(uint32_t w)
{
	const uint32_t low = (w & 0xff000) | (w >> 9 & 0x800) | (w >> 20 & 0x7fe);

	return (int64_t)((uint64_t)signed_from(w, 31) << 20 | low);
}

static uint8_t
load(uint32_t w)
{
	static const uint8_t op[8] = { TRC_OP_lb,  TRC_OP_lh,  TRC_OP_lw,  TRC_OP_ld,
		                       TRC_OP_lbu, TRC_OP_lhu, TRC_OP_lwu, TRC_OP_illegal };

	return op[funct3(w)];
}

static uint8_t
branch(uint32_t w)
{
	static const uint8_t op[8] = { TRC_OP_beq, TRC_OP_bne, TRC_OP_illegal, TRC_OP_illegal,
		                       TRC_OP_blt, TRC_OP_bge, TRC_OP_bltu,    TRC_OP_bgeu };

	return op[funct3(w)];
}

/* An encoding that several fields select together. */
struct encoding {
	uint16_t fields;
	uint8_t op;
};

static uint8_t
find_encoding(const struct encoding *e, size_t n, unsigned fields)
{
	for (size_t i = 0; i < n; i++)
		if (e[i].fields == fields)
			return e[i].op;
	return TRC_OP_illegal;
}

/* Returns funct7 and funct3 together. */
static unsigned
functs(uint32_t w)
{
	return w >> 25 << 3 | funct3(w);
}

#define F(funct7, funct3) ((funct7) << 3 | (funct3))

/* Decodes the immediates with funct3 1 or 5: those with a 6-bit shift amount after funct6, and the
 * unary ones, which all bits select. */
static uint8_t
bits_imm(uint32_t w)
{
	static const struct encoding by_funct6[] = {
		{ F(0x00, 1), TRC_OP_slli },  { F(0x00, 5), TRC_OP_srli },
		{ F(0x20, 5), TRC_OP_srai },  { F(0x14, 1), TRC_OP_bseti },
		{ F(0x24, 1), TRC_OP_bclri }, { F(0x24, 5), TRC_OP_bexti },
		{ F(0x34, 1), TRC_OP_binvi }, { F(0x30, 5), TRC_OP_rori },
	};
	static const struct encoding whole[] = {
		{ F(0x600, 1), TRC_OP_clz },    { F(0x601, 1), TRC_OP_ctz },
		{ F(0x602, 1), TRC_OP_cpop },   { F(0x604, 1), TRC_OP_sext_b },
		{ F(0x605, 1), TRC_OP_sext_h }, { F(0x287, 5), TRC_OP_orc_b },
		{ F(0x6b8, 5), TRC_OP_rev8 },
	};
	const uint8_t op = find_encoding(by_funct6, TRC_COUNT(by_funct6), functs(w) & ~8u);

	return op ? op : find_encoding(whole, TRC_COUNT(whole), F(w >> 20, funct3(w)));
}

/* Decodes arithmetic with an immediate; *imm of a shift becomes its amount. */
static uint8_t
op_imm(uint32_t w, int64_t *imm)
{
	static const uint8_t op[8] = { TRC_OP_addi, 0, TRC_OP_slti, TRC_OP_sltiu,
		                       TRC_OP_xori, 0, TRC_OP_ori,  TRC_OP_andi };

	if ((funct3(w) & 3) != 1)
		return op[funct3(w)];
	*imm = w >> 20 & 63;
	return bits_imm(w);
}

static uint8_t
op_imm_32(uint32_t w, int64_t *imm)
{
	static const struct encoding amount[] = {
		{ F(0x00, 1), TRC_OP_slliw },
		{ F(0x00, 5), TRC_OP_srliw },
		{ F(0x20, 5), TRC_OP_sraiw },
		{ F(0x30, 5), TRC_OP_roriw },
	};
	static const uint8_t count[3] = { TRC_OP_clzw, TRC_OP_ctzw, TRC_OP_cpopw };

	if (funct3(w) == 0)
		return TRC_OP_addiw;
	*imm = w >> 20 & 63;
	if (w >> 26 == 2 && funct3(w) == 1)
		return TRC_OP_slli_uw;
	*imm &= 31;
	if (functs(w) == F(0x30, 1))
		return *imm < 3 ? count[*imm] : TRC_OP_illegal;
	return find_encoding(amount, TRC_COUNT(amount), functs(w));
}

static uint8_t
op_reg(uint32_t w)
{
	static const uint8_t plain[8] = { TRC_OP_add, TRC_OP_sll, TRC_OP_slt, TRC_OP_sltu,
		                          TRC_OP_xor, TRC_OP_srl, TRC_OP_or,  TRC_OP_and };
	static const uint8_t multiply[8] = { TRC_OP_mul, TRC_OP_mulh, TRC_OP_mulhsu, TRC_OP_mulhu,
		                             TRC_OP_div, TRC_OP_divu, TRC_OP_rem,    TRC_OP_remu };
	static const struct encoding others[] = {
		{ F(0x20, 0), TRC_OP_sub },       { F(0x20, 5), TRC_OP_sra },
		{ F(0x20, 4), TRC_OP_xnor },      { F(0x20, 6), TRC_OP_orn },
		{ F(0x20, 7), TRC_OP_andn },      { F(0x05, 1), TRC_OP_clmul },
		{ F(0x05, 2), TRC_OP_clmulr },    { F(0x05, 3), TRC_OP_clmulh },
		{ F(0x05, 4), TRC_OP_min },       { F(0x05, 5), TRC_OP_minu },
		{ F(0x05, 6), TRC_OP_max },       { F(0x05, 7), TRC_OP_maxu },
		{ F(0x07, 5), TRC_OP_czero_eqz }, { F(0x07, 7), TRC_OP_czero_nez },
		{ F(0x10, 2), TRC_OP_sh1add },    { F(0x10, 4), TRC_OP_sh2add },
		{ F(0x10, 6), TRC_OP_sh3add },    { F(0x14, 1), TRC_OP_bset },
		{ F(0x24, 1), TRC_OP_bclr },      { F(0x24, 5), TRC_OP_bext },
		{ F(0x34, 1), TRC_OP_binv },      { F(0x30, 1), TRC_OP_rol },
		{ F(0x30, 5), TRC_OP_ror },
	};

	switch (w >> 25) {
	case 0: return plain[funct3(w)];
	case 1: return multiply[funct3(w)];
	}
	return find_encoding(others, TRC_COUNT(others), functs(w));
}

static uint8_t
op_reg_32(uint32_t w)
{
	static const struct encoding op[] = {
		{ F(0x00, 0), TRC_OP_addw },      { F(0x00, 1), TRC_OP_sllw },
		{ F(0x00, 5), TRC_OP_srlw },      { F(0x01, 0), TRC_OP_mulw },
		{ F(0x01, 4), TRC_OP_divw },      { F(0x01, 5), TRC_OP_divuw },
		{ F(0x01, 6), TRC_OP_remw },      { F(0x01, 7), TRC_OP_remuw },
		{ F(0x20, 0), TRC_OP_subw },      { F(0x20, 5), TRC_OP_sraw },
		{ F(0x04, 0), TRC_OP_add_uw },    { F(0x10, 2), TRC_OP_sh1add_uw },
		{ F(0x10, 4), TRC_OP_sh2add_uw }, { F(0x10, 6), TRC_OP_sh3add_uw },
		{ F(0x30, 1), TRC_OP_rolw },      { F(0x30, 5), TRC_OP_rorw },
	};

	if (functs(w) == F(0x04, 4))
		return w >> 20 & 31 ? TRC_OP_illegal : TRC_OP_zext_h;
	return find_encoding(op, TRC_COUNT(op), functs(w));
}

#undef F

static uint8_t
fence(uint32_t w)
{
	static const uint8_t block[5] = { TRC_OP_cbo_inval, TRC_OP_cbo_clean, TRC_OP_cbo_flush,
		                          TRC_OP_illegal, TRC_OP_cbo_zero };

	switch (funct3(w)) {
	case 0: return TRC_OP_fence;
	case 1: return TRC_OP_fence_i;
	case 2: return w >> 20 < 5 && !(w >> 7 & 31) ? block[w >> 20] : TRC_OP_illegal;
	}
	return TRC_OP_illegal;
}

static uint8_t
system_op(uint32_t w)
{
	static const uint8_t csr[8] = {
		TRC_OP_illegal, TRC_OP_csrrw,  TRC_OP_csrrs,  TRC_OP_csrrc,
		TRC_OP_illegal, TRC_OP_csrrwi, TRC_OP_csrrsi, TRC_OP_csrrci
	};

	switch (w) {
	case 0x00000073: return TRC_OP_ecall;
	case 0x00100073: return TRC_OP_ebreak;
	case 0x10200073: return TRC_OP_sret;
	case 0x30200073: return TRC_OP_mret;
	case 0x10500073: return TRC_OP_wfi;
	}
	if ((w & 0xfe007fff) == 0x12000073)
		return TRC_OP_sfence_vma;
	if (w >> 20 >= TRC_CSR_FFLAGS && w >> 20 <= TRC_CSR_FCSR && funct3(w) & 3)
		return (uint8_t)(csr[funct3(w)] - TRC_OP_csrrw + TRC_OP_fcsrrw);
	return csr[funct3(w)];
}

static uint8_t
atomic(uint32_t w)
{
	unsigned at;

	if (funct3(w) != 2 && funct3(w) != 3)
		return TRC_OP_illegal;
	switch (w >> 27) {
	case 0: at = TRC_OP_amoadd_w; break;
	case 1: at = TRC_OP_amoswap_w; break;
	case 2: at = w >> 20 & 31 ? TRC_OPS : TRC_OP_lr_w; break;
	case 3: at = TRC_OP_sc_w; break;
	case 4: at = TRC_OP_amoxor_w; break;
	case 8: at = TRC_OP_amoor_w; break;
	case 12: at = TRC_OP_amoand_w; break;
	case 16: at = TRC_OP_amomin_w; break;
	case 20: at = TRC_OP_amomax_w; break;
	case 24: at = TRC_OP_amominu_w; break;
	case 28: at = TRC_OP_amomaxu_w; break;
	default: at = TRC_OPS; break;
	}
	if (at == TRC_OPS)
		return TRC_OP_illegal;
	return (uint8_t)(funct3(w) == 2 ? at : at - TRC_OP_lr_w + TRC_OP_lr_d);
}

/* The formats of floating-point numbers, as instructions number them: s, d, h. */
enum { FORMATS = 3 };

/* Returns the operation of `op[n]` that the field selects. */
static unsigned
pick(const uint8_t *op, unsigned n, unsigned field)
{
	return field < n ? op[field] : TRC_OP_illegal;
}

/* Returns the operations whose funct3 is a rounding mode; TRC_OP_illegal if this is not one. */
static unsigned
float_rounded(unsigned funct5, unsigned rs2)
{
	static const uint8_t to_int[4] = { TRC_OP_fcvt_w_s, TRC_OP_fcvt_wu_s, TRC_OP_fcvt_l_s,
		                           TRC_OP_fcvt_lu_s };
	static const uint8_t from_int[4] = { TRC_OP_fcvt_from_w_s, TRC_OP_fcvt_from_wu_s,
		                             TRC_OP_fcvt_from_l_s, TRC_OP_fcvt_from_lu_s };

	switch (funct5) {
	case 0: return TRC_OP_fadd_s;
	case 1: return TRC_OP_fsub_s;
	case 2: return TRC_OP_fmul_s;
	case 3: return TRC_OP_fdiv_s;
	case 11: return rs2 ? TRC_OP_illegal : TRC_OP_fsqrt_s;
	case 24: return pick(to_int, 4, rs2);
	case 26: return pick(from_int, 4, rs2);
	}
	return TRC_OP_illegal;
}

/* Returns the operations whose funct3 selects the operation. */
static unsigned
float_plain(unsigned funct5, unsigned rs2, unsigned funct)
{
	static const uint8_t sign[3] = { TRC_OP_fsgnj_s, TRC_OP_fsgnjn_s, TRC_OP_fsgnjx_s };
	static const uint8_t most[2] = { TRC_OP_fmin_s, TRC_OP_fmax_s };
	static const uint8_t compare[3] = { TRC_OP_fle_s, TRC_OP_flt_s, TRC_OP_feq_s };
	static const uint8_t look[2] = { TRC_OP_fmv_x_s, TRC_OP_fclass_s };

	switch (funct5) {
	case 4: return pick(sign, 3, funct);
	case 5: return pick(most, 2, funct);
	case 20: return pick(compare, 3, funct);
	case 28: return rs2 ? TRC_OP_illegal : pick(look, 2, funct);
	case 30: return rs2 || funct ? TRC_OP_illegal : TRC_OP_fmv_f_s;
	}
	return TRC_OP_illegal;
}

/* Returns the conversion to a format from another one. */
static uint8_t
float_converted(unsigned format, unsigned from)
{
	static const uint8_t op[FORMATS][FORMATS] = {
		{ TRC_OP_illegal, TRC_OP_fcvt_s_d, TRC_OP_fcvt_s_h },
		{ TRC_OP_fcvt_d_s, TRC_OP_illegal, TRC_OP_fcvt_d_h },
		{ TRC_OP_fcvt_h_s, TRC_OP_fcvt_h_d, TRC_OP_illegal },
	};

	return from < FORMATS ? op[format][from] : TRC_OP_illegal;
}

static uint8_t
float_op(uint32_t w)
{
	const unsigned format = w >> 25 & 3, rs2 = w >> 20 & 31;
	const bool rounds = funct3(w) != 5 && funct3(w) != 6;
	unsigned op = float_plain(w >> 27, rs2, funct3(w));

	if (format >= FORMATS)
		return TRC_OP_illegal;
	if (w >> 27 == 8)
		return rounds ? float_converted(format, rs2) : TRC_OP_illegal;
	if (op == TRC_OP_illegal && rounds)
		op = float_rounded(w >> 27, rs2);
	return op == TRC_OP_illegal ? TRC_OP_illegal : (uint8_t)(op + format);
}

static uint8_t
float_fused(uint32_t w)
{
	const unsigned format = w >> 25 & 3;

	if (format >= FORMATS || funct3(w) == 5 || funct3(w) == 6)
		return TRC_OP_illegal;
	return (uint8_t)(TRC_OP_fmadd_s + FORMATS * (w >> 2 & 3) + format);
}

/* Returns one of the operations by the width in funct3: 1 for halfwords, 2 for words, 3 for
 * doublewords. */
static uint8_t
by_width(uint32_t w, uint8_t half, uint8_t word, uint8_t doubleword)
{
	switch (funct3(w)) {
	case 1: return half;
	case 2: return word;
	case 3: return doubleword;
	}
	return TRC_OP_illegal;
}

static uint8_t
opcode(uint32_t w, int64_t *imm)
{
	*imm = signed_from(w, 20);
	switch (w & 0x7f) {
	case 0x03: return load(w);
	case 0x07: return by_width(w, TRC_OP_flh, TRC_OP_flw, TRC_OP_fld);
	case 0x0f: return fence(w);
	case 0x13: return op_imm(w, imm);
	case 0x17: *imm = signed_from(w & 0xfffff000, 0); return TRC_OP_auipc;
	case 0x1b: return op_imm_32(w, imm);
	case 0x23: *imm = imm_s(w); return (uint8_t)(funct3(w) < 4 ? TRC_OP_sb + funct3(w) : 0);
	case 0x27: *imm = imm_s(w); return by_width(w, TRC_OP_fsh, TRC_OP_fsw, TRC_OP_fsd);
	case 0x2f: *imm = 0; return atomic(w);
	case 0x33: return op_reg(w);
	case 0x37: *imm = signed_from(w & 0xfffff000, 0); return TRC_OP_lui;
	case 0x3b: return op_reg_32(w);
	case 0x43:
	case 0x47:
	case 0x4b:
	case 0x4f: return float_fused(w);
	case 0x53: return float_op(w);
	case 0x63: *imm = imm_b(w); return branch(w);
	case 0x67: return funct3(w) ? TRC_OP_illegal : TRC_OP_jalr;
	case 0x6f: *imm = imm_j(w); return TRC_OP_jal;
	case 0x73: *imm = w >> 20; return system_op(w);
	}
	return TRC_OP_illegal;
}

struct trc_insn
trc_decode(uint32_t word)
{
	struct trc_insn i = { .len = (uint8_t)trc_insn_len((uint16_t)word) };
	uint32_t w = word;

	i.raw = i.len == 2 ? word & 0xffff : word;
	if (i.len == 2)
		w = trc_decompress((uint16_t)word);
	i.op = opcode(w, &i.imm);
	i.rd = w >> 7 & 31;
	i.rs1 = w >> 15 & 31;
	i.rs2 = w >> 20 & 31;
	i.rs3 = (uint8_t)(w >> 27);
	i.rm = (uint8_t)funct3(w);
	return i;
}

struct trc_insn
trc_decode_by(uint32_t word, unsigned isa)
{
	struct trc_insn i = trc_decode(word);
	const unsigned extension = trc_op_info[i.op].flags >> 5;

	if (extension && !(isa >> (extension - 1) & 1))
		i.op = TRC_OP_illegal;
	return i;
}
