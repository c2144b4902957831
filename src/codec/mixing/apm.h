/* SPDX-License-Identifier: MIT
 *
 * APM: adaptive probability map, or secondary symbol estimation (M. V. Mahoney, paq6 and later): in
 * a small context, what came where a prediction was so high. 25 probabilities, of stretches -3072,
 * -2816, ... 3072; what is between two is interpolated, and the nearer one learns.
 * container/SPEC.md, "APM", has it to the bit.
 */
#ifndef TRC_CODEC_MIXING_APM_H
#define TRC_CODEC_MIXING_APM_H

#include "codec/mixing/logistic.h"

enum { TRC_APM_STEPS = 25, TRC_APM_RATE = 6 };

/* One context of an adaptive probability map. */
struct trc_apm {
	uint16_t p[TRC_APM_STEPS];
};

/* Prepares `n` of them. */
static inline void
trc_apm_init(struct trc_apm *a, size_t n)
{
	const int most = TRC_LOGISTIC_MOST;

	for (int j = 0; j < TRC_APM_STEPS; j++)
		a->p[j] = (uint16_t)trc_squash(
		        trc_logistic(), trc_keep(256 * (j - TRC_APM_STEPS / 2), -most, most));
	trc_repeat(a, sizeof(*a), n * sizeof(*a));
}

/* Returns what is predicted of `y`, and points *nearer to what is to move. */
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
