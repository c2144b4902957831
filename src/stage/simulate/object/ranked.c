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
	{ .name = "bound",
	  .doc = "a lower bound for all caches, whatever they admit (PFOO-L; Berger, Beckmann, "
	         "Harchol-Balter 2018)",
	  .ahead = true,
	  .bound = true },
	{ .name = NULL },
};
