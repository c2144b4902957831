/* SPDX-License-Identifier: MIT */
#include "stage/simulate/object/object_cache.h"

#include <stdlib.h>

void
trc_object_cache_init(struct trc_object_cache *c, const struct trc_object_policy *policy,
                      uint64_t capacity, bool ones, uint64_t seed)
{
	*c = (struct trc_object_cache){ .policy = policy,
		                        .capacity = capacity,
		                        .ones = ones,
		                        .largest = capacity,
		                        .random = seed };
	if (policy->begin)
		policy->begin(c, &c->largest);
}

void
trc_object_cache_release(struct trc_object_cache *c)
{
	free(c->object);
	free(c->link);
	free(c->entry);
	free(c->seen);
	trc_heap_release(&c->oldest);
	trc_heap_release(&c->heap);
	*c = (struct trc_object_cache){ 0 };
}

int
trc_object_cache_room(struct trc_object_cache *c, uint32_t n, struct trc_err *err)
{
	if (c->policy->counts && trc_grow_zeros(&c->seen, &c->seens, n, sizeof(*c->seen), err))
		return -1;
	return trc_grow_zeros(&c->entry, &c->entries, n, sizeof(*c->entry), err);
}

void
trc_object_put(struct trc_object_cache *c, uint32_t e, uint8_t queue)
{
	struct trc_object *o = &c->object[e];

	o->queue = queue;
	trc_queue_put(&c->queue[queue].list, c->link, e);
	c->queue[queue].bytes += o->size;
	if (!trc_object_is_ghost(c, queue))
		c->used += o->size;
}

void
trc_object_take(struct trc_object_cache *c, uint32_t e)
{
	const struct trc_object *o = &c->object[e];

	trc_queue_take(&c->queue[o->queue].list, c->link, e);
	c->queue[o->queue].bytes -= o->size;
	if (!trc_object_is_ghost(c, o->queue))
		c->used -= o->size;
}

void
trc_object_move(struct trc_object_cache *c, uint32_t e, uint8_t queue)
{
	trc_object_take(c, e);
	trc_object_put(c, e, queue);
}

/* Frees the entry of an object, which is in no queue. */
static void
free_entry(struct trc_object_cache *c, uint32_t e)
{
	c->entry[c->object[e].id] = 0;
	c->link[e].older = c->spare;
	c->spare = e;
}

/* Removes an object from the cache, or from a queue of ghosts. */
static void
forget(struct trc_object_cache *c, uint32_t e)
{
	trc_object_take(c, e);
	free_entry(c, e);
}

/* Returns the time at which an object expires as a key. A real cannot hold all times exactly, so
 * each part of the key has one half. */
static struct trc_heap_key
time_key(const struct trc_object_cache *c, uint32_t e)
{
	return (struct trc_heap_key){ (double)(c->object[e].until >> 32),
		                      c->object[e].until & UINT32_MAX };
}

/* Takes an object that leaves the cache out of the heap of times, unless it is a ghost. */
static void
forget_time(struct trc_object_cache *c, uint32_t e)
{
	if (c->eager && !trc_object_is_ghost(c, c->object[e].queue))
		trc_heap_take(&c->oldest, e);
}

static void
write_back(struct trc_object_cache *c, uint32_t e)
{
	struct trc_object *o = &c->object[e];

	c->counts.writebacks += o->dirty;
	c->counts.written_bytes += o->dirty ? o->size : 0;
	o->dirty = false;
}

void
trc_object_drop(struct trc_object_cache *c, uint32_t e)
{
	if (c->policy->leave)
		c->policy->leave(c, e);
	forget_time(c, e);
	write_back(c, e);
	forget(c, e);
}

void
trc_object_remember(struct trc_object_cache *c, uint32_t e, uint8_t queue)
{
	struct trc_object_queue *q = &c->queue[queue];
	const uint64_t size = c->object[e].size;

	if (q->limit && size > q->limit) {
		trc_object_drop(c, e);
		return;
	}
	while (q->limit && q->bytes + size > q->limit)
		forget(c, q->list.oldest);
	forget_time(c, e);
	write_back(c, e);
	trc_object_move(c, e, queue);
}

