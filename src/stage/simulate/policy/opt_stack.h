/* SPDX-License-Identifier: MIT
 *
 * The stack of MIN, the policy of L. A. Belady ("A study of replacement algorithms for a
 * virtual-storage computer", IBM Systems Journal 5(2), 1966), which evicts the page whose next use
 * is farthest in the future. No policy that admits every page has fewer misses. The stack distance
 * of a reference is the smallest memory in which it hits. It does not depend on the future (G.
 * Bilardi, K. Ekanadham, P. Pattnaik, "Optimal on-line computation of stack distances for MIN and
 * OPT", Computing Frontiers 2017), so one pass is enough, and only the pages are stored. Distances
 * are exact for every trace; opt_stack.c explains the method, which is not that of the paper. The
 * memory is O(n) for n pages, at most about 40 bytes each.
 *
 * Pages that are not used again are tied. They are evicted as if each of them were used once more
 * after the end of the trace, in the order of their last uses: of two, the more recently used goes
 * first.
 *
 * With `bypass`, a page that is missed need not be admitted: then no cache at all has fewer misses.
 *
 * Pages are given by number (stage/simulate/pages.h). A zeroed struct may be released.
 */
#ifndef TRC_STAGE_SIMULATE_POLICY_OPT_STACK_H
#define TRC_STAGE_SIMULATE_POLICY_OPT_STACK_H

#include <stdbool.h>
#include <stdint.h>

#include "stage/simulate/policy/holes.h"

enum { TRC_OPT_STACK_LEVELS = 8 };

/* The stack: slots by time of last use, and the least depth of each node of them (opt_stack.c). */
struct trc_opt_stack {
	uint32_t n; /* pages in the stack, and holes */

	bool bypass; /* set before the first reference */

	/* Private. */
	struct trc_holes holes;

	/* The most recently used page, at depth 1, has no slot; with bypass it has one. */
	uint32_t newest;
	uint32_t *slot;                        /* for each page */
	size_t pages;                          /* room */
	uint32_t *owner;                       /* for each slot: the page that got it last */
	uint32_t *depth[TRC_OPT_STACK_LEVELS]; /* for each slot, then the least of each node */
	size_t slots, next;                    /* room; the next slot to give out */
	unsigned levels;
	const struct trc_opt_stack_kernel *kernel;
};

int trc_opt_stack_init(struct trc_opt_stack *s, struct trc_err *err) TRC_MUST_USE;
void trc_opt_stack_release(struct trc_opt_stack *s);

/* Refers to `n` pages, all with numbers below `pages`: distance[i] becomes the stack distance of
 * the i-th, 0 if it is the first reference to its page. After a failure the stack can only be
 * released. */
int trc_opt_stack_refs(struct trc_opt_stack *s, const uint32_t *id, size_t n, uint32_t pages,
                       uint32_t *distance, struct trc_err *err) TRC_MUST_USE;

/* Removes a page from the stack; *distance becomes what its stack distance would have been, 0 if it
 * was not there. Its next reference is a first one again. Unlike a reference this takes O(n). */
int trc_opt_stack_remove(struct trc_opt_stack *s, uint32_t id, uint32_t *distance,
                         struct trc_err *err) TRC_MUST_USE;

/* Lists the pages in order of depth, s->n of them, with UINT32_MAX for holes: if the trace ends
 * here, a memory of m pages holds the first m. */
void trc_opt_stack_order(const struct trc_opt_stack *s, uint32_t *id);

#endif
