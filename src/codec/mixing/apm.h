/* SPDX-License-Identifier: MIT
 *
 * APM: adaptive probability map, also called secondary symbol estimation (M. V. Mahoney, paq6 and
 * later). In a small context it maps a predicted probability to the observed one. It has 25
 * probabilities, for the stretches -3072, -2816, ... 3072; values in between are interpolated, and
 * the nearer one is updated. container/SPEC.md, "APM", specifies it exactly.
 */
#ifndef TRC_CODEC_MIXING_APM_H
#define TRC_CODEC_MIXING_APM_H

#include "codec/mixing/logistic.h"

enum { TRC_APM_STEPS = 25, TRC_APM_RATE = 6 };

/* One context of an adaptive probability map. */
struct trc_apm {
	uint16_t p[TRC_APM_STEPS];
};

/* Initialises `n` of them. */
static inline void
trc_apm_init(struct trc_apm *a, size_t n)
{
	const int most = TRC_LOGISTIC_MOST;

	for (int j = 0; j < TRC_APM_STEPS; j++)
		a->p[j] = (uint16_t)trc_squash(
		        trc_logistic(), trc_keep(256 * (j - TRC_APM_STEPS / 2), -most, most));
	trc_repeat(a, sizeof(*a), n * sizeof(*a));
}

/* Returns the refined prediction for `y`, and points *nearer to the value to update. */
static inline int
trc_apm_p(struct trc_apm *a, int y, uint16_t **nearer)
{
	const unsigned at = (unsigned)(y + 256 * (TRC_APM_STEPS / 2)), j = at / 256, r = at % 256;

	*nearer = &a->p[j + (r > 128)];
	return (int)((a->p[j] * (256 - r) + a->p[j + 1] * r) / 256);
}

static inline void
trc_apm_learn(uint16_t *nearer, unsigned bit)
{
	trc_move(nearer, bit, TRC_APM_RATE);
}

#endif
