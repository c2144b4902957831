/* SPDX-License-Identifier: MIT
 *
 * Handlers of floating-point instructions, except loads and stores. Source: volume I, chapters 11
 * (F) and 12 (D); Zfh 1.0.
 */
#include "machine/float/fp_host.h"
#include "machine/hart/core.h"

#define BOXED UINT64_C(0xffffffff00000000)
#define BOXED_HALF UINT64_C(0xffffffffffff0000)

/* Returns a single-precision value; one that is not NaN-boxed counts as a NaN. */
static inline uint64_t
unbox(uint64_t v)
{
	return v >= BOXED ? (uint32_t)v : TRC_FP_NAN_SINGLE;
}

/* Does the same for half precision. */
static inline uint64_t
unbox_half(uint64_t v)
{
	return v >= BOXED_HALF ? (uint16_t)v : TRC_FP_NAN_HALF;
}

#define FROM_h(reg) unbox_half(core->h.f[reg])
#define FROM_s(reg) unbox(core->h.f[reg])
#define FROM_d(reg) (core->h.f[reg])
#define TO_h(v) ((v) | BOXED_HALF)
#define TO_s(v) ((v) | BOXED)
#define TO_d(v) (v)
#define FORMAT_h TRC_FP_HALF
#define FORMAT_s TRC_FP_SINGLE
#define FORMAT_d TRC_FP_DOUBLE
#define SIGN_h (UINT64_C(1) << 15)
#define SIGN_s (UINT64_C(1) << 31)
#define SIGN_d (UINT64_C(1) << 63)

/* Returns the rounding mode of an instruction, from frm if it is dynamic; above 4 if it is
 * invalid. */
static inline uint8_t
rounding(const struct trc_core *core, const struct trc_hart_op *op)
{
	return op->imm == 7 ? core->h.frm : (uint8_t)op->imm;
}

