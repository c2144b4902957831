/* SPDX-License-Identifier: MIT
 *
 * A cache of whole objects with a capacity in bytes, as a content-delivery network, a key-value
 * store or a buffer of blocks is: an object comes in as a whole and goes as a whole.
 *
 *   A request to an object that is in the cache is a hit, whatever size it asks for: the object has
 *   the size that it came in with. Else, if it is admitted, objects go until its bytes are free,
 *   and it comes in. What is larger than the cache is not admitted, and nothing goes for it.
 *
 * That is what libCacheSim (github.com/1a1a11a/libCacheSim, cache.c) does, and policies are its
 * policies: each is a row, and a few functions that move objects between queues. A queue knows how
 * many bytes it has; queues of ghosts hold objects that are gone but remembered, which do not
 * count.
 *
 * Objects are given by number (pages.h): an object takes 4 bytes of each cache, and 40 while it is
 * in it or remembered. Zeroed memory may be released.
 */
#ifndef TRC_STAGE_SIMULATE_OBJECT_OBJECT_CACHE_H
#define TRC_STAGE_SIMULATE_OBJECT_OBJECT_CACHE_H

#include "stage/simulate/object/heap.h"
#include "stage/simulate/policy/queue.h"

enum { TRC_OBJECT_QUEUES = 4 };

/* An object that is in a queue. */
struct trc_object {
	uint64_t size;
	uint64_t came; /* when it did, or was written last */
	uint32_t id;
	uint32_t uses;
	uint8_t queue;
	bool dirty;
};

struct trc_object_queue {
	struct trc_queue list;
	uint64_t bytes;
	uint64_t limit; /* of the policy; 0: it has none */
};

/* What a cache did: of reads, and of writes. */
struct trc_object_counts {
	uint64_t misses[2], missed_bytes[2];
	uint64_t writebacks, written_bytes;
};

struct trc_object_cache;

/* A policy. An object has the number of its entry here, from 1 on. */
struct trc_object_policy {
	const char *name;
	const char *doc;
	unsigned ghosts; /* a bit for each queue that remembers only */
	bool ranked;     /* objects are in the heap, too */
	bool counts;     /* `seen` of the cache is there */
	bool bound;      /* it is none: a bound of what all can do (bound.h) */
	bool ahead;      /* `next` of the cache has when the object is used again */

	/* Sets the limits of queues, and *largest, which is the capacity; NULL: nothing to set. */
	void (*begin)(struct trc_object_cache *c, uint64_t *largest);

	/* The object is used; NULL: that changes nothing. */
	void (*hit)(struct trc_object_cache *c, uint32_t e);

	/* One that is remembered is used, and forgotten now; NULL: that changes nothing. */
	void (*recall)(struct trc_object_cache *c, uint32_t e);

	/* Takes a step towards room for `size` bytes more, which there is not. */
	void (*evict)(struct trc_object_cache *c, uint64_t size);

	/* The object comes into a queue; false if it is not wanted after all. */
	bool (*insert)(struct trc_object_cache *c, uint32_t e);

	/* The object is about to be deleted, or evicted; NULL: that changes nothing. */
	void (*leave)(struct trc_object_cache *c, uint32_t e);
};

/* The policy of this number; NULL behind the last. Those of stage/simulate/policy/policy.h have
 * the same names. */
const struct trc_object_policy *trc_object_policy(size_t i);
const struct trc_object_policy *trc_object_policy_named(const char *name);

struct trc_object_cache {
	const struct trc_object_policy *policy;
	uint64_t capacity, largest;
	uint64_t used; /* bytes of all queues but those of ghosts */
	struct trc_object_counts counts;
	struct trc_object_queue queue[TRC_OBJECT_QUEUES];

	/* Of entries, from 1 on. */
	struct trc_object *object;
	struct trc_link *link;
	size_t objects, links; /* room */
	uint32_t begun,
	        spare; /* entries that were ever in use; free ones, by `older` of their link */

	uint32_t *entry; /* of each object; 0: none */
	size_t entries;

	uint64_t now; /* set by who has requests, where it matters: the time of the next one */
	uint64_t ttl; /* an object that came longer ago is not used any more; 0: any is */
	bool eager;   /* and it leaves at once, not when it is asked for */
	struct trc_heap oldest; /* where that is so: of objects in the cache, by when they came */

	/* The policies' own. */
	uint64_t time;        /* requests so far */
	uint64_t next;        /* where it is `ahead`: when this object is used again */
	struct trc_heap heap; /* of objects in the order in which they go */
	double value;         /* that of the last that went, or a size that is wanted */
	uint32_t *seen;       /* how often each object was, by its number, in the cache or not */
	size_t seens;
	uint64_t hits;
	uint32_t hand;
	uint8_t recalled; /* 1 + the queue that this object was remembered in; 0: none */
	uint64_t random;
};

/* A cache of `capacity` bytes, above 0. `seed` is of random. Release what init left in any case. */
void trc_object_cache_init(struct trc_object_cache *c, const struct trc_object_policy *policy,
                           uint64_t capacity, uint64_t seed);
void trc_object_cache_release(struct trc_object_cache *c);

/* Room for objects of all numbers below `n`. */
int trc_object_cache_room(struct trc_object_cache *c, uint32_t n, struct trc_err *err) TRC_MUST_USE;

/* What a write does: it fills, and its bytes go down when they must (back), at once (through); it
 * goes past the cache and fills nothing (around); or takes the object out (none). */
enum trc_object_writes {
	TRC_WRITES_BACK,
	TRC_WRITES_THROUGH,
	TRC_WRITES_AROUND,
	TRC_WRITES_NONE,
};

/* A request for an object, for which there is room. */
int trc_object_cache_refer(struct trc_object_cache *c, uint32_t id, uint64_t size, bool write,
                           enum trc_object_writes writes, struct trc_err *err) TRC_MUST_USE;

/* The object is deleted: it is neither in the cache nor remembered, and not written back. */
void trc_object_cache_delete(struct trc_object_cache *c, uint32_t id);

/* ---- for policies ---- */

static inline bool
trc_object_is_ghost(const struct trc_object_cache *c, uint8_t queue)
{
	return c->policy->ghosts >> queue & 1;
}

/* The oldest of a queue; 0: it is empty. */
static inline uint32_t
trc_object_oldest(const struct trc_object_cache *c, uint8_t queue)
{
	return c->queue[queue].list.oldest;
}

/* Puts an object, which is in no queue, into one as its newest; takes it out of its queue. */
void trc_object_put(struct trc_object_cache *c, uint32_t e, uint8_t queue);
void trc_object_take(struct trc_object_cache *c, uint32_t e);

/* Takes an object out of its queue, and puts it into another one, or the same. */
void trc_object_move(struct trc_object_cache *c, uint32_t e, uint8_t queue);

/* The object goes: it is written back, if it is dirty, and forgotten; or remembered in a queue of
 * ghosts, whose oldest are forgotten for it where that has a limit. */
void trc_object_drop(struct trc_object_cache *c, uint32_t e);
void trc_object_remember(struct trc_object_cache *c, uint32_t e, uint8_t queue);

#endif
