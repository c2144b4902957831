/* SPDX-License-Identifier: MIT
 *
 * The sink of caches, shared by cache.c, which opens, finishes and closes it, and cache_rows.c,
 * which simulates.
 */
#ifndef TRC_STAGE_SIMULATE_CACHE_SINK_H
#define TRC_STAGE_SIMULATE_CACHE_SINK_H

#include "stage/simulate/cache/cache.h"
#include "stage/simulate/cache/cache_level.h"
#include "stage/simulate/cache/cache_opt.h"
#include "stage/simulate/cache/cache_slice.h"
#include "stage/simulate/cache/regions.h"

/* The level that references of a type enter; NULL if the type is not exactly one reference. */
struct trc_cache_entry {
	struct trc_cache_level *level;
	uint64_t clean; /* TRC_WAY_DIRTY if a clean line may be hit like a dirty one */

	/* Copies of its members, for speed. */
	const uint64_t *recent;
	uint64_t set_mask;
	size_t stride;
	unsigned bits;
};

/* The sink of caches. */
struct trc_caches {
	struct trc_sink sink;
	struct trc_cache_level level[TRC_CACHES_MOST];
	size_t levels;

	/* The levels that fetches and data enter; the same if the first level is not split. */
	struct trc_cache_level *fetches, *data;
	struct trc_cache_entry entry[TRC_TYPE_MASK + 1];
	struct trc_regions regions;
	bool placed; /* addresses are replaced by those of regions, since lines are small */
	struct trc_cache_slice slice[TRC_CACHES_MOST]; /* of caches whose state will be saved */

	/* Of caches with policy opt. */
	struct trc_cache_opt opt[TRC_CACHES_MOST];
	bool any_opt;
	struct trc_prefetcher prefetcher[TRC_CACHES_MOST];
	struct trc_prefetch_row at; /* the current row; used by stride prefetchers */
	bool any_prefetch, any_stride;
	uint64_t orders; /* copy-backs and invalidates that came although a level uses opt */
	bool sliced;     /* the caches began with unknown contents */
	uint64_t rows, in_ranges;        /* rows; and lines of rows with several lines */
	struct trc_cache_shares *shares; /* NULL: there are none */
};

/* Simulates the rows of a batch that has addresses. Policies and prefetchers that ran out of memory
 * within references keep their error. */
int trc_caches_put_rows(struct trc_caches *s, const struct trc_batch *b,
                        struct trc_err *err) TRC_MUST_USE;

/* Handles a reference by a level above, whose lines may be larger than those of `l`. */
void trc_cache_level_refer(struct trc_cache_level *l, uint64_t addr, uint32_t size,
                           enum trc_type type);

/* Copies all lines of the level back, from the last set on, in each set the next victim first, and
 * adds their number to *count. */
void trc_cache_level_copy_back(struct trc_cache_level *l, uint64_t *count);

#endif
