/* SPDX-License-Identifier: MIT
 *
 * A binary range coder with adaptive models, for data without long repeats (G. N. N. Martin,
 * 1979). container/SPEC.md, "Range coder", has the arithmetic. Past the end of its bytes the
 * decoder reads zeros, the first four of which are left out of every stream. What more of them
 * decode to is nonsense that its caller must bound, by trc_rc_overrun(). Where a bit is whether
 * something holds, 1 is yes unless stated otherwise.
 */
#ifndef TRC_CODEC_ENTROPY_RANGE_CODER_H
#define TRC_CODEC_ENTROPY_RANGE_CODER_H

#include "base/buf.h"
#include "codec/entropy/counter.h"

/* A bit model: the counter of its zeros, with limit 30, that moves to 65472 / 65536 for a 0 and to
 * 64 / 65536 for a 1, so that neither is ever impossible. */
struct trc_bit {
	struct trc_counter zero;
};

#define TRC_BIT_EVEN ((struct trc_bit){ TRC_COUNTER_NEW })

enum { TRC_BIT_LIMIT = 30, TRC_BIT_LEAST = 64 << 6, TRC_BIT_MOST = (65536 - 64) << 6 };

static inline uint32_t
trc_bit_zero(const struct trc_bit *m)
{
	return (uint32_t)trc_counter_p(m->zero);
}

static inline void
trc_bit_learn(struct trc_bit *m, unsigned bit)
{
	trc_counter_move(&m->zero, bit ? TRC_BIT_LEAST : TRC_BIT_MOST, TRC_BIT_LIMIT);
}

/* Writes to `out`, or with out NULL reads from [p, end): one code describes both directions. */
struct trc_rc {
	struct trc_buf *out;
	uint64_t low, range, code;
	const uint8_t *p, *end;
	size_t overrun; /* bytes read past the end */
	bool failed;    /* no memory for the output */
};

enum { TRC_RC_MORE = 4 }; /* bytes that come in at a time */

#define TRC_RC_TOP (UINT64_C(1) << 8 * TRC_RC_MORE)

void trc_rc_write(struct trc_rc *rc, struct trc_buf *out);
void trc_rc_read(struct trc_rc *rc, const uint8_t *p, const uint8_t *end);

/* Ends writing. */
int trc_rc_finish(struct trc_rc *rc, struct trc_err *err) TRC_MUST_USE;

/* True if reading went past the end: the data is damaged. */
static inline bool
trc_rc_overrun(const struct trc_rc *rc)
{
	return rc->overrun > TRC_RC_MORE;
}

/* True if all was read, and nothing is left. */
static inline bool
trc_rc_ended(const struct trc_rc *rc)
{
	return rc->p == rc->end && rc->overrun == TRC_RC_MORE;
}

/* The next four bytes. */
static TRC_ALWAYS_INLINE uint32_t
trc_rc_next(struct trc_rc *rc)
{
	uint32_t more = 0;

	if (TRC_LIKELY(rc->end - rc->p >= TRC_RC_MORE)) {
		more = trc_be32(rc->p);
		rc->p += TRC_RC_MORE;
		return more;
	}
	for (int i = 0; i < TRC_RC_MORE; i++) {
		more <<= 8;
		if (rc->p < rc->end)
			more |= *rc->p++;
		else
			rc->overrun++;
	}
	return more;
}

/* Makes `range` large enough for the next bit. */
static TRC_ALWAYS_INLINE void
trc_rc_refill(struct trc_rc *rc)
{
	if (TRC_LIKELY(rc->range >= TRC_RC_TOP))
		return;
	rc->range <<= 8 * TRC_RC_MORE;
	rc->code = rc->code << 8 * TRC_RC_MORE | trc_rc_next(rc);
}

/* Codes one bit, writes `bit` or reads and returns it, given the probability of a 0: 1 to 65535. */
unsigned trc_rc_code(struct trc_rc *rc, uint32_t zero, unsigned bit);

/* The same when reading, to be compiled into loops that keep `rc` in registers. With a branch, what
 * follows begins before this is known. */
