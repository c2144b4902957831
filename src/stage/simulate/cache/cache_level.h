/* SPDX-License-Identifier: MIT
 *
 * A level of a hierarchy of caches, shared by cache_rows.c and inclusion.c, which implements levels
 * that include or exclude others.
 */
#ifndef TRC_STAGE_SIMULATE_CACHE_LEVEL_H
#define TRC_STAGE_SIMULATE_CACHE_LEVEL_H

#include "stage/simulate/cache/cache_ways.h"

struct trc_cache_opt;
struct trc_cache_slice;

/* A cache: its ways, its counts, and the caches below it. */
struct trc_cache_level {
	struct trc_ways ways;
	unsigned line_bits;
	uint32_t line; /* bytes */
	struct trc_cache_counts *count;
	struct trc_cache_level *next; /* the level below; NULL: memory */

	/* Where its misses go: the first level below that is not exclusive; or NULL. */
	struct trc_cache_level *below;
	struct trc_cache_slice *slice;     /* NULL: the cache was empty at the beginning */
	struct trc_cache_opt *opt;         /* of opt, which keeps the lines itself; else NULL */
	struct trc_prefetcher *prefetcher; /* NULL: none */

	/* Counts a miss and performs what follows from it, if that differs from cache_rows.c; else
	 * NULL. `whole`: the reference covers the line. */
	void (*miss)(struct trc_cache_level *l, uint64_t line, bool whole, enum trc_type type);

	/* A reference by a level above; set by inclusion.c. */
	void (*refer)(struct trc_cache_level *l, uint64_t addr, uint32_t size, enum trc_type type);
	enum trc_cache_inclusion inclusion;
	bool included; /* by one of the levels below */
	struct trc_cache_level *above[TRC_CACHES_MOST];
	size_t n_above; /* levels that it includes: all above, or none */
};

/* Connects `n` levels as their shapes include and exclude each other. Their members before `miss`,
 * and `refer`, are set. The first `first` caches are the first level. */
void trc_inclusion_join(struct trc_cache_level *level, const struct trc_cache_shape *shape,
                        size_t n, size_t first);

/* Drops the lines of the levels above that are part of `line`, which an inclusive level is about to
 * lose. Returns false if none of them was dirty. */
bool trc_inclusion_drop(struct trc_cache_level *l, uint64_t line, enum trc_type cause, bool count);

#endif
