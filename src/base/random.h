/* SPDX-License-Identifier: MIT
 *
 * Random numbers that are the same on every machine: splitmix64 (G. L. Steele, D. Lea, C. H. Flood,
 * "Fast splittable pseudorandom number generators", OOPSLA 2014). The initial state is the seed.
 */
#ifndef TRC_BASE_RANDOM_H
#define TRC_BASE_RANDOM_H

#include <stdint.h>

static inline uint64_t
trc_random(uint64_t *state)
{
	uint64_t z = *state += UINT64_C(0x9e3779b97f4a7c15);

	z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
	z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
	return z ^ z >> 31;
}

#endif
