/* SPDX-License-Identifier: MIT
 *
 * The error of the miss curve of a sample. Pages of the sample are divided into groups by a hash of
 * their names, and each group is a sample of its own: the variance between groups shows how much
 * depends on which pages were sampled (random groups; P. C. Mahalanobis 1946; K. M. Wolter,
 * "Introduction to variance estimation", 2007, chapter 2).
 *
 * The size of memory that the sample stands for is uncertain, too. If one page in N is sampled, a
 * reference at stack distance D in the trace is at 1 + b in the sample, with b binomial of D - 1
 * and 1 / N: m pages of the trace are between s- and s+ pages of the sample, m / N -+ z sqrt(m / N
 * (1 - 1 / N)). Where the curve is steep, this is most of the error; where it is a step, as for a
 * loop, it is all of it, and N times the misses at m / N (SHARDS) are right for no sample at all.
 * So an interval extends from the misses at s+ less z standard errors to those at s- plus z
 * standard errors. Each z is 2.5, so that the result is outside of the interval in at most 1 of 20
 * samples, and mostly in 1 of 100.
 *
 * There is no interval if s- is below 1, or if standard errors exceed 0.3 of the misses at this or
 * any larger size: then a few pages have most of the misses, and others like them may be missing
 * from the sample. Misses other than first references, and write-backs, may always belong to a few
 * pages. So they are at least what the sample has, and at most all misses except those that fetch a
 * page for the first time, or for the last time.
 *
 * test/unit/sample.c compares the intervals with true values.
 */
#ifndef TRC_STAGE_SIMULATE_REPLICATES_H
#define TRC_STAGE_SIMULATE_REPLICATES_H

#include <stdbool.h>
#include <stdint.h>

#include "base/base.h"

enum { TRC_REPLICATES = 64 };
#define TRC_REPLICATES_Z 2.5

/* The counts of the pages of each group, in buckets of sizes of memory (buckets.h). */
struct trc_replicate_bucket {
	uint64_t misses[TRC_REPLICATES];     /* without first references */
	uint64_t writebacks[TRC_REPLICATES]; /* while counting: differences from this size on */
};

struct trc_replicates {
	uint64_t pages[TRC_REPLICATES];
	uint64_t again[TRC_REPLICATES]; /* misses at every size other than first references */
	struct trc_replicate_bucket *bucket;
	size_t n, cap;
};

/* Frees all of it; NULL is allowed. */
void trc_replicates_close(struct trc_replicates *r);

/* Makes room for distances up to `most`. */
int trc_replicates_room(struct trc_replicates *r, uint32_t most, struct trc_err *err) TRC_MUST_USE;

/* Returns the group of a page. */
unsigned trc_replicates_group(uint32_t space, uint64_t page);

/* Counts a reference of a group at stack distance `d`, 0 for the first to its page. */
void trc_replicates_add(struct trc_replicates *r, unsigned group, uint32_t d);

/* Notes that the next reference added at distance 0 is the first after its page was deleted. */
void trc_replicates_again(struct trc_replicates *r, unsigned group);

/* Counts a write-back by memories of `from` <= m < `to` pages. */
void trc_replicates_write_back(struct trc_replicates *r, unsigned group, uint32_t from,
                               uint32_t to);

/* Sums up the counts: call it once, at the end. */
void trc_replicates_finish(struct trc_replicates *r);

/* Returns the smallest memory for which there is an interval, in pages of the trace, if one page in
 * `one_in` was sampled, and the sample is exact for memories of `exact` pages and more; UINT64_MAX:
 * none. */
uint64_t trc_replicates_least(const struct trc_replicates *r, uint64_t one_in, uint64_t exact);

/* An interval that contains the true value for 95 of 100 samples. */
struct trc_replicates_interval {
	uint64_t low, high;
};

/* Sets the intervals of a memory of `m` pages of the trace, which is at least
 * trc_replicates_least(): misses, including first references if `first`, and write-backs. */
void trc_replicates_at(const struct trc_replicates *r, uint64_t one_in, uint64_t m, bool first,
                       struct trc_replicates_interval *misses,
                       struct trc_replicates_interval *writebacks);

/* A sum over the groups of a sample, and its standard error. */
struct trc_replicates_sum {
	double sum, error;
};

/* Estimates the sum of `group`, and of `more` unless it is NULL, where each page is in the sample
 * with probability 1 / one_in. is_even() returns whether the sum is not mostly that of a few pages,
 * as far as the sample shows. low() and high() return the bounds for all pages. */
struct trc_replicates_sum trc_replicates_estimate(const uint64_t *group, const uint64_t *more,
                                                  uint64_t one_in);
bool trc_replicates_is_even(struct trc_replicates_sum e);
uint64_t trc_replicates_low(struct trc_replicates_sum e, uint64_t one_in);
uint64_t trc_replicates_high(struct trc_replicates_sum e, uint64_t one_in);

#endif
