/* SPDX-License-Identifier: MIT
 * The tables of the logistic scale. */
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
make(struct trc_logistic *l)
{
	const int most = TRC_LOGISTIC_MOST;
	int x = -most;

	init_squash(l);
	for (int i = 0; i < 4096; i++) {
		while (x < most && trc_squash(l, x) < 16 * i + 8)
			x++;
		l->stretch[i] = (int16_t)x;
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

int32_t
trc_squash_fine(int x)
{
	const int u = x < 0 ? -x : x;
	const int32_t s = logistic[u / 64], p = 64 * s + (logistic[u / 64 + 1] - s) * (u % 64);

	return x < 0 ? (1 << 22) - p : p;
}
