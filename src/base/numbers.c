/* SPDX-License-Identifier: MIT */
#include "base/numbers.h"

#include <stdlib.h>

enum { BITS_MOST = 64, HEAD_MOST = 1 + TRC_NUM_MOST };

/* Returns the bytes of a block's differences. */
static size_t
packed_bytes(size_t n, unsigned bits)
{
	return (n * bits + 7) / 8;
}

/* Packs `n` differences from `least`, of `bits` bits each, at `p`. */
static void
pack(uint8_t *p, const uint64_t *v, size_t n, uint64_t least, unsigned bits)
{
	uint64_t held = 0;
	unsigned have = 0; /* less than 8 between numbers */

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

/* Unpacks numbers whose bits are in the 8 bytes at their first one, while 8 bytes remain; returns
 * how many it unpacked. */
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
trc_numbers_put(struct trc_buf *to, const uint64_t *v, size_t n, struct trc_err *err)
{
	uint64_t least = UINT64_MAX, most = 0;
	unsigned bits;
	size_t bytes;

	for (size_t i = 0; i < n; i++) {
		least = v[i] < least ? v[i] : least;
		most = v[i] > most ? v[i] : most;
	}
	bits = (unsigned)(BITS_MOST - trc_clz64(most - least));
	bytes = packed_bytes(n, bits);
	if (trc_buf_room(to, HEAD_MOST + bytes, err))
		return -1;
	trc_buf_byte(to, (uint8_t)bits);
	to->n += trc_put_num(to->p + to->n, least);
	pack(to->p + to->n, v, n, least, bits);
	to->n += bytes;
	return 0;
}

bool
trc_numbers_get(struct trc_view *from, uint64_t *v, size_t n)
{
	const uint8_t *bits = trc_view_bytes(from, 1), *p;
	uint64_t least;

	if (!bits || *bits > BITS_MOST || !trc_view_num(from, &least) ||
	    !(p = trc_view_bytes(from, packed_bytes(n, *bits))))
		return false;
	unpack(p, v, n, least, *bits);
	return true;
}

static int
by_value(const void *a, const void *b)
{
	const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return x < y ? -1 : x > y;
}

void
trc_numbers_sort(uint64_t *v, size_t n)
{
	if (n > 0)
		qsort(v, n, sizeof(*v), by_value);
}

size_t
trc_numbers_distinct(uint64_t *v, size_t n)
{
	size_t left = 0;

	trc_numbers_sort(v, n);
	for (size_t i = 0; i < n; i++)
		if (left == 0 || v[i] != v[left - 1])
			v[left++] = v[i];
	return left;
}
