/* SPDX-License-Identifier: MIT
 *
 * A level of a hierarchy of caches, as cache.c has them, and what inclusion.c does at levels that
 * include or exclude others.
 */
#ifndef TRC_STAGE_SIMULATE_CACHE_LEVEL_H
#define TRC_STAGE_SIMULATE_CACHE_LEVEL_H

#include "stage/simulate/cache/cache_ways.h"

struct trc_cache_opt;
struct trc_cache_piece;

/* A cache: its ways, what it counts, and the caches below it. */
struct trc_cache_level {
	struct trc_ways ways;
	unsigned line_bits;
	uint32_t line; /* bytes */
	struct trc_cache_counts *count;
	struct trc_cache_level *next; /* the level below; NULL: memory */
	struct trc_cache_level
	        *below;               /* what it refers to: the first that excludes none; or NULL */
	struct trc_cache_piece *part; /* NULL: nothing was before */
	struct trc_cache_opt *opt;    /* of MIN, which leaves the ways empty; else NULL */
	struct trc_prefetcher *prefetcher; /* NULL: it has none */

	/* Counts a miss and all that follows from it, where that is not what cache.c does; else
	 * NULL. `whole`: the reference is to all of the line. */
	void (*miss)(struct trc_cache_level *l, uint64_t line, bool whole, enum trc_type type);

	/* Of inclusion.c. A reference by a level above: */
	void (*refer)(struct trc_cache_level *l, uint64_t addr, uint32_t size, enum trc_type type);
	enum trc_cache_inclusion inclusion;
	bool included; /* in one of the levels below */
	struct trc_cache_level *above[TRC_CACHES_MOST];
	size_t n_above; /* that it includes: all above; 0 if it includes none */
};

/* Makes `n` levels whose fields above `miss`, and `refer`, are set do as their shapes include and
 * exclude each other. The first `first` are the first level. */
void trc_inclusion_join(struct trc_cache_level *level, const struct trc_cache_shape *shape,
                        size_t n, size_t first);

/* Drops the lines above that are part of `line`, which a level that includes them is about to lose;
 * false if none of them was dirty. */
bool trc_inclusion_drop(struct trc_cache_level *l, uint64_t line, enum trc_type cause, bool count);

#endif
