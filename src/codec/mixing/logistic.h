/* SPDX-License-Identifier: MIT
 *
 * The logistic scale, on which predictions are mixed (as in M. V. Mahoney's paq and lpaq). All is
 * done with integers, so that every machine computes the same; `>>` of a negative number rounds
 * down, `/` rounds towards zero. Probabilities are of a 1, in 65536ths. Since the range coder of
 * codec/entropy/range_coder.h takes that of a 0, a bit predicted with such a p goes through it the
 * other way round: as 0 with p if it is 1.
 *
 * squash(x) = 65536 / (1 + e^(-x/256)), for 0 <= x <= 3071, is s + ((t - s) * (x mod 64) >> 6), at
 *   most 65535, with s and t being entries x / 64 and x / 64 + 1 of the table of logistic.c, of
 *   which entry k, 0 to 48, is 65536 / (1 + e^(-k/4)), rounded to the nearest. squash(-x) is 65536
 *   less the same, at least 1.
 * stretch(p), its inverse, is the least x from -3071 to 3071 with squash(x) >= 16 * (p / 16) + 8,
 *   3071 if none has.
 * fine(x), for x >= 0, is 64s + (t - s) * (x mod 64): squash in 2^22ths; fine(-x) is 2^22 less it.
 *
 * What is not here yet has its own file: counter.h, state_map.h, apm.h.
 *
 * Mixer: 16 inputs and as many weights. y = sum of weight * input >> 13, kept to -3071 to 3071.
 *   With the bit known, e = (to - squash(y)) * rate >> 4, kept to -32767 to 32767, and each weight
 *   grows by ((2 * input * e >> 16) + 1) >> 1, and is kept to -24000 to 24000.
 * Pair of mixers: two that have the same inputs. y = both sums of weight * input together >> 14,
 *   kept likewise, and both learn as if this was theirs.
 * Grade of a match of length l: l up to 15, 16 + (l - 16) / 4 up to 31, 20 + (l - 32) / 8 up to
 *   63, 24 + (l - 64) / 64 up to 511, 31 above.
 */
#ifndef TRC_CODEC_MIXING_LOGISTIC_H
#define TRC_CODEC_MIXING_LOGISTIC_H

#include "codec/entropy/range_coder.h"

enum {
	TRC_ONE = 65535,
	TRC_LOGISTIC_MOST = 3071,
	TRC_INPUTS = 16,
	TRC_WEIGHT_BITS = 13,
	TRC_WEIGHT_MOST = 24000,
	TRC_MOVE = 6,
	TRC_GRADES = 32,
};

/* The scale in tables, the same for all coders: making them takes longer than coding few bytes. */
struct trc_logistic {
	uint16_t squash[2 * TRC_LOGISTIC_MOST + 1];
	int16_t stretch[4096];
};

const struct trc_logistic *trc_logistic(void);

/* Rises with every x. */
int32_t trc_squash_fine(int x);

/* Tables have 2^a places, a being the least from 10 to `most` with 2^a >= n. */
static inline unsigned
trc_table_bits(size_t n, unsigned most)
{
	unsigned bits = 10;

	while (bits < most && (size_t)1 << bits < n)
		bits++;
	return bits;
}

static inline unsigned
trc_grade(unsigned len)
{
	return len < 16  ? len :
	       len < 32  ? 16 + (len - 16) / 4 :
	       len < 64  ? 20 + (len - 32) / 8 :
	       len < 512 ? 24 + (len - 64) / 64 :
	                   31;
}

static inline int
trc_squash(const struct trc_logistic *l, int x)
{
	return l->squash[TRC_LOGISTIC_MOST + x];
}

static inline int16_t
trc_stretch(const struct trc_logistic *l, uint16_t p)
{
	return l->stretch[p / 16];
}

static inline int
trc_keep(int v, int least, int most)
{
	return v < least ? least : v > most ? most : v;
}

/* A probability with a fixed rate of 2^-s: up by (65535 - p) >> s with a 1, else down by p >> s. */
static inline void
trc_move(uint16_t *p, unsigned bit, int s)
{
	const unsigned to = (0u - bit) & TRC_ONE, away = *p ^ to;

	*p = (uint16_t)((away - (away >> s)) ^ to);
}

/* The loops of mixers are kept rolled so that compilers turn them into a few instructions on
 * vectors. */

