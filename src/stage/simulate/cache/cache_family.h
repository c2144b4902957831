/* SPDX-License-Identifier: MIT
 *
 * Caches of many sizes, each of one level, simulated side by side in one pass; each counts what
 * cache.h specifies.
 *
 * LRU caches with the same line size share stacks (M. D. Hill and A. J. Smith, "Evaluating
 * Associativity in CPU Caches", IEEE Transactions on Computers 38(12), 1989): for each number of
 * sets, a set is a list of lines by last use, and the position of a line is the least number of
 * ways with which a cache holds it. A line that is the first of its set is also the first in all
 * caches with more sets, so most references are looked up only once. Write-backs for each number of
 * ways follow from dirty levels (J. G. Thompson and A. J. Smith, "Efficient (Stack) Algorithms for
 * Analysis of Write-Back and Sector Memories", ACM Transactions on Computer Systems 7(1), 1989): a
 * line is dirty in the caches with at least this many ways. A deleted line leaves a hole, which is
 * filled by the next line that is found at or below it, or missing. Caches with other policies,
 * more ways, or a prefetcher are simulated individually.
 */
#ifndef TRC_STAGE_SIMULATE_CACHE_FAMILY_H
#define TRC_STAGE_SIMULATE_CACHE_FAMILY_H

#include "stage/simulate/cache/cache.h"

/* The counts of one cache, for references of all types. */
struct trc_cache_totals {
	uint64_t refs, misses, evictions;
	uint64_t writebacks; /* including those at the end */
	uint64_t prefetches, prefetched, useful;
};

/* Makes a sink that simulates each of `n` unified caches, and at finish sets totals[0..n). `totals`
 * and `shape` must outlive it. */
struct trc_sink *trc_cache_family_sink(const struct trc_cache_shape *shape, size_t n,
                                       struct trc_cache_totals *totals,
                                       struct trc_err *err) TRC_MUST_USE;

/* Resets the counts after a warm-up. */
void trc_cache_family_forget(struct trc_sink *sink);

/* Sets totals[0..n) to the current counts, without the write-backs at the end. */
void trc_cache_family_totals(const struct trc_sink *sink, struct trc_cache_totals *totals);

#endif
