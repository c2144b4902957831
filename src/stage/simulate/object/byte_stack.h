/* SPDX-License-Identifier: MIT
 *
 * The LRU stack of objects of different sizes: all objects in order of their last use. The byte
 * stack distance of a request is the bytes of all objects above, plus its own. An LRU cache of C
 * bytes that admits any object (C is at least the largest) holds an object exactly if the distance
 * is at most C: it holds the longest prefix of the stack whose sizes sum to at most C. A request
 * takes O(log n) for n objects.
 *
 * An object that is used gets the next slot of a long array and leaves a hole. When all slots were
 * given out, they are renumbered: at least a third of them are holes then. Sums over slots are
 * organised as in ranks.h, with bytes in place of ones, and nodes of 16:
 *
 *   size      of each slot; 0 in a hole; 16 slots are a block
 *   live      a bit for each slot: it is not a hole
 *   before[0] for each block, the bytes in the blocks before it in its node of 16 blocks
 *   before[1] for each node, those in the nodes before it in its node of 16 nodes, and so on
 *
 * This takes 9 to 11 bytes per object. The object of a slot is not stored; when it is needed, it is
 * found from the slots of all objects.
 *
 * A zeroed struct is empty, and may be released.
 */
#ifndef TRC_STAGE_SIMULATE_OBJECT_BYTE_STACK_H
#define TRC_STAGE_SIMULATE_OBJECT_BYTE_STACK_H

#include <stdint.h>

#include "base/base.h"

enum { TRC_BYTE_STACK_LEVELS = 8 };

struct trc_byte_stack {
	uint64_t bytes; /* of all objects */
	uint32_t n;     /* number of objects */

	/* Private. */
	/* rank: number of live slots before each 64; made when needed */
	uint32_t *size, *rank;
	uint64_t *live, *before[TRC_BYTE_STACK_LEVELS];
	size_t slots, next;
	unsigned levels;
	uint32_t *slot; /* for each object: 1 + its slot; 0: not in the stack */
	size_t objects;
};

void trc_byte_stack_release(struct trc_byte_stack *s);

/* Makes room for one more request, to an object with a number below `objects`. */
int trc_byte_stack_room(struct trc_byte_stack *s, uint32_t objects,
                        struct trc_err *err) TRC_MUST_USE;

/* Refers to an object, for which there is room, and which has `size` bytes from now on. Returns its
 * distance, computed with its old size; 0: it was not there. */
uint64_t trc_byte_stack_refer(struct trc_byte_stack *s, uint32_t id, uint32_t size);

/* Return the size of an object, 0 if it is not there; and the distance that a request to it would
 * have, UINT64_MAX if it is not there. A distance is only 0 if neither the
 * object nor any above has bytes. */
static inline uint64_t
trc_byte_stack_size(const struct trc_byte_stack *s, uint32_t id)
{
	return id < s->objects && s->slot[id] ? s->size[s->slot[id] - 1] : 0;
}
uint64_t trc_byte_stack_distance(const struct trc_byte_stack *s, uint32_t id);

/* Removes an object, if it is there. */
void trc_byte_stack_remove(struct trc_byte_stack *s, uint32_t id);

/* Makes `to`, which is empty, a copy of `from`. */
int trc_byte_stack_copy(struct trc_byte_stack *to, const struct trc_byte_stack *from,
                        struct trc_err *err) TRC_MUST_USE;

/* Prefetches what a request to an object accesses: for `first` the first step, for `then` the
 * second. */
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

/* Calls what() for all objects, the most recent first, with their distances. Temporarily uses 4
 * bytes per slot. */
typedef void trc_byte_stack_fn(void *of, uint32_t id, uint64_t distance);
int trc_byte_stack_each(const struct trc_byte_stack *s, trc_byte_stack_fn *what, void *of,
                        struct trc_err *err) TRC_MUST_USE;

#endif
