/* SPDX-License-Identifier: MIT
 *
 * Policies that rank objects: LFU, GreedyDual-Size with frequency, MIN by the next use, and random.
 *
 *   gdsf   evicts the object with the lowest H, and sets L to that. When an object is inserted or
 *          used, H = L + 10^6 uses / bytes (L. Cherkasova, "Improving WWW proxies performance with
 *          greedy-dual-size-frequency caching policy", HP Labs 1998)
 *   opt    Belady's rule: evicts the object whose next use is farthest away. For objects of
 *          different sizes this is not optimal; the optimum is NP-hard (D. S. Berger, N. Beckmann,
 *          M. Harchol-Balter, "Practical bounds on optimal caching with variable object sizes",
 *          POMACS 2018)
 *   belady-size
 *          evicts the object of most bytes times requests until its next use, of 128 drawn by
 *          chance and the one of opt: ranks change with time, so they are not kept in order
 *          (BeladySize of libCacheSim, which draws others)
 *   bound  is a bound for the optimum (bound.h)
 */
#include "stage/simulate/object/object_cache.h"

#include "base/random.h"

static void
put(struct trc_object_cache *c, uint32_t e, struct trc_heap_key key)
{
	trc_object_put(c, e, 0);
	trc_heap_add(&c->heap, e, key);
}

static void
leave(struct trc_object_cache *c, uint32_t e)
{
	trc_heap_take(&c->heap, e);
}

static void
drop_first(struct trc_object_cache *c, uint64_t size)
{
	(void)size;
	trc_object_drop(c, c->heap.node[0].id);
}

/* ---- LFU ---- */

static struct trc_heap_key
lfu_key(struct trc_object_cache *c, uint32_t e)
{
	return (struct trc_heap_key){ ++c->object[e].uses, c->time };
}

static void
lfu_hit(struct trc_object_cache *c, uint32_t e)
{
	trc_heap_change(&c->heap, e, lfu_key(c, e));
}

static bool
lfu_insert(struct trc_object_cache *c, uint32_t e)
{
	put(c, e, lfu_key(c, e));
	return true;
}

/* ---- GDSF ---- */

static struct trc_heap_key
gdsf_key(struct trc_object_cache *c, uint32_t e)
{
	struct trc_object *o = &c->object[e];

	return (struct trc_heap_key){ c->value + ++o->uses * 1e6 / (double)o->size, c->time };
}

static void
gdsf_hit(struct trc_object_cache *c, uint32_t e)
{
	trc_heap_change(&c->heap, e, gdsf_key(c, e));
}

static bool
gdsf_insert(struct trc_object_cache *c, uint32_t e)
{
	put(c, e, gdsf_key(c, e));
	return true;
}

static void
gdsf_evict(struct trc_object_cache *c, uint64_t size)
{
	c->value = c->heap.node[0].key.first;
	drop_first(c, size);
}

/* ---- MIN ---- */

/* Orders objects by next use, the last first; of those not used again, the most recently used
 * first. Numbers of requests are exact as reals. */
static struct trc_heap_key
opt_key(const struct trc_object_cache *c)
{
	return (struct trc_heap_key){ -(double)c->next, UINT64_MAX - c->time };
}

static void
opt_hit(struct trc_object_cache *c, uint32_t e)
{
	trc_heap_change(&c->heap, e, opt_key(c));
}

static bool
opt_insert(struct trc_object_cache *c, uint32_t e)
{
	put(c, e, opt_key(c));
	return true;
}

enum { DRAWN = 128 };

/* Returns the bytes of an object times the requests until its next use. */
static double
waste(const struct trc_object_cache *c, uint32_t i)
{
	const struct trc_heap_node *n = &c->heap.node[i];

	return (-n->key.first - (double)c->at) * (double)c->object[n->id].size;
}

/* Returns true if one object is to go before another; of equal ones, that of opt. */
static bool
goes_first(const struct trc_object_cache *c, uint32_t i, uint32_t k)
{
	const struct trc_heap_key *x = &c->heap.node[i].key, *y = &c->heap.node[k].key;
	const double first = waste(c, i), then = waste(c, k);

	return first != then        ? first > then :
	       x->first != y->first ? x->first < y->first :
	                              x->then < y->then;
}

/* Few objects are all compared. */
static void
belady_size_evict(struct trc_object_cache *c, uint64_t size)
{
	const bool few = c->heap.n <= DRAWN;
	uint32_t victim = 0;

	(void)size;
	for (uint32_t k = 1; k < (few ? c->heap.n : DRAWN); k++) {
		const uint32_t i = few ? k : (uint32_t)(trc_random(&c->random) % c->heap.n);

		if (goes_first(c, i, victim))
			victim = i;
	}
	trc_object_drop(c, c->heap.node[victim].id);
}

/* ---- random ---- */

/* With equal keys the heap is a plain list: a removed element is replaced by the last. */
static bool
random_insert(struct trc_object_cache *c, uint32_t e)
{
	put(c, e, (struct trc_heap_key){ 0, 0 });
	return true;
}

static void
random_evict(struct trc_object_cache *c, uint64_t size)
{
	(void)size;
	trc_object_drop(c, c->heap.node[trc_random(&c->random) % c->heap.n].id);
}

const struct trc_object_policy trc_object_ranked[] = {
	{ .name = "lfu",
	  .doc = "evict the object used least often since it was inserted; of several, the least "
	         "recently used",
	  .ranked = true,
	  .hit = lfu_hit,
	  .evict = drop_first,
	  .insert = lfu_insert,
	  .leave = leave },
	{ .name = "gdsf",
	  .doc = "GreedyDual-Size with frequency (Cherkasova 1998): evict large, rarely used "
	         "objects",
	  .ranked = true,
	  .hit = gdsf_hit,
	  .evict = gdsf_evict,
	  .insert = gdsf_insert,
	  .leave = leave },
	{ .name = "random",
	  .doc = "evict an object chosen uniformly at random",
	  .ranked = true,
	  .evict = random_evict,
	  .insert = random_insert,
	  .leave = leave },
	{ .name = "opt",
	  .doc = "Belady's rule: evict the object whose next use is furthest away; not optimal if "
	         "sizes differ",
	  .ranked = true,
	  .ahead = true,
	  .hit = opt_hit,
	  .evict = drop_first,
	  .insert = opt_insert,
	  .leave = leave },
	{ .name = "belady-size",
	  .doc = "evict the object with most bytes * requests until its next use, of 128 drawn at "
	         "random; not optimal either",
	  .ranked = true,
	  .ahead = true,
	  .hit = opt_hit,
	  .evict = belady_size_evict,
	  .insert = opt_insert,
	  .leave = leave },
	{ .name = "bound",
	  .doc = "a lower bound for all caches, whatever they admit (PFOO-L; Berger, Beckmann, "
	         "Harchol-Balter 2018)",
	  .ahead = true,
	  .bound = true },
	{ .name = NULL },
};
