/* SPDX-License-Identifier: MIT
 *
 * Count state: the numbers of zeros and ones that a context has seen, in a byte (the bit history of
 * M. V. Mahoney's ZPAQ, with the same numbering). For random bits it remembers more of them than
 * the bit history of state_map.h, but not their order. container/SPEC.md, "Count state", specifies
 * the rules from which the table is derived.
 */
#ifndef TRC_CODEC_MIXING_COUNT_STATE_H
#define TRC_CODEC_MIXING_COUNT_STATE_H

#include <stdint.h>

enum { TRC_COUNT_STATES = 256, TRC_COUNT_NEW = 1 };

/* All count states, as in ZPAQ's state table; entry 0 is unused. */
struct trc_count_states {
	uint8_t next[2][TRC_COUNT_STATES]; /* by bit */
	uint16_t p[TRC_COUNT_STATES];      /* in units of 1/65536 */
};

/* Returns the states, which are shared and constant. */
const struct trc_count_states *trc_count_states(void);

#endif
