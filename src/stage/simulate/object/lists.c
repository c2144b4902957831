/* SPDX-License-Identifier: MIT
 *
 * Policies with one queue: LRU, FIFO, CLOCK and SIEVE, as in stage/simulate/policy/policy.h for
 * lines.
 */
#include "stage/simulate/object/object_cache.h"

static bool
put_newest(struct trc_object_cache *c, uint32_t e)
{
	trc_object_put(c, e, 0);
	return true;
}

static void
drop_oldest(struct trc_object_cache *c, uint64_t size)
{
	(void)size;
	trc_object_drop(c, trc_object_oldest(c, 0));
}

static void
make_newest(struct trc_object_cache *c, uint32_t e)
{
	trc_object_move(c, e, 0);
}

static void
mark_used(struct trc_object_cache *c, uint32_t e)
{
	c->object[e].uses = 1;
}

/* Objects that were used get another round. */
static void
clock_evict(struct trc_object_cache *c, uint64_t size)
{
	uint32_t e;

	(void)size;
	while (e = trc_object_oldest(c, 0), c->object[e].uses) {
		c->object[e].uses = 0;
		trc_object_move(c, e, 0);
	}
	trc_object_drop(c, e);
}

/* Moves the hand on if it is at the leaving object. */
static void
sieve_leave(struct trc_object_cache *c, uint32_t e)
{
	if (c->hand == e)
		c->hand = c->link[e].newer;
}

static void
sieve_evict(struct trc_object_cache *c, uint64_t size)
{
	(void)size;
	for (;; c->hand = c->link[c->hand].newer) {
		if (c->hand == 0)
			c->hand = trc_object_oldest(c, 0);
		if (!c->object[c->hand].uses)
			break;
		c->object[c->hand].uses = 0;
	}
	trc_object_drop(c, c->hand);
}

const struct trc_object_policy trc_object_lists[] = {
	{ .name = "lru",
	  .doc = "evict the least recently used object",
	  .hit = make_newest,
	  .evict = drop_oldest,
	  .insert = put_newest },
	{ .name = "fifo",
	  .doc = "evict the object inserted first",
	  .evict = drop_oldest,
	  .insert = put_newest },
	{ .name = "clock",
	  .doc = "FIFO, but an object that was used gets another round",
	  .hit = mark_used,
	  .evict = clock_evict,
	  .insert = put_newest },
	{ .name = "sieve",
	  .doc = "like clock, but retained objects keep their place, and so does the hand",
	  .hit = mark_used,
	  .evict = sieve_evict,
	  .insert = put_newest,
	  .leave = sieve_leave },
	{ .name = NULL },
};
