/* SPDX-License-Identifier: MIT
 *
 * Tree PLRU, as implemented in processors (first published by K. So and R. N. Rechtschaffen, "Cache
 * operations by MRU change", IEEE Transactions on Computers 37(6), 1988): there is a bit at each
 * node of a binary tree over the ways. A use or insertion of a line turns the bits on its path away
 * from it. The victim is the line to which the bits lead; at first all lead to way 0. Dropping a
 * line changes no bits.
 */
#include "stage/simulate/policy/policy.h"

/* The bits of each set, from the top node on; 1: to the half of the higher ways. */
struct plru {
	size_t ways;
	uint8_t *right;
};

/* Goes from the way up to the top: the children of node n are 2n and 2n + 1. */
static void
plru_use(void *state, size_t set, uint32_t way)
{
	struct plru *p = state;
	uint8_t *right = p->right + set * p->ways;

	for (size_t n = p->ways + way; n > 1; n /= 2)
		right[n / 2] = n % 2 == 0;
}

static uint32_t
plru_victim(void *state, size_t set)
{
	struct plru *p = state;
	const uint8_t *right = p->right + set * p->ways;
	size_t n = 1;

	while (n < p->ways)
		n = 2 * n + right[n];
	return (uint32_t)(n - p->ways);
}

static void
plru_fill(void *state, size_t set, uint32_t way, uint64_t line)
{
	(void)line;
	plru_use(state, set, way);
}

const struct trc_policy trc_policy_plru = {
	.name = "plru",
	.doc = "tree PLRU, for a power of two of ways (So and Rechtschaffen 1988): a use points "
	       "the bits on its path through a tree of ways away from it; evict the line that the "
	       "bits lead to, way 0 at first",
	.pairs = true,
	.size = sizeof(struct plru),
	.array = { TRC_OF_WAYS(struct plru, right) },
	.use = plru_use,
	.victim = plru_victim,
	.fill = plru_fill
};
