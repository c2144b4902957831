/* SPDX-License-Identifier: MIT
 *
 * The LRU stack of write-around. When a page at position d is read, the memories of fewer pages
 * fetch it and evict what they used longest ago, or fill a free frame. So from position 1 on, the
 * page that was used longest ago so far is carried down, and takes the position of the next one
 * that was used before it, until d. Pages that move are those that no page above was used before:
 *
 *   queued   no page above was used before it. The queued pages are in order of last use, the last
 *            one on top, in the positions that are left to them.
 *   pinned   a page above was used before it. It has a position of its own, as a hole has
 *            (holes.h), until it is used again.
 *
 * So a read of page x, queued or not, makes it the first of the queue, and leaves its position to
 * the queue, or to a hole if there was one above, whose position the queue gets. A write pins x
 * where it is, unless it is the first of the queue.
 *
 * What remains is to find pinned pages that join the queue, when all queued pages used before them
 * have moved below. This is so if as many queued pages were used later as positions above are left
 * to the queue; the page is wanted then. The first number less the second is the key of a page. It
 * is enough to know the keys of candidates: pinned pages with no pinned page above that was used
 * before them, since others join later than that one. Candidates are in order of position and also
 * of last use, the last one on top. So the requests that change a number change it for all
 * candidates from a position on.
 *
 * A tree over the positions has for each node the number of positions left to the queue, the slot
 * of the pinned page that was used first, and the largest key of a candidate. A change from a
 * position on is added to nodes. Slots are in order of last use (ranks.h counts those of queued
 * pages). When all were given out, or after many changes, pages are moved together into the first
 * slots, and the tree is rebuilt.
 */
#include "stage/simulate/policy/around_stack.h"

#include <stdlib.h>
#include <string.h>

struct trc_around_node {
	int32_t most;    /* largest key of a candidate below, less `add` of the nodes above */
	int32_t add;     /* for all keys below */
	uint32_t oldest; /* slot of the pinned page that was used first */
	uint32_t left;   /* positions left to the queue */
};

enum {
	LEAST = 64,            /* leaves */
	CHANGES = 1 << 26,     /* each changes a key by 4 at most */
	PAGES_MOST = 1 << 28,  /* so that keys and all changes are less than NO_KEY apart */
	NO_KEY = -(3 << 29),   /* of any other leaf */
	KEY_LEAST = -(1 << 30) /* with changes: less is NO_KEY */
};

#define NONE UINT32_MAX

/* ---- the tree ---- */

static void
join(struct trc_around_stack *s, size_t i)
{
	struct trc_around_node *to = &s->node[i];
	const struct trc_around_node *a = &s->node[2 * i], *b = a + 1;

	to->most = (a->most > b->most ? a->most : b->most) + to->add;
	to->oldest = a->oldest < b->oldest ? a->oldest : b->oldest;
	to->left = a->left + b->left;
}

/* Updates the nodes above a leaf. */
static void
update_nodes(struct trc_around_stack *s, size_t leaf)
{
	for (size_t i = leaf / 2; i > 0; i /= 2)
		join(s, i);
}

/* Adds to the keys of all candidates from leaf `i` on. */
static void
add_from(struct trc_around_stack *s, size_t i, int32_t by)
{
	s->node[i].most += by;
	for (; i > 1; i /= 2) {
		if (i % 2 == 0) {
			s->node[i + 1].most += by;
			s->node[i + 1].add += by;
		}
		join(s, i / 2);
	}
}

/* Adds to the keys of all candidates. */
static void
add_all(struct trc_around_stack *s, int32_t by)
{
	s->node[1].most += by;
	s->node[1].add += by;
}

/* Returns the first leaf from `i` on with a pinned page that was used before a slot; 0: none. */
static size_t
first_before(const struct trc_around_stack *s, size_t i, uint32_t slot)
{
	while (s->node[i].oldest >= slot) {
		while (i % 2)
			i /= 2;
		if (i == 0)
			return 0;
		i++;
	}
	while (i < s->leaves) {
		i *= 2;
		i += s->node[i].oldest >= slot;
	}
	return i;
}

/* Returns the slot of the pinned page above a leaf that was used first. */
static uint32_t
oldest_above(const struct trc_around_stack *s, size_t i)
{
	uint32_t oldest = NONE;

	for (; i > 1; i /= 2)
		if (i % 2 && s->node[i - 1].oldest < oldest)
			oldest = s->node[i - 1].oldest;
	return oldest;
}

/* Returns the number of positions above a leaf that are left to the queue. */
static uint32_t
left_above(const struct trc_around_stack *s, size_t i)
{
	uint32_t n = 0;

	for (; i > 1; i /= 2)
		n += i % 2 ? s->node[i - 1].left : 0;
	return n;
}

