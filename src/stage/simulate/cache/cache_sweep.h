/* SPDX-License-Identifier: MIT
 *
 * Ranges of many lines through levels of caches, exactly as line by line, in a time that depends on
 * the caches and not on the range.
 *
 * A sweep is references to lines one behind the other. Let P be a number of bytes that the sets of
 * each level divide. LRU and FIFO compare lines with each other and nothing else, so that a sweep
 * which begins P bytes later, in caches whose lines all stand P bytes later, does the same P bytes
 * later. If the caches are found so after P bytes of a sweep, as they are once it has filled them
 * all, the next P bytes do the same again, and count the same; any number of them is skipped by
 * moving all lines and adding what one P counted. That the caches are so is looked at, not assumed.
 * Random replacement never comes back to the same state, and goes line by line, as do policies with
 * a state of their own.
 */
#ifndef TRC_STAGE_SIMULATE_CACHE_SWEEP_H
#define TRC_STAGE_SIMULATE_CACHE_SWEEP_H

#include "stage/simulate/cache/cache_ways.h"

/* A level that a sweep goes through. */
struct trc_swept {
	struct trc_ways *ways;
	struct trc_cache_counts *count;
	unsigned line_bits;
};

/* A sweep of `lines` lines from `first` on, of the size of level[0]'s, through `levels` levels. */
struct trc_sweep {
	const struct trc_swept *level;
	size_t levels;
	uint64_t first, lines;

	/* Refers to lines [first, first + n), one by one; may be called any number of times. */
	void (*refer)(void *what, uint64_t first, uint64_t n);
	void *what;
};

/* Does and counts all of it, which must not pass the last address. Fails without memory. */
int trc_cache_sweep(const struct trc_sweep *s, struct trc_err *err) TRC_MUST_USE;

#endif
