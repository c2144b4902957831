/* SPDX-License-Identifier: MIT
 *
 * A binary range coder with adaptive models, for data without long repeats (G. N. N. Martin, 1979).
 * container/SPEC.md, "Range coder", specifies the arithmetic. After the end of its input the
 * decoder reads zeros; the first four of them are omitted from every stream. Further zeros decode
 * to garbage, which the caller must bound with trc_rc_overrun(). If a bit answers a yes-or-no
 * question, 1 means yes unless stated otherwise.
 */
#ifndef TRC_CODEC_ENTROPY_RANGE_CODER_H
#define TRC_CODEC_ENTROPY_RANGE_CODER_H

#include "base/buf.h"
#include "codec/entropy/counter.h"

/* A bit model: a counter of zeros, with limit 30, that moves towards 65472 / 65536 for a 0 and
 * towards 64 / 65536 for a 1, so that neither ever becomes impossible. */
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

/* A coder that writes to `out` or, if that is NULL, reads from [p, end): the same code serves both
 * directions. */
struct trc_rc {
	struct trc_buf *out;
	uint64_t low, range, code;
	const uint8_t *p, *end;
	size_t overrun; /* number of bytes read past the end */
	bool failed;    /* there was no memory for the output */
};

enum { TRC_RC_MORE = 4 }; /* bytes read at a time */

#define TRC_RC_TOP (UINT64_C(1) << 8 * TRC_RC_MORE)

/* Begin to write to `out`, which must outlive *rc, or to read from [p, end). */
void trc_rc_write(struct trc_rc *rc, struct trc_buf *out);
void trc_rc_read(struct trc_rc *rc, const uint8_t *p, const uint8_t *end);

/* Ends writing. */
int trc_rc_finish(struct trc_rc *rc, struct trc_err *err) TRC_MUST_USE;

/* Returns true if reading went past the end, which means that the data is damaged. */
static inline bool
trc_rc_overrun(const struct trc_rc *rc)
{
	return rc->overrun > TRC_RC_MORE;
}

/* Returns true if the input was read completely and nothing is left. */
static inline bool
trc_rc_ended(const struct trc_rc *rc)
{
	return rc->p == rc->end && rc->overrun == TRC_RC_MORE;
}

/* Returns the next four bytes. */
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

/* Codes one bit, given the probability of a 0 (1 to 65535): writes `bit`, or reads and returns
 * it. */
unsigned trc_rc_code(struct trc_rc *rc, uint32_t zero, unsigned bit);

/* Does the same for reading only, to be inlined into loops that keep `rc` in registers. It
 * branches, so that the CPU can begin what follows before the bit is known. */
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

/* Codes a bit, given the probability of a 1 (1 to 65535); `writes` must be a compile-time
 * constant. */
static TRC_ALWAYS_INLINE unsigned
trc_rc_code_p1(struct trc_rc *rc, bool writes, int yes, unsigned is)
{
	return 1 ^
	       (writes ? trc_rc_code(rc, (uint32_t)yes, 1 ^ is) : trc_rc_decode(rc, (uint32_t)yes));
}

/* Codes a bit with a model, and updates the model. */
unsigned trc_rc_bit(struct trc_rc *rc, struct trc_bit *m, unsigned bit);

/* Codes a symbol of `bits` bits, the highest first, with a tree of models m[1 << bits]: the index
 * of the model of a bit is a 1 followed by the bits before it. */
unsigned trc_rc_tree(struct trc_rc *rc, struct trc_bit *m, int bits, unsigned v);

/* Models for a number of up to 64 bits: for its length, with a second tree for great lengths; and
 * for the bits after its first, from the highest: the first few depend on all bits before, the
 * lowest on the bit before. */
struct trc_num {
	struct trc_bit len[32], far[64];
	struct trc_bit head[65][4];
	struct trc_bit low[65][8];
	struct trc_bit rest[64];
};

enum { TRC_LEN_FAR = 31 }; /* escape for lengths of at least this */

/* Returns the model of bit `i` of a number of `len` bits whose higher bits are `sum`. */
static TRC_ALWAYS_INLINE struct trc_bit *
trc_num_bit(struct trc_num *m, unsigned len, int i, uint64_t sum)
{
	return sum < 4 ? &m->head[len][sum] :
	       i < 3   ? &m->low[len][(sum & 1) * 4 + (unsigned)i] :
	                 &m->rest[i];
}

/* Return what coding would cost, in units of about 1/256 bit, for an event of a given probability
 * in units of 1/65536, or with models. The models are not updated. */
unsigned trc_cost_p(uint32_t p);
unsigned trc_cost_bit(const struct trc_bit *m, unsigned bit);
unsigned trc_cost_tree(const struct trc_bit *m, int bits, unsigned v);

/* Costs of the bits of numbers with the models of their positions, reused for several numbers while
 * the models do not change: the cost of zeros in all positions below each, and the extra cost of a
 * one. */
struct trc_num_costs {
	const struct trc_num *of; /* NULL: not computed yet */
	unsigned zeros[65], more[64];
};

/* Returns the cost of a number. `costs`, which may be NULL, saves time for many numbers. */
unsigned trc_cost_num(struct trc_num *m, uint64_t v, struct trc_num_costs *costs);

/* Initialises all models of a struct that contains only models to even probabilities. */
void trc_bits_init(void *models, size_t bytes);

/* Does the same on first use, which `made` records, so that unused rows of a large table use no
 * memory. */
static inline void
trc_bits_first(struct trc_bit *models, size_t bytes, bool *made)
{
	if (TRC_UNLIKELY(!*made))
		trc_bits_init(models, bytes);
	*made = true;
}

void trc_num_init(struct trc_num *m, size_t n);
uint64_t trc_rc_num(struct trc_rc *rc, struct trc_num *m, uint64_t v);

/* ---- for inlining into loops ----
 *
 * The same code serves both directions, so that they cannot diverge. `writes` must be a
 * compile-time constant, so that each direction is compiled separately. For reading, `rc` should be
 * a local copy whose address does not escape, so that it stays in registers. */

/* Writes the top bytes of `low`. */
void trc_rc_shift_low(struct trc_rc *rc);

/* Propagates a carry into the bytes written. */
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

/* Writes a 1, whose part of the range is above `bound`. */
static TRC_ALWAYS_INLINE void
trc_rc_raise(struct trc_rc *rc, uint64_t bound)
{
	rc->low += bound;
	if (rc->low < bound)
		trc_rc_carry(rc);
}

/* Codes a bit with a model. Most of these bits are predictable: with a branch, the CPU begins the
 * next one before this one is known. */
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

/* Does the same for a bit that is hard to predict, without a branch. */
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

/* Codes a symbol that is known to have at most `used` bits with a part of the tree of `bits` bits:
 * the same models as in the whole tree, without the leading bits. */
static TRC_ALWAYS_INLINE unsigned
trc_rc_code_branch(struct trc_rc *rc, bool writes, struct trc_bit *m, int bits, int used,
                   unsigned v)
{
	unsigned node = 1u << (bits - used);

	for (int i = used - 1; i >= 0; i--)
		node = node << 1 | trc_rc_code_bit(rc, writes, &m[node], v >> i & 1);
	return node - (1u << bits);
}

/* Codes a symbol whose bits are hard to predict. */
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

/* Codes a number that is rare, with a function call; keeps `rc` in registers. */
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
