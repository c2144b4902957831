/* SPDX-License-Identifier: MIT
 * Unpacked floating-point numbers: what fp.c and fp_convert.c share. */
#ifndef TRC_MACHINE_FLOAT_FP_NUM_H
#define TRC_MACHINE_FLOAT_FP_NUM_H

#include "machine/float/fp.h"

/* A format of IEEE 754: its fields. */
struct trc_fp_layout {
	int bits;       /* of the fraction */
	int bias, most; /* of the exponent; its largest value, for what is not finite */
	uint64_t sign, nan;
};

enum trc_fp_kind { TRC_FP_ZERO, TRC_FP_FINITE, TRC_FP_INFINITE, TRC_FP_QUIET, TRC_FP_SIGNALLING };

/* sig * 2^(exp - 63); the highest bit of sig is set if it is finite, and not zero. Two registers.
 *  */
struct trc_fp_num {
	uint64_t sig;
	int32_t exp;
	uint8_t class; /* enum trc_fp_kind */
	bool sign;
};

const struct trc_fp_layout *trc_fp_layout(enum trc_fp_format f);
struct trc_fp_num trc_fp_unpack(enum trc_fp_format f, uint64_t v);

/* The encoding of a finite number other than 0, rounded. */
uint64_t trc_fp_round(struct trc_fp *fp, enum trc_fp_format f, struct trc_fp_num n);

/* v / 2^n, where the lowest bit is set if anything was lost. */
uint64_t trc_fp_jam(uint64_t v, int n);

/* Whether the magnitude is rounded up, given what is beyond its last digit. */
bool trc_fp_rounds_up(unsigned round, bool sign, bool odd, uint64_t rest, uint64_t half);

#endif
