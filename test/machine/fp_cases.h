/* SPDX-License-Identifier: MIT
 *
 * Floating-point operations on made-up operands, the same ones wherever this is compiled: fp.c runs
 * them on our arithmetic, fp_guest.c on that of a processor or of an emulator. What each gives is a
 * hash of all results and flags.
 */
#ifndef TRC_TEST_MACHINE_FP_CASES_H
#define TRC_TEST_MACHINE_FP_CASES_H

#include <stdint.h>

/* OP(name, operands); both formats have all of them. */
/* clang-format off */
#define FP_OPS \
	OP(fadd, 2) OP(fsub, 2) OP(fmul, 2) OP(fdiv, 2) OP(fsqrt, 1) \
	OP(fmadd, 3) OP(fmsub, 3) OP(fnmsub, 3) OP(fnmadd, 3) \
	OP(fmin, 2) OP(fmax, 2) OP(fle, 2) OP(flt, 2) OP(feq, 2) OP(fclass, 1) \
	OP(fsgnj, 2) OP(fsgnjn, 2) OP(fsgnjx, 2) \
	OP(to_w, 1) OP(to_wu, 1) OP(to_l, 1) OP(to_lu, 1) \
	OP(from_w, 0) OP(from_wu, 0) OP(from_l, 0) OP(from_lu, 0) OP(other, 4)
/* clang-format on */

enum {
#define OP(name, operands) FP_##name,
	FP_OPS
#undef OP
	        FP_OP_COUNT
};

struct fp_case {
	uint64_t a, b, c; /* single precision is boxed, nearly always */
};

static inline uint64_t
fp_random(uint64_t *state)
{
	uint64_t z = *state += UINT64_C(0x9e3779b97f4a7c15);

	z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
	z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
	return z ^ z >> 31;
}

/* A fraction with few bits set, or few clear, or any. */
static inline uint64_t
fp_fraction(uint64_t *state, int bits)
{
	const uint64_t r = fp_random(state), mask = (UINT64_C(1) << bits) - 1;
	const uint64_t one = UINT64_C(1) << (r >> 32) % (unsigned)bits;
	const uint64_t other = UINT64_C(1) << (r >> 40) % (unsigned)bits;

	switch (r & 7) {
	case 0: return 0;
	case 1: return mask;
	case 2: return one;
	case 3: return mask & ~one;
	case 4: return (one - 1) ^ (other - 1);
	}
	return fp_random(state) & mask;
}

/* An operand: the exponents near both ends, near the middle, and any; NaNs of both kinds. `near`
 * is the exponent field of another operand. */
static inline uint64_t
fp_operand(uint64_t *state, int dbl, unsigned *near)
{
	const int bits = dbl ? 52 : 23;
	const unsigned most = dbl ? 2047 : 255;
	const uint64_t r = fp_random(state);
	unsigned exp = (unsigned)(r >> 8) & most;
	uint64_t v;

	switch (r & 15) {
	case 0: exp = 0; break;
	case 1: exp = most; break;
	case 2: exp &= 3; break;
	case 3: exp = most - (exp & 3); break;
	case 4:
	case 5:
	case 6: exp = most / 2 + (exp & 63) - 32; break;
	case 7:
	case 8:
	case 9:
	case 10: exp = (*near + (exp & 7) - 4) & most; break;
	case 11: exp = (*near + (unsigned)bits + (exp & 7) - 4) & most; break;
	case 12: exp = (most - *near + (exp & 7) - 4) & most; break;
	}
	*near = exp;
	v = (uint64_t)exp << bits | fp_fraction(state, bits);
	v |= (r >> 60 & 1) << (dbl ? 63 : 31);
	if (!dbl && (r >> 50 & 127) != 0)
		v |= UINT64_C(0xffffffff00000000);
	return v;
}

static inline void
fp_case(uint64_t *state, int op, int dbl, struct fp_case *c)
{
	unsigned near = dbl ? 1023 : 127;

	if (op >= FP_from_w && op <= FP_from_lu) {
		const uint64_t any = fp_random(state);

		/* Integers of every length. */
		c->a = any >> (fp_random(state) & 63);
		if (fp_random(state) & 1)
			c->a = 0 - c->a;
		return;
	}
	c->a = fp_operand(state, op == FP_other ? !dbl : dbl, &near);
	c->b = fp_operand(state, dbl, &near);
	c->c = fp_operand(state, dbl, &near);
}

static inline uint64_t
fp_hash(uint64_t hash, uint64_t result, unsigned flags)
{
	hash = (hash ^ result) * UINT64_C(0x9fb21c651e98df25);
	hash ^= hash >> 29;
	return (hash ^ flags) * UINT64_C(0x9fb21c651e98df25);
}

/* The seed of a round; all its operations have their own. */
static inline uint64_t
fp_seed(int op, int dbl, int round)
{
	return (uint64_t)((op * 2 + dbl) * 8 + round) << 40;
}

#endif
