/* SPDX-License-Identifier: MIT
 *
 * Prefix sums of values that change: P. M. Fenwick, "A New Data Structure for Cumulative Frequency
 * Tables", 1994. The tree of n values is an array of n + 1 numbers modulo 2^32, zero at first.
 */
#ifndef TRC_CODEC_ENTROPY_FENWICK_H
#define TRC_CODEC_ENTROPY_FENWICK_H

#include <stddef.h>
#include <stdint.h>

/* Sets every value to 1. */
static inline void
trc_fenwick_ones(uint32_t *sums, size_t n)
{
	for (size_t k = 1; k <= n; k++)
		sums[k] = (uint32_t)(k & (0 - k));
}

static inline void
trc_fenwick_add(uint32_t *sums, size_t n, size_t place, uint32_t v)
{
	for (size_t k = place + 1; k <= n; k += k & (0 - k))
		sums[k] += v;
}

/* Returns the sum of the values below `place`. */
static inline uint32_t
trc_fenwick_below(const uint32_t *sums, size_t place)
{
	uint32_t sum = 0;

	for (size_t k = place; k > 0; k &= k - 1)
		sum += sums[k];
	return sum;
}

/* Returns the last place for which the sum of the values below is at most `below`. */
static inline size_t
trc_fenwick_find(const uint32_t *sums, size_t n, uint32_t below)
{
	size_t at = 0, step = 1;

	while (step <= n / 2)
		step *= 2;
	for (; step > 0; step /= 2)
		if (at + step <= n && sums[at + step] <= below) {
			at += step;
			below -= sums[at];
		}
	return at;
}

#endif
