/* SPDX-License-Identifier: MIT
 *
 * How the tree of opt_stack.h is updated, for different processors. A level of it is an array of
 * nodes of 16 numbers.
 */
#ifndef TRC_STAGE_SIMULATE_POLICY_OPT_STACK_KERNELS_H
#define TRC_STAGE_SIMULATE_POLICY_OPT_STACK_KERNELS_H

#include "stage/simulate/policy/opt_stack.h"

enum { TRC_OPT_NODE_BITS = 4, TRC_OPT_NODE = 1 << TRC_OPT_NODE_BITS };

/* An implementation of the stack for some processors. */
struct trc_opt_stack_kernel {
	const char *name;

	/* Takes a page out of its slot; returns its distance. */
	uint32_t (*take)(struct trc_opt_stack *s, size_t slot);

	/* Sets the depth of slot `k` of a node, storing the whole line if that is how nodes are
	 * loaded. */
	void (*set)(uint32_t *node, size_t k, uint32_t depth);
};

/* Returns the kernels that this processor can run, the fastest first; NULL after the last. */
const struct trc_opt_stack_kernel *trc_opt_stack_kernel(size_t i);

/* Returns the least number of a node. */
static inline uint32_t
trc_opt_least(const uint32_t *node)
{
	uint32_t least = node[0];

	for (int k = 1; k < TRC_OPT_NODE; k++)
		least = node[k] < least ? node[k] : least;
	return least;
}

#endif
