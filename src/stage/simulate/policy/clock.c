/* SPDX-License-Identifier: MIT
 *
 * CLOCK (F. J. Corbato, "A paging experiment with the Multics system", 1969): a queue in which a
 * line that was used since it came, or since it was looked at, gets another round. A line comes
 * without its mark of use.
 */
#include <stdlib.h>

#include "stage/simulate/policy/policy.h"
#include "stage/simulate/policy/queue.h"

struct clock {
	size_t ways;
	struct trc_queue *queue; /* of each set */
	struct trc_link *link;   /* of each way, from 1 on */
	uint8_t *used;
};

static void
clock_close(void *state)
{
	struct clock *c = state;

	free(c->queue);
	free(c->link);
	free(c->used);
	free(c);
}

static void *
clock_open(size_t sets, size_t ways, struct trc_err *err)
{
	struct clock *c = trc_alloc(1, sizeof(*c), err);

	if (!c)
		return NULL;
	c->ways = ways;
	c->queue = trc_alloc(sets, sizeof(*c->queue), err);
	c->link = c->queue ? trc_alloc(sets * ways + 1, sizeof(*c->link), err) : NULL;
	c->used = c->link ? trc_alloc(sets * ways + 1, sizeof(*c->used), err) : NULL;
	if (c->used)
		return c;
	clock_close(c);
	return NULL;
}

static uint32_t
place(const struct clock *c, size_t set, uint32_t way)
{
	return (uint32_t)(set * c->ways + way + 1);
}

static void
clock_use(void *state, size_t set, uint32_t way)
{
	struct clock *c = state;

	c->used[place(c, set, way)] = 1;
}

static uint32_t
clock_victim(void *state, size_t set)
{
	struct clock *c = state;
	struct trc_queue *q = &c->queue[set];

	for (;;) {
		const uint32_t id = trc_queue_take_oldest(q, c->link);

		if (!c->used[id])
			return id - place(c, set, 0);
		c->used[id] = 0;
		trc_queue_put(q, c->link, id);
	}
}

static void
clock_fill(void *state, size_t set, uint32_t way, uint64_t line)
{
	struct clock *c = state;
	const uint32_t id = place(c, set, way);

	(void)line;
	c->used[id] = 0;
	trc_queue_put(&c->queue[set], c->link, id);
}

static void
clock_drop(void *state, size_t set, uint32_t way)
{
	struct clock *c = state;

	trc_queue_take(&c->queue[set], c->link, place(c, set, way));
}

const struct trc_policy trc_policy_clock = {
	.name = "clock",
	.doc = "CLOCK (Corbato 1969): the line that came first goes, but one that was "
	       "used since it came, or was looked at, gets another round",
	.counts = true,
	.open = clock_open,
	.close = clock_close,
	.use = clock_use,
	.victim = clock_victim,
	.fill = clock_fill,
	.drop = clock_drop
};
