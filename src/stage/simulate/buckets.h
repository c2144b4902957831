/* SPDX-License-Identifier: MIT
 *
 * Buckets for numbers from 1 on, exact for small ones. Each bucket has an edge, the largest number
 * in it. Edges are the numbers with at most TRC_BUCKET_BITS + 1 significant bits, counted from the
 * highest bit to the lowest 1: all numbers up to 128, and 64 in each power of two above, including
 * the powers themselves.
 */
#ifndef TRC_STAGE_SIMULATE_BUCKETS_H
#define TRC_STAGE_SIMULATE_BUCKETS_H

#include <stddef.h>

#include "base/bytes.h"

enum { TRC_BUCKET_BITS = 6 };

/* Returns how many low bits of `v`, a number less 1, do not select its bucket. */
static inline int
trc_bucket_low_bits(uint64_t v)
{
	const int bits = 64 - trc_clz64(v);

	return bits > TRC_BUCKET_BITS + 1 ? bits - TRC_BUCKET_BITS - 1 : 0;
}

/* Returns the bucket of a number; 0 is in the bucket of 1. */
static inline size_t
trc_bucket_of(uint64_t number)
{
	const uint64_t v = number - (number > 0);
	const int low = trc_bucket_low_bits(v);

	return ((size_t)low << TRC_BUCKET_BITS) + (size_t)(v >> low);
}

/* Returns the edge of the bucket of a number from 1 on; all ones if the edge needs more than 64
 * bits. */
static inline uint64_t
trc_bucket_edge(uint64_t number)
{
	const int low = trc_bucket_low_bits(number - 1);
	const uint64_t top = ((number - 1) >> low) + 1;

	return low > trc_clz64(top) ? UINT64_MAX : top << low;
}

/* Returns the edge of bucket `i`. */
static inline uint64_t
trc_bucket_edge_at(size_t i)
{
	const size_t low = i >> TRC_BUCKET_BITS > 1 ? (i >> TRC_BUCKET_BITS) - 1 : 0;

	return trc_bucket_edge((((uint64_t)i - ((uint64_t)low << TRC_BUCKET_BITS)) << low) + 1);
}

#endif
