/* SPDX-License-Identifier: MIT
 *
 * Arithmetic on unpacked numbers: a sign, an exponent, and a 64-bit significand whose highest bit
 * is set. Every operation computes its result exactly, or with a sticky bit that is set if anything
 * was cut off (there are 11 bits below the last one of the result), and rounds once.
 */
#include "machine/float/fp.h"

#include "base/bytes.h"
#include "machine/float/fp_num.h"
#include "machine/float/wide.h"

static const struct trc_fp_layout layout[] = {
	[TRC_FP_SINGLE] = { 23, 127, 255, UINT64_C(1) << 31, TRC_FP_NAN_SINGLE },
	[TRC_FP_DOUBLE] = { 52, 1023, 2047, UINT64_C(1) << 63, TRC_FP_NAN_DOUBLE },
	[TRC_FP_HALF] = { 10, 15, 31, UINT64_C(1) << 15, TRC_FP_NAN_HALF },
};

const struct trc_fp_layout *
trc_fp_layout(enum trc_fp_format f)
{
	return &layout[f];
}

struct trc_fp_num
trc_fp_unpack(enum trc_fp_format f, uint64_t v)
{
	const struct trc_fp_layout *l = &layout[f];
	const uint64_t fraction = v & ((UINT64_C(1) << l->bits) - 1);
	const int exp = (int)(v >> l->bits & (unsigned)l->most);
	struct trc_fp_num n = { .sign = v & l->sign, .class = TRC_FP_FINITE };

	if (exp == l->most) {
		n.class = !fraction                 ? TRC_FP_INFINITE :
		          fraction >> (l->bits - 1) ? TRC_FP_QUIET :
		                                      TRC_FP_SIGNALLING;
	} else if (exp) {
		n.sig = (UINT64_C(1) << 63) | fraction << (63 - l->bits);
		n.exp = exp - l->bias;
	} else if (fraction) {
		const int shift = trc_clz64(fraction);

		n.sig = fraction << shift;
		n.exp = 64 - shift - l->bias - l->bits;
	} else {
		n.class = TRC_FP_ZERO;
	}
	return n;
}

uint64_t
trc_fp_jam(uint64_t v, int n)
{
	if (n == 0)
		return v;
	return n > 63 ? v != 0 : v >> n | (v << (64 - n) != 0);
}

bool
trc_fp_rounds_up(unsigned round, bool sign, bool odd, uint64_t rest, uint64_t half)
{
	switch (round) {
	case TRC_FP_NEAREST_EVEN: return rest > half || (rest == half && odd);
	case TRC_FP_DOWN: return sign && rest;
	case TRC_FP_UP: return !sign && rest;
	case TRC_FP_NEAREST_AWAY: return rest >= half;
	}
	return false;
}

/* Returns the result of an overflow. */
static uint64_t
overflow(struct trc_fp *fp, const struct trc_fp_layout *l, bool sign)
{
	const uint64_t infinite = (uint64_t)l->most << l->bits;
	const bool largest = fp->round == TRC_FP_TO_ZERO ||
	                     fp->round == (sign ? TRC_FP_UP : TRC_FP_DOWN);

	fp->flags |= TRC_FP_OVERFLOW | TRC_FP_INEXACT;
	return (sign ? l->sign : 0) | (infinite - largest);
}

uint64_t
trc_fp_round(struct trc_fp *fp, enum trc_fp_format f, struct trc_fp_num n)
{
	const struct trc_fp_layout *l = &layout[f];
	const int drop = 63 - l->bits;
	const uint64_t half = UINT64_C(1) << (drop - 1), mask = 2 * half - 1;
	int exp = n.exp + l->bias;
	bool tiny = false;
	uint64_t kept;

	if (exp >= 1 && exp < l->most && !(n.sig & mask)) {
		kept = ((uint64_t)(exp - 1) << l->bits) + (n.sig >> drop);
		return (n.sign ? l->sign : 0) | kept;
	}
	if (exp < 1) {
		/* The result is tiny, unless rounding it to this precision with an unlimited
		 * exponent gives the smallest normal number. */
		kept = n.sig >> drop;
		kept += trc_fp_rounds_up(fp->round, n.sign, kept & 1, n.sig & mask, half);
		tiny = exp < 0 || !(kept >> (l->bits + 1));
		n.sig = trc_fp_jam(n.sig, 1 - exp);
		exp = 1;
	}
	kept = n.sig >> drop;
	kept += trc_fp_rounds_up(fp->round, n.sign, kept & 1, n.sig & mask, half);
	/* The leading bit, if there is one, adds 1 to the exponent, and so does a carry. */
	kept += (uint64_t)(exp - 1) << l->bits;
	if (kept >> l->bits >= (uint64_t)l->most)
		return overflow(fp, l, n.sign);
	if (n.sig & mask)
		fp->flags |= TRC_FP_INEXACT | (tiny ? TRC_FP_UNDERFLOW : 0);
	return (n.sign ? l->sign : 0) | kept;
}

