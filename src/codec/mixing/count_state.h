/* SPDX-License-Identifier: MIT
 *
 * Count state: how many zeros and ones a context saw, in a byte (the bit history of M. V. Mahoney's
 * ZPAQ, which has these numbers). Where bits are random it remembers more of them than the bit
 * history of state_map.h, but not their order.
 *
 * A state is (n0, n1) and sometimes the last bit. With a the greater and b the less of n0 and n1,
 * there is one if b <= 5 and a is 20, 48, 15, 8, 6 or 5 at most, for b = 0 to 5; one for each last
 * bit if b > 0 and a + b <= 17. They are numbered from 1 on, in the order of n0 + n1, then of n1,
 * then of the last bit, up to 255; 1 is new.
 *
 *   a bit:  where n0 < n1, what follows is with both, and the bit, exchanged. A 0 adds 1 to n0, a 1
 *           to n1; the other, if 0 to 8, becomes 0, 1, 2, 3, 4, 5, 5, 6, 7, if more, 7. Until there
 *           is such a state: if n1 < 2, n0 is 1 less; else n0 becomes (n0 * (n1 - 1) + n1 / 2) /
 *           n1, rounded down as n1 / 2 is, and then n1 is 1 less
 *   p       of a 1, at first: (5 * n1 + 2) / (5 * (n0 + n1) + 4)
 */
#ifndef TRC_CODEC_MIXING_COUNT_STATE_H
#define TRC_CODEC_MIXING_COUNT_STATE_H

#include <stdint.h>

enum { TRC_COUNT_STATES = 256, TRC_COUNT_NEW = 1 };

/* All of them, as in ZPAQ's state table; entry 0 is none. */
struct trc_count_states {
	uint8_t next[2][TRC_COUNT_STATES]; /* by bit */
	uint16_t p[TRC_COUNT_STATES];      /* in 65536ths */
};

const struct trc_count_states *trc_count_states(void);

#endif
