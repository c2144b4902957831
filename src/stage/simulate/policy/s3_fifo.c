/* SPDX-License-Identifier: MIT
 *
 * S3-FIFO (J. Yang, Y. Zhang, Z. Qiu, Y. Yue, K. V. Rashmi, "FIFO queues are all you need for cache
 * eviction", SOSP 2023): a line is inserted into a small queue of 10 % of the lines, with a count
 * of its uses, at most 3. The oldest line of the small queue moves to the main queue, with count 0,
 * if it was used at least twice. Otherwise it is remembered among as many lines as 90 % of the
 * cache, and is inserted into the main queue if it is used while remembered. The oldest line of the
 * main queue gets another round if its count is above 0, which is decremented. The small queue
 * loses a line unless all its lines move on, or the main queue exceeds its share; then the main
 * queue does. Shares are rounded down, at least 1.
 */
#include "stage/simulate/policy/ghosts.h"
#include "stage/simulate/policy/policy.h"

enum { COUNT_MOST = 3, COUNT_TO_MAIN = 2 };

struct s3_fifo {
	size_t ways;
	struct trc_queue *small, *main; /* of each set */
	struct trc_link *link;          /* of each way, from 1 on, like the arrays below */
	uint64_t *line;
	uint8_t *count;
	bool *in_main;
	struct trc_ghosts ghosts;
	bool again; /* the line being inserted was remembered */
};

static size_t
at_least_1(size_t n)
{
	return n ? n : 1;
}

static void
s3_fifo_use(void *state, size_t set, uint32_t way)
{
	struct s3_fifo *s = state;
	uint8_t *count = &s->count[trc_policy_place(s, set, way)];

	*count += *count < COUNT_MOST;
}

static void
s3_fifo_miss(void *state, size_t set, uint64_t line)
{
	struct s3_fifo *s = state;

	s->again = trc_ghosts_take(&s->ghosts, set, line);
}

/* Puts a line into its queue. */
static void
put(struct s3_fifo *s, size_t set, uint32_t id, bool in_main, uint8_t count)
{
	s->in_main[id] = in_main;
	s->count[id] = count;
	trc_queue_put(in_main ? &s->main[set] : &s->small[set], s->link, id);
}

/* Returns the line that the small queue evicts; 0 if all of its lines moved to the main queue. */
static uint32_t
evict_small(struct s3_fifo *s, size_t set)
{
	while (s->small[set].n > 0) {
		const uint32_t id = trc_queue_take_oldest(&s->small[set], s->link);

		if (s->count[id] < COUNT_TO_MAIN) {
			trc_ghosts_put(&s->ghosts, set, s->line[id]);
			return id;
		}
		put(s, set, id, true, 0);
	}
	return 0;
}

static uint32_t
evict_main(struct s3_fifo *s, size_t set)
{
	for (;;) {
		const uint32_t id = trc_queue_take_oldest(&s->main[set], s->link);

		if (s->count[id] == 0)
			return id;
		put(s, set, id, true, (uint8_t)(s->count[id] - 1));
	}
}

static uint32_t
s3_fifo_victim(void *state, size_t set)
{
	struct s3_fifo *s = state;
	uint32_t id = s->main[set].n > s->ways - at_least_1(s->ways / 10) ? 0 : evict_small(s, set);

	if (id == 0)
		id = evict_main(s, set);
	return id - trc_policy_place(s, set, 0);
}

static void
s3_fifo_fill(void *state, size_t set, uint32_t way, uint64_t line)
{
	struct s3_fifo *s = state;
	const uint32_t id = trc_policy_place(s, set, way);

	s->line[id] = line;
	put(s, set, id, s->again, 0);
}

static void
s3_fifo_drop(void *state, size_t set, uint32_t way)
{
	struct s3_fifo *s = state;
	const uint32_t id = trc_policy_place(s, set, way);

	trc_queue_take(s->in_main[id] ? &s->main[set] : &s->small[set], s->link, id);
}

const struct trc_policy trc_policy_s3_fifo = {
	.name = "s3-fifo",
	.doc = "S3-FIFO (Yang, Zhang, Qiu, Yue, Rashmi 2023): the small queue has 10 % of the "
	       "lines, rounded down, at least 1; two uses there promote to the main queue; "
	       "counters saturate at 3; the ghost queue has 90 % of the lines; evict from the "
	       "main queue if it has more than its share, otherwise from the small one",
	.counts = true,
	.size = sizeof(struct s3_fifo),
	.array = { TRC_OF_SETS(struct s3_fifo, small), TRC_OF_SETS(struct s3_fifo, main),
	           TRC_OF_WAYS(struct s3_fifo, link), TRC_OF_WAYS(struct s3_fifo, line),
	           TRC_OF_WAYS(struct s3_fifo, count), TRC_OF_WAYS(struct s3_fifo, in_main) },
	.ghosts = { { offsetof(struct s3_fifo, ghosts), 9, 10 } },
	.use = s3_fifo_use,
	.miss = s3_fifo_miss,
	.victim = s3_fifo_victim,
	.fill = s3_fifo_fill,
	.drop = s3_fifo_drop,
};
