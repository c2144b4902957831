/* SPDX-License-Identifier: MIT
 *
 * Policies that divide the capacity between queues, and remember evicted objects: S3-FIFO, 2Q and
 * ARC. Each follows its paper (stage/simulate/policy/s3_fifo.c) with bytes in place of lines. The
 * papers do not consider sizes; in this respect they follow libCacheSim:
 *
 *   s3-fifo  the small queue has 10 % of the capacity, ghosts 90 %; an object larger than the small
 *            queue is not admitted, and one of equal size only if it was remembered
 *   2q       Kin is 25 % and Kout 50 % of the capacity; an object larger than Kin is not admitted,
 *            and Am has at most the rest of the capacity
 *   arc      p changes by 1 or by the ratio of the remembered bytes, as if it counted lines
 *
 * Shares are rounded down. If capacities are in objects, all is as with lines: shares are at least
 * 1, every object is admitted, Am may have more, and if T1 of arc is all of the cache, its oldest
 * object is not remembered, though B1 may have some after deletes.
 */
#include "stage/simulate/object/object_cache.h"

static uint64_t
share(const struct trc_object_cache *c, double part)
{
	const uint64_t n = (uint64_t)((double)c->capacity * part);

	return n == 0 && c->ones ? 1 : n;
}

/* ---- S3-FIFO ---- */

enum { SMALL, MAIN, GHOSTS };
enum { USES_MOST = 3, USES_TO_MAIN = 2 };

static void
s3_fifo_begin(struct trc_object_cache *c, uint64_t *largest)
{
	*largest = c->queue[SMALL].limit = share(c, 0.10);
	c->queue[MAIN].limit = c->capacity - c->queue[SMALL].limit;
	c->queue[GHOSTS].limit = share(c, 0.90);
}

static void
s3_fifo_hit(struct trc_object_cache *c, uint32_t e)
{
	c->object[e].uses += c->object[e].uses < USES_MOST;
}

/* Evicts the oldest object of the small queue that was not used; those before it move to the main
 * queue. */
static void
evict_small(struct trc_object_cache *c)
{
	for (uint32_t e; (e = trc_object_oldest(c, SMALL)) != 0;) {
		if (c->object[e].uses < USES_TO_MAIN) {
			trc_object_remember(c, e, GHOSTS);
			return;
		}
		c->object[e].uses = 0;
		trc_object_move(c, e, MAIN);
	}
}

/* Each use gives another round. */
static void
evict_main(struct trc_object_cache *c)
{
	uint32_t e;

	while (e = trc_object_oldest(c, MAIN), c->object[e].uses) {
		c->object[e].uses--;
		trc_object_move(c, e, MAIN);
	}
	trc_object_drop(c, e);
}

static void
s3_fifo_evict(struct trc_object_cache *c, uint64_t size)
{
	const struct trc_object_queue *main = &c->queue[MAIN];

	(void)size;
	if (trc_object_oldest(c, SMALL) == 0 || (main->bytes > main->limit && main->list.n > 0))
		evict_main(c);
	else
		evict_small(c);
}

static bool
s3_fifo_insert(struct trc_object_cache *c, uint32_t e)
{
	if (!c->recalled && !c->ones && c->object[e].size >= c->queue[SMALL].limit)
		return false;
	trc_object_put(c, e, c->recalled ? MAIN : SMALL);
	return true;
}

/* ---- 2Q ---- */

enum { IN, AM, OUT };

static void
two_q_begin(struct trc_object_cache *c, uint64_t *largest)
{
	*largest = c->queue[IN].limit = share(c, 0.25);
	c->queue[AM].limit = c->capacity - c->queue[IN].limit;
	c->queue[OUT].limit = share(c, 0.50);
}

static void
two_q_hit(struct trc_object_cache *c, uint32_t e)
{
	if (c->object[e].queue == AM)
		trc_object_move(c, e, AM);
}