/* Defines an instruction that rounds; `set` uses the operands a, b, c. */
#define ROUNDS(name, k, set)                                                      \
	TRC_EXEC(name##_##k)                                                      \
	{                                                                         \
		core->fp = (struct trc_fp){ rounding(core, op), core->h.fflags }; \
		if (TRC_UNLIKELY(core->fp.round >= TRC_FP_ROUNDS))                \
			return trc_exec_illegal(core, op, addr);                  \
		set;                                                              \
		core->h.fflags = core->fp.flags;                                  \
		TRC_NEXT;                                                         \
	}

/* Defines an instruction that does not round, but may raise flags. */
#define EXACT(name, k, set)                                      \
	TRC_EXEC(name##_##k)                                     \
	{                                                        \
		core->fp = (struct trc_fp){ 0, core->h.fflags }; \
		set;                                             \
		core->h.fflags = core->fp.flags;                 \
		TRC_NEXT;                                        \
	}

/* Defines an instruction that only moves or looks at bits. */
#define MOVES(name, k, set)  \
	TRC_EXEC(name##_##k) \
	{                    \
		set;         \
		TRC_NEXT;    \
	}

#define FD(k, value) core->h.f[op->rd] = TO_##k(value)
#define XD(value) core->h.x[op->rd] = (value)
#define A(k) FROM_##k(op->rs1)
#define B(k) FROM_##k(op->rs2)
#define C(k) FROM_##k(op->rs3)
#define X1 (core->h.x[op->rs1])

#define EACH(what, name, set) what(name, s, set(s)) what(name, d, set(d)) what(name, h, set(h))

#define FMADD(k) FD(k, trc_fp_fma(&core->fp, FORMAT_##k, A(k), B(k), C(k)))
#define FMSUB(k) FD(k, trc_fp_fma(&core->fp, FORMAT_##k, A(k), B(k), C(k) ^ SIGN_##k))
#define FNMSUB(k) FD(k, trc_fp_fma(&core->fp, FORMAT_##k, A(k) ^ SIGN_##k, B(k), C(k)))
#define FNMADD(k) FD(k, trc_fp_fma(&core->fp, FORMAT_##k, A(k) ^ SIGN_##k, B(k), C(k) ^ SIGN_##k))
EACH(ROUNDS, fmadd, FMADD)
EACH(ROUNDS, fmsub, FMSUB)
EACH(ROUNDS, fnmsub, FNMSUB)
EACH(ROUNDS, fnmadd, FNMADD)

#define FADD(k) FD(k, trc_fp_add(&core->fp, FORMAT_##k, A(k), B(k)))
#define FSUB(k) FD(k, trc_fp_sub(&core->fp, FORMAT_##k, A(k), B(k)))
#define FMUL(k) FD(k, trc_fp_mul(&core->fp, FORMAT_##k, A(k), B(k)))
#define FDIV(k) FD(k, trc_fp_div(&core->fp, FORMAT_##k, A(k), B(k)))
#define FSQRT(k) FD(k, trc_fp_sqrt(&core->fp, FORMAT_##k, A(k)))
EACH(ROUNDS, fadd, FADD)
EACH(ROUNDS, fsub, FSUB)
EACH(ROUNDS, fmul, FMUL)
EACH(ROUNDS, fdiv, FDIV)
EACH(ROUNDS, fsqrt, FSQRT)

#define TO_W(k) XD(trc_fp_to_int(&core->fp, FORMAT_##k, A(k), TRC_FP_W))
#define TO_WU(k) XD(trc_fp_to_int(&core->fp, FORMAT_##k, A(k), TRC_FP_WU))
#define TO_L(k) XD(trc_fp_to_int(&core->fp, FORMAT_##k, A(k), TRC_FP_L))
#define TO_LU(k) XD(trc_fp_to_int(&core->fp, FORMAT_##k, A(k), TRC_FP_LU))
EACH(ROUNDS, fcvt_w, TO_W)
EACH(ROUNDS, fcvt_wu, TO_WU)
EACH(ROUNDS, fcvt_l, TO_L)
EACH(ROUNDS, fcvt_lu, TO_LU)

#define FROM_W(k) FD(k, trc_fp_from_int(&core->fp, FORMAT_##k, X1, TRC_FP_W))
#define FROM_WU(k) FD(k, trc_fp_from_int(&core->fp, FORMAT_##k, X1, TRC_FP_WU))
#define FROM_L(k) FD(k, trc_fp_from_int(&core->fp, FORMAT_##k, X1, TRC_FP_L))
#define FROM_LU(k) FD(k, trc_fp_from_int(&core->fp, FORMAT_##k, X1, TRC_FP_LU))
EACH(ROUNDS, fcvt_from_w, FROM_W)
EACH(ROUNDS, fcvt_from_wu, FROM_WU)
EACH(ROUNDS, fcvt_from_l, FROM_L)
EACH(ROUNDS, fcvt_from_lu, FROM_LU)

#define CONVERT(to, from) FD(to, trc_fp_convert(&core->fp, FORMAT_##to, FORMAT_##from, A(from)))
ROUNDS(fcvt_s, d, CONVERT(s, d))
ROUNDS(fcvt_s, h, CONVERT(s, h))
ROUNDS(fcvt_d, s, CONVERT(d, s))
ROUNDS(fcvt_d, h, CONVERT(d, h))
ROUNDS(fcvt_h, s, CONVERT(h, s))
ROUNDS(fcvt_h, d, CONVERT(h, d))

#define FMIN(k) FD(k, trc_fp_min(&core->fp, FORMAT_##k, A(k), B(k)))
#define FMAX(k) FD(k, trc_fp_max(&core->fp, FORMAT_##k, A(k), B(k)))
#define FLE(k) XD(trc_fp_less_equal(&core->fp, FORMAT_##k, A(k), B(k)))
#define FLT(k) XD(trc_fp_less(&core->fp, FORMAT_##k, A(k), B(k)))
#define FEQ(k) XD(trc_fp_equal(&core->fp, FORMAT_##k, A(k), B(k)))
#define FCLASS(k) XD(trc_fp_class(FORMAT_##k, A(k)))
EACH(EXACT, fmin, FMIN)
EACH(EXACT, fmax, FMAX)
EACH(EXACT, fle, FLE)
EACH(EXACT, flt, FLT)
EACH(EXACT, feq, FEQ)
EACH(MOVES, fclass, FCLASS)

#define FSGNJ(k) FD(k, (A(k) & ~SIGN_##k) | (B(k) & SIGN_##k))
#define FSGNJN(k) FD(k, (A(k) & ~SIGN_##k) | (~B(k) & SIGN_##k))
#define FSGNJX(k) FD(k, A(k) ^ (B(k) & SIGN_##k))
EACH(MOVES, fsgnj, FSGNJ)
EACH(MOVES, fsgnjn, FSGNJN)
EACH(MOVES, fsgnjx, FSGNJX)

/* Moves of bits between integer and floating-point registers. */
MOVES(fmv_x, h, XD((uint64_t)(int16_t)(uint16_t)core->h.f[op->rs1]))
MOVES(fmv_x, s, XD((uint64_t)(int32_t)(uint32_t)core->h.f[op->rs1]))
MOVES(fmv_x, d, XD(core->h.f[op->rs1]))
MOVES(fmv_f, h, FD(h, (uint16_t)X1))
MOVES(fmv_f, s, FD(s, (uint32_t)X1))
MOVES(fmv_f, d, FD(d, X1))
