/* SPDX-License-Identifier: MIT
 *
 * Counter: an adaptive probability whose rate depends on the number of bits seen (the StateMap of
 * M. V. Mahoney's lpaq1). It is a 32-bit word: p, the probability of a 1, in the upper 22 bits, and
 * n, the number of bits seen, in the lower 10. A bit moves p by (to - p) / (n + 1.5), so that p is
 * about the mean of all bits at first, and of recent ones once n has reached its limit, which the
 * user chooses, at most 1023. container/SPEC.md, "Counter", specifies it exactly.
 *
 * New counters have p = 1/2 and n = 0. A counter that starts with another p must have n >= 7 if p
 * is less than 1/16, so that p stays positive.
 */
#ifndef TRC_CODEC_ENTROPY_COUNTER_H
#define TRC_CODEC_ENTROPY_COUNTER_H

#include <stdint.h>

#include "base/base.h"

enum { TRC_COUNTER_MOST = 1023 }; /* the largest limit */

/* An adaptive probability with a state-dependent rate. */
struct trc_counter {
	uint32_t pn;
};

#define TRC_COUNTER_NEW ((struct trc_counter){ UINT32_C(1) << 31 })

extern const uint16_t trc_counter_step[TRC_COUNTER_MOST + 1];

/* Returns a counter that starts with a probability in units of 1/65536, as if it had seen `n`
 * bits. */
static inline struct trc_counter
trc_counter_of(uint32_t p, unsigned n)
{
	return (struct trc_counter){ p << 16 | n };
}

/* Returns the probability in units of 1/65536; it may be 0. */
static TRC_ALWAYS_INLINE int
trc_counter_p(struct trc_counter c)
{
	return (int)(c.pn >> 16);
}

static TRC_ALWAYS_INLINE unsigned
trc_counter_n(struct trc_counter c)
{
	return c.pn % 1024;
}

/* Moves p towards `to`, in units of 2^-22. */
static TRC_ALWAYS_INLINE void
trc_counter_move(struct trc_counter *c, int32_t to, unsigned limit)
{
	const unsigned n = c->pn % 1024;
	const int32_t away = (to - (int32_t)(c->pn >> 10)) >> 3;

	/* Computed modulo 2^32: the sum is right although the product may overflow. */
	c->pn += (((uint32_t)away * trc_counter_step[n]) & ~UINT32_C(1023)) + (n < limit);
}

static TRC_ALWAYS_INLINE void
trc_counter_learn(struct trc_counter *c, unsigned bit, unsigned limit)
{
	trc_counter_move(c, (int32_t)(bit << 22), limit);
}

#endif
