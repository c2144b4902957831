/* SPDX-License-Identifier: MIT
 *
 * Intervals as points: a basic-block vector, divided by the instructions of its interval, is
 * projected at random to 15 dimensions, in which distances are nearly what they were (S. Dasgupta,
 * "Experiments with random projection", UAI 2000; used for this by Sherwood and others, ASPLOS
 * 2002). Each block has a direction of its own, with coordinates from -1 to 1 that follow from a
 * seed and the number of the block: the number of blocks need not be known.
 */
#ifndef TRC_STAGE_PHASE_POINTS_H
#define TRC_STAGE_PHASE_POINTS_H

#include <stddef.h>
#include <stdint.h>

#include "base/random.h"

struct trc_bbv_entry;

enum {
	TRC_PHASE_DIMS = 15,
	TRC_PHASE_ROOM = 16, /* the coordinates behind the dimensions are 0 */
};

/* A point, and how much it weighs: an interval and its instructions. */
struct trc_phase_point {
	double at[TRC_PHASE_ROOM];
	double weight;
};

/* The point of a vector. */
struct trc_phase_point trc_phase_point_of(const struct trc_bbv_entry *entry, size_t n,
                                          uint64_t seed);

/* A random number from 0 to below 1. */
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
