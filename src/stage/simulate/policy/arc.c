/* SPDX-License-Identifier: MIT
 *
 * ARC (N. Megiddo, D. S. Modha, "ARC: a self-tuning, low overhead replacement cache", FAST 2003),
 * as in its figure 4: T1 has lines that were used once, T2 those used again, both in LRU order;
 * together they are the cache of c lines. B1 and B2 remember the lines evicted from them. T1 and B1
 * have at most c lines together, all four 2 c. A line that returns from B1 increases the share p of
 * T1, and one from B2 decreases it: by 1, or by the ratio of the other's size to its own if that is
 * more. p is a real number.
 */
#include "stage/simulate/policy/ghosts.h"
#include "stage/simulate/policy/policy.h"

/* Where the line that is being inserted was remembered. */
enum again { NOWHERE, IN_B1, IN_B2 };

struct arc {
	size_t ways;
	struct trc_queue *t[2]; /* T1 and T2 of each set */
	double *p;
	struct trc_link *link; /* of each way, from 1 on, like the arrays below */
	uint64_t *line;
	uint8_t *in;            /* index in t[] */
	struct trc_ghosts b[2]; /* B1 and B2 */
	enum again again;
};

/* Puts a line into T1 or T2. */
static void
put(struct arc *a, size_t set, uint32_t id, uint8_t in)
{
	a->in[id] = in;
	trc_queue_put(&a->t[in][set], a->link, id);
}

static void
take(struct arc *a, size_t set, uint32_t id)
{
	trc_queue_take(&a->t[a->in[id]][set], a->link, id);
}

static void
arc_use(void *state, size_t set, uint32_t way)
{
	struct arc *a = state;
	const uint32_t id = trc_policy_place(a, set, way);

	take(a, set, id);
	put(a, set, id, 1);
}

/* Returns the step of p: the ratio of the sizes. The value is assigned, so that processors that
 * compute with more digits also round it to a double: then results are the same on all machines. */
static double
step(uint32_t other, uint32_t own)
{
	const double ratio = (double)other / (double)own;

	return other > own ? ratio : 1;
}

static void
arc_miss(void *state, size_t set, uint64_t line)
{
	struct arc *a = state;
	const uint32_t b1 = a->b[0].queue[set].n, b2 = a->b[1].queue[set].n;
	double *p = &a->p[set];

	a->again = NOWHERE;
	if (trc_ghosts_take(&a->b[0], set, line)) {
		a->again = IN_B1;
		*p += step(b2, b1);
		*p = *p < (double)a->ways ? *p : (double)a->ways;
	} else if (trc_ghosts_take(&a->b[1], set, line)) {
		a->again = IN_B2;
		*p -= step(b1, b2);
		*p = *p > 0 ? *p : 0;
	}
}

/* REPLACE in the paper: evicts and remembers the oldest line of T1 or T2. */
static uint32_t
replace(struct arc *a, size_t set)
{
	const double t1 = a->t[0][set].n, p = a->p[set];
	const bool first = t1 > 0 && (t1 > p || (t1 == p && a->again == IN_B2));
	const int in = first || a->t[1][set].n == 0 ? 0 : 1;
	const uint32_t id = trc_queue_take_oldest(&a->t[in][set], a->link);

	trc_ghosts_put(&a->b[in], set, a->line[id]);
	return id;
}

static uint32_t
arc_victim(void *state, size_t set)
{
	struct arc *a = state;
	const size_t t1 = a->t[0][set].n, b1 = a->b[0].queue[set].n;
	const size_t t2 = a->t[1][set].n, b2 = a->b[1].queue[set].n;
	uint32_t id;

	if (a->again == NOWHERE && t1 == a->ways) {
		id = trc_queue_take_oldest(&a->t[0][set], a->link);
	} else {
		if (a->again == NOWHERE && t1 + b1 >= a->ways)
			trc_ghosts_take_oldest(&a->b[0], set);
		else if (a->again == NOWHERE && b2 > 0 && t1 + t2 + b1 + b2 >= 2 * a->ways)
			trc_ghosts_take_oldest(&a->b[1], set);
		id = replace(a, set);
	}
	return id - trc_policy_place(a, set, 0);
}

static void
arc_fill(void *state, size_t set, uint32_t way, uint64_t line)
{
	struct arc *a = state;
	const uint32_t id = trc_policy_place(a, set, way);

	a->line[id] = line;
	put(a, set, id, a->again == NOWHERE ? 0 : 1);
}

static void
arc_drop(void *state, size_t set, uint32_t way)
{
	struct arc *a = state;

	take(a, set, trc_policy_place(a, set, way));
}

const struct trc_policy trc_policy_arc = {
	.name = "arc",
	.doc = "ARC (Megiddo and Modha 2003), with a real-valued p",
	.counts = true,
	.size = sizeof(struct arc),
	.array = { TRC_OF_SETS(struct arc, t[0]), TRC_OF_SETS(struct arc, t[1]),
	           TRC_OF_SETS(struct arc, p), TRC_OF_WAYS(struct arc, link),
	           TRC_OF_WAYS(struct arc, line), TRC_OF_WAYS(struct arc, in) },
	.ghosts = { { offsetof(struct arc, b[0]), 1, 1 }, { offsetof(struct arc, b[1]), 1, 1 } },
	.use = arc_use,
	.miss = arc_miss,
	.victim = arc_victim,
	.fill = arc_fill,
	.drop = arc_drop,
};
