/* SPDX-License-Identifier: MIT
 *
 * 2Q, the full version (T. Johnson, D. Shasha, "2Q: a low overhead high performance buffer
 * management replacement algorithm", VLDB 1994), with Kin = 25 % and Kout = 50 % of the lines,
 * rounded down, at least 1: a line is inserted into the queue A1in, in which a use has no effect. A
 * line evicted from there is remembered in A1out; if it is used while remembered, it is inserted
 * into Am, which is LRU. A1in loses its oldest line if it has more than Kin lines, else Am does.
 */
#include "stage/simulate/policy/ghosts.h"
#include "stage/simulate/policy/policy.h"

struct two_q {
	size_t ways;
	struct trc_queue *in, *main; /* A1in and Am of each set */
	struct trc_link *link;       /* of each way, from 1 on, like the arrays below */
	uint64_t *line;
	bool *in_main;
	struct trc_ghosts out;
	bool again; /* the line being inserted was remembered */
};

static size_t
at_least_1(size_t n)
{
	return n ? n : 1;
}

static struct trc_queue *
queue_of(struct two_q *q, size_t set, uint32_t id)
{
	return q->in_main[id] ? &q->main[set] : &q->in[set];
}

static void
two_q_use(void *state, size_t set, uint32_t way)
{
	struct two_q *q = state;
	const uint32_t id = trc_policy_place(q, set, way);

	if (!q->in_main[id])
		return;
	trc_queue_take(&q->main[set], q->link, id);
	trc_queue_put(&q->main[set], q->link, id);
}

static void
two_q_miss(void *state, size_t set, uint64_t line)
{
	struct two_q *q = state;

	q->again = trc_ghosts_take(&q->out, set, line);
}

static uint32_t
two_q_victim(void *state, size_t set)
{
	struct two_q *q = state;
	const bool in = q->in[set].n > at_least_1(q->ways / 4) || q->main[set].n == 0;
	const uint32_t id = trc_queue_take_oldest(in ? &q->in[set] : &q->main[set], q->link);

	if (in)
		trc_ghosts_put(&q->out, set, q->line[id]);
	return id - trc_policy_place(q, set, 0);
}

static void
two_q_fill(void *state, size_t set, uint32_t way, uint64_t line)
{
	struct two_q *q = state;
	const uint32_t id = trc_policy_place(q, set, way);

	q->line[id] = line;
	q->in_main[id] = q->again;
	trc_queue_put(queue_of(q, set, id), q->link, id);
}

static void
two_q_drop(void *state, size_t set, uint32_t way)
{
	struct two_q *q = state;
	const uint32_t id = trc_policy_place(q, set, way);

	trc_queue_take(queue_of(q, set, id), q->link, id);
}

const struct trc_policy trc_policy_2q = {
	.name = "2q",
	.doc = "2Q, full version (Johnson and Shasha 1994): Kin is 25 % of the lines, Kout 50 %, "
	       "rounded down, at least 1; a returning line is removed from A1out before another "
	       "is evicted",
	.size = sizeof(struct two_q),
	.array = { TRC_OF_SETS(struct two_q, in), TRC_OF_SETS(struct two_q, main),
	           TRC_OF_WAYS(struct two_q, link), TRC_OF_WAYS(struct two_q, line),
	           TRC_OF_WAYS(struct two_q, in_main) },
	.ghosts = { { offsetof(struct two_q, out), 1, 2 } },
	.use = two_q_use,
	.miss = two_q_miss,
	.victim = two_q_victim,
	.fill = two_q_fill,
	.drop = two_q_drop,
};