/* A mixer's y, of which the first `n` inputs are not 0. Those behind the first eight are summed one
 * by one: they were stored one by one just before, and loading them all at once would wait for
 * that. */
static TRC_ALWAYS_INLINE int
trc_mixer_dot(const int16_t *restrict weight, const int16_t *restrict input, int n)
{
	int32_t sum = 0; /* at most 16 * 24000 * 3071, less than 2^31 */

#pragma GCC unroll 1
	for (int k = 0; k < TRC_INPUTS / 2; k++)
		sum += weight[k] * input[k];
#pragma GCC unroll 8
	for (int k = TRC_INPUTS / 2; k < n; k++)
		sum += weight[k] * input[k];
	return trc_keep(sum >> TRC_WEIGHT_BITS, -TRC_LOGISTIC_MOST, TRC_LOGISTIC_MOST);
}

/* The error is spread first, so that compilers see numbers of 16 bits multiplied by such. */
static TRC_ALWAYS_INLINE void
trc_lanes_learn_error(int16_t *restrict weight, const int16_t *restrict input, int lanes,
                      int16_t error)
{
	int16_t e[TRC_INPUTS];

#pragma GCC unroll 1
	for (int k = 0; k < lanes; k++)
		e[k] = error;
#pragma GCC unroll 1
	for (int k = 0; k < lanes; k++) {
		const int16_t high = (int16_t)((int16_t)(2 * input[k]) * e[k] >> 16);
		const int16_t w = (int16_t)(weight[k] + ((int16_t)(high + 1) >> 1));
		const int16_t less = w < TRC_WEIGHT_MOST ? w : TRC_WEIGHT_MOST;

		weight[k] = less > -TRC_WEIGHT_MOST ? less : -TRC_WEIGHT_MOST;
	}
}

/* Teaches a mixer that said `p` the bit; of fewer inputs than others have, it has so many lanes. */
static TRC_ALWAYS_INLINE void
trc_lanes_learn(int16_t *weight, const int16_t *input, int lanes, int p, unsigned bit, int rate)
{
	const int e = ((bit ? TRC_ONE : 0) - p) * rate >> 4;

	trc_lanes_learn_error(weight, input, lanes, (int16_t)trc_keep(e, -INT16_MAX, INT16_MAX));
}

static inline void
trc_mixer_learn(int16_t *weight, const int16_t *input, int p, unsigned bit, int rate)
{
	trc_lanes_learn(weight, input, TRC_INPUTS, p, bit, rate);
}

/* Inputs that are put together in registers: stored one by one, they would be waited for when all
 * are loaded at once. */
typedef int16_t trc_eight __attribute__((vector_size(16)));

union trc_inputs {
	trc_eight eight[TRC_INPUTS / 8];
	int16_t input[TRC_INPUTS];
};

/* Teaches two mixers, the mean of which said `p`, the bit. */
static TRC_ALWAYS_INLINE void
trc_mixer_learn2(int16_t *restrict a, int16_t *restrict b, const int16_t *restrict input, int n,
                 int p, unsigned bit, int rate)
{
	const int to = (int)(0u - bit) & TRC_ONE;
	const int16_t error = (int16_t)trc_keep((to - p) * rate >> 4, -INT16_MAX, INT16_MAX);
	int16_t e[TRC_INPUTS];

#pragma GCC unroll 1
	for (int k = 0; k < n; k++)
		e[k] = error;
#pragma GCC unroll 1
	for (int k = 0; k < n; k++) {
		const int16_t high = (int16_t)((int16_t)(2 * input[k]) * e[k] >> 16);
		const int16_t by = (int16_t)((int16_t)(high + 1) >> 1);
		const int16_t v = (int16_t)(a[k] + by), w = (int16_t)(b[k] + by);
		const int16_t less = v < TRC_WEIGHT_MOST ? v : TRC_WEIGHT_MOST;
		const int16_t lesser = w < TRC_WEIGHT_MOST ? w : TRC_WEIGHT_MOST;

		a[k] = less > -TRC_WEIGHT_MOST ? less : -TRC_WEIGHT_MOST;
		b[k] = lesser > -TRC_WEIGHT_MOST ? lesser : -TRC_WEIGHT_MOST;
	}
}

#endif
