/* SPDX-License-Identifier: MIT
 *
 * Miss curves: the faults and write-backs of memories of every size in one pass, for LRU, or for
 * MIN, which knows the future.
 */
#ifndef TRC_STAGE_SIMULATE_MRC_H
#define TRC_STAGE_SIMULATE_MRC_H

#include "batch/flow.h"
#include "stage/simulate/memories.h"
#include "stage/simulate/mrc_ranges.h"
#include "stage/simulate/replicates.h"

enum { TRC_MRC_SPACES_MOST = 4096 };

/* The curve of one address space, or of all pages together. A memory of m pages, 1 <= m <= pages,
 * starts empty and fetches pages on demand; with `pages` or more it never evicts one. A delete
 * removes a page from all memories without writing it back, and leaves its frame free. */
struct trc_mrc_curve {
	uint32_t space; /* 0 for the curve of all pages */
	uint64_t pages; /* distinct pages; the first reference to each faults at every size */

	/* Pages whose first references do not count: trc_mrc_subtract(). */
	uint64_t warm;
	uint64_t refs; /* references; one that crosses pages counts once */

	/* First references to a page after its deletion: they fault at every size. */
	uint64_t again;

	/* [m]: faults other than first references; [0]: all references but first ones */
	uint64_t *misses;

	/* [m]: evictions of pages that were written since they were fetched */
	uint64_t *writebacks;

	/* Used instead of both arrays if ranges had many pages; else NULL. */
	struct trc_mrc_step *step;
	size_t steps;

	/* [m]: missed requests and bytes, including first references. NULL: not counted, or in the
	 * steps. */
	uint64_t *missed_requests, *missed_bytes;

	/* With write-through, instead of write-backs: pages written, which are the same at every
	 * size. */
	bool through;
	uint64_t written;

	/* Counts for groups of pages, if requested; else NULL. */
	struct trc_replicates *groups;
};

/* The miss curves of a trace: one, or one per space. */
struct trc_mrc {
	struct trc_mrc_curve *curve; /* in order of space */
	size_t n;
};

/* Returns the number of references to single pages, which is the total that misses are part of. A
 * reference that crosses pages is one to each. */
uint64_t trc_mrc_touches(const struct trc_mrc_curve *curve);

/* Return the counts of a memory of m <= pages pages; one of no page misses all references. */
uint64_t trc_mrc_misses(const struct trc_mrc_curve *curve, uint64_t m);
uint64_t trc_mrc_writebacks(const struct trc_mrc_curve *curve, uint64_t m);
uint64_t trc_mrc_missed_requests(const struct trc_mrc_curve *curve, uint64_t m);
uint64_t trc_mrc_missed_bytes(const struct trc_mrc_curve *curve, uint64_t m);

/* Makes a sink for references to pages, as trc_stage_page() or trc_stage_page_ranges() produces
 * them, with the columns `have`. After finish, the curves are in *mrc, which must outlive the sink;
 * release them in any case. With `groups`, intervals can be computed for the curves of a sample. */
struct trc_sink *trc_mrc_sink(struct trc_mrc *mrc, uint32_t have, bool by_space, bool groups,
                              struct trc_err *err) TRC_MUST_USE;

/* Sets the rule; call it before the first row. With `none` or `around`, the state cannot be
 * saved. */
void trc_mrc_set_rule(struct trc_sink *sink, const struct trc_mrc_rule *rule);

/* Allows page numbers and distances to be computed on two threads, if there are many pages and one
 * curve. */
void trc_mrc_companion(struct trc_sink *sink);

/* Makes a sink for MIN, which with `bypass` need not admit a page. It has no ranges and no groups,
 * and its state cannot be saved. A write-back counts when its page is missed again, or would be
 * missed when it is deleted; those of pages not used again count at the end, unless the trace
 * is `unfinished`. */
struct trc_sink *trc_mrc_opt_sink(struct trc_mrc *mrc, uint32_t have, bool by_space,
                                  bool unfinished, bool bypass, struct trc_err *err) TRC_MUST_USE;

/* Makes a sink for memories of any policy, only of the sizes in `shape`, which must outlive it. The
 * curve consists of steps. */
struct trc_sink *trc_mrc_memories_sink(struct trc_mrc *mrc, uint32_t have, bool by_space,
                                       bool unfinished, const struct trc_memories_shape *shape,
                                       struct trc_err *err) TRC_MUST_USE;

/* Subtracts the curves `before` of the first records of a trace, so that only the records after
 * them count. Both have the same kind and no groups. For MIN, `before` is unfinished. */
int trc_mrc_subtract(void *mrc, void *before, struct trc_err *err) TRC_MUST_USE;

void trc_mrc_release(void *mrc);
void trc_mrc_curve_release(struct trc_mrc_curve *curve);

#endif
