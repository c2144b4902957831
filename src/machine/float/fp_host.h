/* SPDX-License-Identifier: MIT
 *
 * The arithmetic of fp.h by the host where it cannot differ. Results that round: when rounding to
 * nearest, when the inexact flag is already set, and when the result is so far from the limits of
 * its range that no other flag can be raised. Exact results, which raise no flag: always. Functions
 * are inline, for callers that know the format.
 */
#ifndef TRC_MACHINE_FLOAT_FP_HOST_H
#define TRC_MACHINE_FLOAT_FP_HOST_H

#include <float.h>
#include <math.h>
#include <string.h>

#include "base/base.h"
#include "machine/float/fp.h"

#if FLT_EVAL_METHOD == 0 && FLT_RADIX == 2 && DBL_MANT_DIG == 53
#define TRC_FP_HOST 1
#else
#define TRC_FP_HOST 0
#endif

/* Returns true if the host has the format. */
static inline bool
trc_fp_host_has(enum trc_fp_format f)
{
	return TRC_FP_HOST && f != TRC_FP_HALF;
}

/* Returns true if the host may be asked for a result that rounds. */
static inline bool
trc_fp_host_may(const struct trc_fp *fp, enum trc_fp_format f)
{
	return trc_fp_host_has(f) && fp->round == TRC_FP_NEAREST_EVEN && fp->flags & TRC_FP_INEXACT;
}

/* Returns true if the host's result is certainly ours: it is not close to subnormal, infinite or a
 * NaN. */
static inline bool
trc_fp_host_holds(enum trc_fp_format f, uint64_t v)
{
	const unsigned most = f == TRC_FP_DOUBLE ? 2047 : 255;
	const unsigned exp = (unsigned)(v >> (f == TRC_FP_DOUBLE ? 52 : 23)) & most;

	return exp - 2 < most - 2;
}

static inline double
trc_fp_double(uint64_t v)
{
	double d;

	memcpy(&d, &v, sizeof(d));
	return d;
}

static inline float
trc_fp_float(uint64_t v)
{
	const uint32_t low = (uint32_t)v;
	float d;

	memcpy(&d, &low, sizeof(d));
	return d;
}

static inline uint64_t
trc_fp_of_double(double d)
{
	uint64_t v;

	memcpy(&v, &d, sizeof(v));
	return v;
}

static inline uint64_t
trc_fp_of_float(float d)
{
	uint32_t v;

	memcpy(&v, &d, sizeof(v));
	return v;
}

/* The value of a single or a double, which is exact as a double. */
static inline double
trc_fp_value(enum trc_fp_format f, uint64_t v)
{
	return f == TRC_FP_DOUBLE ? trc_fp_double(v) : (double)trc_fp_float(v);
}

/* Returns from an operation with the host's result if trc_fp_host_holds(). */
#define TRY_HOST(in_double, in_float)                                                            \
	do {                                                                                     \
		if (trc_fp_host_may(fp, f)) {                                                    \
			const uint64_t host = f == TRC_FP_DOUBLE ? trc_fp_of_double(in_double) : \
			                                           trc_fp_of_float(in_float);    \
                                                                                                 \
			if (TRC_LIKELY(trc_fp_host_holds(f, host)))                              \
				return host;                                                     \
		}                                                                                \
	} while (0)

static inline uint64_t
trc_fp_add(struct trc_fp *fp, enum trc_fp_format f, uint64_t a, uint64_t b)
{
	TRY_HOST(trc_fp_double(a) + trc_fp_double(b), trc_fp_float(a) + trc_fp_float(b));
	return trc_fp_soft_add(fp, f, a, b);
}

static inline uint64_t
trc_fp_sub(struct trc_fp *fp, enum trc_fp_format f, uint64_t a, uint64_t b)
{
	TRY_HOST(trc_fp_double(a) - trc_fp_double(b), trc_fp_float(a) - trc_fp_float(b));
	return trc_fp_soft_sub(fp, f, a, b);
}

static inline uint64_t
trc_fp_mul(struct trc_fp *fp, enum trc_fp_format f, uint64_t a, uint64_t b)
{
	TRY_HOST(trc_fp_double(a) * trc_fp_double(b), trc_fp_float(a) * trc_fp_float(b));
	return trc_fp_soft_mul(fp, f, a, b);
}

static inline uint64_t
trc_fp_div(struct trc_fp *fp, enum trc_fp_format f, uint64_t a, uint64_t b)
{
	TRY_HOST(trc_fp_double(a) / trc_fp_double(b), trc_fp_float(a) / trc_fp_float(b));
	return trc_fp_soft_div(fp, f, a, b);
}

static inline uint64_t
trc_fp_sqrt(struct trc_fp *fp, enum trc_fp_format f, uint64_t a)
{
	TRY_HOST(sqrt(trc_fp_double(a)), sqrtf(trc_fp_float(a)));
	return trc_fp_soft_sqrt(fp, f, a);
}

