/* SPDX-License-Identifier: MIT
 *
 * Floating-point operations that do not round, or convert: comparisons, classes, conversions.
 */
#include "base/bytes.h"
#include "machine/float/fp_num.h"

/* Maps encodings of numbers to integers in the same order: -0 is less than 0. */
static int64_t
rank(enum trc_fp_format f, uint64_t v)
{
	const uint64_t sign = trc_fp_layout(f)->sign;

	return v & sign ? -1 - (int64_t)(v ^ sign) : (int64_t)v;
}

enum nans { NONE, QUIET, SIGNALLING };

static enum nans
nans(enum trc_fp_format f, uint64_t a, uint64_t b)
{
	const unsigned x = trc_fp_unpack(f, a).class, y = trc_fp_unpack(f, b).class;

	if (x == TRC_FP_SIGNALLING || y == TRC_FP_SIGNALLING)
		return SIGNALLING;
	return x == TRC_FP_QUIET || y == TRC_FP_QUIET ? QUIET : NONE;
}

static uint64_t
pick(struct trc_fp *fp, enum trc_fp_format f, uint64_t a, uint64_t b, bool larger)
{
	const bool x = trc_fp_unpack(f, a).class >= TRC_FP_QUIET;
	const bool y = trc_fp_unpack(f, b).class >= TRC_FP_QUIET;

	if (nans(f, a, b) == SIGNALLING)
		fp->flags |= TRC_FP_INVALID;
	if (x)
		return y ? trc_fp_layout(f)->nan : b;
	if (y)
		return a;
	return (rank(f, a) < rank(f, b)) != larger ? a : b;
}

uint64_t
trc_fp_soft_min(struct trc_fp *fp, enum trc_fp_format f, uint64_t a, uint64_t b)
{
	return pick(fp, f, a, b, false);
}

uint64_t
trc_fp_soft_max(struct trc_fp *fp, enum trc_fp_format f, uint64_t a, uint64_t b)
{
	return pick(fp, f, a, b, true);
}

/* Returns true if both are zero, of either sign. */
static bool
zeros(enum trc_fp_format f, uint64_t a, uint64_t b)
{
	return ((a | b) & ~trc_fp_layout(f)->sign) == 0;
}

bool
trc_fp_soft_equal(struct trc_fp *fp, enum trc_fp_format f, uint64_t a, uint64_t b)
{
	const enum nans which = nans(f, a, b);

	if (which == SIGNALLING)
		fp->flags |= TRC_FP_INVALID;
	return which == NONE && (a == b || zeros(f, a, b));
}

bool
trc_fp_soft_less(struct trc_fp *fp, enum trc_fp_format f, uint64_t a, uint64_t b)
{
	if (nans(f, a, b) != NONE) {
		fp->flags |= TRC_FP_INVALID;
		return false;
	}
	return rank(f, a) < rank(f, b) && !zeros(f, a, b);
}

bool
trc_fp_soft_less_equal(struct trc_fp *fp, enum trc_fp_format f, uint64_t a, uint64_t b)
{
	if (nans(f, a, b) != NONE) {
		fp->flags |= TRC_FP_INVALID;
		return false;
	}
	return rank(f, a) <= rank(f, b) || zeros(f, a, b);
}

uint64_t
trc_fp_class(enum trc_fp_format f, uint64_t a)
{
	const struct trc_fp_num n = trc_fp_unpack(f, a);
	const bool normal = n.exp > -trc_fp_layout(f)->bias;

	switch ((enum trc_fp_kind)n.class) {
	case TRC_FP_ZERO: return UINT64_C(1) << (n.sign ? 3 : 4);
	case TRC_FP_FINITE: return UINT64_C(1) << (n.sign ? (normal ? 1 : 2) : (normal ? 6 : 5));
	case TRC_FP_INFINITE: return UINT64_C(1) << (n.sign ? 0 : 7);
	case TRC_FP_QUIET: return UINT64_C(1) << 9;
	case TRC_FP_SIGNALLING: return UINT64_C(1) << 8;
	}
	return 0;
}

