/* SPDX-License-Identifier: MIT
 *
 * The stack of MIN, maintained as if the future were this: each page once more, the least recently
 * used first. This suffices because:
 *
 *   The sets of pages that a memory of m pages can hold now, after all its possible hits, are only
 *   restricted by numbers: for every t, by how many pages last used before t they may contain,
 *   since each page that is kept takes a frame from its last use on. One of these sets takes pages
 *   from the oldest on, each if it still fits. A page can be held exactly if the oldest page of
 *   this set is as old or older. So this set decides about hits, and a page that hits replaces the
 *   newest page of the set that is as old or older.
 *
 * The sets of all sizes are nested, since MIN has the inclusion property, with one more page for
 * each size: they form a stack. Let the pages be in order of their last use, each with its depth in
 * the stack. A reference to page x of depth p has this distance and this effect:
 *
 *   v = p; for each page older than x, from the newest of them to the oldest: if its depth is less
 *   than v, exchange the two
 *
 *   v is the distance, the least depth of all pages that are not newer than x. It becomes the depth
 *   of the previously referenced page, which was at depth 1, where x now is. A new page also goes
 *   on top, and the previous page then gets the new depth at the bottom.
 *
 * Here pages are in slots, in order of time. A tree has the least depth of each node of 16 slots,
 * of 16 such nodes, and so on. When v passes a node whose least depth is less than v, it leaves
 * with that depth, and the node gets v in exchange. So v is known beyond a node before its inside
 * is updated, and only nodes whose least depth is less than v are visited. A page that is used
 * again leaves a hole. When all slots were given out, the pages are moved together, into twice as
 * many slots if they would fill more than half of them.
 *
 * A deleted page was held by sizes from its depth v on. Each of them can hold instead the oldest of
 * the newer pages that it does not hold: from the deleted page to the newest, each page exchanges
 * its depth with v if it is less. The final v is a hole (holes.h): it replaces the depth that a
 * reference gives to the previously referenced page.
 *
 * With bypass, the page being used needs a frame only if it is kept until its next use, like all
 * others. Then v becomes its own depth, a new page is at the bottom, and no page is at depth 1
 * because it was used last. (Two requests with a request to a unique page between them, in a memory
 * of one more page, are equivalent.)
 *
 * A reference takes O(log n) for each node that is updated: eight on average for cache lines of
 * compilers and databases, hundreds if pages are drawn at random from a hundred thousand.
 */
#include "stage/simulate/policy/opt_stack.h"

#include <stdlib.h>
#include <string.h>

#include "base/hugepages.h"
#include "stage/simulate/policy/opt_stack_kernels.h"

enum {
	NODE_BITS = TRC_OPT_NODE_BITS,
	NODE = TRC_OPT_NODE,
	SLOTS_FIRST = 1 << 8,
};

#define NONE UINT32_MAX /* depth of a hole; no page */
#define SLOTS_MOST (UINT32_C(1) << 31)

/* Returns how many numbers a level has, in whole nodes. */
static size_t
level_numbers(size_t slots, unsigned level)
{
	const size_t n = slots >> level * NODE_BITS;

	return n < NODE ? NODE : n;
}

/* Makes room for `slots` slots. Level 0 is kept; all other levels are cleared to holes. */
static int
set_slots(struct trc_opt_stack *s, size_t slots, struct trc_err *err)
{
	size_t depths = s->slots, owners = s->slots;

	if (slots > SLOTS_MOST)
		return trc_fail_as(err, TRC_NO_MEMORY, "too many pages");
	if (trc_grow(&s->depth[0], &depths, slots, sizeof(*s->depth[0]), err) ||
	    trc_grow(&s->owner, &owners, slots, sizeof(*s->owner), err))
		return -1;
	trc_hugepages_advise(s->depth[0], slots * sizeof(*s->depth[0]));
	trc_hugepages_advise(s->owner, slots * sizeof(*s->owner));
	memset(s->depth[0] + s->slots, 0xff, (slots - s->slots) * sizeof(*s->depth[0]));
	for (s->levels = 1; slots >> s->levels * NODE_BITS > 0; s->levels++) {
		free(s->depth[s->levels]);
		s->depth[s->levels] = trc_alloc(level_numbers(slots, s->levels), sizeof(uint32_t),
		                                err);
		if (!s->depth[s->levels])
			return -1;
	}
	s->slots = slots;
	return 0;
}

