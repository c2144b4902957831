/* SPDX-License-Identifier: MIT
 * The moves and the initial predictions of state maps. */
#include "codec/mixing/state_map.h"

#include "codec/entropy/counter.h"

void
trc_state_moves_init(struct trc_state_moves *m, int n)
{
	const int most = TRC_STATE_MOST;
	int32_t p[2 * TRC_STATE_MOST + 1];
	int y = 0;

	for (int x = -most; x <= most; x++)
		p[most + x] = trc_squash_fine(x);
	for (int x = 0; x <= 2 * most; x++) {
		const int32_t want = p[x] + ((1 << 22) - p[x]) / n;
		bool below;

		while (y < 2 * most && p[y] < want)
			y++;
		below = y > 0 && p[y] - want > want - p[y - 1];
		m->to[1][x] = (int16_t)(y - below - most);
		m->to[0][2 * most - x] = (int16_t)(most - y + below);
	}
}

uint16_t
trc_history_p(unsigned history)
{
	struct trc_counter c = TRC_COUNTER_NEW;
	int bits = 63 - (int)trc_clz64(history);

	while (bits-- > 0)
		trc_counter_learn(&c, history >> bits & 1, TRC_COUNTER_MOST);
	return (uint16_t)trc_counter_p(c);
}

int16_t
trc_state_of(uint16_t p)
{
	return (int16_t)trc_keep(trc_stretch(trc_logistic(), p), -TRC_STATE_MOST, TRC_STATE_MOST);
}

void
trc_state_map_init(int16_t map[TRC_HISTORIES])
{
	for (unsigned h = 0; h < TRC_HISTORIES; h++)
		map[h] = trc_state_of(trc_history_p(h > 0 ? h : TRC_HISTORY_NEW));
}
