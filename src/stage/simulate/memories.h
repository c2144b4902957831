/* SPDX-License-Identifier: MIT
 *
 * Memories of one policy and several sizes, simulated side by side: for policies that are not stack
 * algorithms, where no size follows from another, and for MIN if there are few sizes. The memory
 * needed is the sum over all of them.
 *
 * Pages are given by number (pages.h). A zeroed struct may be released.
 */
#ifndef TRC_STAGE_SIMULATE_MEMORIES_H
#define TRC_STAGE_SIMULATE_MEMORIES_H

#include "stage/simulate/cache/cache_ways.h"
#include "stage/simulate/mrc_ranges.h"
#include "stage/simulate/policy/opt_sizes.h"

struct trc_mrc_curve;

/* Which references count, and how writes are handled. If all members are zero, all references
 * count, a written page is fetched, and it is written back when it is evicted. */
struct trc_mrc_rule {
	bool reads;    /* only reads count; writes change the memories as usual */
	bool through;  /* write-through */
	bool around;   /* write-through, and a write miss does not allocate; not for MIN */
	bool none;     /* write-through, and a write removes the page, so only reads fetch pages */
	uint64_t page; /* size of a page in bytes to also count missed requests and bytes, or 0 */
};

/* Returns true if a reference counts. */
static inline bool
trc_mrc_counts(const struct trc_mrc_rule *rule, uint8_t type)
{
	return !(rule->reads && type == TRC_WRITE);
}

/* The weight of a reference, if bytes count: its bytes, and this bit if more references of the same
 * request follow. */
#define TRC_TOUCH_MORE (UINT32_C(1) << 31)

/* The memories to simulate: sizes in pages, above 0. */
struct trc_memories_shape {
	unsigned policy; /* index in policy/policy.h */
	uint64_t seed;   /* of policy random */
	const uint64_t *size;
	size_t n; /* for opt at most TRC_OPT_SIZES_MOST */
};

/* Returns why a policy cannot have a memory of this size, or NULL if it can. */
const char *trc_memories_wrong(unsigned policy, uint64_t size);

struct trc_page_memory;

/* The counts of one memory. */
struct trc_memory_counts {
	uint64_t misses, writebacks;
	uint64_t missed_requests, missed_bytes;
	bool missed; /* the request whose references continue has missed so far */
};

struct trc_memories {
	struct trc_page_memory *memory; /* in order of size */
	size_t n;
	uint64_t touches;              /* references to single pages */
	struct trc_opt_sizes *optimal; /* for MIN: it does the counting; else NULL */
	struct trc_mrc_rule rule;      /* not for MIN; set before the first reference */

	/* With a rule: the counts of a memory without room, and of one that evicts nothing. */
	struct trc_memory_counts none, all;
	uint8_t *held;
	size_t holds;
};

/* Initialises memories whose sizes were checked. Release them also if this fails. */
int trc_memories_init(struct trc_memories *m, const struct trc_memories_shape *shape,
                      struct trc_err *err) TRC_MUST_USE;
void trc_memories_release(struct trc_memories *m);

/* Refers to `n` pages, all with numbers below `pages`. `weight` is NULL if bytes do not count. */
int trc_memories_refer(struct trc_memories *m, const uint32_t *id, const uint8_t *type,
                       const uint32_t *weight, size_t n, uint32_t pages,
                       struct trc_err *err) TRC_MUST_USE;

/* Counts a request to `pages` pages that misses in all of them and fetches none. */
void trc_memories_miss(struct trc_memories *m, uint64_t pages, uint64_t bytes);

/* Deletes a page: it leaves all memories, without a write-back. */
void trc_memories_remove(struct trc_memories *m, uint32_t id);

/* Sets the steps of a curve whose pages, warm pages and references after deletes are set: one for
 * no page, one for each size below the number of pages, and one from there on. MIN evicts some
 * pages only at the end of the trace, unless it is `unfinished`. */
int trc_memories_finish(struct trc_memories *m, bool unfinished, struct trc_mrc_curve *curve,
                        struct trc_err *err) TRC_MUST_USE;

#endif
