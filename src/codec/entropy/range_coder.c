/* SPDX-License-Identifier: MIT
 * The range coder: one code for both directions, so that they cannot drift apart. */
#include "codec/entropy/range_coder.h"

#include <stdlib.h>

/* 65536 / (n + 1.5), ten a line. */
/* clang-format off */
#define STEPS(of) \
	TEN(of, 0, 43690, 26214, 18724, 14563, 11915, 10082, 8738, 7710, 6898, 6241), \
	TEN(of, 10, 5698, 5242, 4854, 4519, 4228, 3971, 3744, 3542, 3360, 3196), \
	TEN(of, 20, 3048, 2912, 2788, 2674, 2570, 2473, 2383, 2299, 2221, 2148), \
	TEN(of, 30, 2080, 2016, 1956, 1899, 1846, 1795, 1747, 1702, 1659, 1618), \
	TEN(of, 40, 1579, 1542, 1506, 1472, 1440, 1409, 1379, 1351, 1323, 1297), \
	TEN(of, 50, 1272, 1248, 1224, 1202, 1180, 1159, 1139, 1120, 1101, 1083), \
	TEN(of, 60, 1065, 1048, 1032, 1016, 1000, 985, 970, 956, 942, 929), \
	TEN(of, 70, 916, 903, 891, 879, 868, 856, 845, 834, 824, 814), \
	TEN(of, 80, 804, 794, 784, 775, 766, 757, 748, 740, 732, 724), \
	TEN(of, 90, 716, 708, 700, 693, 686, 679, 672, 665, 658, 652), \
	TEN(of, 100, 645, 639, 633, 627, 621, 615, 609, 604, 598, 593), \
	TEN(of, 110, 587, 582, 577, 572, 567, 562, 557, 553, 548, 543), \
	TEN(of, 120, 539, 534, 530, 526, 522, 518, 514, 510, 506, 502), \
	TEN(of, 130, 498, 494, 490, 487, 483, 480, 476, 473, 469, 466), \
	TEN(of, 140, 463, 459, 456, 453, 450, 447, 444, 441, 438, 435), \
	TEN(of, 150, 432, 429, 426, 424, 421, 418, 416, 413, 410, 408), \
	of(160, 405)
#define TEN(of, n, a, b, c, d, e, f, g, h, i, j) \
	of(n, a), of(n + 1, b), of(n + 2, c), of(n + 3, d), of(n + 4, e), of(n + 5, f), \
		of(n + 6, g), of(n + 7, h), of(n + 8, i), of(n + 9, j)

#define STEP(n, step) step
#define MOVE(n, step) \
	{ step, (step) > FASTEST ? (step) : FASTEST, (n) < TRC_BIT_SLOW ? (n) + 1 : (n), 0 }
/* clang-format on */

enum { FASTEST = 65536 / TRC_BIT_FAST };

const uint16_t trc_bit_step[TRC_BIT_SLOW + 1] = { STEPS(STEP) };
const struct trc_bit_move trc_bit_moves[TRC_BIT_SLOW + 1] = { STEPS(MOVE) };

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

/* All of what was written is less than 1 as a binary fraction, so this ends in it. Where it failed
 * there may be nothing. */
void
trc_rc_carry(struct trc_rc *rc)
{
	for (size_t i = rc->out->n; i > 0 && ++rc->out->p[i - 1] == 0; i--)
		continue;
}

/* Of the numbers that mean what was written, one ends in four zeros, as `range` is so large. */
int
trc_rc_finish(struct trc_rc *rc, struct trc_err *err)
{
	trc_rc_raise(rc, TRC_RC_TOP - 1);
	trc_rc_shift_low(rc);
	if (rc->failed)
		return trc_fail_as(err, TRC_NO_MEMORY, "no memory for a packed stream");
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

	/* Models one by one are most of the time that a container of few rows takes. */
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

/* The logarithm is a straight line between powers of two, at most 22 too small. */
unsigned
trc_cost_bit(const struct trc_bit *m, unsigned bit)
{
	const uint32_t zero = trc_bit_zero(m), p = bit ? 65536 - zero : zero;
	const unsigned log = 63 - (unsigned)trc_clz64(p | 1);

	return (16 - log) * 256 - ((p << 8 >> log) - 256);
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

unsigned
trc_cost_num(struct trc_num *m, uint64_t v)
{
	const unsigned len = (unsigned)(64 - trc_clz64(v));
	unsigned cost = trc_cost_tree(m->len, 5, len < TRC_LEN_FAR ? len : TRC_LEN_FAR);

	if (len >= TRC_LEN_FAR)
		cost += trc_cost_tree(m->far, 6, len - TRC_LEN_FAR);
	for (int i = (int)len - 2; i >= 0; i--)
		cost += trc_cost_bit(trc_num_bit(m, len, i, v >> (i + 1)), v >> i & 1);
	return cost;
}
