/* SPDX-License-Identifier: MIT */
#include "base/numbers.h"

enum { BITS_MOST = 64, HEAD_MOST = 1 + TRC_NUM_MOST };

/* Bytes of the differences of a block. */
static size_t
packed_bytes(size_t n, unsigned bits)
{
	return (n * bits + 7) / 8;
}

/* Packs `n` numbers less `least`, of `bits` bits each, at `p`. */
static void
pack(uint8_t *p, const uint64_t *v, size_t n, uint64_t least, unsigned bits)
{
	uint64_t held = 0;
	unsigned have = 0; /* below 8 between numbers */

	for (size_t i = 0; i < n; i++) {
		uint64_t d = v[i] - least;

		for (unsigned left = bits; left > 0;) {
			const unsigned take = left < 32 ? left : 32;

			held |= (d & (UINT64_MAX >> (64 - take))) << have;
			d >>= take;
			left -= take;
			for (have += take; have >= 8; have -= 8, held >>= 8)
				*p++ = (uint8_t)held;
		}
	}
	if (have > 0)
		*p = (uint8_t)held;
}

/* Those whose bits are in the 8 bytes at their first one, as long as there are so many; returns how
 * many it was. */
static size_t
unpack_words(const uint8_t *p, uint64_t *v, size_t n, uint64_t least, unsigned bits)
{
	const size_t bytes = packed_bytes(n, bits);
	const uint64_t mask = (UINT64_C(1) << bits) - 1;
	const size_t words = bytes < 8 ? 0 : (8 * (bytes - 8) + 7) / bits + 1;
	const size_t most = words < n ? words : n;

	for (size_t i = 0; i < most; i++) {
		const size_t bit = i * bits;

		v[i] = least + (trc_le64(p + bit / 8) >> bit % 8 & mask);
	}
	return most;
}

static void
unpack(const uint8_t *p, uint64_t *v, size_t n, uint64_t least, unsigned bits)
{
	size_t i = bits > 0 && bits <= 56 ? unpack_words(p, v, n, least, bits) : 0;
	unsigned have = (8 - i * bits % 8) % 8;
	uint64_t held = 0;

	p += i * bits / 8;
	if (have > 0)
		held = *p++ >> (8 - have);
	for (; i < n; i++) {
		uint64_t d = 0;

		for (unsigned got = 0; got < bits;) {
			const unsigned take = bits - got < 32 ? bits - got : 32;

			for (; have < take; have += 8)
				held |= (uint64_t)*p++ << have;
			d |= (held & (UINT64_MAX >> (64 - take))) << got;
			held >>= take;
			have -= take;
			got += take;
		}
		v[i] = least + d;
	}
}

int
trc_numbers_end(struct trc_numbers_out *out, struct trc_err *err)
{
	struct trc_buf *b = out->to;
	uint64_t least = UINT64_MAX, most = 0;
	unsigned bits;
	size_t bytes;

	if (out->n == 0)
		return 0;
	for (size_t i = 0; i < out->n; i++) {
		least = out->v[i] < least ? out->v[i] : least;
		most = out->v[i] > most ? out->v[i] : most;
	}
	bits = (unsigned)(BITS_MOST - trc_clz64(most - least));
	bytes = packed_bytes(out->n, bits);
	if (trc_buf_room(b, HEAD_MOST + bytes, err))
		return -1;
	trc_buf_byte(b, (uint8_t)bits);
	b->n += trc_put_num(b->p + b->n, least);
	pack(b->p + b->n, out->v, out->n, least, bits);
	b->n += bytes;
	out->n = 0;
	return 0;
}

int
trc_numbers_put(struct trc_numbers_out *out, uint64_t v, struct trc_err *err)
{
	out->v[out->n++] = v;
	return out->n == TRC_NUMBERS_BLOCK ? trc_numbers_end(out, err) : 0;
}

void
trc_numbers_begin(struct trc_numbers_in *in, struct trc_view *from, uint64_t n)
{
	in->from = from;
	in->left = n;
	in->damaged = false;
	in->n = in->at = 0;
}

/* Unpacks the next block; false if it is damaged. */
static bool
next_block(struct trc_numbers_in *in)
{
	const size_t n = in->left < TRC_NUMBERS_BLOCK ? (size_t)in->left : TRC_NUMBERS_BLOCK;
	const uint8_t *bits = trc_view_bytes(in->from, 1), *p;
	uint64_t least;

	if (in->damaged || n == 0 || !bits || *bits > BITS_MOST ||
	    !trc_view_num(in->from, &least) ||
	    !(p = trc_view_bytes(in->from, packed_bytes(n, *bits))))
		return false;
	unpack(p, in->v, n, least, *bits);
	in->left -= n;
	in->n = n;
	in->at = 0;
	return true;
}

uint64_t
trc_numbers_more(struct trc_numbers_in *in)
{
	if (in->at == in->n && !next_block(in)) {
		in->damaged = true;
		return 0;
	}
	return in->v[in->at++];
}

bool
trc_numbers_get32(struct trc_view *from, uint32_t *v, size_t n, uint64_t limit)
{
	struct trc_numbers_in in;

	trc_numbers_begin(&in, from, n);
	for (size_t i = 0; i < n; i++) {
		const uint64_t number = trc_numbers_get(&in);

		in.damaged |= number >= limit || number > UINT32_MAX;
		v[i] = (uint32_t)number;
	}
	return !in.damaged;
}

int
trc_numbers_put32(struct trc_buf *to, const uint32_t *v, size_t n, struct trc_err *err)
{
	struct trc_numbers_out out = { .to = to };

	for (size_t i = 0; i < n; i++)
		if (trc_numbers_put(&out, v[i], err))
			return -1;
	return trc_numbers_end(&out, err);
}
