/* SPDX-License-Identifier: MIT
 *
 * The LRU stack: all pages in order of their last reference, the most recent at position 1. The
 * stack distance of a reference is the position at which it finds its page, and the page moves to
 * position 1: an LRU memory of m pages faults exactly if the distance is more than m (R. L.
 * Mattson, J. Gecsei, D. R. Slutz, I. L. Traiger, "Evaluation techniques for storage hierarchies",
 * IBM Systems Journal 9(2), 1970). Distances are exact for every trace: a reference takes at most
 * O(log n) for n pages, and the memory is O(n), about 20 bytes per page.
 *
 * Pages are given by number (pages.h). A zeroed struct may be released.
 */
#ifndef TRC_STAGE_SIMULATE_STACK_H
#define TRC_STAGE_SIMULATE_STACK_H

#include <stdint.h>

#include "stage/simulate/policy/ranks.h"

enum { TRC_STACK_TOP = 64 };

/* The stack: a top of seats with stamps, and a deep part of slots (stack.c). */
struct trc_stack {
	uint32_t n; /* number of pages in the stack */

	/* Private. */
	int8_t stamp[TRC_STACK_TOP];     /* time of the last use of each seat of the top */
	uint8_t aged[TRC_STACK_TOP];     /* the seats at the last renumbering, oldest first */
	int now;                         /* the next stamp */
	int oldest;                      /* first of `aged` that may still be the oldest seat */
	uint32_t sitting[TRC_STACK_TOP]; /* the page on each seat */
	uint32_t *where;                 /* for each page: its seat, or TRC_STACK_TOP + its slot */
	size_t wheres;
	struct trc_ranks ranks; /* of slots in use */
	uint32_t *owner;        /* for each slot: the page that got it last */
	size_t owners;
	size_t next, deep; /* the next slot to give out; number of slots in use */
	int entered;       /* of the last few references, how many were not in the top */
	const struct trc_stack_kernel *kernel;
};

/* An implementation of the stack for some processors. */
struct trc_stack_kernel {
	const char *name;

	/* Processes references while they find their page in the top; returns how many. */
	size_t (*top)(struct trc_stack *s, const uint32_t *id, size_t n, uint32_t *distance);

	/* Processes a reference that does not, and returns its distance. There must be a free
	 * slot. */
	uint32_t (*enter)(struct trc_stack *s, uint32_t id);
};

/* Returns the kernels that this processor can run, the fastest first; NULL after the last. */
const struct trc_stack_kernel *trc_stack_kernel(size_t i);

void trc_stack_init(struct trc_stack *s);
void trc_stack_release(struct trc_stack *s);

/* Refers to `n` pages, all with numbers below `pages`: distance[i] becomes the stack distance of
 * the i-th, 0 if it is the first reference to its page. After a failure the stack can only be
 * released. */
int trc_stack_refs(struct trc_stack *s, const uint32_t *id, size_t n, uint32_t pages,
                   uint32_t *distance, struct trc_err *err) TRC_MUST_USE;

/* Takes a page out of the stack; those below it move up. Returns its position, 0 if it was not
 * there. Its next reference is a first one again. */
uint32_t trc_stack_remove(struct trc_stack *s, uint32_t id);

/* Lists the pages in order of position, s->n of them. */
void trc_stack_order(const struct trc_stack *s, uint32_t *id);

#endif