/* Returns a * b + c, rounded once. */
static inline uint64_t
trc_fp_fma(struct trc_fp *fp, enum trc_fp_format f, uint64_t a, uint64_t b, uint64_t c)
{
	TRY_HOST(fma(trc_fp_double(a), trc_fp_double(b), trc_fp_double(c)),
	         fmaf(trc_fp_float(a), trc_fp_float(b), trc_fp_float(c)));
	return trc_fp_soft_fma(fp, f, a, b, c);
}

/* Return the smaller and the larger operand: -0 is less than 0, and a number is preferred to a
 * NaN. */
static inline uint64_t
trc_fp_min(struct trc_fp *fp, enum trc_fp_format f, uint64_t a, uint64_t b)
{
	if (trc_fp_host_has(f) && trc_fp_value(f, a) < trc_fp_value(f, b))
		return a;
	return trc_fp_soft_min(fp, f, a, b);
}

static inline uint64_t
trc_fp_max(struct trc_fp *fp, enum trc_fp_format f, uint64_t a, uint64_t b)
{
	if (trc_fp_host_has(f) && trc_fp_value(f, a) > trc_fp_value(f, b))
		return a;
	return trc_fp_soft_max(fp, f, a, b);
}

/* Comparisons. `less` and `less_equal` raise the invalid flag for any NaN, `equal` only for a
 * signalling one. */
static inline bool
trc_fp_equal(struct trc_fp *fp, enum trc_fp_format f, uint64_t a, uint64_t b)
{
	const double x = trc_fp_value(f, a), y = trc_fp_value(f, b);

	if (trc_fp_host_has(f) && TRC_LIKELY(!isunordered(x, y)))
		return !(x < y) && !(x > y);
	return trc_fp_soft_equal(fp, f, a, b);
}

static inline bool
trc_fp_less(struct trc_fp *fp, enum trc_fp_format f, uint64_t a, uint64_t b)
{
	const double x = trc_fp_value(f, a), y = trc_fp_value(f, b);

	if (trc_fp_host_has(f) && TRC_LIKELY(!isunordered(x, y)))
		return x < y;
	return trc_fp_soft_less(fp, f, a, b);
}

static inline bool
trc_fp_less_equal(struct trc_fp *fp, enum trc_fp_format f, uint64_t a, uint64_t b)
{
	const double x = trc_fp_value(f, a), y = trc_fp_value(f, b);

	if (trc_fp_host_has(f) && TRC_LIKELY(!isunordered(x, y)))
		return x <= y;
	return trc_fp_soft_less_equal(fp, f, a, b);
}

/* Returns true if the integer part of x is within half of the range of `to`. */
static inline bool
trc_fp_fits(double x, enum trc_fp_int to)
{
	const double most = to == TRC_FP_W || to == TRC_FP_WU ? 0x1p30 : 0x1p62;

	return x < most && x > (to == TRC_FP_WU || to == TRC_FP_LU ? -1 : -most);
}

/* Conversions to an integer and from one. A value that does not fit becomes the nearest integer
 * that does; 32-bit results are sign-extended, and 32-bit operands are the low half. */
static inline uint64_t
trc_fp_to_int(struct trc_fp *fp, enum trc_fp_format f, uint64_t a, enum trc_fp_int to)
{
	const double x = trc_fp_value(f, a);

	if (trc_fp_host_has(f) && trc_fp_fits(x, to)) {
		const int64_t whole = (int64_t)x;
		const bool exact = !((double)whole < x) && !((double)whole > x);

		if (exact || fp->round == TRC_FP_TO_ZERO) {
			fp->flags |= exact ? 0 : TRC_FP_INEXACT;
			return (uint64_t)whole;
		}
	}
	return trc_fp_soft_to_int(fp, f, a, to);
}

static inline uint64_t
trc_fp_from_int(struct trc_fp *fp, enum trc_fp_format f, uint64_t a, enum trc_fp_int from)
{
	const bool narrow = from == TRC_FP_W || from == TRC_FP_WU;
	const int64_t is = from == TRC_FP_W ? (int32_t)(uint32_t)a :
	                   narrow           ? (int64_t)(uint32_t)a :
	                                      (int64_t)a;

	if (!(f == TRC_FP_DOUBLE && narrow && trc_fp_host_has(f)) && !trc_fp_host_may(fp, f))
		return trc_fp_soft_from_int(fp, f, a, from);
	if (from == TRC_FP_LU)
		return f == TRC_FP_DOUBLE ? trc_fp_of_double((double)a) : trc_fp_of_float((float)a);
	return f == TRC_FP_DOUBLE ? trc_fp_of_double((double)is) : trc_fp_of_float((float)is);
}

/* Converts a value of another format to this one. */
static inline uint64_t
trc_fp_convert(struct trc_fp *fp, enum trc_fp_format f, enum trc_fp_format from, uint64_t a)
{
	const double x = trc_fp_value(from, a);

	if (f == TRC_FP_DOUBLE && from == TRC_FP_SINGLE && trc_fp_host_has(f) && !isnan(x))
		return trc_fp_of_double(x);
	if (f == TRC_FP_SINGLE && from == TRC_FP_DOUBLE)
		TRY_HOST(0, (float)x);
	return trc_fp_soft_convert(fp, f, from, a);
}

#undef TRY_HOST

#endif
