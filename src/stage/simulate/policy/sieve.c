/* SPDX-License-Identifier: MIT
 *
 * SIEVE (Y. Zhang, J. Yang, Y. Yue, Y. Vigfusson, K. V. Rashmi, "SIEVE is simpler than LRU: an
 * efficient turn-key eviction algorithm for web caches", NSDI 2024): a FIFO queue whose lines keep
 * their place. A hand moves from the oldest to the newest and around; it clears the mark of use of
 * the lines that have it, and evicts the first one without. The hand stays there.
 */
#include "stage/simulate/policy/policy.h"
#include "stage/simulate/policy/queue.h"

struct sieve {
	size_t ways;
	struct trc_queue *queue; /* of each set */
	uint32_t *hand;          /* 0: at the oldest */
	struct trc_link *link;   /* of each way, from 1 on */
	uint8_t *used;
};

static void
sieve_use(void *state, size_t set, uint32_t way)
{
	struct sieve *s = state;

	s->used[trc_policy_place(s, set, way)] = 1;
}

/* Takes a line out of the queue; moves the hand on if it is there. */
static void
take(struct sieve *s, size_t set, uint32_t id)
{
	if (s->hand[set] == id)
		s->hand[set] = s->link[id].newer;
	trc_queue_take(&s->queue[set], s->link, id);
}

static uint32_t
sieve_victim(void *state, size_t set)
{
	struct sieve *s = state;
	uint32_t *hand = &s->hand[set], id;

	for (;; *hand = s->link[*hand].newer) {
		if (*hand == 0)
			*hand = s->queue[set].oldest;
		if (!s->used[*hand])
			break;
		s->used[*hand] = 0;
	}
	id = *hand;
	take(s, set, id);
	return id - trc_policy_place(s, set, 0);
}

static void
sieve_fill(void *state, size_t set, uint32_t way, uint64_t line)
{
	struct sieve *s = state;
	const uint32_t id = trc_policy_place(s, set, way);

	(void)line;
	s->used[id] = 0;
	trc_queue_put(&s->queue[set], s->link, id);
}

static void
sieve_drop(void *state, size_t set, uint32_t way)
{
	struct sieve *s = state;

	take(s, set, trc_policy_place(s, set, way));
}

const struct trc_policy trc_policy_sieve = {
	.name = "sieve",
	.doc = "SIEVE (Zhang, Yang, Yue, Vigfusson, Rashmi 2024): like clock, but retained lines "
	       "keep their place, and so does the hand",
	.counts = true,
	.size = sizeof(struct sieve),
	.array = { TRC_OF_SETS(struct sieve, queue), TRC_OF_SETS(struct sieve, hand),
	           TRC_OF_WAYS(struct sieve, link), TRC_OF_WAYS(struct sieve, used) },
	.use = sieve_use,
	.victim = sieve_victim,
	.fill = sieve_fill,
	.drop = sieve_drop
};
