/* SPDX-License-Identifier: MIT
 * The rates of counters. */
#include "codec/entropy/counter.h"

#define STEP(n) 16384 / (2 * (n) + 3)
#define STEPS4(n) STEP(n), STEP(n + 1), STEP(n + 2), STEP(n + 3)
#define STEPS16(n) STEPS4(n), STEPS4(n + 4), STEPS4(n + 8), STEPS4(n + 12)
#define STEPS64(n) STEPS16(n), STEPS16(n + 16), STEPS16(n + 32), STEPS16(n + 48)
#define STEPS256(n) STEPS64(n), STEPS64(n + 64), STEPS64(n + 128), STEPS64(n + 192)

const uint16_t trc_counter_step[TRC_COUNTER_MOST + 1] = { STEPS256(0), STEPS256(256), STEPS256(512),
	                                                  STEPS256(768) };
