/* SPDX-License-Identifier: MIT
 *
 * Replacement policies: which line of a set is evicted when another one is inserted. A policy is a
 * row, and a file with the functions that a cache calls. The cache knows which lines are in which
 * ways (cache_ways.h of stage/simulate/cache); the policy keeps its own data for each way, and for
 * evicted lines if it remembers them.
 *
 * The simplest rows have only a name: LRU and FIFO are lists of the cache itself, and random draws
 * a way.
 *
 * Empty ways are filled before any line is evicted: ways whose lines were dropped, the last dropped
 * first, else the lowest that was never used. A file follows the pseudocode of its paper. Where
 * that leaves a choice, or ties, its head states ours, which is that of libCacheSim
 * (github.com/1a1a11a/libCacheSim) if it has the policy.
 */
#ifndef TRC_STAGE_SIMULATE_POLICY_POLICY_H
#define TRC_STAGE_SIMULATE_POLICY_POLICY_H

#include <stdbool.h>
#include <stdint.h>

#include "base/base.h"

enum { TRC_POLICY_ARRAYS = 7, TRC_POLICY_GHOSTS = 2 }; /* limits for one policy */

/* The rows that the cache implements itself, by index. */
enum trc_cache_policy { TRC_CACHE_LRU, TRC_CACHE_FIFO, TRC_CACHE_RANDOM, TRC_CACHE_OPT };

/* Cleared memory that a policy needs: the offset of its pointer in the state, and bytes for each
 * set, or for each way of all sets, and one more way. */
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

/* Remembered lines (ghosts.h) that a policy needs: the offset in its state, and their number as a
 * fraction of the ways of a set; at least one. */
struct trc_policy_ghosts {
	size_t at, part, of;
};

/* A policy. Sets, and the ways of a set, are numbered from 0. */
struct trc_policy {
	const char *name;
	const char *doc; /* what is evicted, parameters, ties */
	bool pairs;      /* the number of ways must be a power of two */
	bool ahead;      /* evictions depend on the future, so cache_ways.h cannot implement it */
	bool counts;     /* a use of the most recently used line of a set also has an effect */

	/* Size of its state, which begins with the number of ways of a set, a size_t; 0: the cache
	 * implements it. And the memory that the state needs. */
	size_t size;
	struct trc_policy_array array[TRC_POLICY_ARRAYS];
	struct trc_policy_ghosts ghosts[TRC_POLICY_GHOSTS];

	/* The line in `way` is used. */
	void (*use)(void *state, size_t set, uint32_t way);

	/* A line that is not in the set is used; called before the others. NULL: no effect. */
	void (*miss)(void *state, size_t set, uint64_t line);

	/* The set is full: returns the way whose line is evicted. */
	uint32_t (*victim)(void *state, size_t set);

	/* The line is inserted into `way`, which is empty. */
	void (*fill)(void *state, size_t set, uint32_t way, uint64_t line);

	/* The line in `way` is dropped. NULL: no effect. */
	void (*drop)(void *state, size_t set, uint32_t way);
};

/* Returns the policy with this index; NULL after the last. */
const struct trc_policy *trc_policy(size_t i);

/* Allocates the state of a policy for `sets` empty sets of `ways` ways. */
void *trc_policy_open(const struct trc_policy *p, size_t sets, size_t ways, struct trc_err *err);
void trc_policy_close(const struct trc_policy *p, void *state);

/* A line that is not in the set is deleted, or all are if it is NULL: no longer remembers them, as
 * libCacheSim does when it removes an object. */
void trc_policy_forget(const struct trc_policy *p, void *state, size_t set, const uint64_t *line);

/* Returns the number of a way of a set among all ways, from 1 on. */
static inline uint32_t
trc_policy_place(const void *state, size_t set, uint32_t way)
{
	return (uint32_t)(set * *(const size_t *)state + way + 1);
}

#endif