/* Returns the largest magnitude for a sign. */
static uint64_t
limit(enum trc_fp_int to, bool sign)
{
	static const uint64_t most[] = { INT32_MAX, UINT32_MAX, INT64_MAX, UINT64_MAX };

	if (!sign)
		return most[to];
	return to == TRC_FP_WU || to == TRC_FP_LU ? 0 : most[to] + 1;
}

/* Returns the integer with this magnitude in the form of a register. */
static uint64_t
integer(uint64_t magnitude, bool sign, enum trc_fp_int to)
{
	const uint64_t v = sign ? 0 - magnitude : magnitude;

	return to == TRC_FP_W || to == TRC_FP_WU ? (uint64_t)(int64_t)(int32_t)(uint32_t)v : v;
}

uint64_t
trc_fp_soft_to_int(struct trc_fp *fp, enum trc_fp_format f, uint64_t a, enum trc_fp_int to)
{
	const struct trc_fp_num n = trc_fp_unpack(f, a);
	const uint64_t half = UINT64_C(1) << 63;
	uint64_t whole = 0, rest = 0;
	bool over = n.exp > 63, up;

	if (n.class == TRC_FP_ZERO)
		return 0;
	if (n.class != TRC_FP_FINITE) {
		fp->flags |= TRC_FP_INVALID;
		return integer(limit(to, n.sign && n.class == TRC_FP_INFINITE),
		               n.sign && n.class == TRC_FP_INFINITE, to);
	}
	if (n.exp < 0) {
		rest = trc_fp_jam(n.sig, -1 - n.exp);
	} else if (!over) {
		whole = n.sig >> (63 - n.exp);
		rest = n.exp == 63 ? 0 : n.sig << (n.exp + 1);
	}
	up = trc_fp_rounds_up(fp->round, n.sign, whole & 1, rest, half);
	over |= up && whole == UINT64_MAX;
	whole += up;
	if (over || whole > limit(to, n.sign)) {
		fp->flags |= TRC_FP_INVALID;
		return integer(limit(to, n.sign), n.sign, to);
	}
	if (rest)
		fp->flags |= TRC_FP_INEXACT;
	return integer(whole, n.sign, to);
}

uint64_t
trc_fp_soft_from_int(struct trc_fp *fp, enum trc_fp_format f, uint64_t a, enum trc_fp_int from)
{
	struct trc_fp_num n = { .class = TRC_FP_FINITE };
	int shift;

	if (from == TRC_FP_W)
		a = (uint64_t)(int64_t)(int32_t)(uint32_t)a;
	else if (from == TRC_FP_WU)
		a = (uint32_t)a;
	n.sign = (from == TRC_FP_W || from == TRC_FP_L) && a >> 63;
	n.sig = n.sign ? 0 - a : a;
	if (n.sig == 0)
		return 0;
	shift = trc_clz64(n.sig);
	n.sig <<= shift;
	n.exp = 63 - shift;
	return trc_fp_round(fp, f, n);
}

uint64_t
trc_fp_soft_convert(struct trc_fp *fp, enum trc_fp_format f, enum trc_fp_format from, uint64_t a)
{
	const struct trc_fp_layout *l = trc_fp_layout(f);
	const struct trc_fp_num n = trc_fp_unpack(from, a);

	switch ((enum trc_fp_kind)n.class) {
	case TRC_FP_ZERO: return n.sign ? l->sign : 0;
	case TRC_FP_INFINITE: return (n.sign ? l->sign : 0) | (uint64_t)l->most << l->bits;
	case TRC_FP_SIGNALLING: fp->flags |= TRC_FP_INVALID; return l->nan;
	case TRC_FP_QUIET: return l->nan;
	case TRC_FP_FINITE: break;
	}
	return trc_fp_round(fp, f, n);
}
