/* SPDX-License-Identifier: MIT
 *
 * Count state: how many zeros and ones a context saw, in a byte (the bit history of M. V. Mahoney's
 * ZPAQ, which has these numbers). Where bits are random it remembers more of them than the bit
 * history of state_map.h, but not their order. container/SPEC.md, "Count state", has the rules that
 * the table follows from.
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
