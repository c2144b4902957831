/* SPDX-License-Identifier: MIT
 *
 * The hashes that compare a replay with the recorded machine: bus.md, "Hashes".
 */
#ifndef TRC_MACHINE_BUS_TRUTH_H
#define TRC_MACHINE_BUS_TRUTH_H

#include <stdint.h>

#include "base/bytes.h"
#include "machine/hart/hart.h"

#define TRC_TRUTH_KEY UINT64_C(0x9e3779b97f4a7c15)
#define TRC_TRUTH_FACTOR UINT64_C(0x94d049bb133111eb)

/* mix() of `a` and key / TRC_TRUTH_KEY is TRC_TRUTH_FACTOR times this, and so are their sums. */
static inline uint64_t
trc_truth_half(uint64_t a, uint64_t key)
{
	const uint64_t x = (a ^ key) * 0xbf58476d1ce4e5b9u;

	return x ^ x >> 31;
}

static inline uint64_t
trc_truth_mix(uint64_t a, uint64_t b)
{
	return trc_truth_half(a, b * TRC_TRUTH_KEY) * TRC_TRUTH_FACTOR;
}

/* Combines the hash of the trace and that of the registers, 0 if unknown, into 32 bits. */
static inline uint32_t
trc_truth_fold(uint64_t trace, uint64_t registers)
{
	return (uint32_t)(trc_truth_mix(trace, registers) >> 32);
}

/* Returns what the rows of `b` from `from` on add to the hash of the trace; adds their number to
 * *n. */
uint64_t trc_truth_rows(const struct trc_batch *b, size_t from, uint64_t *n);

/* Returns the hash of the registers. */
uint64_t trc_truth_registers(const struct trc_hart *h);

/* Returns the digest of `len` bytes, a multiple of 8, at address `addr`. */
static inline uint64_t
trc_truth_page(uint64_t addr, const uint8_t *byte, uint32_t len)
{
	uint64_t sum = 0;

	for (uint32_t i = 0; i < len; i += 8)
		if (trc_le64(byte + i))
			sum += trc_truth_mix(trc_le64(byte + i), addr + i);
	return sum;
}

#endif
