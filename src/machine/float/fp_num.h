/* SPDX-License-Identifier: MIT
 *
 * Unpacked floating-point numbers, shared by fp.c and fp_convert.c.
 */
#ifndef TRC_MACHINE_FLOAT_FP_NUM_H
#define TRC_MACHINE_FLOAT_FP_NUM_H

#include "machine/float/fp.h"

/* The fields of an IEEE 754 format. */
struct trc_fp_layout {
	int bits;       /* bits of the fraction */
	int bias, most; /* exponent: bias; largest encoded value, of infinities and NaNs */
	uint64_t sign, nan;
};

enum trc_fp_kind { TRC_FP_ZERO, TRC_FP_FINITE, TRC_FP_INFINITE, TRC_FP_QUIET, TRC_FP_SIGNALLING };

/* The value sig * 2^(exp - 63). The highest bit of sig is set if the number is finite and not zero.
 * The struct fits in two registers. */
struct trc_fp_num {
	uint64_t sig;
	int32_t exp;
	uint8_t class; /* enum trc_fp_kind */
	bool sign;
};

const struct trc_fp_layout *trc_fp_layout(enum trc_fp_format f);
struct trc_fp_num trc_fp_unpack(enum trc_fp_format f, uint64_t v);

/* Rounds a finite number other than 0, and returns its encoding. */
uint64_t trc_fp_round(struct trc_fp *fp, enum trc_fp_format f, struct trc_fp_num n);

/* Returns v / 2^n, with the lowest bit set if any bit was lost. */
uint64_t trc_fp_jam(uint64_t v, int n);

/* Returns true if the magnitude is rounded up, given what follows its last digit. */
bool trc_fp_rounds_up(unsigned round, bool sign, bool odd, uint64_t rest, uint64_t half);

#endif
