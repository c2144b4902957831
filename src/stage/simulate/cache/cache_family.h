/* SPDX-License-Identifier: MIT
 *
 * Caches of many sizes side by side, each of one level, in one pass: what cache.h has, of each.
 *
 * Those of LRU with lines of one size share stacks (M. D. Hill and A. J. Smith, "Evaluating
 * Associativity in CPU Caches", IEEE Transactions on Computers 38(12), 1989): for each number of
 * sets, a set is a list of lines by last use, and the place of a line is the ways from which on a
 * cache holds it. A line that is the first of its set is so in all caches of more sets, so most
 * references are looked up once. Write-backs are those of each number of ways by dirty levels (J.
 * G. Thompson and A. J. Smith, "Efficient (Stack) Algorithms for Analysis of Write-Back and Sector
 * Memories", ACM Transactions on Computer Systems 7(1), 1989): a line is dirty in the caches of so
 * many ways, or more. A line that is deleted leaves a hole, which the next line that is missing
 * above it, or at its place, fills. Other policies, more ways, and
 * those with a prefetcher are simulated by themselves.
 */
#ifndef TRC_STAGE_SIMULATE_CACHE_FAMILY_H
#define TRC_STAGE_SIMULATE_CACHE_FAMILY_H

#include "stage/simulate/cache/cache.h"

/* What one of them did, for references of all types. */
struct trc_cache_totals {
	uint64_t refs, misses, evictions;
	uint64_t writebacks; /* with those at the end */
	uint64_t prefetches, prefetched, useful;
};

/* A sink that runs what it is given through each of `n` caches, which are unified, and when it
 * finishes fills totals[0..n), which must outlive it, as must `shape`. */
struct trc_sink *trc_cache_family_sink(const struct trc_cache_shape *shape, size_t n,
                                       struct trc_cache_totals *totals,
                                       struct trc_err *err) TRC_MUST_USE;

/* What was counted so far is forgotten: it was a warm-up. */
void trc_cache_family_forget(struct trc_sink *sink);

/* Sets totals[0..n) to what was counted so far, without the write-backs at the end. */
void trc_cache_family_totals(const struct trc_sink *sink, struct trc_cache_totals *totals);

#endif
