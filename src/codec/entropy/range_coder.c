/* SPDX-License-Identifier: MIT
 * The range coder. The same code serves both directions, so that they cannot diverge. */
#include "codec/entropy/range_coder.h"

void
trc_rc_write(struct trc_rc *rc, struct trc_buf *out)
{
	*rc = (struct trc_rc){ .out = out, .range = UINT64_MAX };
}

void
trc_rc_read(struct trc_rc *rc, const uint8_t *p, const uint8_t *end)
{
	*rc = (struct trc_rc){ .range = UINT64_MAX, .p = p, .end = end };
	rc->code = (uint64_t)trc_rc_next(rc) << 8 * TRC_RC_MORE;
	rc->code |= trc_rc_next(rc);
}

void
trc_rc_shift_low(struct trc_rc *rc)
{
	struct trc_err err;

	if (trc_buf_room(rc->out, TRC_RC_MORE, &err)) {
		rc->failed = true;
		rc->out->n = 0;
		return;
	}
	trc_buf_be32(rc->out, (uint32_t)(rc->low >> 32));
	rc->low <<= 8 * TRC_RC_MORE;
}

/* Propagates a carry. The output is less than 1 as a binary fraction, so the carry ends within it;
 * if writing failed, the output may be empty. */
void
trc_rc_carry(struct trc_rc *rc)
{
	for (size_t i = rc->out->n; i > 0 && ++rc->out->p[i - 1] == 0; i--)
		continue;
}

/* Ends the output. `range` is large enough that one of the numbers that represent it ends in four
 * zero bytes, which are omitted. */
int
trc_rc_finish(struct trc_rc *rc, struct trc_err *err)
{
	trc_rc_raise(rc, TRC_RC_TOP - 1);
	trc_rc_shift_low(rc);
	if (rc->failed)
		return trc_fail_as(err, TRC_NO_MEMORY, "not enough memory for a packed stream");
	return 0;
}

/* Writes a bit, or reads and returns it. */
static TRC_ALWAYS_INLINE unsigned
code(struct trc_rc *rc, bool writes, uint32_t zero, unsigned bit)
{
	const uint64_t bound = (rc->range >> 16) * zero;

	if (!writes)
		bit = rc->code >= bound;
	if (writes && bit)
		trc_rc_raise(rc, bound);
	rc->code -= bit ? bound : 0;
	rc->range = bit ? rc->range - bound : bound;
	trc_rc_renew(rc, writes);
	return bit;
}

unsigned
trc_rc_code(struct trc_rc *rc, uint32_t zero, unsigned bit)
{
	return rc->out ? code(rc, true, zero, bit) : code(rc, false, zero, bit);
}

unsigned
trc_rc_bit(struct trc_rc *rc, struct trc_bit *m, unsigned bit)
{
	return rc->out ? trc_rc_code_bit(rc, true, m, bit) : trc_rc_code_bit(rc, false, m, bit);
}

unsigned
trc_rc_tree(struct trc_rc *rc, struct trc_bit *m, int bits, unsigned v)
{
	struct trc_rc copy = *rc;

	if (rc->out)
		return trc_rc_code_tree(rc, true, m, bits, v);
	v = trc_rc_code_tree(&copy, false, m, bits, v);
	*rc = copy;
	return v;
}

void
trc_bits_init(void *models, size_t bytes)
{
	const struct trc_bit even = TRC_BIT_EVEN;

	/* Initialising models one by one would take most of the time for a container with few
	 * rows. */
	memcpy(models, &even, sizeof(even));
	trc_repeat(models, sizeof(even), bytes);
}

void
trc_num_init(struct trc_num *m, size_t n)
{
	trc_bits_init(m, n * sizeof(*m));
}

uint64_t
trc_rc_num(struct trc_rc *rc, struct trc_num *m, uint64_t v)
{
	struct trc_rc copy = *rc;

	if (rc->out)
		return trc_rc_code_num(rc, true, m, v);
	v = trc_rc_code_num(&copy, false, m, v);
	*rc = copy;
	return v;
}

/* ---- cost ---- */

/* Approximates the logarithm by a straight line between powers of two; the result is at most 22 too
 * small. */
unsigned
trc_cost_p(uint32_t p)
{
	const unsigned log = 63 - (unsigned)trc_clz64(p | 1);

	return (16 - log) * 256 - ((p << 8 >> log) - 256);
}

unsigned
trc_cost_bit(const struct trc_bit *m, unsigned bit)
{
	const uint32_t zero = trc_bit_zero(m);

	return trc_cost_p(bit ? 65536 - zero : zero);
}

unsigned
trc_cost_tree(const struct trc_bit *m, int bits, unsigned v)
{
	unsigned node = 1, cost = 0;

	for (int i = bits - 1; i >= 0; i--) {
		cost += trc_cost_bit(&m[node], v >> i & 1);
		node = node << 1 | (v >> i & 1);
	}
	return cost;
}

static void
make_costs(struct trc_num_costs *c, const struct trc_num *m)
{
	c->of = m;
	c->zeros[0] = 0;
	for (unsigned i = 0; i < TRC_COUNT(m->rest); i++) {
		const unsigned zero = trc_cost_bit(&m->rest[i], 0);

		c->zeros[i + 1] = c->zeros[i] + zero;
		c->more[i] = trc_cost_bit(&m->rest[i], 1) - zero;
	}
}

/* Returns the cost of bits [from, to), whose models depend only on their positions. */
static unsigned
cost_rest(const struct trc_num *m, uint64_t v, int from, int to, struct trc_num_costs *c)
{
	enum { FEW = 8 }; /* with fewer bits a table does not pay */
	unsigned cost = 0;

	if (!c || to - from < FEW) {
		for (int i = from; i < to; i++)
			cost += trc_cost_bit(&m->rest[i], v >> i & 1);
		return cost;
	}
	if (c->of != m)
		make_costs(c, m);
	for (v &= (UINT64_C(1) << to) - (UINT64_C(1) << from); v; v &= v - 1)
		cost += c->more[trc_ctz64(v)];
	return cost + c->zeros[to] - c->zeros[from];
}

unsigned
trc_cost_num(struct trc_num *m, uint64_t v, struct trc_num_costs *c)
{
	enum { HEAD = 3, LOW = 3 }; /* bits with models of their own: trc_num_bit() */
	const int len = 64 - trc_clz64(v), head = len > HEAD ? len - HEAD : 0;
	const int low = head < LOW ? head : LOW;
	unsigned cost = trc_cost_tree(m->len, 5, len < TRC_LEN_FAR ? (unsigned)len : TRC_LEN_FAR);

	if (len >= TRC_LEN_FAR)
		cost += trc_cost_tree(m->far, 6, (unsigned)len - TRC_LEN_FAR);
	for (int i = len - 2; i >= 0; i = i == head ? low - 1 : i - 1)
		cost += trc_cost_bit(trc_num_bit(m, (unsigned)len, i, v >> (i + 1)), v >> i & 1);
	return cost + cost_rest(m, v, low, head, c);
}
