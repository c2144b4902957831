/* SPDX-License-Identifier: MIT */
#include "stage/simulate/policy/policy.h"

#include <stdlib.h>
#include <string.h>

#include "stage/simulate/policy/ghosts.h"

#define POLICIES(P) \
	P(plru)     \
	P(srrip)    \
	P(clock)    \
	P(sieve)    \
	P(lfu)      \
	P(2q)       \
	P(arc)      \
	P(s3_fifo)

#define DECLARE(name) extern const struct trc_policy trc_policy_##name;
#define ROW(name) &trc_policy_##name,

POLICIES(DECLARE)

static const struct trc_policy by_the_cache[] = {
	[TRC_CACHE_LRU] = { .name = "lru",
	                    .doc = "LRU (Mattson, Gecsei, Slutz, Traiger 1970): evict the least "
	                           "recently used line" },
	[TRC_CACHE_FIFO] = { .name = "fifo",
	                     .doc = "FIFO (Belady 1966): evict the line inserted first, whether "
	                            "used since or not" },
	[TRC_CACHE_RANDOM] = { .name = "random",
	                       .doc = "RAND (Belady 1966): evict a line chosen uniformly at "
	                              "random; random=SEED sets the seed (default 1)" },
	[TRC_CACHE_OPT] = { .name = "opt",
	                    .doc = "MIN (Belady 1966): evict the line whose next use is furthest "
	                           "away; of lines never used again, the most recently used. Only "
	                           "in the last level of caches. A write-back counts where the "
	                           "evicted line misses again or is deleted, or else at the end",
	                    .ahead = true },
};

const struct trc_policy *
trc_policy(size_t i)
{
	static const struct trc_policy *const row[] = { POLICIES(ROW) };

	if (i < TRC_COUNT(by_the_cache))
		return &by_the_cache[i];
	i -= TRC_COUNT(by_the_cache);
	return i < TRC_COUNT(row) ? row[i] : NULL;
}

static struct trc_ghosts *
ghosts(void *state, const struct trc_policy_ghosts *g)
{
	return (struct trc_ghosts *)((char *)state + g->at);
}

static int
open_arrays(const struct trc_policy *of, void *state, size_t sets, size_t ways, struct trc_err *err)
{
	for (const struct trc_policy_array *a = of->array;
	     a < of->array + TRC_POLICY_ARRAYS && (a->set || a->way); a++) {
		void *p = trc_alloc(a->set ? sets : sets * ways + 1, a->set + a->way, err);

		memcpy((char *)state + a->at, &p, sizeof(p));
		if (!p)
			return -1;
	}
	for (const struct trc_policy_ghosts *g = of->ghosts;
	     g < of->ghosts + TRC_POLICY_GHOSTS && g->of; g++) {
		const size_t most = ways * g->part / g->of;

		if (trc_ghosts_init(ghosts(state, g), sets, most ? most : 1, err))
			return -1;
	}
	return 0;
}

void *
trc_policy_open(const struct trc_policy *p, size_t sets, size_t ways, struct trc_err *err)
{
	void *state = trc_alloc(1, p->size, err);

	if (!state)
		return NULL;
	*(size_t *)state = ways;
	if (open_arrays(p, state, sets, ways, err) == 0)
		return state;
	trc_policy_close(p, state);
	return NULL;
}

void
trc_policy_close(const struct trc_policy *p, void *state)
{
	for (size_t i = 0; i < TRC_POLICY_ARRAYS; i++) {
		void *array = NULL;

		if (p->array[i].set || p->array[i].way)
			memcpy(&array, (char *)state + p->array[i].at, sizeof(array));
		free(array);
	}
	for (size_t i = 0; i < TRC_POLICY_GHOSTS; i++)
		if (p->ghosts[i].of)
			trc_ghosts_release(ghosts(state, &p->ghosts[i]));
	free(state);
}

void
trc_policy_forget(const struct trc_policy *p, void *state, size_t set, const uint64_t *line)
{
	for (size_t i = 0; i < TRC_POLICY_GHOSTS && p->ghosts[i].of; i++)
		trc_ghosts_forget(ghosts(state, &p->ghosts[i]), set, line);
}
