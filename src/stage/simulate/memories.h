/* SPDX-License-Identifier: MIT
 *
 * Memories of one policy and several sizes, run side by side: for policies that are no stack
 * algorithms, where no size follows from another, and for MIN where sizes are few. The memory is
 * that of all of them.
 *
 * Pages are given by number (pages.h). Zeroed memory may be released.
 */
#ifndef TRC_STAGE_SIMULATE_MEMORIES_H
#define TRC_STAGE_SIMULATE_MEMORIES_H

#include "stage/simulate/cache/cache_ways.h"
#include "stage/simulate/mrc_ranges.h"
#include "stage/simulate/policy/opt_sizes.h"

/* What counts, and what a write does; of zeros, all references do, and a page that is written comes
 * in and is written back when it goes. */
struct trc_mrc_rule {
	bool reads;    /* reads alone count, in memories that writes change as ever */
	bool through;  /* writes go down at once */
	bool around;   /* likewise, and a page that is not there stays away: of given sizes alone */
	bool none;     /* likewise, and the page is taken out: memories hold pages that were read */
	uint64_t page; /* bytes of a page, if misses count by requests and bytes, too; or 0 */
};

/* Whether a reference counts. */
static inline bool
trc_mrc_counts(const struct trc_mrc_rule *rule, uint8_t type)
{
	return !(rule->reads && type == TRC_WRITE);
}

/* The weight of a touch, where bytes count: how many it has, and whether more touches are of the
 * same request. */
#define TRC_TOUCH_MORE (UINT32_C(1) << 31)

/* Which memories: sizes in pages, above 0. */
struct trc_memories_shape {
	unsigned policy; /* its number: policy/policy.h */
	uint64_t seed;   /* of random */
	const uint64_t *size;
	size_t n; /* of opt, at most TRC_OPT_SIZES_MOST */
};

/* What is wrong with a size of a policy, or NULL. */
const char *trc_memories_wrong(unsigned policy, uint64_t size);

struct trc_memory;

/* What a memory does. */
struct trc_memory_counts {
	uint64_t misses, writebacks;
	uint64_t missed_requests, missed_bytes;
	bool missed; /* the request that more touches come of */
};

struct trc_memories {
	struct trc_memory *memory; /* by size */
	size_t n;
	uint64_t touches;              /* references to a page each */
	struct trc_opt_sizes *optimal; /* of MIN: what they do; else NULL */
	struct trc_mrc_rule rule;      /* not of MIN; set before the first reference */

	/* By a rule: what a memory does that has no room, and one that evicts nothing. */
	struct trc_memory_counts none, all;
	uint8_t *held;
	size_t holds;
};

/* Nothing is wrong with the sizes. Release what init left, also when it failed. */
int trc_memories_init(struct trc_memories *m, const struct trc_memories_shape *shape,
                      struct trc_err *err) TRC_MUST_USE;
void trc_memories_release(struct trc_memories *m);

/* References to `n` pages, all of number below `pages`; their weights, or NULL. */
int trc_memories_refer(struct trc_memories *m, const uint32_t *id, const uint8_t *type,
                       const uint32_t *weight, size_t n, uint32_t pages,
                       struct trc_err *err) TRC_MUST_USE;

/* A request to `pages` pages that misses in all of them, and brings nothing in. */
void trc_memories_miss(struct trc_memories *m, uint64_t pages, uint64_t bytes);

/* A page is deleted: no memory has it, or writes it back. */
void trc_memories_remove(struct trc_memories *m, uint32_t id);

/* The faults that were no first references, and the dirty pages that were evicted, where there are
 * `pages` pages, `first` of whose first references count, and `again` references to pages that had
 * been deleted: steps in a new array, one
 * for no page, one for each size below that, and one from there on. MIN evicts some pages only at
 * the end of the trace, unless that `goes_on`. */
int trc_memories_finish(struct trc_memories *m, uint32_t pages, uint64_t first, uint64_t again,
                        bool goes_on, struct trc_mrc_step **step, size_t *n,
                        struct trc_err *err) TRC_MUST_USE;

#endif
