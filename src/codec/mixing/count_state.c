/* SPDX-License-Identifier: MIT
 * The table of count states. */
#include "codec/mixing/count_state.h"

#include "base/base.h"
#include "base/once.h"

enum {
	COUNTS = 50,   /* greater than any count */
	TWO_MOST = 17, /* the greatest sum of counts for which a state includes the last bit */
};

/* The limit of the greater count, by the lesser one. */
static const uint8_t most[] = { 20, 48, 15, 8, 6, 5 };

/* What remains of a count when the other bit occurs. */
static const uint8_t discounted[] = { 0, 1, 2, 3, 4, 5, 5, 6, 7 };

struct counts {
	unsigned n0, n1;
};

/* Returns the number of states with these counts. */
static unsigned
states_of(struct counts c)
{
	const unsigned a = c.n0 < c.n1 ? c.n1 : c.n0, b = c.n0 < c.n1 ? c.n0 : c.n1;

	if (b >= TRC_COUNT(most) || a > most[b])
		return 0;
	return b > 0 && a + b <= TWO_MOST ? 2 : 1;
}

static unsigned
discount(unsigned n)
{
	return discounted[n < TRC_COUNT(discounted) ? n : TRC_COUNT(discounted) - 1];
}

static struct counts
exchanged(struct counts c)
{
	return (struct counts){ c.n1, c.n0 };
}

/* Returns the counts one bit later, for n0 >= n1. */
static struct counts
next_of(struct counts c, unsigned bit)
{
	c = bit ? (struct counts){ discount(c.n0), c.n1 + 1 } :
	          (struct counts){ c.n0 + 1, discount(c.n1) };
	while (states_of(c) == 0)
		c = c.n1 < 2 ? (struct counts){ c.n0 - 1, c.n1 } :
		               (struct counts){ (c.n0 * (c.n1 - 1) + c.n1 / 2) / c.n1, c.n1 - 1 };
	return c;
}

static struct counts
next(struct counts c, unsigned bit)
{
	return c.n0 < c.n1 ? exchanged(next_of(exchanged(c), 1 ^ bit)) : next_of(c, bit);
}

static struct trc_count_states made;
static struct trc_once once = TRC_ONCE;

static void
make_once(void)
{
	uint8_t number[COUNTS][COUNTS][2]; /* by the last bit */
	unsigned states = TRC_COUNT_NEW;

	for (unsigned n = 0; n < COUNTS; n++)
		for (unsigned n1 = 0; n1 <= n; n1++) {
			const unsigned k = states_of((struct counts){ n - n1, n1 });

			number[n - n1][n1][0] = (uint8_t)states;
			number[n - n1][n1][1] = (uint8_t)(states + (k == 2));
			states += k;
		}
	for (unsigned i = 0; i < COUNTS * COUNTS; i++) {
		const struct counts c = { i / COUNTS, i % COUNTS };

		for (unsigned last = 0; last < states_of(c); last++) {
			const uint8_t s = number[c.n0][c.n1][last];

			for (unsigned bit = 0; bit < 2; bit++) {
				const struct counts to = next(c, bit);

				made.next[bit][s] = number[to.n0][to.n1][bit];
			}
			made.p[s] = (uint16_t)(65536 * (5 * c.n1 + 2) / (5 * (c.n0 + c.n1) + 4));
		}
	}
}

const struct trc_count_states *
trc_count_states(void)
{
	trc_once(&once, make_once);
	return &made;
}
