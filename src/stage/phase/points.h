/* SPDX-License-Identifier: MIT
 *
 * Intervals as points. A basic-block vector, divided by the instructions of its interval, is
 * randomly projected to 15 dimensions, which nearly preserves distances (S. Dasgupta, "Experiments
 * with random projection", UAI 2000; used for this purpose by Sherwood and others, ASPLOS 2002).
 * Each block has its own direction, with coordinates from -1 to 1 that are derived from a seed and
 * the number of the block, so the number of blocks need not be known.
 */
#ifndef TRC_STAGE_PHASE_POINTS_H
#define TRC_STAGE_PHASE_POINTS_H

#include <stddef.h>
#include <stdint.h>

#include "base/random.h"

struct trc_bbv_entry;

enum {
	TRC_PHASE_DIMS = 15,
	TRC_PHASE_ROOM = 16, /* the coordinates after the dimensions are 0 */
};

/* A weighted point: an interval and its instructions. */
struct trc_phase_point {
	double at[TRC_PHASE_ROOM];
	double weight;
};

/* Returns the point of a vector. */
struct trc_phase_point trc_phase_point_of(const struct trc_bbv_entry *entry, size_t n,
                                          uint64_t seed);

/* Returns a random number in [0, 1). */
static inline double
trc_phase_point_chance(uint64_t *state)
{
	return (double)(trc_random(state) >> 11) * 0x1p-53;
}

static inline double
trc_phase_point_distance2(const struct trc_phase_point *a, const struct trc_phase_point *b)
{
	double part[4] = { 0, 0, 0, 0 };

	for (size_t d = 0; d < TRC_PHASE_ROOM; d += 4)
		for (size_t i = 0; i < 4; i++)
			part[i] += (a->at[d + i] - b->at[d + i]) * (a->at[d + i] - b->at[d + i]);
	return part[0] + part[1] + part[2] + part[3];
}

#endif
