/* SPDX-License-Identifier: MIT
 *
 * Counts the slots in use up to a given slot. Slots are given out in order and taken back in any
 * order. There is a bit for each slot, and sums over them:
 *
 *   live      a bit for each slot; 512 slots are a block
 *   before[0] for each block, the slots in use in the blocks before it in its node of 32 blocks
 *   before[1] for each node, those in the nodes before it in its node of 32 nodes, and so on
 *
 * A count adds one number of each level to the bits of one block. Taking a slot back subtracts 1
 * from the following numbers in one node of each level: 32 adjacent numbers, without a search or a
 * loop whose length depends on data. A new slot only sets its bit: the sums of a block are set when
 * it begins.
 *
 * A zeroed struct may be released.
 */
#ifndef TRC_STAGE_SIMULATE_POLICY_RANKS_H
#define TRC_STAGE_SIMULATE_POLICY_RANKS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/base.h"

enum {
	TRC_RANKS_BLOCK_BITS = 9, /* log2 of the slots of a block */
	TRC_RANKS_NODE_BITS = 5,  /* log2 of the children of a node */
	TRC_RANKS_LEVELS = 5,
	TRC_RANKS_LEAST = 1 << (TRC_RANKS_BLOCK_BITS + TRC_RANKS_NODE_BITS), /* slots */
};

#define TRC_RANKS_MOST (UINT32_C(1) << 31)

/* Slots, some of which are in use. */
struct trc_ranks {
	uint64_t *live;
	uint32_t *before[TRC_RANKS_LEVELS];
	size_t slots, words; /* a multiple of a block; room for their bits */
	unsigned levels;
};

/* Makes room for `slots` slots, a multiple of TRC_RANKS_LEAST, at least as many as before. Bits are
 * kept; all sums must be set again. */
int trc_ranks_room(struct trc_ranks *r, size_t slots, struct trc_err *err) TRC_MUST_USE;
void trc_ranks_release(struct trc_ranks *r);

/* Returns log2 of the slots under one number of a level. */
static inline unsigned
trc_ranks_bits(unsigned level)
{
	return TRC_RANKS_BLOCK_BITS + level * TRC_RANKS_NODE_BITS;
}

/* Sets the sums of the block that begins at `slot`, where `n` slots are in use, all before it. */
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

/* Returns the number of slots in use up to and including this one. */
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

/* Puts a slot into use, or takes it back. */
static TRC_ALWAYS_INLINE void
trc_ranks_change(struct trc_ranks *r, size_t slot, bool use)
{
	enum { NODE = 1 << TRC_RANKS_NODE_BITS };

	r->live[slot / 64] ^= UINT64_C(1) << slot % 64;
	for (unsigned level = 0; level < r->levels; level++) {
		const size_t i = slot >> trc_ranks_bits(level);
		uint32_t *node = &r->before[level][i / NODE * NODE];

		for (uint32_t k = 0; k < NODE; k++)
			node[k] += k > (uint32_t)(i % NODE) ? (use ? 1 : UINT32_MAX) : 0;
	}
}

/* Takes back a slot that is in use. */
static TRC_ALWAYS_INLINE void
trc_ranks_take(struct trc_ranks *r, size_t slot)
{
	trc_ranks_change(r, slot, false);
}

static TRC_ALWAYS_INLINE void
trc_ranks_prefetch(const struct trc_ranks *r, size_t slot)
{
	TRC_PREFETCH(&r->live[slot / 64]);
	TRC_PREFETCH(&r->before[0][slot >> TRC_RANKS_BLOCK_BITS]);
}

#endif
