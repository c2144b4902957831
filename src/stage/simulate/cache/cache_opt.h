/* SPDX-License-Identifier: MIT
 *
 * A cache of MIN (stage/simulate/policy/opt_stack.h), set by set: of the lines of a set the one
 * that is used again last goes. What hits is known at once, by the stack distance in the set; which
 * line went is known only when it is missed again, so nothing can be below such a cache. A
 * write-back is counted there, by the type of the reference that misses; those of lines that are
 * not used again, as those at the end of the trace. Lines that are not used again go in the order
 * of opt_stack.h. The memory is that of the different lines, about 60 bytes each, not that of the
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
	struct trc_map map; /* line -> its place */
	struct trc_cache_opt_line *line;
	size_t cap;
	struct trc_opt_stack *stack; /* of each set, */
	uint32_t *lines;             /* and how many lines it has seen */
	size_t sets;
	struct trc_err err; /* the first failure, which ends the trace */
};

/* Release what init left, also when it failed. */
int trc_cache_opt_init(struct trc_cache_opt *o, size_t sets, struct trc_err *err) TRC_MUST_USE;
void trc_cache_opt_release(struct trc_cache_opt *o);

/* A reference to `line` of the cache of `w`, which holds nothing but the lines used last, so that
 * these hit without a question. `whole`: to all of the line. */
void trc_cache_opt_refer(struct trc_cache_opt *o, struct trc_ways *w,
                         struct trc_cache_counts *count, uint64_t line, bool whole,
                         enum trc_type type);

/* Counts what the end of the trace writes back. */
void trc_cache_opt_finish(const struct trc_cache_opt *o, const struct trc_ways *w,
                          struct trc_cache_counts *count);

#endif