static inline unsigned
trc_rc_decode(struct trc_rc *rc, uint32_t zero)
{
	const uint64_t bound = (rc->range >> 16) * zero;
	unsigned bit = 0;

	if (rc->code < bound) {
		rc->range = bound;
	} else {
		rc->code -= bound;
		rc->range -= bound;
		bit = 1;
	}
	trc_rc_refill(rc);
	return bit;
}

/* Codes a bit with the probability of a 1, 1 to 65535; `writes` is a constant to the compiler. */
static TRC_ALWAYS_INLINE unsigned
trc_rc_code_p1(struct trc_rc *rc, bool writes, int yes, unsigned is)
{
	return 1 ^
	       (writes ? trc_rc_code(rc, (uint32_t)yes, 1 ^ is) : trc_rc_decode(rc, (uint32_t)yes));
}

/* Codes a bit by a model, which learns it. */
unsigned trc_rc_bit(struct trc_rc *rc, struct trc_bit *m, unsigned bit);

/* Codes a symbol of `bits` bits, the highest first, by a tree of models m[1 << bits]: each by
 * the model numbered by the bits before it behind a 1. */
unsigned trc_rc_tree(struct trc_rc *rc, struct trc_bit *m, int bits, unsigned v);

/* Models of a number of up to 64 bits: of its length, far ones by a second tree; and of the bits
 * behind its first, from the highest: the first few by all before, the lowest by the one before. */
struct trc_num {
	struct trc_bit len[32], far[64];
	struct trc_bit head[65][4];
	struct trc_bit low[65][8];
	struct trc_bit rest[64];
};

enum { TRC_LEN_FAR = 31 }; /* in place of a length that is this or more */

/* The model of bit `i` of a number of `len` bits, whose bits above are `sum`. */
static TRC_ALWAYS_INLINE struct trc_bit *
trc_num_bit(struct trc_num *m, unsigned len, int i, uint64_t sum)
{
	return sum < 4 ? &m->head[len][sum] :
	       i < 3   ? &m->low[len][(sum & 1) * 4 + (unsigned)i] :
	                 &m->rest[i];
}

/* What coding would cost, in about 256ths of a bit: of something of that probability, in 65536ths;
 * by models. Nothing is learnt. */
unsigned trc_cost_p(uint32_t p);
unsigned trc_cost_bit(const struct trc_bit *m, unsigned bit);
unsigned trc_cost_tree(const struct trc_bit *m, int bits, unsigned v);

/* What bits of numbers cost by the models of their places, for several numbers of which none is
 * learnt: zeros of those below each, and how much more a one. */
struct trc_num_costs {
	const struct trc_num *of; /* NULL: to be made */
	unsigned zeros[65], more[64];
};

/* With `costs`, which may be NULL, of many numbers in less time. */
unsigned trc_cost_num(struct trc_num *m, uint64_t v, struct trc_num_costs *costs);

/* Makes all models of a struct that holds nothing else even. */
void trc_bits_init(void *models, size_t bytes);

/* The same when they are used first, which `made` remembers: of a large table, rows that are never
 * used take no memory. */
static inline void
trc_bits_first(struct trc_bit *models, size_t bytes, bool *made)
{
	if (TRC_UNLIKELY(!*made))
		trc_bits_init(models, bytes);
	*made = true;
}

void trc_num_init(struct trc_num *m, size_t n);
uint64_t trc_rc_num(struct trc_rc *rc, struct trc_num *m, uint64_t v);

/* ---- to be compiled into loops ----
 *
 * One code for both directions, so that they cannot drift apart. `writes` is a constant to the
 * compiler, so that each direction is compiled for itself, and when reading `rc` is best a copy
 * that lives in registers: one of which nothing else has the address. */

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
	trc_counter_move(&m->zero, (int32_t)(TRC_BIT_MOST - (is & (TRC_BIT_MOST - TRC_BIT_LEAST))),
	                 TRC_BIT_LIMIT);
	trc_rc_refill(rc);
	return is & 1;
}

/* Codes a symbol that is known to have no more than `used` bits by a part of the tree of `bits`
 * bits: the same models as in the whole tree, whose first bits are left out. */
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
	len = TRC_LIKELY(near < TRC_LEN_FAR) ?
	              near :
	              TRC_LEN_FAR + trc_rc_code_tree(rc, writes, m->far, 6, len - TRC_LEN_FAR);
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
