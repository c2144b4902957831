/* SPDX-License-Identifier: MIT
 *
 * LFU: evicts the line that was used least often since it was inserted; among several, the least
 * recently used. Each operation takes constant time: there is a list of the occurring counts, and a
 * queue of lines for each (K. Shah, A. Mitra, D. Matani, "An O(1) algorithm for implementing the
 * LFU cache eviction scheme", 2010).
 */
#include "stage/simulate/policy/policy.h"
#include "stage/simulate/policy/queue.h"

/* Lines that were used equally often, in order of their last use. */
struct group {
	uint64_t uses;
	struct trc_queue lines;
};

/* The state of LFU. A set has as many groups as ways; those in use are in a queue, and the oldest
 * has the fewest uses. */
struct lfu {
	size_t ways;
	struct trc_queue *queue; /* for each set: its groups */
	uint32_t *spare;         /* an unused group; linked by `older` */
	uint32_t *begun;         /* number of groups that were ever in use */
	struct group *group;     /* from 1 on, like the arrays below */
	struct trc_link *links;  /* of groups */
	struct trc_link *link;   /* of ways */
	uint32_t *in;            /* the group of each way */
};

/* Adds a group for `uses` uses after group `at`, or at the front if that is 0. */
static uint32_t
new_group(struct lfu *l, size_t set, uint32_t at, uint64_t uses)
{
	struct trc_queue *q = &l->queue[set];
	const uint32_t newer = at ? l->links[at].newer : q->oldest;
	uint32_t id = l->spare[set];

	if (id)
		l->spare[set] = l->links[id].older;
	else
		id = trc_policy_place(l, set, l->begun[set]++);
	l->group[id] = (struct group){ .uses = uses };
	l->links[id] = (struct trc_link){ at, newer };
	*(at ? &l->links[at].newer : &q->oldest) = id;
	*(newer ? &l->links[newer].older : &q->newest) = id;
	q->n++;
	return id;
}

/* Takes a line out of its group, which is freed if it becomes empty. */
static void
take(struct lfu *l, size_t set, uint32_t id)
{
	const uint32_t in = l->in[id];

	trc_queue_take(&l->group[in].lines, l->link, id);
	if (l->group[in].lines.n > 0)
		return;
	trc_queue_take(&l->queue[set], l->links, in);
	l->links[in].older = l->spare[set];
	l->spare[set] = in;
}

static void
lfu_use(void *state, size_t set, uint32_t way)
{
	struct lfu *l = state;
	const uint32_t id = trc_policy_place(l, set, way), in = l->in[id];
	const uint64_t uses = l->group[in].uses + 1;
	uint32_t next = l->links[in].newer;

	if (next == 0 || l->group[next].uses != uses) {
		if (l->group[in].lines.n == 1) {
			l->group[in].uses = uses;
			return;
		}
		next = new_group(l, set, in, uses);
	}
	take(l, set, id);
	l->in[id] = next;
	trc_queue_put(&l->group[next].lines, l->link, id);
}

static uint32_t
lfu_victim(void *state, size_t set)
{
	struct lfu *l = state;
	const uint32_t id = l->group[l->queue[set].oldest].lines.oldest;

	take(l, set, id);
	return id - trc_policy_place(l, set, 0);
}

static void
lfu_fill(void *state, size_t set, uint32_t way, uint64_t line)
{
	struct lfu *l = state;
	const uint32_t id = trc_policy_place(l, set, way);
	uint32_t first = l->queue[set].oldest;

	(void)line;
	if (first == 0 || l->group[first].uses != 1)
		first = new_group(l, set, 0, 1);
	l->in[id] = first;
	trc_queue_put(&l->group[first].lines, l->link, id);
}

static void
lfu_drop(void *state, size_t set, uint32_t way)
{
	struct lfu *l = state;

	take(l, set, trc_policy_place(l, set, way));
}

const struct trc_policy trc_policy_lfu = {
	.name = "lfu",
	.doc = "LFU (Mattson and others 1970): evict the line used least often since it was "
	       "inserted; of several, the least recently used",
	.counts = true,
	.size = sizeof(struct lfu),
	.array = { TRC_OF_SETS(struct lfu, queue), TRC_OF_SETS(struct lfu, spare),
	           TRC_OF_SETS(struct lfu, begun), TRC_OF_WAYS(struct lfu, group),
	           TRC_OF_WAYS(struct lfu, links), TRC_OF_WAYS(struct lfu, link),
	           TRC_OF_WAYS(struct lfu, in) },
	.use = lfu_use,
	.victim = lfu_victim,
	.fill = lfu_fill,
	.drop = lfu_drop
};
