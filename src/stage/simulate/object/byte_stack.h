/* SPDX-License-Identifier: MIT
 *
 * The LRU stack of objects of unequal size: all objects in order of their last use. The byte stack
 * distance of a request is the bytes of the objects above, and its own: an LRU cache of C bytes
 * that holds any object (C is at least the largest) has it just if the distance is at most C, since
 * it holds the longest beginning of the stack whose sizes sum to at most C. A request takes O(log
 * n) for n objects.
 *
 * Who is used gets the next slot of a long row and leaves a hole, and the slots are numbered anew
 * when all were given: a third of them are holes then, or more. Sums over slots are as in ranks.h,
 * with bytes in the place of ones and nodes of 16:
 *
 *   size      of each slot; 0 in a hole; 16 of them are a block
 *   live      a bit for each slot: it is no hole
 *   before[0] for each block, the bytes in the blocks before it in the same node of 16
 *   before[1] for each node, those in the nodes before it in the same node of nodes, and so on
 *
 * That is 9 to 11 bytes an object, as which object has a slot is not kept: it is found when it is
 * asked for, by the slots of all objects.
 *
 * Zeroed memory is an empty one, and may be released.
 */
#ifndef TRC_STAGE_SIMULATE_OBJECT_BYTE_STACK_H
#define TRC_STAGE_SIMULATE_OBJECT_BYTE_STACK_H

#include <stdint.h>

#include "base/base.h"

enum { TRC_BYTE_STACK_LEVELS = 8 };

struct trc_byte_stack {
	uint64_t bytes; /* of all objects */
	uint32_t n;     /* objects */

	/* Private. */
	uint32_t *size,
	        *rank; /* rank: how many slots are live before each 64, when that is asked */
	uint64_t *live, *before[TRC_BYTE_STACK_LEVELS];
	size_t slots, next;
	unsigned levels;
	uint32_t *slot; /* of each object: 1 + its slot; 0: it is not in the stack */
	size_t objects;
};

void trc_byte_stack_release(struct trc_byte_stack *s);

/* Room for one object more, of a number below `objects`. */
int trc_byte_stack_room(struct trc_byte_stack *s, uint32_t objects,
                        struct trc_err *err) TRC_MUST_USE;

/* A request for an object, for which there is room, and which has `size` bytes from now on: returns
 * its distance, with the size it had; 0: it was not there. */
uint64_t trc_byte_stack_refer(struct trc_byte_stack *s, uint32_t id, uint32_t size);

/* The size it has, 0 if it is not there; and the distance that a request for it would have, which
 * is 0 for nothing but objects without bytes; UINT64_MAX: it is not there. */
uint64_t trc_byte_stack_size(const struct trc_byte_stack *s, uint32_t id);
uint64_t trc_byte_stack_distance(const struct trc_byte_stack *s, uint32_t id);

/* Takes an object out, if it is there. */
void trc_byte_stack_remove(struct trc_byte_stack *s, uint32_t id);

/* Makes `to`, which is empty, a copy. */
int trc_byte_stack_copy(struct trc_byte_stack *to, const struct trc_byte_stack *from,
                        struct trc_err *err) TRC_MUST_USE;

/* What a request for an object will look at, first and then. */
static TRC_ALWAYS_INLINE void
trc_byte_stack_prefetch(const struct trc_byte_stack *s, uint32_t first, uint32_t then)
{
	const size_t slot = then < s->objects && s->slot[then] ? s->slot[then] - 1 : 0;

	if (first < s->objects)
		TRC_PREFETCH(&s->slot[first]);
	if (s->slots == 0)
		return;
	TRC_PREFETCH(&s->size[slot]);
	TRC_PREFETCH(&s->before[0][slot / 16]);
}

/* Calls what() for all objects from the last used on, with their distance. Takes 4 bytes a slot
 * while it does. */
typedef void trc_byte_stack_fn(void *of, uint32_t id, uint64_t distance);
int trc_byte_stack_each(const struct trc_byte_stack *s, trc_byte_stack_fn *what, void *of,
                        struct trc_err *err) TRC_MUST_USE;

#endif
