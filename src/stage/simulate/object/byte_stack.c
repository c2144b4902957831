/* SPDX-License-Identifier: MIT */
#include "stage/simulate/object/byte_stack.h"

#include <stdlib.h>

#include "base/hugepages.h"

enum { BITS = 4, NODE = 1 << BITS, LEAST = NODE * NODE };

/* Of all[NODE - 1 - k], those behind k are ones: so a part of a node is chosen without branches. */
#define ALL UINT64_MAX
static const uint64_t all[2 * NODE] = { [NODE] = ALL, ALL, ALL, ALL, ALL, ALL, ALL, ALL,
	                                ALL,          ALL, ALL, ALL, ALL, ALL, ALL, ALL };

/* log2 of the slots under one number of a level. */
static inline unsigned
bits_of(unsigned level)
{
	return BITS * (level + 1);
}

void
trc_byte_stack_release(struct trc_byte_stack *s)
{
	free(s->size);
	free(s->owner);
	free(s->slot);
	for (unsigned level = 0; level < TRC_BYTE_STACK_LEVELS; level++)
		free(s->before[level]);
	*s = (struct trc_byte_stack){ 0 };
}

/* Room for `slots` slots, a power of NODE or more, what is in the old ones kept; sums are not. */
static int
set_slots(struct trc_byte_stack *s, size_t slots, struct trc_err *err)
{
	size_t sizes = s->slots, owners = s->slots;

	if (slots > UINT32_MAX / 2)
		return trc_fail_as(err, TRC_NO_MEMORY, "too many objects");
	if (trc_grow(&s->size, &sizes, slots, sizeof(*s->size), err) ||
	    trc_grow(&s->owner, &owners, slots, sizeof(*s->owner), err))
		return -1;
	trc_hugepages_advise(s->size, slots * sizeof(*s->size));
	for (s->levels = 0; s->levels == 0 || slots >> bits_of(s->levels - 1) > NODE; s->levels++) {
		free(s->before[s->levels]);
		s->before[s->levels] = trc_alloc((slots >> bits_of(s->levels)) + NODE,
		                                 sizeof(uint64_t), err);
		if (!s->before[s->levels])
			return -1;
	}
	s->slots = slots;
	return 0;
}

/* The sums of the block that begins at `slot`: all objects are before it. */
static void
begin_block(struct trc_byte_stack *s, size_t slot)
{
	uint64_t before = 0;

	for (unsigned level = s->levels; level-- > 0;) {
		const size_t i = slot >> bits_of(level);
		uint64_t *sum = &s->before[level][i];

		if (slot == i << bits_of(level))
			*sum = s->bytes - before;
		before += *sum;
	}
}

/* Gives the next slot to an object. */
static inline void
give_slot(struct trc_byte_stack *s, uint32_t id, uint64_t size)
{
	const size_t slot = s->next++;

	if (slot % NODE == 0)
		begin_block(s, slot);
	s->size[slot] = size;
	s->owner[slot] = id;
	s->slot[id] = (uint32_t)slot + 1;
	s->bytes += size;
	s->n++;
}

/* Moves the objects together, in their order: none moves to a later slot. */
static int
renumber(struct trc_byte_stack *s, struct trc_err *err)
{
	const size_t slots = s->next;

	if (s->n >= s->slots / 2 && set_slots(s, s->slots ? 2 * s->slots : LEAST, err))
		return -1;
	s->next = s->n = 0;
	s->bytes = 0;
	for (size_t slot = 0; slot < slots; slot++)
		if (s->slot[s->owner[slot]] == slot + 1)
			give_slot(s, s->owner[slot], s->size[slot]);
	return 0;
}

int
trc_byte_stack_room(struct trc_byte_stack *s, uint32_t objects, struct trc_err *err)
{
	if (objects > s->objects &&
	    trc_grow_zeros(&s->slot, &s->objects, objects, sizeof(*s->slot), err))
		return -1;
	return s->next == s->slots ? renumber(s, err) : 0;
}

/* The bytes up to and including a slot. */
static inline uint64_t
up_to(const struct trc_byte_stack *s, size_t slot)
{
	const uint64_t *block = &s->size[slot / NODE * NODE];
	const uint64_t *behind = &all[NODE - 1 - slot % NODE];
	uint64_t sum = 0;

	for (size_t k = 0; k < NODE; k++)
		sum += block[k] & ~behind[k];
	for (unsigned level = 0; level < s->levels; level++)
		sum += s->before[level][slot >> bits_of(level)];
	return sum;
}

/* Leaves a hole. */
static inline void
take_slot(struct trc_byte_stack *s, size_t slot)
{
	const uint64_t size = s->size[slot];

	s->size[slot] = 0;
	for (unsigned level = 0; level < s->levels; level++) {
		const size_t i = slot >> bits_of(level);
		uint64_t *node = &s->before[level][i / NODE * NODE];
		const uint64_t *behind = &all[NODE - 1 - i % NODE];

		for (size_t k = 0; k < NODE; k++)
			node[k] -= size & behind[k];
	}
	s->bytes -= size;
	s->n--;
}

uint64_t
trc_byte_stack_refer(struct trc_byte_stack *s, uint32_t id, uint64_t size)
{
	uint64_t distance = 0;

	if (s->slot[id]) {
		const size_t slot = s->slot[id] - 1;

		distance = s->bytes - up_to(s, slot) + s->size[slot];
		distance += distance == 0; /* of objects without bytes: any cache has them */
		take_slot(s, slot);
	}
	give_slot(s, id, size);
	return distance;
}

uint64_t
trc_byte_stack_size(const struct trc_byte_stack *s, uint32_t id)
{
	return id < s->objects && s->slot[id] ? s->size[s->slot[id] - 1] : 0;
}

uint64_t
trc_byte_stack_distance(const struct trc_byte_stack *s, uint32_t id)
{
	const size_t slot = id < s->objects ? s->slot[id] : 0;

	return slot ? s->bytes - up_to(s, slot - 1) + s->size[slot - 1] : UINT64_MAX;
}

void
trc_byte_stack_remove(struct trc_byte_stack *s, uint32_t id)
{
	if (id >= s->objects || !s->slot[id])
		return;
	take_slot(s, s->slot[id] - 1);
	s->slot[id] = 0;
}

int
trc_byte_stack_copy(struct trc_byte_stack *to, const struct trc_byte_stack *from,
                    struct trc_err *err)
{
	if (from->slots == 0)
		return 0;
	if (trc_grow_zeros(&to->slot, &to->objects, from->objects, sizeof(*to->slot), err))
		return -1;
	if (set_slots(to, from->slots, err))
		return -1;
	for (size_t slot = 0; slot < from->next; slot++)
		if (from->slot[from->owner[slot]] == slot + 1)
			give_slot(to, from->owner[slot], from->size[slot]);
	return 0;
}

void
trc_byte_stack_each(const struct trc_byte_stack *s, trc_byte_stack_fn *what, void *of)
{
	uint64_t distance = 0;

	for (size_t slot = s->next; slot-- > 0;)
		if (s->slot[s->owner[slot]] == slot + 1)
			what(of, s->owner[slot], distance += s->size[slot]);
}
