/* SPDX-License-Identifier: MIT
 *
 * Multiplication with a result of 128 bits, also without a type for it.
 */
#ifndef TRC_MACHINE_FLOAT_WIDE_H
#define TRC_MACHINE_FLOAT_WIDE_H

#include <stdint.h>

/* Returns the low half of a * b; sets *high to the other. */
static inline uint64_t
trc_wide_mul(uint64_t a, uint64_t b, uint64_t *high)
{
#if defined(__SIZEOF_INT128__)
	__extension__ const unsigned __int128 product = (unsigned __int128)a * b;

	*high = (uint64_t)(product >> 64);
	return (uint64_t)product;
#else
	const uint64_t a0 = (uint32_t)a, a1 = a >> 32, b0 = (uint32_t)b, b1 = b >> 32;
	const uint64_t low = a0 * b0, mid = a1 * b0 + (low >> 32), mid2 = a0 * b1 + (uint32_t)mid;

	*high = a1 * b1 + (mid >> 32) + (mid2 >> 32);
	return mid2 << 32 | (uint32_t)low;
#endif
}

#endif