static uint64_t
invalid(struct trc_fp *fp, enum trc_fp_format f)
{
	fp->flags |= TRC_FP_INVALID;
	return layout[f].nan;
}

static uint64_t
zero(enum trc_fp_format f, bool sign)
{
	return sign ? layout[f].sign : 0;
}

static uint64_t
infinite(enum trc_fp_format f, bool sign)
{
	return zero(f, sign) | (uint64_t)layout[f].most << layout[f].bits;
}

static bool
is_nan(struct trc_fp_num n)
{
	return n.class >= TRC_FP_QUIET;
}

/* Returns the result of an operation with a NaN among its operands. */
static uint64_t
nan_of(struct trc_fp *fp, enum trc_fp_format f, struct trc_fp_num a, struct trc_fp_num b)
{
	if (a.class == TRC_FP_SIGNALLING || b.class == TRC_FP_SIGNALLING)
		fp->flags |= TRC_FP_INVALID;
	return layout[f].nan;
}

/* Rounds a number that may have leading zeros; `n.exp` is the exponent of bit 63. */
static uint64_t
normalize(struct trc_fp *fp, enum trc_fp_format f, struct trc_fp_num n)
{
	const int shift = trc_clz64(n.sig);

	n.sig <<= shift;
	n.exp -= shift;
	return trc_fp_round(fp, f, n);
}

/* Adds two finite numbers other than 0. */
static uint64_t
add_finite(struct trc_fp *fp, enum trc_fp_format f, struct trc_fp_num a, struct trc_fp_num b)
{
	const bool swap = a.exp < b.exp || (a.exp == b.exp && a.sig < b.sig);
	const struct trc_fp_num big = swap ? b : a, small = swap ? a : b;
	const uint64_t other = trc_fp_jam(small.sig >> 1, big.exp - small.exp);
	struct trc_fp_num n = { .sign = big.sign, .exp = big.exp + 1 };

	n.sig = big.sign == small.sign ? (big.sig >> 1) + other : (big.sig >> 1) - other;
	if (n.sig == 0)
		return zero(f, fp->round == TRC_FP_DOWN);
	return normalize(fp, f, n);
}

uint64_t
trc_fp_soft_add(struct trc_fp *fp, enum trc_fp_format f, uint64_t a, uint64_t b)
{
	struct trc_fp_num x, y;

	x = trc_fp_unpack(f, a);
	y = trc_fp_unpack(f, b);
	if (is_nan(x) || is_nan(y))
		return nan_of(fp, f, x, y);
	if (x.class == TRC_FP_INFINITE)
		return y.class == TRC_FP_INFINITE && x.sign != y.sign ? invalid(fp, f) : a;
	if (y.class == TRC_FP_INFINITE)
		return b;
	if (x.class == TRC_FP_ZERO && y.class == TRC_FP_ZERO)
		return x.sign == y.sign ? a : zero(f, fp->round == TRC_FP_DOWN);
	if (x.class == TRC_FP_ZERO)
		return b;
	return y.class == TRC_FP_ZERO ? a : add_finite(fp, f, x, y);
}

uint64_t
trc_fp_soft_sub(struct trc_fp *fp, enum trc_fp_format f, uint64_t a, uint64_t b)
{
	return trc_fp_soft_add(fp, f, a, b ^ layout[f].sign);
}

