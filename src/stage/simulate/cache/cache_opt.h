/* SPDX-License-Identifier: MIT
 *
 * A cache with policy MIN (stage/simulate/policy/opt_stack.h), set by set: it evicts the line of
 * the set whose next use is farthest in the future. Whether a reference hits is known at once, from
 * its stack distance in the set. Which line was evicted is only known when that line is missed
 * again, so there can be no level below such a cache. A write-back is counted at that time, by the
 * type of the reference that misses; write-backs of lines that are not used again count as those at
 * the end of the trace. Lines that are not used again are evicted in the order of opt_stack.h. The
 * memory grows with the number of distinct lines, about 60 bytes each, not with the size of the
 * cache.
 */
#ifndef TRC_STAGE_SIMULATE_CACHE_CACHE_OPT_H
#define TRC_STAGE_SIMULATE_CACHE_CACHE_OPT_H

#include "base/map.h"
#include "stage/simulate/cache/cache_ways.h"
#include "stage/simulate/policy/opt_stack.h"

/* A line that was used. */
struct trc_cache_opt_line {
	uint32_t number; /* in its set */
	uint32_t level;  /* its dirty level, as in stage/simulate/mrc.c */
};

/* The sets of a cache. Zeroed memory may be released. */
struct trc_cache_opt {
	struct trc_map map; /* line -> its index */
	struct trc_cache_opt_line *line;
	size_t cap;
	struct trc_opt_stack *stack; /* of each set, */
	uint32_t *lines;             /* number of lines that each set has seen */
	size_t sets;
	struct trc_err err; /* the first failure, which ends the trace */
};

/* Release the struct also if init failed. */
int trc_cache_opt_init(struct trc_cache_opt *o, size_t sets, struct trc_err *err) TRC_MUST_USE;
void trc_cache_opt_release(struct trc_cache_opt *o);

/* Refers to `line` in the cache of `w`, which holds only the most recently used lines, for which no
 * look-up is needed. `whole`: the reference covers the line. */
void trc_cache_opt_refer(struct trc_cache_opt *o, struct trc_ways *w,
                         struct trc_cache_counts *count, uint64_t line, bool whole,
                         enum trc_type type);

/* Counts the write-backs at the end of the trace. */
void trc_cache_opt_finish(const struct trc_cache_opt *o, const struct trc_ways *w,
                          struct trc_cache_counts *count);

#endif