/* Returns the position of the page that has `n` others before it in the queue. */
static uint32_t
place_in_queue(const struct trc_around_stack *s, uint32_t n)
{
	size_t i = 1;

	if (s->taken == 0)
		return n + 1;
	while (i < s->leaves) {
		i *= 2;
		if (n >= s->node[i].left)
			n -= s->node[i++].left;
	}
	return (uint32_t)(i - s->leaves) + 1;
}

/* Makes the leaves of the tree, at least as many as there were, and all sums anew. */
static int
rebuild(struct trc_around_stack *s, size_t leaves, struct trc_err *err)
{
	struct trc_around_node *node = trc_alloc(2 * leaves, sizeof(*node), err);

	if (!node)
		return -1;
	for (size_t i = 1; i < s->leaves; i++)
		for (size_t k = 2 * i; k <= 2 * i + 1; k++) {
			s->node[k].most += s->node[i].add;
			s->node[k].add += s->node[i].add;
		}
	for (size_t i = 0; i < leaves; i++) {
		struct trc_around_node *to = &node[leaves + i];

		*to = (struct trc_around_node){ NO_KEY, 0, NONE, 1 };
		if (i < s->leaves)
			*to = s->node[s->leaves + i];
		to->add = 0;
		if (to->most < KEY_LEAST)
			to->most = NO_KEY;
	}
	free(s->node);
	s->node = node;
	s->leaves = leaves;
	for (size_t i = leaves - 1; i > 0; i--)
		join(s, i);
	s->changes = 0;
	return 0;
}

/* ---- slots ---- */

/* Gives the next slot to a page. */
static uint32_t
give_slot(struct trc_around_stack *s, uint32_t id, bool queued)
{
	const uint32_t slot = s->next++;

	if (slot % (1 << TRC_RANKS_BLOCK_BITS) == 0)
		trc_ranks_begin_block(&s->ranks, slot, s->queued);
	s->ranks.live[slot / 64] |= (uint64_t)queued << slot % 64;
	s->queued += queued;
	s->owner[slot] = id;
	s->slot[id] = slot + 1;
	return slot;
}

/* Moves the pages together, in order of last use; a page never moves to a later slot. */
static int
renumber(struct trc_around_stack *s, struct trc_err *err)
{
	const uint32_t slots = s->next, pages = s->queued + s->taken;

	if ((s->ranks.slots == 0 || pages > s->ranks.slots / 2) &&
	    trc_ranks_room(&s->ranks, s->ranks.slots ? 2 * s->ranks.slots : TRC_RANKS_LEAST, err))
		return -1;
	if (trc_grow(&s->owner, &s->owners, s->ranks.slots, sizeof(*s->owner), err))
		return -1;
	memset(s->ranks.live, 0, s->ranks.slots / 64 * sizeof(*s->ranks.live));
	s->next = s->queued = 0;
	for (uint32_t i = 0; i < slots; i++) {
		const uint32_t id = s->owner[i];

		if (s->slot[id] != i + 1)
			continue;
		(void)give_slot(s, id, !s->pinned[id]);
		if (s->pinned[id])
			s->node[s->leaves + s->pinned[id] - 1].oldest = s->next - 1;
	}
	return rebuild(s, s->leaves, err);
}

static int
make_room(struct trc_around_stack *s, uint32_t pages, struct trc_err *err)
{
	if (pages > PAGES_MOST)
		return trc_fail_as(err, TRC_NO_MEMORY, "too many pages for --writes around");
	if (trc_grow_zeros(&s->slot, &s->slots, pages, sizeof(*s->slot), err) ||
	    trc_grow_zeros(&s->pinned, &s->pins, pages, sizeof(*s->pinned), err))
		return -1;
	while (pages > s->leaves)
		if (rebuild(s, s->leaves ? 2 * s->leaves : LEAST, err))
			return -1;
	return s->next == s->ranks.slots || ++s->changes == CHANGES ? renumber(s, err) : 0;
}

/* ---- pages ---- */

/* Returns the number of queued pages that were used after a slot. */
static uint32_t
used_after(const struct trc_around_stack *s, uint32_t slot)
{
	return s->queued - (uint32_t)trc_ranks_up_to(&s->ranks, slot);
}

/* Makes the pinned pages from a leaf on candidates that have become so. */
static void
find_candidates(struct trc_around_stack *s, size_t i)
{
	uint32_t slot = oldest_above(s, i);

	while ((i = first_before(s, i, slot)) != 0 && s->node[i].most < KEY_LEAST) {
		int32_t key;

		slot = s->node[i].oldest;
		key = (int32_t)used_after(s, slot) - (int32_t)left_above(s, i);
		for (size_t k = i / 2; k > 0; k /= 2)
			key -= s->node[k].add;
		s->node[i].most = key;
		update_nodes(s, i);
	}
}

