/* SPDX-License-Identifier: MIT
 *
 * The LRU stack if writes do not allocate: a write uses the page where a memory holds it, and else
 * leaves the memory as it is. Memories of all sizes agree on when a page they hold was used last,
 * so a memory of m pages holds those of m - 1 pages and one more: its position in the stack is m.
 * But a page that is written at position d stays there, since smaller memories do not fetch it, so
 * the stack is not in order of last use.
 *
 * A reference takes O(log n) for n pages, which need up to 100 bytes each; around_stack.c explains
 * the method. Pages are given by number (pages.h). A zeroed struct is empty, and may be released.
 */
#ifndef TRC_STAGE_SIMULATE_POLICY_AROUND_STACK_H
#define TRC_STAGE_SIMULATE_POLICY_AROUND_STACK_H

#include <stdbool.h>

#include "stage/simulate/policy/holes.h"
#include "stage/simulate/policy/ranks.h"

struct trc_around_node;

struct trc_around_stack {
	/* Private. */
	uint32_t *slot;   /* for each page: 1 + the slot of its last use; 0: not in the stack */
	uint32_t *pinned; /* for each page: its position, if it is pinned; else 0 */
	size_t slots, pins;
	uint32_t *owner; /* for each slot: the page that got it last */
	size_t owners;
	struct trc_ranks ranks;       /* of the slots of queued pages */
	uint32_t next, queued, taken; /* next slot; number of queued pages, of taken positions */
	uint32_t changes;             /* since the tree was rebuilt */
	struct trc_around_node *node; /* the tree; [1] is the root */
	size_t leaves;
	struct trc_holes holes; /* of deleted pages */
};

void trc_around_stack_release(struct trc_around_stack *s);

/* Refers to page `id`, which is below `pages`. Sets *distance to its position, the smallest memory
 * that holds it; 0: none does. */
int trc_around_stack_refer(struct trc_around_stack *s, uint32_t id, bool write, uint32_t pages,
                           uint32_t *distance, struct trc_err *err) TRC_MUST_USE;

/* Removes a page from all memories, which leaves a hole. */
int trc_around_stack_remove(struct trc_around_stack *s, uint32_t id,
                            struct trc_err *err) TRC_MUST_USE;

#endif