/* Returns a free entry; 0 if there is no memory. */
static uint32_t
new_entry(struct trc_object_cache *c, struct trc_err *err)
{
	uint32_t e = c->spare;

	if (e) {
		c->spare = c->link[e].older;
		return e;
	}
	e = c->begun + 1;
	if (trc_grow(&c->object, &c->objects, (size_t)e + 1, sizeof(*c->object), err) ||
	    trc_grow(&c->link, &c->links, (size_t)e + 1, sizeof(*c->link), err) ||
	    (c->policy->ranked && trc_heap_room(&c->heap, e, err)) ||
	    (c->eager && trc_heap_room(&c->oldest, e, err)))
		return 0;
	c->begun = e;
	return e;
}

/* Evicts objects until an admitted object fits, and inserts it. */
static int
fetch(struct trc_object_cache *c, uint32_t id, uint64_t size, bool dirty, struct trc_err *err)
{
	uint32_t e;

	while (size > c->capacity - c->used)
		c->policy->evict(c, size);
	e = new_entry(c, err);
	if (!e)
		return -1;
	c->object[e] =
	        (struct trc_object){ .size = size, .until = c->until, .id = id, .dirty = dirty };
	c->entry[id] = e;
	if (!c->policy->insert(c, e))
		free_entry(c, e);
	else if (c->eager)
		trc_heap_add(&c->oldest, e, time_key(c, e));
	return 0;
}

/* Counts the bytes of a write-through. */
static void
write_through(struct trc_object_cache *c, uint64_t size)
{
	c->counts.writebacks++;
	c->counts.written_bytes += size;
}

/* Returns true if the time to live of an object in the cache is over. */
static bool
is_over(const struct trc_object_cache *c, uint32_t e)
{
	return c->now > c->object[e].until && !trc_object_is_ghost(c, c->object[e].queue);
}

/* Removes all objects whose time to live is over. */
static void
expire(struct trc_object_cache *c)
{
	while (c->oldest.n > 0 && is_over(c, c->oldest.node[0].id))
		trc_object_drop(c, c->oldest.node[0].id);
}

/* Restarts the time to live of a cached object that was written. */
static void
renew(struct trc_object_cache *c, uint32_t e)
{
	c->object[e].until = c->until;
	if (c->eager)
		trc_heap_change(&c->oldest, e, time_key(c, e));
}

int
trc_object_cache_refer(struct trc_object_cache *c, uint32_t id, uint64_t size, bool write,
                       enum trc_object_writes writes, struct trc_err *err)
{
	const bool back = writes == TRC_WRITES_BACK;
	uint32_t e;

	c->time++;
	expire(c);
	e = c->entry[id];
	if (e && is_over(c, e)) {
		trc_object_drop(c, e);
		e = 0;
	}
	if (write && !back)
		write_through(c, size);
	if (write && writes == TRC_WRITES_NONE) {
		trc_object_cache_delete(c, id);
	} else if (e && !trc_object_is_ghost(c, c->object[e].queue)) {
		c->object[e].dirty |= write && back;
		if (write)
			renew(c, e);
		if (c->policy->hit)
			c->policy->hit(c, e);
		return 0;
	}
	c->counts.misses[write]++;
	c->counts.missed_bytes[write] += size;
	if (write && writes >= TRC_WRITES_AROUND)
		return 0;
	c->recalled = 0;
	if (e) {
		c->recalled = (uint8_t)(1 + c->object[e].queue);
		if (c->policy->recall)
			c->policy->recall(c, e);
		forget(c, e);
	}
	return size <= c->largest ? fetch(c, id, size, write && back, err) : 0;
}

void
trc_object_cache_delete(struct trc_object_cache *c, uint32_t id)
{
	uint32_t e;

	expire(c);
	e = id < c->entries ? c->entry[id] : 0;
	if (!e)
		return;
	if (!trc_object_is_ghost(c, c->object[e].queue)) {
		forget_time(c, e);
		if (c->policy->leave)
			c->policy->leave(c, e);
	}
	forget(c, e);
}