/* Leaves a position to the queue, or takes it. */
static void
set_left(struct trc_around_stack *s, uint32_t position, bool left)
{
	const size_t i = s->leaves + position - 1;

	if (s->node[i].left == left)
		return;
	s->node[i].left = left;
	s->taken += left ? UINT32_MAX : 1;
	update_nodes(s, i);
	if (i + 1 < 2 * s->leaves)
		add_from(s, i + 1, left ? -1 : 1);
}

/* A page joins the queue with the slot that it has, or leaves it. */
static void
change_queue(struct trc_around_stack *s, uint32_t slot, bool joins)
{
	const size_t older = first_before(s, 1, slot);

	trc_ranks_change(&s->ranks, slot, joins);
	s->queued += joins ? 1 : UINT32_MAX;
	if (older)
		add_from(s, older, joins ? 1 : -1);
}

/* A pinned page is no longer that; its position stays taken. */
static void
unpin(struct trc_around_stack *s, uint32_t id)
{
	const size_t i = s->leaves + s->pinned[id] - 1;
	const bool candidate = s->node[i].most >= KEY_LEAST;

	s->pinned[id] = 0;
	s->node[i].most = NO_KEY;
	s->node[i].oldest = NONE;
	update_nodes(s, i);
	if (candidate)
		find_candidates(s, i);
}

/* Queues the pinned pages that are wanted. */
static void
queue_wanted(struct trc_around_stack *s)
{
	while (s->node[1].most >= 0) {
		size_t i = 1;
		uint32_t id, position;

		while (i < s->leaves)
			i = 2 * i + (s->node[2 * i].most < s->node[2 * i + 1].most);
		id = s->owner[s->node[i].oldest];
		position = s->pinned[id];
		unpin(s, id);
		set_left(s, position, true);
		change_queue(s, s->slot[id] - 1, true);
	}
}

/* Takes a page out of the queue, or unpins it. */
static void
take_out(struct trc_around_stack *s, uint32_t id)
{
	if (s->pinned[id])
		unpin(s, id);
	else if (s->slot[id])
		change_queue(s, s->slot[id] - 1, false);
	s->slot[id] = 0;
}

/* Returns the position of a page; 0: it has none. */
static uint32_t
position_of(const struct trc_around_stack *s, uint32_t id)
{
	if (s->pinned[id] || !s->slot[id])
		return s->pinned[id];
	return place_in_queue(s, used_after(s, s->slot[id] - 1));
}

static void
read_page(struct trc_around_stack *s, uint32_t id, uint32_t position)
{
	const uint32_t hole = trc_holes_fill(&s->holes, position);

	take_out(s, id);
	if (hole)
		set_left(s, hole, true);
	if (position)
		set_left(s, position, !hole);
	(void)give_slot(s, id, true);
	add_all(s, 1);
}

static void
write_page(struct trc_around_stack *s, uint32_t id, uint32_t position)
{
	const bool first = !s->pinned[id] && used_after(s, s->slot[id] - 1) == 0;
	const size_t i = s->leaves + position - 1;

	take_out(s, id);
	if (first) {
		(void)give_slot(s, id, true);
		add_all(s, 1);
		return;
	}
	set_left(s, position, false);
	s->node[i].oldest = give_slot(s, id, false);
	s->pinned[id] = position;
	update_nodes(s, i);
	find_candidates(s, i);
}

int
trc_around_stack_refer(struct trc_around_stack *s, uint32_t id, bool write, uint32_t pages,
                       uint32_t *distance, struct trc_err *err)
{
	if (make_room(s, pages, err))
		return -1;
	*distance = position_of(s, id);
	if (!write)
		read_page(s, id, *distance);
	else if (*distance)
		write_page(s, id, *distance);
	queue_wanted(s);
	return 0;
}

int
trc_around_stack_remove(struct trc_around_stack *s, uint32_t id, struct trc_err *err)
{
	const uint32_t position = id < s->slots ? position_of(s, id) : 0;

	if (!position)
		return 0;
	take_out(s, id);
	set_left(s, position, false);
	queue_wanted(s);
	s->changes++;
	return trc_holes_put(&s->holes, position, err);
}

void
trc_around_stack_release(struct trc_around_stack *s)
{
	free(s->slot);
	free(s->pinned);
	free(s->owner);
	free(s->node);
	free(s->holes.hole);
	trc_ranks_release(&s->ranks);
	*s = (struct trc_around_stack){ 0 };
}
