/* SPDX-License-Identifier: MIT
 *
 * Buckets for numbers from 1 on, exact where they are small: each has an edge, the largest number
 * in it. Edges are the numbers of at most TRC_BUCKET_BITS + 1 significant bits, counted from the
 * highest bit to the lowest 1: all up to 128, and 64 in each power of two above, the powers
 * themselves among them.
 */
#ifndef TRC_STAGE_SIMULATE_BUCKETS_H
#define TRC_STAGE_SIMULATE_BUCKETS_H

#include <stddef.h>

#include "base/bytes.h"

enum { TRC_BUCKET_BITS = 6 };

/* How many low bits of `v`, a number less 1, do not select its bucket. */
static inline int
trc_bucket_low_bits(uint64_t v)
{
	const int bits = 64 - trc_clz64(v);

	return bits > TRC_BUCKET_BITS + 1 ? bits - TRC_BUCKET_BITS - 1 : 0;
}

/* The bucket of a number; that of 1 for 0. */
static inline size_t
trc_bucket_of(uint64_t number)
{
	const uint64_t v = number - (number > 0);
	const int low = trc_bucket_low_bits(v);

	return ((size_t)low << TRC_BUCKET_BITS) + (size_t)(v >> low);
}

/* The edge of the bucket of a number from 1 on; all ones where that has more than 64 bits. */
static inline uint64_t
trc_bucket_edge(uint64_t number)
{
	const int low = trc_bucket_low_bits(number - 1);
	const uint64_t top = ((number - 1) >> low) + 1;

	return low > trc_clz64(top) ? UINT64_MAX : top << low;
}

/* The edge of bucket `i`. */
static inline uint64_t
trc_bucket_edge_at(size_t i)
{
	const size_t low = i >> TRC_BUCKET_BITS > 1 ? (i >> TRC_BUCKET_BITS) - 1 : 0;

	return trc_bucket_edge((((uint64_t)i - ((uint64_t)low << TRC_BUCKET_BITS)) << low) + 1);
}

#endif
