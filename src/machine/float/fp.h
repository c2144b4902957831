/* SPDX-License-Identifier: MIT
 *
 * IEEE 754 arithmetic in half, single and double precision with the results of RISC-V, bit for bit:
 * five rounding modes, the five flags, tininess detected after rounding, one canonical NaN. Values
 * are given as their encodings in the low 16, 32 or 64 bits; the upper ones are 0.
 * Source: IEEE 754-2008; volume I, chapters 11 and 12; Zfh 1.0.
 */
#ifndef TRC_MACHINE_FLOAT_FP_H
#define TRC_MACHINE_FLOAT_FP_H

#include <stdbool.h>
#include <stdint.h>

enum trc_fp_round {
	TRC_FP_NEAREST_EVEN,
	TRC_FP_TO_ZERO,
	TRC_FP_DOWN,
	TRC_FP_UP,
	TRC_FP_NEAREST_AWAY, /* ties away from zero */
	TRC_FP_ROUNDS,
};

enum {
	TRC_FP_INEXACT = 1,
	TRC_FP_UNDERFLOW = 2,
	TRC_FP_OVERFLOW = 4,
	TRC_FP_BY_ZERO = 8,
	TRC_FP_INVALID = 16,
};

/* In the order in which instructions number them. */
enum trc_fp_format { TRC_FP_SINGLE, TRC_FP_DOUBLE, TRC_FP_HALF };

/* The rounding mode, and the flags. Operations set flags and never clear them. */
struct trc_fp {
	uint8_t round, flags;
};

/* The canonical NaN. */
#define TRC_FP_NAN_HALF UINT64_C(0x7e00)
#define TRC_FP_NAN_SINGLE UINT64_C(0x7fc00000)
#define TRC_FP_NAN_DOUBLE UINT64_C(0x7ff8000000000000)

enum trc_fp_int { TRC_FP_W, TRC_FP_WU, TRC_FP_L, TRC_FP_LU };

/* Returns the class as a bit mask, as fclass does. */
uint64_t trc_fp_class(enum trc_fp_format f, uint64_t a);

/* The functions of fp_host.h without the host. */
uint64_t trc_fp_soft_add(struct trc_fp *fp, enum trc_fp_format f, uint64_t a, uint64_t b);
uint64_t trc_fp_soft_sub(struct trc_fp *fp, enum trc_fp_format f, uint64_t a, uint64_t b);
uint64_t trc_fp_soft_mul(struct trc_fp *fp, enum trc_fp_format f, uint64_t a, uint64_t b);
uint64_t trc_fp_soft_div(struct trc_fp *fp, enum trc_fp_format f, uint64_t a, uint64_t b);
uint64_t trc_fp_soft_sqrt(struct trc_fp *fp, enum trc_fp_format f, uint64_t a);
uint64_t trc_fp_soft_fma(struct trc_fp *fp, enum trc_fp_format f, uint64_t a, uint64_t b,
                         uint64_t c);
uint64_t trc_fp_soft_min(struct trc_fp *fp, enum trc_fp_format f, uint64_t a, uint64_t b);
uint64_t trc_fp_soft_max(struct trc_fp *fp, enum trc_fp_format f, uint64_t a, uint64_t b);
bool trc_fp_soft_equal(struct trc_fp *fp, enum trc_fp_format f, uint64_t a, uint64_t b);
bool trc_fp_soft_less(struct trc_fp *fp, enum trc_fp_format f, uint64_t a, uint64_t b);
bool trc_fp_soft_less_equal(struct trc_fp *fp, enum trc_fp_format f, uint64_t a, uint64_t b);
uint64_t trc_fp_soft_to_int(struct trc_fp *fp, enum trc_fp_format f, uint64_t a,
                            enum trc_fp_int to);
uint64_t trc_fp_soft_from_int(struct trc_fp *fp, enum trc_fp_format f, uint64_t a,
                              enum trc_fp_int from);
uint64_t trc_fp_soft_convert(struct trc_fp *fp, enum trc_fp_format f, enum trc_fp_format from,
                             uint64_t a);

#endif
