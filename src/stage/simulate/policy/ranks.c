/* SPDX-License-Identifier: MIT */
#include "stage/simulate/policy/ranks.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/hugepages.h"

enum { NODE = 1 << TRC_RANKS_NODE_BITS };

static_assert(TRC_RANKS_LEAST == NODE << TRC_RANKS_BLOCK_BITS,
              "a node is never shared with other memory");
static_assert(TRC_RANKS_BLOCK_BITS + TRC_RANKS_LEVELS * TRC_RANKS_NODE_BITS >= 31,
              "levels for all slots");

/* Returns how many numbers a level has, in whole nodes. */
static size_t
numbers(size_t slots, unsigned level)
{
	const size_t n = slots >> trc_ranks_bits(level);

	return (n + NODE - 1) / NODE * NODE;
}

int
trc_ranks_room(struct trc_ranks *r, size_t slots, struct trc_err *err)
{
	const size_t words = r->slots / 64;

	if (slots > TRC_RANKS_MOST)
		return trc_fail_as(err, TRC_NO_MEMORY, "too many pages");
	if (trc_grow(&r->live, &r->words, slots / 64, sizeof(*r->live), err))
		return -1;
	trc_hugepages_advise(r->live, slots / 64 * sizeof(*r->live));
	memset(r->live + words, 0, (slots / 64 - words) * sizeof(*r->live));
	for (r->levels = 0; r->levels == 0 || slots >> trc_ranks_bits(r->levels - 1) > NODE;
	     r->levels++) {
		free(r->before[r->levels]);
		r->before[r->levels] = trc_alloc(numbers(slots, r->levels), sizeof(uint32_t), err);
		if (!r->before[r->levels])
			return -1;
	}
	r->slots = slots;
	return 0;
}

void
trc_ranks_release(struct trc_ranks *r)
{
	free(r->live);
	for (int level = 0; level < TRC_RANKS_LEVELS; level++)
		free(r->before[level]);
	*r = (struct trc_ranks){ 0 };
}