static void
two_q_evict(struct trc_object_cache *c, uint64_t size)
{
	const uint32_t in = trc_object_oldest(c, IN), am = trc_object_oldest(c, AM);

	(void)size;
	if (am == 0 || c->queue[IN].bytes > c->queue[IN].limit)
		trc_object_remember(c, in, OUT);
	else
		trc_object_drop(c, am);
}

static bool
two_q_insert(struct trc_object_cache *c, uint32_t e)
{
	struct trc_object_queue *am = &c->queue[AM];

	while (c->recalled && !c->ones && am->bytes + c->object[e].size > am->limit)
		trc_object_drop(c, am->list.oldest);
	trc_object_put(c, e, c->recalled ? AM : IN);
	return true;
}

/* ---- ARC ---- */

enum { T1, T2, B1, B2 };

/* Increases or decreases the share of T1. */
static void
arc_recall(struct trc_object_cache *c, uint32_t e)
{
	const double b1 = (double)c->queue[B1].bytes, b2 = (double)c->queue[B2].bytes;
	const bool in_b1 = c->object[e].queue == B1;
	const double ratio = in_b1 ? b2 / b1 : b1 / b2, step = ratio > 1 ? ratio : 1;
	const double most = (double)c->capacity;

	c->value += in_b1 ? step : -step;
	c->value = c->value > most ? most : c->value < 0 ? 0 : c->value;
}

static void
arc_hit(struct trc_object_cache *c, uint32_t e)
{
	trc_object_move(c, e, T2);
}

/* REPLACE in the paper. */
static void
arc_replace(struct trc_object_cache *c)
{
	const uint32_t t1 = trc_object_oldest(c, T1), t2 = trc_object_oldest(c, T2);
	const double bytes = (double)c->queue[T1].bytes;

	if (t2 == 0 || (t1 && (bytes > c->value || (bytes == c->value && c->recalled == 1 + B2))))
		trc_object_remember(c, t1, B1);
	else
		trc_object_remember(c, t2, B2);
}

static void
arc_evict(struct trc_object_cache *c, uint64_t size)
{
	const uint64_t one = c->queue[T1].bytes + c->queue[B1].bytes;
	const uint64_t two = c->queue[T2].bytes + c->queue[B2].bytes;
	const uint32_t b1 = trc_object_oldest(c, B1), b2 = trc_object_oldest(c, B2);
	const bool full = !c->recalled && one + size > c->capacity;

	if (full && (b1 == 0 || (c->ones && c->queue[T1].bytes == c->capacity))) {
		trc_object_drop(c, trc_object_oldest(c, T1));
		return;
	}
	if (full)
		trc_object_drop(c, b1);
	else if (!c->recalled && one + two >= 2 * c->capacity && b2)
		trc_object_drop(c, b2);
	arc_replace(c);
}

static bool
arc_insert(struct trc_object_cache *c, uint32_t e)
{
	trc_object_put(c, e, c->recalled ? T2 : T1);
	return true;
}

const struct trc_object_policy trc_object_shared_queues[] = {
	{ .name = "s3-fifo",
	  .doc = "a small queue of 10 % before the main queue; two uses promote",
	  .ghosts = 1u << GHOSTS,
	  .begin = s3_fifo_begin,
	  .hit = s3_fifo_hit,
	  .evict = s3_fifo_evict,
	  .insert = s3_fifo_insert },
	{ .name = "2q",
	  .doc = "a FIFO queue of 25 % before LRU; a use after leaving the queue promotes",
	  .ghosts = 1u << OUT,
	  .begin = two_q_begin,
	  .hit = two_q_hit,
	  .evict = two_q_evict,
	  .insert = two_q_insert },
	{ .name = "arc",
	  .doc = "two LRU lists, for objects used once and more often, with adaptive shares",
	  .ghosts = 1u << B1 | 1u << B2,
	  .hit = arc_hit,
	  .recall = arc_recall,
	  .evict = arc_evict,
	  .insert = arc_insert },
	{ .name = NULL },
};
