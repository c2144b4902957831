/* SPDX-License-Identifier: MIT
 *
 * Handlers of floating-point instructions, except loads and stores. Source: volume I, chapters 11
 * (F) and 12 (D).
 */
#include "machine/hart/core.h"

#define BOXED UINT64_C(0xffffffff00000000)

/* Returns a single-precision value; one that is not NaN-boxed counts as a NaN. */
static inline uint64_t
unbox(uint64_t v)
{
	return v >= BOXED ? (uint32_t)v : TRC_FP_NAN_SINGLE;
}

#define FROM_s(reg) unbox(core->h.f[reg])
#define FROM_d(reg) (core->h.f[reg])
#define TO_s(v) ((v) | BOXED)
#define TO_d(v) (v)
#define FORMAT_s TRC_FP_SINGLE
#define FORMAT_d TRC_FP_DOUBLE
#define SIGN_s (UINT64_C(1) << 31)
#define SIGN_d (UINT64_C(1) << 63)

/* Returns the rounding mode of an instruction, from frm if it is dynamic; above 4 if it is
 * invalid. */
static inline uint8_t
rounding(const struct trc_core *core, const struct trc_op *op)
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

/* Defines an instruction that does not round. */
#define EXACT(name, k, set)                                      \
	TRC_EXEC(name##_##k)                                     \
	{                                                        \
		core->fp = (struct trc_fp){ 0, core->h.fflags }; \
		set;                                             \
		core->h.fflags = core->fp.flags;                 \
		TRC_NEXT;                                        \
	}

#define FD(k, value) core->h.f[op->rd] = TO_##k(value)
#define XD(value) core->h.x[op->rd] = (value)
#define A(k) FROM_##k(op->rs1)
#define B(k) FROM_##k(op->rs2)
#define C(k) FROM_##k(op->rs3)
#define X1 (core->h.x[op->rs1])

#define BOTH(what, name, set) what(name, s, set(s)) what(name, d, set(d))

#define FMADD(k) FD(k, trc_fp_fma(&core->fp, FORMAT_##k, A(k), B(k), C(k)))
#define FMSUB(k) FD(k, trc_fp_fma(&core->fp, FORMAT_##k, A(k), B(k), C(k) ^ SIGN_##k))
#define FNMSUB(k) FD(k, trc_fp_fma(&core->fp, FORMAT_##k, A(k) ^ SIGN_##k, B(k), C(k)))
#define FNMADD(k) FD(k, trc_fp_fma(&core->fp, FORMAT_##k, A(k) ^ SIGN_##k, B(k), C(k) ^ SIGN_##k))
BOTH(ROUNDS, fmadd, FMADD)
BOTH(ROUNDS, fmsub, FMSUB)
BOTH(ROUNDS, fnmsub, FNMSUB)
BOTH(ROUNDS, fnmadd, FNMADD)

#define FADD(k) FD(k, trc_fp_add(&core->fp, FORMAT_##k, A(k), B(k)))
#define FSUB(k) FD(k, trc_fp_sub(&core->fp, FORMAT_##k, A(k), B(k)))
#define FMUL(k) FD(k, trc_fp_mul(&core->fp, FORMAT_##k, A(k), B(k)))
#define FDIV(k) FD(k, trc_fp_div(&core->fp, FORMAT_##k, A(k), B(k)))
#define FSQRT(k) FD(k, trc_fp_sqrt(&core->fp, FORMAT_##k, A(k)))
BOTH(ROUNDS, fadd, FADD)
BOTH(ROUNDS, fsub, FSUB)
BOTH(ROUNDS, fmul, FMUL)
BOTH(ROUNDS, fdiv, FDIV)
BOTH(ROUNDS, fsqrt, FSQRT)

#define TO_W(k) XD(trc_fp_to_int(&core->fp, FORMAT_##k, A(k), TRC_FP_W))
#define TO_WU(k) XD(trc_fp_to_int(&core->fp, FORMAT_##k, A(k), TRC_FP_WU))
#define TO_L(k) XD(trc_fp_to_int(&core->fp, FORMAT_##k, A(k), TRC_FP_L))
#define TO_LU(k) XD(trc_fp_to_int(&core->fp, FORMAT_##k, A(k), TRC_FP_LU))
BOTH(ROUNDS, fcvt_w, TO_W)
BOTH(ROUNDS, fcvt_wu, TO_WU)
BOTH(ROUNDS, fcvt_l, TO_L)
BOTH(ROUNDS, fcvt_lu, TO_LU)

#define FROM_W(k) FD(k, trc_fp_from_int(&core->fp, FORMAT_##k, X1, TRC_FP_W))
#define FROM_WU(k) FD(k, trc_fp_from_int(&core->fp, FORMAT_##k, X1, TRC_FP_WU))
#define FROM_L(k) FD(k, trc_fp_from_int(&core->fp, FORMAT_##k, X1, TRC_FP_L))
#define FROM_LU(k) FD(k, trc_fp_from_int(&core->fp, FORMAT_##k, X1, TRC_FP_LU))
BOTH(ROUNDS, fcvt_from_w, FROM_W)
BOTH(ROUNDS, fcvt_from_wu, FROM_WU)
BOTH(ROUNDS, fcvt_from_l, FROM_L)
BOTH(ROUNDS, fcvt_from_lu, FROM_LU)

ROUNDS(fcvt_other, s, FD(s, trc_fp_from_other(&core->fp, TRC_FP_SINGLE, A(d))))
ROUNDS(fcvt_other, d, FD(d, trc_fp_from_other(&core->fp, TRC_FP_DOUBLE, A(s))))

#define FMIN(k) FD(k, trc_fp_min(&core->fp, FORMAT_##k, A(k), B(k)))
#define FMAX(k) FD(k, trc_fp_max(&core->fp, FORMAT_##k, A(k), B(k)))
#define FLE(k) XD(trc_fp_less_equal(&core->fp, FORMAT_##k, A(k), B(k)))
#define FLT(k) XD(trc_fp_less(&core->fp, FORMAT_##k, A(k), B(k)))
#define FEQ(k) XD(trc_fp_equal(&core->fp, FORMAT_##k, A(k), B(k)))
#define FCLASS(k) XD(trc_fp_class(FORMAT_##k, A(k)))
BOTH(EXACT, fmin, FMIN)
BOTH(EXACT, fmax, FMAX)
BOTH(EXACT, fle, FLE)
BOTH(EXACT, flt, FLT)
BOTH(EXACT, feq, FEQ)
BOTH(EXACT, fclass, FCLASS)

#define FSGNJ(k) FD(k, (A(k) & ~SIGN_##k) | (B(k) & SIGN_##k))
#define FSGNJN(k) FD(k, (A(k) & ~SIGN_##k) | (~B(k) & SIGN_##k))
#define FSGNJX(k) FD(k, A(k) ^ (B(k) & SIGN_##k))
BOTH(EXACT, fsgnj, FSGNJ)
BOTH(EXACT, fsgnjn, FSGNJN)
BOTH(EXACT, fsgnjx, FSGNJX)

/* Moves of bits between integer and floating-point registers. */
EXACT(fmv_x, s, XD((uint64_t)(int32_t)(uint32_t)core->h.f[op->rs1]))
EXACT(fmv_x, d, XD(core->h.f[op->rs1]))
EXACT(fmv_f, s, FD(s, (uint32_t)X1))
EXACT(fmv_f, d, FD(d, X1))