uint64_t
trc_fp_soft_mul(struct trc_fp *fp, enum trc_fp_format f, uint64_t a, uint64_t b)
{
	struct trc_fp_num x, y, n = { 0 };
	uint64_t low;

	x = trc_fp_unpack(f, a);
	y = trc_fp_unpack(f, b);
	n.sign = x.sign != y.sign;
	if (is_nan(x) || is_nan(y))
		return nan_of(fp, f, x, y);
	if (x.class == TRC_FP_INFINITE || y.class == TRC_FP_INFINITE)
		return x.class == TRC_FP_ZERO || y.class == TRC_FP_ZERO ? invalid(fp, f) :
		                                                          infinite(f, n.sign);
	if (x.class == TRC_FP_ZERO || y.class == TRC_FP_ZERO)
		return zero(f, n.sign);
	/* Of the low half, only the sticky bit matters. */
	low = trc_wide_mul(x.sig, y.sig, &n.sig);
	n.sig |= low != 0;
	n.exp = x.exp + y.exp + 1;
	return normalize(fp, f, n);
}

/* Returns one 32-bit digit of (*rest * 2^32 + next) / d, where *rest < d and the highest bit of d
 * is set. Source: Knuth, The Art of Computer Programming 2, section 4.3.1, algorithm D. */
static uint64_t
digit(uint64_t *rest, uint64_t next, uint64_t d)
{
	uint64_t q = *rest / (d >> 32), r = *rest % (d >> 32);

	while (q >> 32 || q * (uint32_t)d > (r << 32 | next)) {
		q--;
		r += d >> 32;
		if (r >> 32)
			break;
	}
	*rest = (*rest << 32 | next) - q * d;
	return q;
}

static uint64_t
divide(struct trc_fp *fp, enum trc_fp_format f, struct trc_fp_num x, struct trc_fp_num y)
{
	/* This is x.sig * 2^63 / y.sig, which has 63 or 64 bits. */
	uint64_t rest = x.sig >> 1;
	struct trc_fp_num n = { .sign = x.sign != y.sign, .exp = x.exp - y.exp };

	n.sig = digit(&rest, (x.sig & 1) << 31, y.sig) << 32;
	n.sig |= digit(&rest, 0, y.sig);
	n.sig |= rest != 0;
	return normalize(fp, f, n);
}

uint64_t
trc_fp_soft_div(struct trc_fp *fp, enum trc_fp_format f, uint64_t a, uint64_t b)
{
	struct trc_fp_num x, y;
	bool sign;

	x = trc_fp_unpack(f, a);
	y = trc_fp_unpack(f, b);
	sign = x.sign != y.sign;
	if (is_nan(x) || is_nan(y))
		return nan_of(fp, f, x, y);
	if (x.class == y.class && x.class != TRC_FP_FINITE)
		return invalid(fp, f);
	if (x.class == TRC_FP_INFINITE)
		return infinite(f, sign);
	if (x.class == TRC_FP_ZERO || y.class == TRC_FP_INFINITE)
		return zero(f, sign);
	if (y.class == TRC_FP_ZERO) {
		fp->flags |= TRC_FP_BY_ZERO;
		return infinite(f, sign);
	}
	return divide(fp, f, x, y);
}

/* Computes 60 bits of the root, digit by digit, and a sticky bit. */
static uint64_t
root(struct trc_fp *fp, enum trc_fp_format f, struct trc_fp_num x)
{
	const bool odd = x.exp & 1;
	/* The significand is in [1, 4), with two bits before the point. */
	uint64_t high = odd ? x.sig : x.sig >> 1, low = odd ? 0 : x.sig << 63;
	struct trc_fp_num n = { .exp = (x.exp - odd) / 2 };
	uint64_t rest = 0;

	for (int i = 0; i < 60; i++) {
		const uint64_t trial = n.sig << 2 | 1;

		rest = rest << 2 | high >> 62;
		high = high << 2 | low >> 62;
		low <<= 2;
		n.sig <<= 1;
		if (rest >= trial) {
			rest -= trial;
			n.sig |= 1;
		}
	}
	n.sig = n.sig << 4 | ((rest | high | low) != 0);
	return trc_fp_round(fp, f, n);
}

uint64_t
trc_fp_soft_sqrt(struct trc_fp *fp, enum trc_fp_format f, uint64_t a)
{
	struct trc_fp_num x;

	x = trc_fp_unpack(f, a);
	if (is_nan(x))
		return nan_of(fp, f, x, x);
	if (x.class == TRC_FP_ZERO)
		return a;
	if (x.sign)
		return invalid(fp, f);
	return x.class == TRC_FP_INFINITE ? a : root(fp, f, x);
}

