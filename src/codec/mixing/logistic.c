/* SPDX-License-Identifier: MIT
 * The logistic scale, and mixers on it. */
#include "codec/mixing/logistic.h"

#include "base/once.h"

/* 65536 / (1 + e^(-k/4)) */
static const int32_t logistic[TRC_LOGISTIC_MOST / 64 + 2] = {
	32768, 36843, 40793, 44511, 47911, 50941, 53581, 55834, 57724, 59287, 60565, 61598, 62428,
	63090, 63615, 64030, 64357, 64614, 64816, 64974, 65097, 65194, 65269, 65328, 65374, 65410,
	65438, 65459, 65476, 65489, 65500, 65508, 65514, 65519, 65523, 65526, 65528, 65530, 65531,
	65532, 65533, 65534, 65534, 65535, 65535, 65535, 65535, 65535, 65536,
};

static void
init_squash(struct trc_logistic *l)
{
	uint16_t *const middle = l->squash + TRC_LOGISTIC_MOST;

	for (int k = 0; k <= TRC_LOGISTIC_MOST / 64; k++)
		for (int r = 0; r < 64; r++) {
			const int32_t p = logistic[k] + ((logistic[k + 1] - logistic[k]) * r >> 6);

			middle[-(64 * k + r)] = (uint16_t)(TRC_ONE + 1 - p);
			middle[64 * k + r] = (uint16_t)p;
		}
}

static void
init_map(struct trc_logistic *l)
{
	struct trc_cell c[TRC_HISTORIES] = { TRC_CELL_NEW, TRC_CELL_NEW };

	for (unsigned h = 0; h < TRC_HISTORIES; h++) {
		if (h > 1) {
			c[h] = c[h / 2];
			trc_cell_learn(&c[h], h & 1, TRC_HISTORIES);
		}
		l->map[h] = c[h].p;
	}
}

static void
make(struct trc_logistic *l)
{
	const int most = TRC_LOGISTIC_MOST;
	int x = -most;

	init_squash(l);
	init_map(l);
	for (int i = 0; i < 4096; i++) {
		while (x < most && trc_squash(l, x) < 16 * i + 8)
			x++;
		l->stretch[i] = (int16_t)x;
	}
	for (int j = 0; j < TRC_KNOTS; j++) {
		x = trc_keep(256 * (j - TRC_KNOTS / 2), -most, most);
		l->row[j] = (uint16_t)trc_squash(l, x);
	}
}

static struct trc_logistic made;
static struct trc_once once = TRC_ONCE;

static void
make_once(void)
{
	make(&made);
}

const struct trc_logistic *
trc_logistic(void)
{
	trc_once(&once, make_once);
	return &made;
}

/* Rises with every x. */
static int32_t
finely(int x)
{
	const int u = x < 0 ? -x : x;
	const int32_t s = logistic[u / 64], p = 64 * s + (logistic[u / 64 + 1] - s) * (u % 64);

	return x < 0 ? (1 << 22) - p : p;
}

void
trc_leaps_init(struct trc_leaps *l, int n)
{
	const int most = TRC_LEAP_MOST;
	int32_t p[2 * TRC_LEAP_MOST + 1];
	int y = 0;

	for (int x = -most; x <= most; x++)
		p[most + x] = finely(x);
	for (int x = 0; x <= 2 * most; x++) {
		const int32_t want = p[x] + ((1 << 22) - p[x]) / n;
		bool below;

		while (y < 2 * most && p[y] < want)
			y++;
		below = y > 0 && p[y] - want > want - p[y - 1];
		l->to[1][x] = (int16_t)(y - below - most);
		l->to[0][2 * most - x] = (int16_t)(most - y + below);
	}
}
