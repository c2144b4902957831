/* SPDX-License-Identifier: MIT
 *
 * IEEE 754 arithmetic in single and double precision, bit for bit as RISC-V has it: five rounding
 * modes, the five flags, tininess after rounding, one NaN. Values are their encodings, those of
 * single precision in the low 32 bits, where the upper ones are 0. Source: IEEE 754-2008; volume I,
 * chapters 11 and 12.
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

enum trc_fp_format { TRC_FP_SINGLE, TRC_FP_DOUBLE };

/* How to round, and the flags, which operations only set. */
struct trc_fp {
	uint8_t round, flags;
};

/* The NaN that every operation gives. */
#define TRC_FP_NAN_SINGLE UINT64_C(0x7fc00000)
#define TRC_FP_NAN_DOUBLE UINT64_C(0x7ff8000000000000)

uint64_t trc_fp_add(struct trc_fp *fp, enum trc_fp_format f, uint64_t a, uint64_t b);
uint64_t trc_fp_sub(struct trc_fp *fp, enum trc_fp_format f, uint64_t a, uint64_t b);
uint64_t trc_fp_mul(struct trc_fp *fp, enum trc_fp_format f, uint64_t a, uint64_t b);
uint64_t trc_fp_div(struct trc_fp *fp, enum trc_fp_format f, uint64_t a, uint64_t b);
uint64_t trc_fp_sqrt(struct trc_fp *fp, enum trc_fp_format f, uint64_t a);

/* a * b + c, rounded once. */
uint64_t trc_fp_fma(struct trc_fp *fp, enum trc_fp_format f, uint64_t a, uint64_t b, uint64_t c);

/* The smaller and the larger; -0 is below 0, and a number goes before a NaN. */
uint64_t trc_fp_min(struct trc_fp *fp, enum trc_fp_format f, uint64_t a, uint64_t b);
uint64_t trc_fp_max(struct trc_fp *fp, enum trc_fp_format f, uint64_t a, uint64_t b);

/* Comparisons; less, and less or equal, are invalid with any NaN, equal with a signalling one. */
bool trc_fp_equal(struct trc_fp *fp, enum trc_fp_format f, uint64_t a, uint64_t b);
bool trc_fp_less(struct trc_fp *fp, enum trc_fp_format f, uint64_t a, uint64_t b);
bool trc_fp_less_equal(struct trc_fp *fp, enum trc_fp_format f, uint64_t a, uint64_t b);

/* The class as fclass gives it: one bit of ten. */
uint64_t trc_fp_class(enum trc_fp_format f, uint64_t a);

enum trc_fp_int { TRC_FP_W, TRC_FP_WU, TRC_FP_L, TRC_FP_LU };

/* To an integer, the nearest there is if it does not fit, those of 32 bits extended by their sign;
 * and from one, of which those of 32 bits use the low half. */
uint64_t trc_fp_to_int(struct trc_fp *fp, enum trc_fp_format f, uint64_t a, enum trc_fp_int to);
uint64_t trc_fp_from_int(struct trc_fp *fp, enum trc_fp_format f, uint64_t a, enum trc_fp_int from);

/* To this format from the other one. */
uint64_t trc_fp_from_other(struct trc_fp *fp, enum trc_fp_format f, uint64_t a);

#endif
