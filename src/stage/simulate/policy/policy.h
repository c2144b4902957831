/* SPDX-License-Identifier: MIT
 *
 * Policies: which line of a set goes when another comes. A policy is a row, and a file with what a
 * cache asks of it. The cache knows which lines are in which ways (cache_ways.h of
 * stage/simulate/cache); the policy keeps what it needs of each way, and of lines that are gone if
 * it remembers those.
 *
 * The null version: LRU and FIFO are lists that the cache has itself, and random draws a way; their
 * rows have nothing but a name.
 *
 * Empty ways are filled before any line goes: one whose line was dropped, the last of them first,
 * else the lowest that was never used. A file follows the pseudocode of its paper; where that
 * leaves a choice, or ties, its head gives ours, which is that of libCacheSim
 * (github.com/1a1a11a/libCacheSim) where it has the policy.
 */
#ifndef TRC_STAGE_SIMULATE_POLICY_POLICY_H
#define TRC_STAGE_SIMULATE_POLICY_POLICY_H

#include <stdbool.h>
#include <stdint.h>

#include "base/base.h"

enum { TRC_POLICY_ARRAYS = 7, TRC_POLICY_GHOSTS = 2 }; /* at most, of one */

/* The rows that the cache itself knows, by their number. */
enum trc_cache_policy { TRC_CACHE_LRU, TRC_CACHE_FIFO, TRC_CACHE_RANDOM, TRC_CACHE_OPT };

/* Memory that a policy needs, cleared: where its state has a pointer to it, and bytes for each set,
 * or for each way of all sets, and one way more. */
struct trc_policy_array {
	size_t at, set, way;
};

#define TRC_OF_SETS(type, field)                                      \
	{                                                             \
		offsetof(type, field), sizeof(*((type *)0)->field), 0 \
	}
#define TRC_OF_WAYS(type, field)                                      \
	{                                                             \
		offsetof(type, field), 0, sizeof(*((type *)0)->field) \
	}

/* Lines that are gone and remembered (ghosts.h), a part of the ways of a set, at least one: where
 * its state has them. */
struct trc_policy_ghosts {
	size_t at, part, of;
};

/* A policy. Sets have numbers, and the ways of a set, from 0 on. */
struct trc_policy {
	const char *name;
	const char *doc; /* what goes, its parameters and ties */
	bool pairs;      /* the number of ways is a power of two */
	bool ahead;      /* what goes depends on what comes later: no cache_ways.h can do that */
	bool counts;     /* a use of the line that was used last in its set changes something */

	/* Bytes of its state, which begins with how many ways a set has, a size_t; 0: the cache
	 * does it. And what that needs. */
	size_t size;
	struct trc_policy_array array[TRC_POLICY_ARRAYS];
	struct trc_policy_ghosts ghosts[TRC_POLICY_GHOSTS];

	/* The line in `way` is used. */
	void (*use)(void *state, size_t set, uint32_t way);

	/* A line that the set lacks is used: comes before the others; NULL: nothing. */
	void (*miss)(void *state, size_t set, uint64_t line);

	/* The set is full: returns the way whose line goes. */
	uint32_t (*victim)(void *state, size_t set);

	/* The line comes into `way`, which is empty. */
	void (*fill)(void *state, size_t set, uint32_t way, uint64_t line);

	/* The line in `way` is dropped. */
	void (*drop)(void *state, size_t set, uint32_t way);

	/* A line that the set lacks is deleted, or all are: what is remembered of it goes, as where
	 * libCacheSim removes an object; NULL: nothing is. */
	void (*forget)(void *state, size_t set, const uint64_t *line);
};

/* The policy of this number; NULL behind the last. */
const struct trc_policy *trc_policy(size_t i);

/* The state of a policy for `sets` sets of `ways` ways, all empty. */
void *trc_policy_open(const struct trc_policy *p, size_t sets, size_t ways, struct trc_err *err);
void trc_policy_close(const struct trc_policy *p, void *state);

/* The number of a way of a set among all ways, from 1 on. */
static inline uint32_t
trc_policy_place(const void *state, size_t set, uint32_t way)
{
	return (uint32_t)(set * *(const size_t *)state + way + 1);
}

#endif
