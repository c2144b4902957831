/* SPDX-License-Identifier: MIT
 *
 * Match model: the symbol that comes is expected to be the one that followed where the same symbols
 * came before (the match model of M. V. Mahoney's paq and lpaq; C. Bloom, "LZP: a new data
 * compression algorithm", 1996). For symbols of 1, 2 or 4 bytes, the place of each of which is its
 * number in the stream. container/SPEC.md, "Match model", has it to the bit.
 *
 *   find:     a table has, by a hash of the last symbols, the place behind which these came last,
 *             in 24 bits, and above them 8 bits of the hash as a check
 *   verify:   the symbols before both places are compared
 *   follow:   behind a symbol, the place moves on by one, whether the symbol was the expected one
 *             or not; the eighth miss ends the match
 *   predict:  that it is right, by a bucket of its length and the bit history (state_map.h) of hits
 *             at its place, which whoever uses it keeps beside the symbols
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
	TRC_MATCH_CLEAN = 16, /* length that clears them */
	TRC_MATCH_BUCKETS = 32,
	TRC_MATCH_ALWAYS = TRC_HISTORIES - 1, /* a history without a miss */
};

/* A place whose symbol is expected. */
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

/* The stretch at first, `p` being that of the history. */
static inline int16_t
trc_match_first(const struct trc_logistic *l, unsigned bucket, uint16_t p)
{
	const int x = trc_stretch(l, (uint16_t)(TRC_ONE - 65536 / (bucket + 2)));

	return (int16_t)trc_keep((x + trc_stretch(l, p)) * 7 / 8, -TRC_STATE_MOST, TRC_STATE_MOST);
}

/* The place that an entry of the table has, 0 if none or one with another check. */
static TRC_ALWAYS_INLINE uint32_t
trc_match_noted(uint32_t entry, uint32_t check)
{
	entry ^= check % 256 * TRC_MATCH_PLACES;
	return entry < TRC_MATCH_PLACES ? entry : 0;
}

/* The entry for a place. Places far behind lose their upper bits, and are others then. */
static TRC_ALWAYS_INLINE uint32_t
trc_match_note(size_t at, uint32_t check)
{
	return (uint32_t)(at % TRC_MATCH_PLACES) | check % 256 * TRC_MATCH_PLACES;
}

/* How many of the symbols of `width` bytes before places `at` and `i` are the same, `most` at most;
 * `at` is less than `i`. */
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

/* Begins a match for place `i` at `at`, 0 for none, if its length is `least` or more. */
static TRC_ALWAYS_INLINE void
trc_match_try(struct trc_match *m, const void *symbols, size_t width, size_t at, size_t i,
              unsigned least)
{
	const unsigned len = at > 0 ? trc_match_length(symbols, width, at, i, TRC_MATCH_VERIFIED) :
	                              0;

	if (at > 0 && len >= least)
		*m = (struct trc_match){ at, len, 0 };
}

/* Goes on behind a symbol, by whether it was the expected one. */
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
