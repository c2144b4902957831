/* SPDX-License-Identifier: MIT
 *
 * The counts of caches (cache.h) split into shares, such as windows of time, or groups of
 * references. The caller sets the share of the rows that it puts, and then takes the counts that
 * they added. Counts of a warm-up are reset: from then on the caches count only what follows.
 *
 * With slices, the fate of some lines is only known later (cache_slice.h): its counts go to the
 * shares of the references that caused it. A state is:
 *
 *   shares   their number, and arrays: references, misses, write-backs
 */
#ifndef TRC_STAGE_SIMULATE_CACHE_SHARES_H
#define TRC_STAGE_SIMULATE_CACHE_SHARES_H

#include "stage/simulate/cache/cache.h"

/* Saves or restores the counts of a cache that is simulated in slices. */
void trc_cache_counts_state(struct trc_cache_counts *counts, struct trc_state *s);

/* The counts of one cache for one share. */
struct trc_cache_sum {
	uint64_t refs, misses, writebacks;
};

static inline void
trc_cache_sum_add(struct trc_cache_sum *to, const struct trc_cache_sum *more)
{
	to->refs += more->refs;
	to->misses += more->misses;
	to->writebacks += more->writebacks;
}

/* Numbers that stand for no share: rows of a warm-up, and rows that belong to none. */
#define TRC_CACHE_WARM UINT32_MAX
#define TRC_CACHE_NOBODY (UINT32_MAX - 1)

/* All shares. Zeroed except for `caches`, it has none. */
struct trc_cache_shares {
	size_t caches; /* number of caches */
	uint32_t now;  /* share of the rows that are put now */

	struct trc_cache_sum *sum; /* share i of cache c is at [i * caches + c] */
	size_t n;

	/* While a state is appended: the numbers here of its shares; NULL: they are the same. */
	const uint32_t *joined;
	size_t joins;

	/* Private. */
	size_t cap;
	struct trc_cache_sum before[TRC_CACHES_MOST];
};

void trc_cache_shares_release(void *s);

/* Makes room for `n` shares. */
int trc_cache_shares_room(struct trc_cache_shares *s, size_t n, struct trc_err *err) TRC_MUST_USE;

/* Adds what the caches counted since the last call to share `now`. After a warm-up, resets it. */
int trc_cache_shares_take(struct trc_cache_shares *s, struct trc_cache_counts *counts,
                          struct trc_err *err) TRC_MUST_USE;

/* Returns the counts of a cache for a share; NULL if the share does not exist. */
static inline struct trc_cache_sum *
trc_cache_share_at(const struct trc_cache_shares *s, uint32_t share, size_t cache)
{
	return share < s->n ? &s->sum[share * s->caches + cache] : NULL;
}

/* Returns the number here of a share of the appended state; fails if there is none. */
int trc_cache_shares_number(const struct trc_cache_shares *s, uint32_t of, uint32_t *share,
                            struct trc_err *err) TRC_MUST_USE;

/* Saves the shares, or appends those of the following slice. */
void trc_cache_shares_state(struct trc_cache_shares *s, struct trc_state *t);

#endif
