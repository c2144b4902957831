/* SPDX-License-Identifier: MIT
 *
 * How many of many slots are taken up to one of them, where slots are given in order and taken back
 * in any. Counted from bits, one for each slot, and from sums over them:
 *
 *   live      a bit for each slot; 512 of them are a block
 *   before[0] for each block, the slots in use in the blocks before it in the same node of 32
 *   before[1] for each node, those in the nodes before it in the same node of nodes, and so on
 *
 * A count adds one number of each level to the bits in one block. A hole takes one from the numbers
 * behind it in one node of each level: 32 numbers side by side, no search and no loop whose length
 * depends on data. A new slot only sets its bit: the sums of a block are made when it begins.
 *
 * Zeroed memory may be released.
 */
#ifndef TRC_STAGE_SIMULATE_RANKS_H
#define TRC_STAGE_SIMULATE_RANKS_H

#include <stdint.h>

#include "base/base.h"

enum {
	TRC_RANKS_BLOCK_BITS = 9, /* log2 of the slots of a block */
	TRC_RANKS_NODE_BITS = 5,  /* log2 of the children of a node */
	TRC_RANKS_LEVELS = 5,
	TRC_RANKS_LEAST = 1 << (TRC_RANKS_BLOCK_BITS + TRC_RANKS_NODE_BITS), /* slots */
};

#define TRC_RANKS_MOST (UINT32_C(1) << 31)

/* Slots, some of them in use. */
struct trc_ranks {
	uint64_t *live;
	uint32_t *before[TRC_RANKS_LEVELS];
	size_t slots, words; /* a multiple of a block; room for their bits */
	unsigned levels;
};

/* Room for `slots` slots, a multiple of TRC_RANKS_LEAST, at least as many as there were: bits stay,
 * all sums are to be made anew. */
int trc_ranks_room(struct trc_ranks *r, size_t slots, struct trc_err *err) TRC_MUST_USE;
void trc_ranks_release(struct trc_ranks *r);

/* log2 of the slots under one number of a level. */
static inline unsigned
trc_ranks_bits(unsigned level)
{
	return TRC_RANKS_BLOCK_BITS + level * TRC_RANKS_NODE_BITS;
}

/* The sums of the block that begins at `slot`: `n` slots are in use, all before it. */
static inline void
trc_ranks_begin_block(struct trc_ranks *r, size_t slot, size_t n)
{
	size_t before = 0;

	for (unsigned level = r->levels; level-- > 0;) {
		const size_t i = slot >> trc_ranks_bits(level);
		uint32_t *sum = &r->before[level][i];

		if (slot == i << trc_ranks_bits(level))
			*sum = (uint32_t)(n - before);
		before += *sum;
	}
}

static inline unsigned
trc_ranks_ones(uint64_t v)
{
#if defined(__GNUC__)
	return (unsigned)__builtin_popcountll(v);
#else
	unsigned n = 0;

	for (; v; v &= v - 1)
		n++;
	return n;
#endif
}

/* The slots in use up to and including this one. */
static TRC_ALWAYS_INLINE size_t
trc_ranks_up_to(const struct trc_ranks *r, size_t slot)
{
	enum { WORDS = 1 << (TRC_RANKS_BLOCK_BITS - 6) };
	const uint64_t *block =
	        &r->live[slot >> TRC_RANKS_BLOCK_BITS << (TRC_RANKS_BLOCK_BITS - 6)];
	const size_t last = slot / 64 % WORDS;
	size_t n = 0;

	for (unsigned level = 0; level < r->levels; level++)
		n += r->before[level][slot >> trc_ranks_bits(level)];
	for (size_t w = 0; w < WORDS; w++) {
		const uint64_t all = w < last ? UINT64_MAX : 0;

		n += trc_ranks_ones(block[w] & (w == last ? UINT64_MAX >> (63 - slot % 64) : all));
	}
	return n;
}

/* Takes back a slot that is in use. */
static TRC_ALWAYS_INLINE void
trc_ranks_take(struct trc_ranks *r, size_t slot)
{
	enum { NODE = 1 << TRC_RANKS_NODE_BITS };

	r->live[slot / 64] &= ~(UINT64_C(1) << slot % 64);
	for (unsigned level = 0; level < r->levels; level++) {
		const size_t i = slot >> trc_ranks_bits(level);
		uint32_t *node = &r->before[level][i / NODE * NODE];

		for (uint32_t k = 0; k < NODE; k++)
			node[k] -= k > (uint32_t)(i % NODE);
	}
}

static TRC_ALWAYS_INLINE void
trc_ranks_prefetch(const struct trc_ranks *r, size_t slot)
{
	TRC_PREFETCH(&r->live[slot / 64]);
	TRC_PREFETCH(&r->before[0][slot >> TRC_RANKS_BLOCK_BITS]);
}

#endif
