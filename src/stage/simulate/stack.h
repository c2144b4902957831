/* SPDX-License-Identifier: MIT
 *
 * The LRU stack: all pages in order of their last reference, the last used at position 1. The
 * stack distance of a reference is the position at which it finds its page, and the page moves to
 * position 1: an LRU memory of m pages faults just if the distance is more than m (R. L. Mattson,
 * J. Gecsei, D. R. Slutz, I. L. Traiger, "Evaluation techniques for storage hierarchies", IBM
 * Systems Journal 9(2), 1970). Exact, whatever the trace: a reference takes O(log n) at worst, for
 * n pages, and the memory is O(n), about 20 bytes a page.
 *
 * Pages are given by number (pages.h). Zeroed memory may be released.
 */
#ifndef TRC_STAGE_SIMULATE_STACK_H
#define TRC_STAGE_SIMULATE_STACK_H

#include <stdint.h>

#include "stage/simulate/ranks.h"

enum { TRC_STACK_TOP = 64 };

/* The stack: a top of seats with stamps, and a deep part of slots (stack.c). */
struct trc_stack {
	uint32_t n; /* pages in the stack */

	/* Private. */
	int8_t stamp[TRC_STACK_TOP];     /* when each seat of the top was used last */
	uint8_t aged[TRC_STACK_TOP];     /* the seats, oldest first, when they were stamped anew */
	int now;                         /* the next stamp */
	int oldest;                      /* the first of `aged` that may still be it */
	uint32_t sitting[TRC_STACK_TOP]; /* the page on each seat */
	uint32_t *where;                 /* of each page: its seat, or TRC_STACK_TOP + its slot */
	size_t wheres;
	struct trc_ranks ranks; /* of slots: a page stands there */
	uint32_t *owner;        /* of each slot: the page that got it last */
	size_t owners;
	size_t next, deep; /* the next slot to be given, those with a page */
	int entered;       /* of the last few references, those not in the top */
	const struct trc_stack_kernel *kernel;
};

/* The same in several forms of machine code. */
struct trc_stack_kernel {
	const char *name;

	/* Takes references as long as they find their page in the top; returns how many. */
	size_t (*top)(struct trc_stack *s, const uint32_t *id, size_t n, uint32_t *distance);

	/* Takes one that does not, and returns its distance. There is a slot to be given. */
	uint32_t (*enter)(struct trc_stack *s, uint32_t id);
};

/* All that this processor can run, the best first; NULL after the last. */
const struct trc_stack_kernel *trc_stack_kernel(size_t i);

void trc_stack_init(struct trc_stack *s);
void trc_stack_release(struct trc_stack *s);

/* References to `n` pages, all of number below `pages`: distance[i] becomes the stack distance of
 * the i-th, 0 if it is the first to its page. After a failure the stack can only be released. */
int trc_stack_refs(struct trc_stack *s, const uint32_t *id, size_t n, uint32_t pages,
                   uint32_t *distance, struct trc_err *err) TRC_MUST_USE;

/* Takes a page out of the stack, and those below it move up; returns its position, 0 if it was not
 * there. Its next reference is the first to it. */
uint32_t trc_stack_remove(struct trc_stack *s, uint32_t id);

/* Writes the pages in order of position, s->n of them. */
void trc_stack_order(const struct trc_stack *s, uint32_t *id);

#endif
