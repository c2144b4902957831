/* SPDX-License-Identifier: MIT
 *
 * The logistic scale, on which predictions are mixed (as in M. V. Mahoney's paq and lpaq). All
 * arithmetic uses integers, so that every machine computes the same; `>>` of a negative number
 * rounds down, `/` rounds towards zero. Probabilities are those of a 1, in units of 1/65536. The
 * range coder of codec/entropy/range_coder.h takes the probability of a 0 instead, so a bit
 * predicted with such a p is passed inverted: as 0, with probability p, if it is 1.
 * container/SPEC.md, "Logistic scale", specifies squash() and its inverse stretch();
 * trc_squash_fine() is squash() in units of 2^-22.
 */
#ifndef TRC_CODEC_MIXING_LOGISTIC_H
#define TRC_CODEC_MIXING_LOGISTIC_H

#include "codec/entropy/range_coder.h"

enum {
	TRC_ONE = 65535,
	TRC_LOGISTIC_MOST = 3071,
};

/* The scale as tables, shared by all coders, because making them takes longer than coding a few
 * bytes. */
struct trc_logistic {
	uint16_t squash[2 * TRC_LOGISTIC_MOST + 1];
	int16_t stretch[4096];
};

const struct trc_logistic *trc_logistic(void);

/* Returns squash(x) in units of 2^-22, which is strictly increasing in x. */
int32_t trc_squash_fine(int x);

/* Returns the number of bits of a table index: the least from 10 to `most` with 2^bits >= n, or
 * `most`. */
static inline unsigned
trc_table_bits(size_t n, unsigned most)
{
	unsigned bits = 10;

	while (bits < most && (size_t)1 << bits < n)
		bits++;
	return bits;
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

/* Updates a probability with a fixed rate of 2^-s: increases it by (65535 - p) >> s for a 1,
 * decreases it by p >> s for a 0. */
static inline void
trc_move(uint16_t *p, unsigned bit, int s)
{
	const unsigned to = (0u - bit) & TRC_ONE, away = *p ^ to;

	*p = (uint16_t)((away - (away >> s)) ^ to);
}

#endif
