/* SPDX-License-Identifier: MIT
 *
 * The functions of codec/entropy/range_coder.h to be compiled into loops: one code for both
 * directions, so that they cannot drift apart. `writes` is a constant to the compiler, so that each
 * direction is compiled for itself, and when reading `rc` is best a copy that lives in registers:
 * one of which nothing else has the address.
 */
#ifndef TRC_CODEC_ENTROPY_RANGE_CODER_INLINE_H
#define TRC_CODEC_ENTROPY_RANGE_CODER_INLINE_H

#include "codec/entropy/range_coder.h"

/* Moves the top of `low` out. */
void trc_rc_shift_low(struct trc_rc *rc);

/* What was moved out grows by one. */
void trc_rc_carry(struct trc_rc *rc);

/* Makes `range` large enough for the next bit. */
static TRC_ALWAYS_INLINE void
trc_rc_renew(struct trc_rc *rc, bool writes)
{
	if (!writes) {
		trc_rc_refill(rc);
	} else if (rc->range < TRC_RC_TOP) {
		rc->range <<= 8 * TRC_RC_MORE;
		trc_rc_shift_low(rc);
	}
}

/* Writes a 1, which is above `bound`. */
static TRC_ALWAYS_INLINE void
trc_rc_raise(struct trc_rc *rc, uint64_t bound)
{
	rc->low += bound;
	if (rc->low < bound)
		trc_rc_carry(rc);
}

/* Codes a bit by a model. Most of these can be foreseen: with a branch, the next one begins before
 * this one is known. */
static TRC_ALWAYS_INLINE unsigned
trc_rc_code_bit(struct trc_rc *rc, bool writes, struct trc_bit *m, unsigned bit)
{
	const uint64_t bound = (rc->range >> 16) * trc_bit_zero(m);

	if (writes ? !bit : rc->code < bound) {
		rc->range = bound;
		trc_bit_learn(m, 0);
		bit = 0;
	} else {
		rc->range -= bound;
		if (writes)
			trc_rc_raise(rc, bound);
		else
			rc->code -= bound;
		trc_bit_learn(m, 1);
		bit = 1;
	}
	trc_rc_renew(rc, writes);
	return bit;
}

/* The same for one that is hard to foresee, as if both came as often: without a branch. */
static TRC_ALWAYS_INLINE unsigned
trc_rc_code_fair(struct trc_rc *rc, bool writes, struct trc_bit *m, unsigned bit)
{
	const uint64_t bound = (rc->range >> 16) * trc_bit_zero(m);
	uint64_t is;

	if (writes)
		return trc_rc_code_bit(rc, true, m, bit);
	is = UINT64_C(0) - (rc->code >= bound);
	rc->code -= bound & is;
	rc->range = bound + ((rc->range - 2 * bound) & is);
	trc_bit_move(m, (int32_t)(TRC_BIT_MOST - (is & (TRC_BIT_MOST - TRC_BIT_LEAST))));
	trc_rc_refill(rc);
	return is & 1;
}

/* Codes a symbol that is known to have no more than `used` bits by a part of the tree of `bits`
 * bits: the same models as in the whole tree, whose first decisions are left out. */
static TRC_ALWAYS_INLINE unsigned
trc_rc_code_branch(struct trc_rc *rc, bool writes, struct trc_bit *m, int bits, int used,
                   unsigned v)
{
	unsigned node = 1u << (bits - used);

	for (int i = used - 1; i >= 0; i--)
		node = node << 1 | trc_rc_code_bit(rc, writes, &m[node], v >> i & 1);
	return node - (1u << bits);
}

/* The same of bits that are hard to foresee. */
static TRC_ALWAYS_INLINE unsigned
trc_rc_code_fair_tree(struct trc_rc *rc, bool writes, struct trc_bit *m, int bits, unsigned v)
{
	unsigned node = 1;

	for (int i = bits - 1; i >= 0; i--)
		node = node << 1 | trc_rc_code_fair(rc, writes, &m[node], v >> i & 1);
	return node - (1u << bits);
}

static TRC_ALWAYS_INLINE unsigned
trc_rc_code_tree(struct trc_rc *rc, bool writes, struct trc_bit *m, int bits, unsigned v)
{
	return trc_rc_code_branch(rc, writes, m, bits, bits, v);
}

static TRC_ALWAYS_INLINE uint64_t
trc_rc_code_num(struct trc_rc *rc, bool writes, struct trc_num *m, uint64_t v)
{
	unsigned len = (unsigned)(64 - trc_clz64(v)), near;
	uint64_t sum = 1;

	near = trc_rc_code_tree(rc, writes, m->len, 5, len < TRC_LEN_FAR ? len : TRC_LEN_FAR);
	len = TRC_LIKELY(near < TRC_LEN_FAR)
		      ? near
		      : TRC_LEN_FAR + trc_rc_code_tree(rc, writes, m->far, 6, len - TRC_LEN_FAR);
	if (len == 0 || len > 64)
		return 0;
	for (int i = (int)len - 2; i >= 0; i--)
		sum = sum << 1 |
		      trc_rc_code_fair(rc, writes, trc_num_bit(m, len, i, sum), v >> i & 1);
	return sum;
}

/* Numbers that are rare: by a call, which leaves `rc` in registers. */
static TRC_ALWAYS_INLINE uint64_t
trc_rc_code_rare(struct trc_rc *rc, bool writes, struct trc_num *m, uint64_t v)
{
	struct trc_rc copy = *rc;

	if (writes)
		return trc_rc_num(rc, m, v);
	v = trc_rc_num(&copy, m, v);
	*rc = copy;
	return v;
}

#endif
