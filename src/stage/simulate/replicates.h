/* SPDX-License-Identifier: MIT
 *
 * How far the curve of a sample may be from that of the trace that it is of. Pages of the sample
 * fall into groups by a hash of their names, each a sample of its own: what groups differ by is how
 * much depends on which pages were taken (random groups; P. C. Mahalanobis 1946; K. M. Wolter,
 * "Introduction to variance estimation", 2007, chapter 2).
 *
 * Which memory the sample stands for is uncertain, too. With one page in N, a reference at stack
 * distance D of the trace is at 1 + b in the sample, with b binomial of D - 1 and 1 / N: m pages
 * of the trace are between s- and s+ pages of the sample, m / N -+ z sqrt(m / N (1 - 1 / N)).
 * Where the curve is steep this is most of the error, and where it is a step, as that of a loop,
 * all of it: N times the misses at m / N alone (SHARDS) are then right for no sample at all. So
 * an interval goes from the misses at s+, less z standard errors, to those at s-, and z standard
 * errors more. Each z is 2.5, that all together is outside in at most 1 of 20, and mostly in 1
 * of 100.
 *
 * Nothing is claimed where s- is below 1, or standard errors are above 0.3 of the misses, there
 * or in any larger memory: then a few pages have most of them, and others like these may be
 * missing from the sample. Misses that are no first references, and write-backs, may always be
 * those of a few pages: they are at least what the sample has, and at most all misses but those
 * that fetch a page for the first time, or the last time.
 *
 * test/unit/sample.c compares claims with what holds.
 */
#ifndef TRC_STAGE_SIMULATE_REPLICATES_H
#define TRC_STAGE_SIMULATE_REPLICATES_H

#include <stdbool.h>
#include <stdint.h>

#include "base/base.h"

enum { TRC_REPLICATES = 64 };
#define TRC_REPLICATES_Z 2.5

/* What the pages of each group have, by buckets of sizes of memory (buckets.h). Zeroed memory of
 * trc_alloc() has nothing yet. */
struct trc_replicate_bucket {
	uint64_t misses[TRC_REPLICATES];     /* no first references */
	uint64_t writebacks[TRC_REPLICATES]; /* while counting: what to add from this size on */
};

struct trc_replicates {
	uint64_t pages[TRC_REPLICATES];
	uint64_t again[TRC_REPLICATES]; /* misses at every size that are no first references */
	struct trc_replicate_bucket *bucket;
	size_t n, cap;
};

/* Frees all of it; NULL is allowed. */
void trc_replicates_close(struct trc_replicates *r);

/* Room for distances up to `most`. */
int trc_replicates_room(struct trc_replicates *r, uint32_t most, struct trc_err *err) TRC_MUST_USE;

/* The group of a page. */
unsigned trc_replicates_group(uint32_t space, uint64_t page);

/* Adds a reference of a group at stack distance `d`, 0 for the first to its page. */
void trc_replicates_add(struct trc_replicates *r, unsigned group, uint32_t d);

/* The next one that is added at 0 is the first since its page was deleted. */
void trc_replicates_again(struct trc_replicates *r, unsigned group);

/* Adds a write-back by memories of `from` <= m < `to` pages. */
void trc_replicates_write_back(struct trc_replicates *r, unsigned group, uint32_t from,
                               uint32_t to);

/* Sums up what was added: once, at the end. */
void trc_replicates_finish(struct trc_replicates *r);

/* The least memory of which something is claimed, in pages of the trace, if one page in `one_in`
 * was taken, and the sample is exact for memories of `exact` pages and more; UINT64_MAX: none. */
uint64_t trc_replicates_least(const struct trc_replicates *r, uint64_t one_in, uint64_t exact);

/* An interval that holds the truth in 95 of 100 samples. */
struct trc_replicates_interval {
	uint64_t low, high;
};

/* Those of a memory of `m` pages of the trace, at least the above: misses, with first references
 * or without, and write-backs. */
void trc_replicates_at(const struct trc_replicates *r, uint64_t one_in, uint64_t m, bool first,
                       struct trc_replicates_interval *misses,
                       struct trc_replicates_interval *writebacks);

/* A sum over the groups of a sample, and its standard error. */
struct trc_replicates_sum {
	double sum, error;
};

/* That of `group`, and of `more` unless it is NULL, where each is in the sample with probability
 * 1 / one_in. Whether no few have most of it, as far as the sample shows; and the least and the
 * most that the sum over all may be. */
struct trc_replicates_sum trc_replicates_estimate(const uint64_t *group, const uint64_t *more,
                                                  uint64_t one_in);
bool trc_replicates_is_even(struct trc_replicates_sum e);
uint64_t trc_replicates_low(struct trc_replicates_sum e, uint64_t one_in);
uint64_t trc_replicates_high(struct trc_replicates_sum e, uint64_t one_in);

#endif
