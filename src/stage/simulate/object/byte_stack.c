/* SPDX-License-Identifier: MIT */
#include "stage/simulate/object/byte_stack.h"

#include <stdlib.h>
#include <string.h>

#include "base/bytes.h"
#include "stage/simulate/policy/ranks.h"

#if defined(__GNUC__) && defined(__x86_64__) && !defined(TRC_NO_SIMD)
#define TRC_SIMD 1
#else
#define TRC_SIMD 0
#endif

enum { BITS = 4, NODE = 1 << BITS, LEAST = NODE * NODE, WORD = 64 };

/* all + NODE - 1 - k has ones in the elements after k: it masks a part of a node without
 * branches. */
#define ALL UINT64_MAX
static const uint64_t all[2 * NODE] = { [NODE] = ALL, ALL, ALL, ALL, ALL, ALL, ALL, ALL,
	                                ALL,          ALL, ALL, ALL, ALL, ALL, ALL, ALL };
#define SIZE UINT32_MAX
static const uint32_t sizes[2 * NODE] = { [NODE] = SIZE, SIZE, SIZE, SIZE, SIZE, SIZE, SIZE, SIZE,
	                                  SIZE,          SIZE, SIZE, SIZE, SIZE, SIZE, SIZE, SIZE };

/* Returns log2 of the slots under one number of a level. */
static inline unsigned
bits_of(unsigned level)
{
	return BITS * (level + 1);
}

void
trc_byte_stack_release(struct trc_byte_stack *s)
{
	free(s->size);
	free(s->live);
	free(s->rank);
	free(s->slot);
	for (unsigned level = 0; level < TRC_BYTE_STACK_LEVELS; level++)
		free(s->before[level]);
	*s = (struct trc_byte_stack){ 0 };
}

/* Makes room for `slots` slots, a multiple of LEAST. Old slots are kept; sums are not. */
static int
set_slots(struct trc_byte_stack *s, size_t slots, struct trc_err *err)
{
	size_t room = s->slots, words = s->slots / WORD, ranks = s->slots / WORD;

	if (slots > UINT32_MAX / 2)
		return trc_fail_as(err, TRC_NO_MEMORY, "too many objects");
	if (trc_grow_tight(&s->size, &room, slots, sizeof(*s->size), err) ||
	    trc_grow_zeros(&s->live, &words, slots / WORD, sizeof(*s->live), err) ||
	    trc_grow_tight(&s->rank, &ranks, slots / WORD, sizeof(*s->rank), err))
		return -1;
	for (s->levels = 0; s->levels == 0 || (slots - 1) >> bits_of(s->levels - 1) >= NODE;
	     s->levels++) {
		free(s->before[s->levels]);
		s->before[s->levels] = trc_alloc((slots >> bits_of(s->levels)) + NODE,
		                                 sizeof(uint64_t), err);
		if (!s->before[s->levels])
			return -1;
	}
	s->slots = slots;
	return 0;
}

/* Sets the sums of the block that begins at `slot`: all objects are before it. */
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
give_slot(struct trc_byte_stack *s, uint32_t id, uint32_t size)
{
	const size_t slot = s->next++;

	if (slot % NODE == 0)
		begin_block(s, slot);
	s->size[slot] = size;
	s->live[slot / WORD] |= UINT64_C(1) << slot % WORD;
	s->slot[id] = (uint32_t)slot + 1;
	s->bytes += size;
	s->n++;
}

/* Moves the sizes of live slots together: no size moves to a later slot. */
static void
move_sizes(struct trc_byte_stack *s, size_t slots)
{
	s->next = 0;
	s->bytes = 0;
	for (size_t w = 0; w * WORD < slots; w++)
		for (uint64_t live = s->live[w]; live; live &= live - 1) {
			const uint32_t size = s->size[w * WORD + (size_t)trc_ctz64(live)];

			if (s->next % NODE == 0)
				begin_block(s, s->next);
			s->size[s->next++] = size;
			s->bytes += size;
		}
	for (size_t w = 0; w * WORD < slots; w++)
		s->live[w] = w < s->next / WORD  ? UINT64_MAX :
		             w == s->next / WORD ? (UINT64_C(1) << s->next % WORD) - 1 :
		                                   0;
}

