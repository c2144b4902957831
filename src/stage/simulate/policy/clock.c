/* SPDX-License-Identifier: MIT
 *
 * CLOCK (F. J. Corbato, "A paging experiment with the Multics system", 1969): a FIFO queue in which
 * a line that was used since it was inserted or last inspected gets another round. A line is
 * inserted without its mark of use.
 */
#include "stage/simulate/policy/policy.h"
#include "stage/simulate/policy/queue.h"

struct clock {
	size_t ways;
	struct trc_queue *queue; /* of each set */
	struct trc_link *link;   /* of each way, from 1 on */
	uint8_t *used;
};

static void
clock_use(void *state, size_t set, uint32_t way)
{
	struct clock *c = state;

	c->used[trc_policy_place(c, set, way)] = 1;
}

static uint32_t
clock_victim(void *state, size_t set)
{
	struct clock *c = state;
	struct trc_queue *q = &c->queue[set];

	for (;;) {
		const uint32_t id = trc_queue_take_oldest(q, c->link);

		if (!c->used[id])
			return id - trc_policy_place(c, set, 0);
		c->used[id] = 0;
		trc_queue_put(q, c->link, id);
	}
}

static void
clock_fill(void *state, size_t set, uint32_t way, uint64_t line)
{
	struct clock *c = state;
	const uint32_t id = trc_policy_place(c, set, way);

	(void)line;
	c->used[id] = 0;
	trc_queue_put(&c->queue[set], c->link, id);
}

static void
clock_drop(void *state, size_t set, uint32_t way)
{
	struct clock *c = state;

	trc_queue_take(&c->queue[set], c->link, trc_policy_place(c, set, way));
}

const struct trc_policy trc_policy_clock = {
	.name = "clock",
	.doc = "CLOCK (Corbato 1969): FIFO, but a line used since it was inserted or last "
	       "inspected gets another round",
	.counts = true,
	.size = sizeof(struct clock),
	.array = { TRC_OF_SETS(struct clock, queue), TRC_OF_WAYS(struct clock, link),
	           TRC_OF_WAYS(struct clock, used) },
	.use = clock_use,
	.victim = clock_victim,
	.fill = clock_fill,
	.drop = clock_drop
};