/* Computes the numbers of all levels above the slots. */
static void
sum_up(struct trc_opt_stack *s)
{
	for (unsigned level = 1; level < s->levels; level++) {
		const size_t n = s->slots >> level * NODE_BITS;

		memset(s->depth[level], 0xff,
		       level_numbers(s->slots, level) * sizeof(*s->depth[level]));
		for (size_t i = 0; i < n; i++)
			s->depth[level][i] = trc_opt_least(s->depth[level - 1] + i * NODE);
	}
}

/* Moves the pages together, in their order. */
static int
renumber(struct trc_opt_stack *s, struct trc_err *err)
{
	const size_t slots = s->slots;

	if (s->n > slots / 2 && set_slots(s, 2 * slots, err))
		return -1;
	s->next = 0;
	for (size_t i = 0; i < slots; i++) {
		const uint32_t depth = s->depth[0][i];

		s->depth[0][i] = NONE;
		if (depth == NONE)
			continue;
		s->depth[0][s->next] = depth;
		s->owner[s->next] = s->owner[i];
		s->slot[s->owner[i]] = (uint32_t)s->next++;
	}
	sum_up(s);
	return 0;
}

/* Gives the next slot to the previously referenced page, now at this depth. */
static inline void
give_slot(struct trc_opt_stack *s, uint32_t depth)
{
	size_t i = s->next++;

	s->owner[i] = s->newest;
	s->slot[s->newest] = (uint32_t)i;
	s->kernel->set(s->depth[0] + i / NODE * NODE, i % NODE, depth);
	for (unsigned level = 1; level < s->levels; level++) {
		i >>= NODE_BITS;
		if (s->depth[level][i] <= depth)
			break;
		s->depth[level][i] = depth;
	}
}

/* Handles the most frequent case, a reference to the page before the most recent one: the two
 * exchange places. Pages with slots have a depth of at least 2, so no other page changes. */
static inline bool
swap_two(struct trc_opt_stack *s, size_t slot)
{
	if (slot + 1 != s->next || s->depth[0][slot] != 2)
		return false;
	s->owner[slot] = s->newest;
	s->slot[s->newest] = (uint32_t)slot;
	return true;
}

/* Takes a page out of its slot, if it has one; returns its distance, and sets *depth to the depth
 * that becomes free. */
static inline uint32_t
take_out(struct trc_opt_stack *s, uint32_t id, uint32_t *depth)
{
	uint32_t distance = 0;

	if (s->slot[id] != NONE) {
		distance = s->kernel->take(s, s->slot[id]);
		s->next -= s->slot[id] + 1 == s->next;
	}
	*depth = trc_holes_fill(&s->holes, distance);
	if (!*depth)
		*depth = distance ? distance : ++s->n;
	return distance;
}

static inline uint32_t
refer_bypass(struct trc_opt_stack *s, uint32_t id)
{
	const uint32_t slot = s->slot[id];
	uint32_t distance, depth;

	if (slot != NONE && slot + 1 == s->next && s->depth[0][slot] == 1)
		return 1;
	distance = take_out(s, id, &depth);
	s->newest = id;
	give_slot(s, depth);
	s->newest = NONE;
	return distance;
}

static inline uint32_t
refer(struct trc_opt_stack *s, uint32_t id)
{
	uint32_t distance, depth;

	if (id == s->newest)
		return 1;
	if (s->newest != NONE && s->slot[id] != NONE && swap_two(s, s->slot[id])) {
		s->newest = id;
		return 2;
	}
	distance = take_out(s, id, &depth);
	if (s->newest != NONE)
		give_slot(s, depth);
	s->slot[id] = 0;
	s->newest = id;
	return distance;
}

