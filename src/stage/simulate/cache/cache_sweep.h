/* SPDX-License-Identifier: MIT
 *
 * Ranges of many lines through levels of caches, with the same results as line by line, in a time
 * that depends on the caches but not on the range.
 *
 * A sweep is a sequence of references to consecutive lines. Let P be a number of bytes that is a
 * multiple of the sets of each level. LRU and FIFO only compare lines with each other. So a sweep
 * that begins P bytes later, in caches whose lines are all P bytes later, behaves in the same way,
 * P bytes later. If the caches are in such a state after P bytes of a sweep, as they are once it
 * has filled them, the next P bytes do the same again and count the same. Any number of them is
 * skipped by moving all lines and adding the counts of one P. The states are compared, not assumed.
 * Random replacement never returns to the same state, so it is processed line by line, as are
 * policies with a state of their own.
 */
#ifndef TRC_STAGE_SIMULATE_CACHE_SWEEP_H
#define TRC_STAGE_SIMULATE_CACHE_SWEEP_H

#include "stage/simulate/cache/cache_ways.h"

/* A level that a sweep passes. */
struct trc_swept {
	struct trc_ways *ways;
	struct trc_cache_counts *count;
	unsigned line_bits;
};

/* A sweep of `lines` lines from `first` on, in lines of level[0], through `levels` levels. */
struct trc_sweep {
	const struct trc_swept *level;
	size_t levels;
	uint64_t first, lines;

	/* Refers to lines [first, first + n), one by one; may be called several times. */
	void (*refer)(void *what, uint64_t first, uint64_t n);
	void *what;
};

/* Processes and counts the whole sweep, which must end at or before the last address. Fails only if
 * memory runs out. */
int trc_cache_sweep(const struct trc_sweep *s, struct trc_err *err) TRC_MUST_USE;

#endif
