/* SPDX-License-Identifier: MIT
 *
 * The lines that one cache holds: which are in a set, which of them goes next. Few ways of LRU,
 * FIFO and random are an array in the order of the policy, which is searched; many, and those of
 * all other policies (stage/simulate/policy/policy.h), are a hash table and a list for each set,
 * so that a cache
 * of any associativity costs about the same.
 */
#ifndef TRC_STAGE_SIMULATE_CACHE_WAYS_H
#define TRC_STAGE_SIMULATE_CACHE_WAYS_H

#include "stage/simulate/cache/cache.h"

/* A line in a cache is its number, the address divided by its size, above these bits; 0 is none. */
enum { TRC_WAY_HELD = 1, TRC_WAY_DIRTY = 2, TRC_WAY_SHIFT = 2 };

enum { TRC_WAY_HINTS = 4096 };

struct trc_ways_list;
struct trc_ways_node;

/* The ways of all sets of a cache, by policy. */
struct trc_ways {
	uint64_t set_mask;
	size_t ways;
	unsigned policy;                /* its number, */
	const struct trc_policy *rules; /* and its row if that has functions; else NULL */
	void *state;
	uint64_t random; /* the generator's state */

	/* recent[set * stride] is the line of the set that was used last, or 0. It has no older
	 * place to leave, so a hit of it changes nothing but the dirty bit; 0 where policies count
	 * uses. */
	uint64_t *recent;
	size_t stride;

	uint64_t *way; /* few ways: set by set, the one that goes next is last */

	struct trc_ways_list *list; /* many ways: of each set, */
	struct trc_ways_node *node; /* set by set, from 1, */
	uint32_t *bucket;           /* and the first node of each hash */
	size_t bucket_mask;
	uint32_t hint[TRC_WAY_HINTS]; /* the node of a line by its low bits, if it still is */
};

/* `shape` is valid. Release what init left, also when it failed. */
int trc_ways_init(struct trc_ways *w, const struct trc_cache_shape *shape,
                  struct trc_err *err) TRC_MUST_USE;
void trc_ways_release(struct trc_ways *w);

/* Uses `line`, with TRC_WAY_DIRTY if it is written; false for a miss. */
bool trc_ways_use(struct trc_ways *w, uint64_t line, uint64_t dirty);

/* Puts in `line` after a miss; returns the line that it replaces, or 0. */
uint64_t trc_ways_add(struct trc_ways *w, uint64_t line, uint64_t dirty);

/* Removes `line` if the cache has it. */
void trc_ways_drop(struct trc_ways *w, uint64_t line);
void trc_ways_drop_all(struct trc_ways *w);

/* The line is deleted, or all are if it is NULL: removed, and forgotten where the policy remembers
 * lines that are gone. */
void trc_ways_delete(struct trc_ways *w, const uint64_t *line);

/* Whether `line` is there, and whether it is there and dirty. */
bool trc_ways_has(struct trc_ways *w, uint64_t line);
bool trc_ways_is_dirty(struct trc_ways *w, uint64_t line);

/* Makes `line` clean; true if it was there and dirty. */
bool trc_ways_clean(struct trc_ways *w, uint64_t line);

/* Makes all of `set` clean: returns its dirty lines one after the other, the next victim first,
 * then 0. *at is 0 at first. */
uint64_t trc_ways_clean_next(struct trc_ways *w, uint64_t set, size_t *at);

/* Writes the lines of all sets, set by set, as many as the cache has, 0 for none, in an order that
 * depends on the policy alone. */
void trc_ways_copy(const struct trc_ways *w, uint64_t *entry);

/* Adds `lines`, which the number of sets divides, to the numbers of all lines. */
void trc_ways_move(struct trc_ways *w, uint64_t lines);

#endif
