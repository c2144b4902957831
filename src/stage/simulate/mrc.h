/* SPDX-License-Identifier: MIT
 *
 * Miss curves: the faults and write-backs of memories of every size, in one pass: of LRU, or of
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
 * starts empty and takes pages on demand; one of `pages` or more never evicts any. A delete takes a
 * page out of all of them without writing it back, and leaves its place free. */
struct trc_mrc_curve {
	uint32_t space; /* 0 for the curve of all */
	uint64_t pages; /* distinct ones: so many first references, which fault at every size */
	uint64_t warm;  /* but for those to so many of them, which do not count: see below */
	uint64_t refs;  /* references; one that crosses pages counts once */
	uint64_t again; /* first ones since their page was deleted: they fault at every size, too */
	uint64_t *misses;     /* [m]: faults that are no first references; [0]: all that are none */
	uint64_t *writebacks; /* [m]: pages evicted that were written since they were fetched */

	/* Instead of both: where there were many pages in ranges; else NULL. */
	struct trc_mrc_step *step;
	size_t steps;

	/* [m]: requests and bytes that are missed, with first ones; NULL: they are not counted, or
	 * in the steps. */
	uint64_t *missed_requests, *missed_bytes;

	/* Instead of write-backs: what was written, at once, at every size. */
	bool through;
	uint64_t written;

	/* The same by groups of pages, if that was asked for; else NULL. */
	struct trc_replicates *groups;
};

/* The miss curves of a trace: one, or one for each space. */
struct trc_mrc {
	struct trc_mrc_curve *curve; /* in order of space */
	size_t n;
};

/* References to a page each, of which misses are a part: one that crosses pages is one to each. */
uint64_t trc_mrc_touches(const struct trc_mrc_curve *curve);

/* What a memory of m <= pages does; one of no page misses all. */
uint64_t trc_mrc_misses(const struct trc_mrc_curve *curve, uint64_t m);
uint64_t trc_mrc_writebacks(const struct trc_mrc_curve *curve, uint64_t m);
uint64_t trc_mrc_missed_requests(const struct trc_mrc_curve *curve, uint64_t m);
uint64_t trc_mrc_missed_bytes(const struct trc_mrc_curve *curve, uint64_t m);

/* A sink for references to pages as trc_stage_page() or trc_stage_page_ranges() makes them, whose
 * columns are `have`. The curves are in *mrc, which must outlive it, when it has finished; release
 * them in any case. With `groups`, those of a sample can be had with intervals. */
struct trc_sink *trc_mrc_sink(struct trc_mrc *mrc, uint32_t have, bool by_space, bool groups,
                              struct trc_err *err) TRC_MUST_USE;

/* Before the first row. With `none`, the state cannot be saved. */
void trc_mrc_set_rule(struct trc_sink *sink, const struct trc_mrc_rule *rule);

/* Numbers and distances may be had on two threads, if there are many pages and one curve. */
void trc_mrc_beside(struct trc_sink *sink);

/* The same of MIN, which with `bypass` need not admit a page. It has no ranges, no groups, and
 * cannot be saved. A write-back counts where its page is missed again, or would be when it is
 * deleted, and of those not used again at the end, unless the trace `goes_on`. */
struct trc_sink *trc_mrc_opt_sink(struct trc_mrc *mrc, uint32_t have, bool by_space, bool goes_on,
                                  bool bypass, struct trc_err *err) TRC_MUST_USE;

/* The same of memories of any policy, and of the sizes of `shape` alone, which must outlive it; the
 * curve is one of steps. */
struct trc_sink *trc_mrc_memories_sink(struct trc_mrc *mrc, uint32_t have, bool by_space,
                                       bool goes_on, const struct trc_memories_shape *shape,
                                       struct trc_err *err) TRC_MUST_USE;

/* Takes from the curves of a trace what its first records do, `before`, whose curves are of the
 * same kind and have no groups: what is left counts behind them alone. Of MIN, `before` went on. */
int trc_mrc_subtract(void *mrc, void *before, struct trc_err *err) TRC_MUST_USE;

void trc_mrc_release(void *mrc);
void trc_mrc_curve_release(struct trc_mrc_curve *curve);

#endif
