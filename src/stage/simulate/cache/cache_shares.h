/* SPDX-License-Identifier: MIT
 *
 * What caches do (cache.h), in shares: of windows of time, or of what references are counted by.
 * Whoever gives them rows sets whose these are, and takes what was counted since. What rows of a
 * warm-up did is forgotten then: from there on the caches count what they do behind it.
 *
 * Of a part of a trace it is known later what became of some lines (cache_piece.h): this goes to
 * the shares of the references that it was because of. A state is:
 *
 *   shares   how many there are, and arrays: references, misses, write-backs
 */
#ifndef TRC_STAGE_SIMULATE_CACHE_SHARES_H
#define TRC_STAGE_SIMULATE_CACHE_SHARES_H

#include "stage/simulate/cache/cache.h"

/* The state of what a cache that has parts counted. */
void trc_cache_counts_state(struct trc_cache_counts *counts, struct trc_state *s);

/* What one cache did for one share. */
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

/* Numbers of no share: rows of a warm-up, and those that are none's. */
#define TRC_CACHE_WARM UINT32_MAX
#define TRC_CACHE_NOBODY (UINT32_MAX - 1)

/* All shares. Zeroed but for `caches`, it has none. */
struct trc_cache_shares {
	size_t caches; /* how many there are */
	uint32_t now;  /* whose the rows are that come */

	struct trc_cache_sum *sum; /* of share i at cache c: [i * caches + c] */
	size_t n;

	/* Where a state is appended: the numbers here of its shares; NULL: they have the same. */
	const uint32_t *joined;
	size_t joins;

	/* Private. */
	size_t cap;
	struct trc_cache_sum before[TRC_CACHES_MOST];
};

void trc_cache_shares_release(void *s);

/* Makes shares up to `n` of them. */
int trc_cache_shares_room(struct trc_cache_shares *s, size_t n, struct trc_err *err) TRC_MUST_USE;

/* The caches have counted so much: what is new is of share `now`. Clears it behind a warm-up. */
int trc_cache_shares_take(struct trc_cache_shares *s, struct trc_cache_counts *counts,
                          struct trc_err *err) TRC_MUST_USE;

/* What a cache did for a share; NULL: it is no share. */
static inline struct trc_cache_sum *
trc_cache_share_at(const struct trc_cache_shares *s, uint32_t share, size_t cache)
{
	return share < s->n ? &s->sum[share * s->caches + cache] : NULL;
}

/* The number here of a share of the state that is appended; fails if it has none such. */
int trc_cache_shares_number(const struct trc_cache_shares *s, uint32_t of, uint32_t *share,
                            struct trc_err *err) TRC_MUST_USE;

void trc_cache_shares_state(struct trc_cache_shares *s, struct trc_state *t);

#endif