/* Sets the new slot of each object: the number of live slots before it. */
static TRC_ALWAYS_INLINE void
move_slots(struct trc_byte_stack *s)
{
	uint32_t rank = 0;

	for (size_t w = 0; w * WORD < s->next; w++) {
		s->rank[w] = rank;
		rank += trc_ranks_ones(s->live[w]);
	}
	for (size_t id = 0; id < s->objects; id++) {
		const size_t slot = s->slot[id] - (s->slot[id] > 0);
		const uint64_t before = (UINT64_C(1) << slot % WORD) - 1;

		if (s->slot[id])
			s->slot[id] = 1 + s->rank[slot / WORD] +
			              trc_ranks_ones(s->live[slot / WORD] & before);
	}
}

static void
move_slots_portable(struct trc_byte_stack *s)
{
	move_slots(s);
}

#if TRC_SIMD
TRC_TARGET("popcnt")
static void
move_slots_popcnt(struct trc_byte_stack *s)
{
	move_slots(s);
}
#endif

/* Moves the objects together, in their order. */
static int
renumber(struct trc_byte_stack *s, struct trc_err *err)
{
	void (*move)(struct trc_byte_stack *) = move_slots_portable;
	const size_t slots = s->next;

#if TRC_SIMD
	if (__builtin_cpu_supports("popcnt"))
		move = move_slots_popcnt;
#endif
	if (s->n < slots)
		move(s);
	if (s->n >= s->slots / 4 * 3 &&
	    set_slots(s, (s->slots ? s->slots + s->slots / 8 : LEAST) / LEAST * LEAST + LEAST, err))
		return -1;
	move_sizes(s, slots);
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

/* Returns the bytes up to and including a slot. */
static inline uint64_t
up_to(const struct trc_byte_stack *s, size_t slot)
{
	const uint32_t *block = &s->size[slot / NODE * NODE];
	const uint32_t *after = &sizes[NODE - 1 - slot % NODE];
	uint64_t sum = 0;

	for (size_t k = 0; k < NODE; k++)
		sum += block[k] & ~after[k];
	for (unsigned level = 0; level < s->levels; level++)
		sum += s->before[level][slot >> bits_of(level)];
	return sum;
}

/* Frees a slot, which becomes a hole. */
static inline void
take_slot(struct trc_byte_stack *s, size_t slot)
{
	const uint64_t size = s->size[slot];

	s->size[slot] = 0;
	s->live[slot / WORD] &= ~(UINT64_C(1) << slot % WORD);
	for (unsigned level = 0; level < s->levels; level++) {
		const size_t i = slot >> bits_of(level);
		uint64_t *node = &s->before[level][i / NODE * NODE];
		const uint64_t *after = &all[NODE - 1 - i % NODE];

		for (size_t k = 0; k < NODE; k++)
			node[k] -= size & after[k];
	}
	s->bytes -= size;
	s->n--;
}

uint64_t
trc_byte_stack_refer(struct trc_byte_stack *s, uint32_t id, uint32_t size)
{
	uint64_t distance = 0;

	if (s->slot[id]) {
		const size_t slot = s->slot[id] - 1;

		distance = s->bytes - up_to(s, slot) + s->size[slot];
		distance += distance == 0; /* for objects without bytes, which fit into any cache */
		take_slot(s, slot);
	}
	give_slot(s, id, size);
	return distance;
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
	if (trc_grow_zeros(&to->slot, &to->objects, from->objects, sizeof(*to->slot), err) ||
	    set_slots(to, from->slots, err))
		return -1;
	memcpy(to->slot, from->slot, from->objects * sizeof(*to->slot));
	memcpy(to->size, from->size, from->next * sizeof(*to->size));
	memcpy(to->live, from->live, from->slots / WORD * sizeof(*to->live));
	for (unsigned level = 0; level < from->levels; level++)
		memcpy(to->before[level], from->before[level],
		       ((from->slots >> bits_of(level)) + NODE) * sizeof(uint64_t));
	to->next = from->next;
	to->bytes = from->bytes;
	to->n = from->n;
	return 0;
}

int
trc_byte_stack_each(const struct trc_byte_stack *s, trc_byte_stack_fn *what, void *of,
                    struct trc_err *err)
{
	uint32_t *owner = trc_alloc_room(s->next + 1, sizeof(*owner), err);
	uint64_t distance = 0;

	if (!owner)
		return -1;
	for (size_t id = 0; id < s->objects; id++)
		if (s->slot[id])
			owner[s->slot[id] - 1] = (uint32_t)id;
	for (size_t slot = s->next; slot-- > 0;)
		if (s->live[slot / WORD] >> slot % WORD & 1)
			what(of, owner[slot], distance += s->size[slot]);
	free(owner);
	return 0;
}
