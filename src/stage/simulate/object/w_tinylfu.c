/* SPDX-License-Identifier: MIT
 *
 * W-TinyLFU (G. Einziger, R. Friedman, B. Manes, "TinyLFU: a highly efficient cache admission
 * policy", ACM Transactions on Storage 13(4), 2017): an LRU window of 1 %. An object that leaves it
 * is admitted to the main cache if it was used more often than the next victim there. The main
 * cache is a segmented LRU of 20 % probation and 80 % protected. Uses of each object, cached or
 * not, are counted, and the counts are halved from time to time.
 *
 * Choices follow libCacheSim, except that counts are exact here. Its sketch has 14 counters for
 * each byte of the main cache, and memory for them below 2 GiB, where both agree. An object larger
 * than the window, or than probation, is not admitted. Hits in the window do not count, but objects
 * that leave it do. Counts are halved after 32 hits in the main cache for each of its bytes.
 */
#include "stage/simulate/object/object_cache.h"

enum { WINDOW, PROBATION, PROTECTED };
enum { HITS_PER_BYTE = 32 };

static uint64_t
main_limit(const struct trc_object_cache *c)
{
	return c->capacity - c->queue[WINDOW].limit;
}

static void
begin(struct trc_object_cache *c, uint64_t *largest)
{
	const double main = (double)(c->capacity - (uint64_t)((double)c->capacity * 0.01));

	c->queue[WINDOW].limit = (uint64_t)((double)c->capacity * 0.01);
	c->queue[PROBATION].limit = (uint64_t)(0.2 * main);
	c->queue[PROTECTED].limit = (uint64_t)(0.8 * main);
	*largest = c->queue[WINDOW].limit < c->queue[PROBATION].limit ? c->queue[WINDOW].limit :
	                                                                c->queue[PROBATION].limit;
}

static bool
has_room(const struct trc_object_cache *c, uint8_t queue, uint64_t size)
{
	return c->queue[queue].bytes + size <= c->queue[queue].limit;
}

static bool
main_has_room(const struct trc_object_cache *c, uint64_t size)
{
	return c->queue[PROBATION].bytes + c->queue[PROTECTED].bytes + size <= main_limit(c);
}

/* Returns the next victim of the main cache. */
static uint32_t
victim(const struct trc_object_cache *c)
{
	const uint32_t e = trc_object_oldest(c, PROBATION);

	return e ? e : trc_object_oldest(c, PROTECTED);
}

/* Protects an object; objects that this pushes out of the protected segment go to probation. */
static void
protect(struct trc_object_cache *c, uint32_t e)
{
	trc_object_move(c, e, PROTECTED);
	while (!has_room(c, PROTECTED, 0)) {
		trc_object_move(c, trc_object_oldest(c, PROTECTED), PROBATION);
		while (!has_room(c, PROBATION, 0))
			trc_object_drop(c, trc_object_oldest(c, PROBATION));
	}
}

static void
hit(struct trc_object_cache *c, uint32_t e)
{
	const uint32_t id = c->object[e].id;

	if (c->object[e].queue == WINDOW) {
		trc_object_move(c, e, WINDOW);
		return;
	}
	protect(c, e);
	c->seen[id]++;
	if (++c->hits < HITS_PER_BYTE * main_limit(c))
		return;
	c->hits = 0;
	for (size_t i = 0; i < c->seens; i++)
		c->seen[i] /= 2;
}

/* Admits an object of the window to the main cache, if it was used more often than the victim
 * there. */
static bool
admit(struct trc_object_cache *c, uint32_t e)
{
	const uint64_t size = c->object[e].size;

	if (!main_has_room(c, size)) {
		if (c->seen[c->object[e].id] <= c->seen[c->object[victim(c)].id])
			return false;
		trc_object_drop(c, victim(c));
	}
	if (has_room(c, PROBATION, size) || !has_room(c, PROTECTED, size)) {
		while (!main_has_room(c, size))
			trc_object_drop(c, victim(c));
		trc_object_move(c, e, PROBATION);
	} else {
		trc_object_move(c, e, PROTECTED);
	}
	return true;
}

/* Evicts until an object leaves the window. */
static void
evict(struct trc_object_cache *c, uint64_t size)
{
	bool stays = true;

	(void)size;
	for (uint32_t e; stays && (e = trc_object_oldest(c, WINDOW)) != 0;) {
		const uint32_t id = c->object[e].id;

		stays = admit(c, e);
		if (!stays)
			trc_object_drop(c, e);
		c->seen[id]++;
	}
	if (stays)
		trc_object_drop(c, victim(c));
}

static bool
insert(struct trc_object_cache *c, uint32_t e)
{
	trc_object_put(c, e, WINDOW);
	c->seen[c->object[e].id]++;
	return true;
}

const struct trc_object_policy trc_object_w_tinylfu[] = {
	{ .name = "w-tinylfu",
	  .doc = "W-TinyLFU (Einziger, Friedman, Manes 2017): LRU in a window of 1 %; what leaves it "
	         "replaces the next victim of a segmented LRU if it was used more often",
	  .counts = true,
	  .begin = begin,
	  .hit = hit,
	  .evict = evict,
	  .insert = insert },
	{ .name = NULL },
};
