/* SPDX-License-Identifier: MIT
 *
 * Match model: expects the symbol that followed the last time the same symbols occurred (the match
 * model of M. V. Mahoney's paq and lpaq; C. Bloom, "LZP: a new data compression algorithm", 1996).
 * It works with symbols of 1, 2 or 4 bytes; the position of a symbol is its number in the stream.
 * container/SPEC.md, "Match model", specifies it exactly.
 *
 *   find:     a table, indexed by a hash of the last symbols, has the position after their last
 *             occurrence in 24 bits, and above them 8 bits of the hash as a check
 *   verify:   the symbols before both positions are compared
 *   follow:   after each symbol the position advances by one, whether or not the symbol was the
 *             expected one; the eighth miss ends the match
 *   predict:  the probability that it is right depends on a bucket of its length and on the bit
 *             history (state_map.h) of hits at its position, which the user stores with the symbols
 */
#ifndef TRC_CODEC_MIXING_MATCH_MODEL_H
#define TRC_CODEC_MIXING_MATCH_MODEL_H

#include <string.h>

#include "base/bytes.h"
#include "codec/mixing/state_map.h"

enum {
	TRC_MATCH_PLACES = 1 << 24,
	TRC_MATCH_VERIFIED = 32, /* symbols that are compared */
	TRC_MATCH_MISSES = 8,
	TRC_MATCH_CLEAN = 16, /* length at which misses are forgotten */
	TRC_MATCH_BUCKETS = 32,
	TRC_MATCH_ALWAYS = TRC_HISTORIES - 1, /* a history without a miss */
};

/* A position whose symbol is expected next. */
struct trc_match {
	size_t at; /* 0: none */
	unsigned len, misses;
};

static inline unsigned
trc_match_bucket(unsigned len)
{
	const unsigned e = (unsigned)(63 - trc_clz64(len | 1));

	return len < 2 ? len : len >> 16 ? TRC_MATCH_BUCKETS - 1 : 2 * e + (len >> (e - 1) & 1);
}

/* Returns the initial stretch; `p` is the probability of the history. */
static inline int16_t
trc_match_first(const struct trc_logistic *l, unsigned bucket, uint16_t p)
{
	const int x = trc_stretch(l, (uint16_t)(TRC_ONE - 65536 / (bucket + 2)));

	return (int16_t)trc_keep((x + trc_stretch(l, p)) * 7 / 8, -TRC_STATE_MOST, TRC_STATE_MOST);
}

/* Returns the position in an entry of the table, 0 if it is empty or has another check. */
static TRC_ALWAYS_INLINE uint32_t
trc_match_noted(uint32_t entry, uint32_t check)
{
	entry ^= check % 256 * TRC_MATCH_PLACES;
	return entry < TRC_MATCH_PLACES ? entry : 0;
}

/* Returns the entry for a position. Positions lose their upper bits, so those of long streams wrap
 * around. */
static TRC_ALWAYS_INLINE uint32_t
trc_match_note(size_t at, uint32_t check)
{
	return (uint32_t)(at % TRC_MATCH_PLACES) | check % 256 * TRC_MATCH_PLACES;
}

/* Returns how many symbols of `width` bytes before positions `at` and `i` are equal, at most
 * `most`; `at` must be less than `i`. */
static TRC_ALWAYS_INLINE unsigned
trc_match_length(const void *symbols, size_t width, size_t at, size_t i, unsigned most)
{
	const uint8_t *p = (const uint8_t *)symbols + at * width;
	const uint8_t *q = (const uint8_t *)symbols + i * width;
	const unsigned end = at < most ? (unsigned)at : most, step = (unsigned)(8 / width);
	unsigned len = 0;

	for (; len + step <= end && memcmp(p - 8, q - 8, 8) == 0; p -= 8, q -= 8)
		len += step;
	while (len < end && memcmp(p -= width, q -= width, width) == 0)
		len++;
	return len;
}

/* Begins a match at `at` for position `i` if its length is at least `least`; `at` is 0 if there is
 * none. */
static TRC_ALWAYS_INLINE void
trc_match_try(struct trc_match *m, const void *symbols, size_t width, size_t at, size_t i,
              unsigned least)
{
	const unsigned len = at > 0 ? trc_match_length(symbols, width, at, i, TRC_MATCH_VERIFIED) :
	                              0;

	if (at > 0 && len >= least)
		*m = (struct trc_match){ at, len, 0 };
}

/* Advances past a symbol, given whether it was the expected one. */
static TRC_ALWAYS_INLINE void
trc_match_follow(struct trc_match *m, bool right)
{
	m->at++;
	m->len++;
	if (right) {
		m->misses = m->len >= TRC_MATCH_CLEAN ? 0 : m->misses;
		return;
	}
	m->len = 0;
	if (++m->misses == TRC_MATCH_MISSES)
		*m = (struct trc_match){ 0 };
}

#endif
