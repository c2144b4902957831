/* SPDX-License-Identifier: MIT */
#include "stage/phase/points.h"

#include "stage/phase/bbv.h"

struct trc_phase_point
trc_phase_point_of(const struct trc_bbv_entry *entry, size_t n, uint64_t seed)
{
	struct trc_phase_point p = { { 0 }, 0 };
	uint64_t all = 0;

	for (size_t i = 0; i < n; i++)
		all += entry[i].insns;
	for (size_t i = 0; i < n; i++) {
		const double share = (double)entry[i].insns / (double)all;
		uint64_t state = seed;

		state = trc_random(&state) ^ entry[i].block;
		for (size_t d = 0; d < TRC_PHASE_DIMS; d++)
			p.at[d] += share * (2 * trc_phase_point_chance(&state) - 1);
	}
	p.weight = (double)all;
	return p;
}
