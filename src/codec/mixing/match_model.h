/* SPDX-License-Identifier: MIT
 *
 * What the light mixers of codec/stream/tokens.h and codec/stream/literals.h share: a match that is
 * followed, and what it is trusted at first.
 */
#ifndef TRC_CODEC_MIXING_MATCH_MODEL_H
#define TRC_CODEC_MIXING_MATCH_MODEL_H

#include "codec/mixing/state_map.h"

enum {
	TRC_LIGHT_LOOK = 32,    /* places before a match that are compared */
	TRC_LIGHT_MISSES = 8,   /* with which it is forgotten */
	TRC_LIGHT_LONG = 16,    /* length at which misses are forgiven */
	TRC_LIGHT_ALWAYS = 255, /* a record without a miss */
};

/* A place whose symbol is expected. */
struct trc_light_match {
	size_t at;
	unsigned len, misses; /* len 0: none */
	bool is;              /* not forgotten */
};

/* Takes in whether the expected symbol came. */
static inline void
trc_light_follow(struct trc_light_match *a, bool right)
{
	a->at++;
	if (right) {
		a->len++;
		a->misses = a->len >= TRC_LIGHT_LONG ? 0 : a->misses;
	} else {
		a->len = 0;
		a->is = ++a->misses < TRC_LIGHT_MISSES;
	}
}

/* Looks for a match behind the symbol at place i, one of those of `width` bytes at `symbols`,
 * unless there is one: at the place that is noted, if the symbols before it are the same, `least`
 * of them or more. Notes the place behind the symbol. */
static TRC_ALWAYS_INLINE void
trc_light_find(struct trc_light_match *a, uint32_t *noted, const void *symbols, int width, size_t i,
               unsigned least)
{
	const uint32_t at = *noted;

	if (a->len == 0 && at > 0) {
		const uint8_t *bytes = symbols;
		const uint32_t *words = symbols;
		unsigned len = 0;

		while (len < at && len < TRC_LIGHT_LOOK &&
		       (width == 1 ? bytes[at - 1 - len] == bytes[i - len] :
		                     words[at - 1 - len] == words[i - len]))
			len++;
		if (len >= least)
			*a = (struct trc_light_match){ at, len, 0, true };
	}
	*noted = (uint32_t)(i + 1);
}

/* A match that just missed is followed on. */
static inline void
trc_light_go_on(struct trc_light_match *a)
{
	if (a->len == 0 && a->is)
		a->len = 1;
}

/* The probability at first that a match of a grade and record is right. */
static inline uint16_t
trc_light_trust(const struct trc_logistic *l, int grade, int record)
{
	const int x = trc_stretch(l, (uint16_t)(TRC_ONE - 65536 / (grade + 2)));
	const int sum = (x + trc_stretch(l, trc_history_p(record > 0 ? (unsigned)record :
	                                                               TRC_HISTORY_NEW))) *
	                7 / 8;

	return (uint16_t)trc_squash(l, trc_keep(sum, -TRC_LOGISTIC_MOST, TRC_LOGISTIC_MOST));
}

static inline void
trc_light_init_next(uint8_t next[2][TRC_HISTORIES])
{
	for (unsigned bit = 0; bit < 2; bit++)
		for (unsigned h = 0; h < TRC_HISTORIES; h++)
			next[bit][h] = (uint8_t)trc_history(h, bit);
}

#endif
