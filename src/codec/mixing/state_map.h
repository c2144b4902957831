/* SPDX-License-Identifier: MIT
 *
 * State map: learns to map what was seen to a prediction (an indirect model as in M. V. Mahoney's
 * paq and lpaq). What was seen is a bit history: the last up to seven bits after a leading 1, in a
 * byte. The prediction is stored as a stretch, from -2047 to 2047, so that a mixer can use it
 * directly; a bit moves it, with a table, as far as (to - p) / n would move the probability. The
 * initial prediction of a history is that of a counter (counter.h) that has seen exactly its bits.
 * container/SPEC.md, "Bit history" and "State map", specifies both exactly.
 */
#ifndef TRC_CODEC_MIXING_STATE_MAP_H
#define TRC_CODEC_MIXING_STATE_MAP_H

#include "codec/mixing/logistic.h"

enum {
	TRC_HISTORIES = 256,
	TRC_HISTORY_NEW = 1,
	TRC_STATE_MOST = 2047,
};

/* The stretch to which a bit moves a stretch: a table instead of arithmetic, which is new. */
struct trc_state_moves {
	int16_t to[2][2 * TRC_STATE_MOST + 1];
};

void trc_state_moves_init(struct trc_state_moves *m, int n);

/* Returns the probability of a 1 after a history, from a counter that has seen it. */
uint16_t trc_history_p(unsigned history);

/* Returns the stretch of a probability, limited to the range of state maps. */
int16_t trc_state_of(uint16_t p);

void trc_state_map_init(int16_t map[TRC_HISTORIES]);

/* Returns the history one bit later. */
static inline unsigned
trc_history(unsigned history, unsigned bit)
{
	return ((history * 2 + bit) & (TRC_HISTORIES - 1)) | (history & (TRC_HISTORIES / 2));
}

/* Fills in a table of the same, by bit and history. */
static inline void
trc_history_init(uint8_t next[2][TRC_HISTORIES])
{
	for (unsigned bit = 0; bit < 2; bit++)
		for (unsigned h = 0; h < TRC_HISTORIES; h++)
			next[bit][h] = (uint8_t)trc_history(h, bit);
}

static TRC_ALWAYS_INLINE int16_t
trc_state_move(const struct trc_state_moves *m, ptrdiff_t x, unsigned bit)
{
	return m->to[bit][TRC_STATE_MOST + x];
}

#endif
