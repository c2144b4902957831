/* SPDX-License-Identifier: MIT
 *
 * Integers in a fixed byte order, read and written identically on all machines, with one
 * instruction each.
 */
#ifndef TRC_BASE_BYTES_H
#define TRC_BASE_BYTES_H

#include <stdint.h>
#include <string.h>

#if defined(__GNUC__) && __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
#define TRC_LE(bits, v) __builtin_bswap##bits(v)
#define TRC_BE(bits, v) (v)
#elif defined(__GNUC__)
#define TRC_LE(bits, v) (v)
#define TRC_BE(bits, v) __builtin_bswap##bits(v)
#else
#error "bytes.h needs the byte order of this compiler"
#endif

/* trc_le64(p) and the like load, trc_put_le64(p, v) and the like store; `p` need not be aligned. */
#define TRC_BYTES(order, ORDER, bits)                                       \
	static inline uint##bits##_t trc_##order##bits(const void *p)       \
	{                                                                   \
		uint##bits##_t v;                                           \
                                                                            \
		memcpy(&v, p, sizeof(v));                                   \
		return TRC_##ORDER(bits, v);                                \
	}                                                                   \
                                                                            \
	static inline void trc_put_##order##bits(void *p, uint##bits##_t v) \
	{                                                                   \
		v = TRC_##ORDER(bits, v);                                   \
		memcpy(p, &v, sizeof(v));                                   \
	}

TRC_BYTES(le, LE, 16)
TRC_BYTES(le, LE, 32)
TRC_BYTES(le, LE, 64)
TRC_BYTES(be, BE, 16)
TRC_BYTES(be, BE, 32)
TRC_BYTES(be, BE, 64)

/* Returns the number of leading zero bits; 64 for 0. */
static inline int
trc_clz64(uint64_t v)
{
#if defined(__GNUC__)
	return v ? __builtin_clzll(v) : 64;
#else
	int n = 64;

	for (; v; v >>= 1)
		n--;
	return n;
#endif
}

/* Returns the number of trailing zero bits; `v` must not be 0. */
static inline int
trc_ctz64(uint64_t v)
{
#if defined(__GNUC__)
	return __builtin_ctzll(v);
#else
	return 63 - trc_clz64(v & -v);
#endif
}

/* Fills `n` bytes with copies of the first `size` of them. */
static inline void
trc_repeat(void *items, size_t size, size_t n)
{
	uint8_t *p = items;

	for (size_t have = size; have < n; have *= 2)
		memcpy(p + have, p, have < n - have ? have : n - have);
}

#endif
