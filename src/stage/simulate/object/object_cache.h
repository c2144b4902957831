/* SPDX-License-Identifier: MIT
 *
 * A cache of whole objects with a capacity in bytes, as in a content delivery network, a key-value
 * store or a block buffer: an object is fetched and evicted as a whole.
 *
 *   A request to an object in the cache is a hit, whatever size it asks for: the object keeps the
 *   size with which it was fetched. Otherwise, if the object is admitted, objects are evicted until
 *   it fits, and it is inserted. An object larger than the cache is not admitted, and nothing is
 *   evicted for it.
 *
 * This is the behaviour of libCacheSim (github.com/1a1a11a/libCacheSim, cache.c), and the policies
 * are its policies: each is a row, and a few functions that move objects between queues. A queue
 * knows its bytes; queues of ghosts hold evicted objects that are remembered, which do not count.
 *
 * Objects are given by number (pages.h). An object takes 4 bytes in each cache, and 40 while it is
 * cached or remembered. A zeroed struct may be released.
 */
#ifndef TRC_STAGE_SIMULATE_OBJECT_OBJECT_CACHE_H
#define TRC_STAGE_SIMULATE_OBJECT_OBJECT_CACHE_H

#include "stage/simulate/object/heap.h"
#include "stage/simulate/policy/queue.h"

enum { TRC_OBJECT_QUEUES = 4 };

/* An object in a queue. */
struct trc_object {
	uint64_t size;
	uint64_t until; /* the last time at which it may be used */
	uint32_t id;
	uint32_t uses;
	uint8_t queue;
	bool dirty;
};

struct trc_object_queue {
	struct trc_queue list;
	uint64_t bytes;
	uint64_t limit; /* set by the policy; 0: no limit */
};

/* The counts of a cache: of reads, and of writes. */
struct trc_object_counts {
	uint64_t misses[2], missed_bytes[2];
	uint64_t writebacks, written_bytes;
};

struct trc_object_cache;

/* A policy. Objects are identified by the number of their entry, from 1 on. */
struct trc_object_policy {
	const char *name;
	const char *doc;
	unsigned ghosts; /* a bit for each queue of ghosts */
	bool ranked;     /* objects are also in the heap */
	bool counts;     /* uses `seen` of the cache */
	bool bound;      /* not a policy, but a bound for all of them (bound.h) */
	bool ahead;      /* uses `next` of the cache, the next use of the object */

	/* Sets the limits of queues, and *largest, which is the capacity by default; NULL: nothing
	 * to set. */
	void (*begin)(struct trc_object_cache *c, uint64_t *largest);

	/* The object is used; NULL: no effect. */
	void (*hit)(struct trc_object_cache *c, uint32_t e);

	/* A remembered object is used, and forgotten after the call; NULL: no effect. */
	void (*recall)(struct trc_object_cache *c, uint32_t e);

	/* Takes one step towards freeing `size` bytes, for which there is no room. */
	void (*evict)(struct trc_object_cache *c, uint64_t size);

	/* Inserts the object into a queue; returns false if it is not admitted after all. */
	bool (*insert)(struct trc_object_cache *c, uint32_t e);

	/* The object is about to be deleted or evicted; NULL: no effect. */
	void (*leave)(struct trc_object_cache *c, uint32_t e);
};

struct trc_object_cache {
	const struct trc_object_policy *policy;
	uint64_t capacity, largest;
	uint64_t used; /* bytes in all queues except those of ghosts */
	struct trc_object_counts counts;
	struct trc_object_queue queue[TRC_OBJECT_QUEUES];

	/* By entry, from 1 on. */
	struct trc_object *object;
	struct trc_link *link;
	size_t objects, links; /* room */

	/* Entries that were ever in use; free entries, linked by `older`. */
	uint32_t begun, spare;

	uint32_t *entry; /* entry of each object; 0: none */
	size_t entries;

	/* Set by the caller, if it matters: the time of the next request, and the last time at
	 * which an object that it fetches or writes may be used; UINT64_MAX: unlimited. */
	uint64_t now, until;
	bool ones;  /* the size of each object is 1 */
	bool eager; /* expired objects are removed at once, not when they are requested */

	/* If eager: cached objects by the time at which they expire. */
	struct trc_heap oldest;

	/* For policies. */
	uint64_t time;        /* number of requests so far */
	uint64_t at, next;    /* with `ahead`: this request, and the next to its object, from 0 */
	struct trc_heap heap; /* of objects in order of eviction */
	double value;         /* that of the last eviction, or a requested size */
	uint32_t *seen;       /* number of requests to each object, cached or not */
	size_t seens;
	uint64_t hits;
	uint32_t hand;
	uint8_t recalled; /* 1 + the queue in which this object was remembered; 0: none */
	uint64_t random;
};

/* Initialises a cache of `capacity` > 0 bytes or, if each object counts `ones`, of that many
 * objects: then shares are at least 1. `seed` is for policy random. Release it in any case. */
void trc_object_cache_init(struct trc_object_cache *c, const struct trc_object_policy *policy,
                           uint64_t capacity, bool ones, uint64_t seed);
void trc_object_cache_release(struct trc_object_cache *c);

/* Makes room for objects with numbers below `n`. */
int trc_object_cache_room(struct trc_object_cache *c, uint32_t n, struct trc_err *err) TRC_MUST_USE;

/* What a write does: it fetches, and is written on eviction (back) or at once (through); it
 * bypasses the cache and fetches nothing (around); or it removes the object (none). */
enum trc_object_writes {
	TRC_WRITES_BACK,
	TRC_WRITES_THROUGH,
	TRC_WRITES_AROUND,
	TRC_WRITES_NONE,
};

/* Processes a request to an object, for which there is room. */
int trc_object_cache_refer(struct trc_object_cache *c, uint32_t id, uint64_t size, bool write,
                           enum trc_object_writes writes, struct trc_err *err) TRC_MUST_USE;

/* Deletes an object: it is neither cached nor remembered, and not written back. */
void trc_object_cache_delete(struct trc_object_cache *c, uint32_t id);

/* ---- for policies ---- */

static inline bool
trc_object_is_ghost(const struct trc_object_cache *c, uint8_t queue)
{
	return c->policy->ghosts >> queue & 1;
}

/* Returns the oldest entry of a queue; 0 if it is empty. */
static inline uint32_t
trc_object_oldest(const struct trc_object_cache *c, uint8_t queue)
{
	return c->queue[queue].list.oldest;
}

/* Put an object that is in no queue into one, as the newest; take it out of its queue. */
void trc_object_put(struct trc_object_cache *c, uint32_t e, uint8_t queue);
void trc_object_take(struct trc_object_cache *c, uint32_t e);

/* Moves an object to another queue, or the same, as the newest. */
void trc_object_move(struct trc_object_cache *c, uint32_t e, uint8_t queue);

/* Evict an object, with a write-back if it is dirty. The first forgets it; the second puts it into
 * a queue of ghosts, whose oldest are forgotten if it exceeds its limit. */
void trc_object_drop(struct trc_object_cache *c, uint32_t e);
void trc_object_remember(struct trc_object_cache *c, uint32_t e, uint8_t queue);

#endif