/* Returns the least depth of the pages up to a slot. */
static uint32_t
least_up_to(const struct trc_opt_stack *s, size_t slot)
{
	uint32_t v = NONE;

	for (unsigned level = 0; level < s->levels; level++, slot >>= NODE_BITS) {
		const size_t end = slot + (level == 0);

		for (size_t i = slot / NODE * NODE; i < end; i++)
			v = s->depth[level][i] < v ? s->depth[level][i] : v;
	}
	return v;
}

static void
set_depth(struct trc_opt_stack *s, size_t slot, uint32_t depth)
{
	s->depth[0][slot] = depth;
	for (unsigned level = 1; level < s->levels; level++) {
		const size_t node = slot >> level * NODE_BITS;

		s->depth[level][node] = trc_opt_least(s->depth[level - 1] + node * NODE);
	}
}

/* Passes v through the slots after `slot`, to the newest; returns the final v. */
static uint32_t
leave(struct trc_opt_stack *s, size_t slot, uint32_t v)
{
	for (size_t i = slot + 1; i < s->next; i++) {
		const uint32_t depth = s->depth[0][i];

		if (depth != NONE && depth > v) {
			set_depth(s, i, v);
			v = depth;
		}
	}
	return v;
}

int
trc_opt_stack_remove(struct trc_opt_stack *s, uint32_t id, uint32_t *distance, struct trc_err *err)
{
	const uint32_t slot = id < s->pages ? s->slot[id] : NONE;
	uint32_t v = 1;

	*distance = slot != NONE;
	if (slot == NONE)
		return 0;
	if (id == s->newest) {
		s->newest = NONE;
	} else {
		v = s->depth[0][slot];
		*distance = least_up_to(s, slot);
		set_depth(s, slot, NONE);
		v = leave(s, slot, v);
	}
	s->slot[id] = NONE;
	return trc_holes_put(&s->holes, v, err);
}

int
trc_opt_stack_init(struct trc_opt_stack *s, struct trc_err *err)
{
	*s = (struct trc_opt_stack){ .newest = NONE, .kernel = trc_opt_stack_kernel(0) };
	if (set_slots(s, SLOTS_FIRST, err)) {
		trc_opt_stack_release(s);
		return -1;
	}
	sum_up(s);
	return 0;
}

void
trc_opt_stack_release(struct trc_opt_stack *s)
{
	free(s->holes.hole);
	free(s->slot);
	free(s->owner);
	for (int level = 0; level < TRC_OPT_STACK_LEVELS; level++)
		free(s->depth[level]);
	*s = (struct trc_opt_stack){ 0 };
}

int
trc_opt_stack_refs(struct trc_opt_stack *s, const uint32_t *id, size_t n, uint32_t pages,
                   uint32_t *distance, struct trc_err *err)
{
	const size_t old = s->pages;

	if (trc_grow(&s->slot, &s->pages, pages, sizeof(*s->slot), err))
		return -1;
	memset(s->slot + old, 0xff, (s->pages - old) * sizeof(*s->slot));
	for (size_t i = 0; i < n; i++) {
		if (TRC_UNLIKELY(s->next == s->slots) && renumber(s, err))
			return -1;
		distance[i] = s->bypass ? refer_bypass(s, id[i]) : refer(s, id[i]);
	}
	return 0;
}

void
trc_opt_stack_order(const struct trc_opt_stack *s, uint32_t *id)
{
	for (uint32_t i = 0; s->holes.n && i < s->n; i++)
		id[i] = NONE;
	if (s->n > 0 && !s->bypass)
		id[0] = s->newest;
	for (size_t i = 0; i < s->next; i++)
		if (s->depth[0][i] != NONE)
			id[s->depth[0][i] - 1] = s->owner[i];
}
