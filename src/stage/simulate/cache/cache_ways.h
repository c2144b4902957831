/* SPDX-License-Identifier: MIT
 *
 * The lines that one cache holds: which lines are in a set, and which of them is replaced next. For
 * few ways of LRU, FIFO and random, a set is an array in the order of the policy, which is searched
 * linearly. For many ways, and all other policies (stage/simulate/policy/policy.h), there are a
 * hash table and a list for each set, so that a cache of any associativity costs about the same.
 */
#ifndef TRC_STAGE_SIMULATE_CACHE_WAYS_H
#define TRC_STAGE_SIMULATE_CACHE_WAYS_H

#include "stage/simulate/cache/cache.h"

/* An entry of a cache: the number of the line, which is its address divided by its size, above
 * these bits; 0: none. */
enum { TRC_WAY_HELD = 1, TRC_WAY_DIRTY = 2, TRC_WAY_SHIFT = 2 };

enum { TRC_WAY_HINTS = 4096 };

struct trc_ways_list;
struct trc_ways_node;

/* The ways of all sets of a cache. */
struct trc_ways {
	uint64_t set_mask;
	size_t ways;
	unsigned policy;                /* its index, */
	const struct trc_policy *rules; /* and its row if the row has functions; else NULL */
	void *state;
	uint64_t random; /* state of the random number generator */

	/* recent[set * stride] is the most recently used line of the set, or 0. A hit on it does
	 * not change the order, so only the dirty bit may change. It is always 0 for policies that
	 * count uses. */
	uint64_t *recent;
	size_t stride;

	uint64_t *way; /* few ways: set by set, the next victim last */

	struct trc_ways_list *list; /* many ways: for each set */
	struct trc_ways_node *node; /* set by set; node 0 is not used */
	uint32_t *bucket;           /* first node of each hash */
	size_t bucket_mask;
	uint32_t hint[TRC_WAY_HINTS]; /* likely node of a line, by its low bits */
};

/* Initialises the ways for a valid shape. Release them also if this fails. */
int trc_ways_init(struct trc_ways *w, const struct trc_cache_shape *shape,
                  struct trc_err *err) TRC_MUST_USE;
void trc_ways_release(struct trc_ways *w);

/* Refers to `line`, with TRC_WAY_DIRTY if it is written. Returns false for a miss. */
bool trc_ways_use(struct trc_ways *w, uint64_t line, uint64_t dirty);

/* Inserts `line` after a miss; returns the line that it replaces, or 0. */
uint64_t trc_ways_add(struct trc_ways *w, uint64_t line, uint64_t dirty);

/* Removes `line` if the cache has it. */
void trc_ways_drop(struct trc_ways *w, uint64_t line);
void trc_ways_drop_all(struct trc_ways *w);

/* Deletes the line, or all lines if it is NULL. Policies that remember evicted lines forget it. */
void trc_ways_delete(struct trc_ways *w, const uint64_t *line);

/* Return true if `line` is in the cache, and if it is there and dirty. */
bool trc_ways_has(struct trc_ways *w, uint64_t line);
bool trc_ways_is_dirty(struct trc_ways *w, uint64_t line);

/* Makes `line` clean; returns true if it was in the cache and dirty. */
bool trc_ways_clean(struct trc_ways *w, uint64_t line);

/* Makes all of `set` clean: returns its dirty lines one after another, the next victim first, then
 * 0. *at is 0 at first. */
uint64_t trc_ways_clean_next(struct trc_ways *w, uint64_t set, size_t *at);

/* Writes the entries of all ways, set by set, 0 if unused, in an order that depends on the policy
 * only. */
void trc_ways_copy(const struct trc_ways *w, uint64_t *entry);

/* Adds `lines`, a multiple of the number of sets, to the numbers of all lines. */
void trc_ways_move(struct trc_ways *w, uint64_t lines);

#endif