/* Numbers of 128 bits. */
struct wide {
	uint64_t high, low;
};

static struct wide
wide_jam(struct wide v, int n)
{
	if (n == 0)
		return v;
	if (n >= 64)
		return (struct wide){ 0, trc_fp_jam(v.high, n - 64) | (v.low != 0) };
	return (struct wide){ v.high >> n, v.high << (64 - n) | trc_fp_jam(v.low, n) };
}

static struct wide
wide_sum(struct wide a, struct wide b)
{
	const uint64_t low = a.low + b.low;

	return (struct wide){ a.high + b.high + (low < a.low), low };
}

static struct wide
wide_difference(struct wide a, struct wide b)
{
	return (struct wide){ a.high - b.high - (a.low < b.low), a.low - b.low };
}

static struct wide
wide_shift(struct wide v, int n)
{
	if (n == 0)
		return v;
	if (n >= 64)
		return (struct wide){ v.low << (n - 64), 0 };
	return (struct wide){ v.high << n | v.low >> (64 - n), v.low << n };
}

/* Adds a product p and c. Bit 127 or bit 126 of p is set; n has its sign, and the exponent of bit
 * 127. */
static uint64_t
add_product(struct trc_fp *fp, enum trc_fp_format f, struct trc_fp_num n, struct wide p,
            struct trc_fp_num c)
{
	const int shift = p.high >> 63 ? 0 : 1;
	struct wide big = wide_shift(p, shift), small = { c.sig, 0 };
	const bool swap = n.exp - shift < c.exp || (n.exp - shift == c.exp && big.high < c.sig);
	int distance = n.exp - shift - c.exp;

	if (swap) {
		small = big;
		big = (struct wide){ c.sig, 0 };
		distance = -distance;
	}
	/* Make room for a carry: the lowest bit of both is 0. */
	big = wide_jam(big, 1);
	small = wide_jam(small, distance + 1);
	big = n.sign == c.sign ? wide_sum(big, small) : wide_difference(big, small);
	if (!(big.high | big.low))
		return zero(f, fp->round == TRC_FP_DOWN);
	n.exp = (swap ? c.exp : n.exp - shift) + 1;
	n.sign = swap ? c.sign : n.sign;
	if (!big.high) {
		big = wide_shift(big, 64);
		n.exp -= 64;
	}
	n.exp -= trc_clz64(big.high);
	big = wide_shift(big, trc_clz64(big.high));
	n.sig = big.high | (big.low != 0);
	return trc_fp_round(fp, f, n);
}

uint64_t
trc_fp_soft_fma(struct trc_fp *fp, enum trc_fp_format f, uint64_t a, uint64_t b, uint64_t c)
{
	const struct trc_fp_num x = trc_fp_unpack(f, a), y = trc_fp_unpack(f, b);
	const struct trc_fp_num z = trc_fp_unpack(f, c);
	struct trc_fp_num n = { .sign = x.sign != y.sign, .exp = x.exp + y.exp + 1 };
	struct wide p;

	if ((x.class == TRC_FP_INFINITE && y.class == TRC_FP_ZERO) ||
	    (x.class == TRC_FP_ZERO && y.class == TRC_FP_INFINITE))
		return invalid(fp, f);
	if (is_nan(x) || is_nan(y) || is_nan(z)) {
		nan_of(fp, f, z, z);
		return nan_of(fp, f, x, y);
	}
	if (x.class == TRC_FP_INFINITE || y.class == TRC_FP_INFINITE)
		return z.class == TRC_FP_INFINITE && z.sign != n.sign ? invalid(fp, f) :
		                                                        infinite(f, n.sign);
	if (z.class == TRC_FP_INFINITE)
		return c;
	if (x.class == TRC_FP_ZERO || y.class == TRC_FP_ZERO) {
		if (z.class != TRC_FP_ZERO || z.sign == n.sign)
			return c;
		return zero(f, fp->round == TRC_FP_DOWN);
	}
	p.low = trc_wide_mul(x.sig, y.sig, &p.high);
	if (z.class != TRC_FP_ZERO)
		return add_product(fp, f, n, p, z);
	n.sig = p.high | (p.low != 0);
	return normalize(fp, f, n);
}
