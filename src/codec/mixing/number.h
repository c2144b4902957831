/* SPDX-License-Identifier: MIT
 *
 * Numbers by a predictor, and experts which expect them to be some other number.
 *
 * v < 2^24 is coded as its number of bits k, 0 to 24, in 5 bits, then the bits below its first, the
 * highest first. Slots are found before the first bit and every fourth one behind it, of contexts
 * hash(path, context), path being all bits so far behind a 1. `selector` is 0 to 31, of which APMs
 * see all and mixers the lower three bits; b is the number of the bit of k, 4 to 0, node the bits
 * of k so far behind a 1; d is how many bits of v came, less 1, and value these bits. Selected are
 *     of k: map set 0; mixers node, 32 * (selector mod 8) + node, b; APMs 32 * selector + node,
 *        node
 *     of v: map set 1 if d = 0, else 2; mixers 32 + 24 * k + d, 256 + 32 * (selector mod 8) + d,
 *        5 + (d, at most 7); APMs 1024 + 32 * k + (value if less than 32, else 0), 64 + 24 * k + d
 *
 * Experts.  Each expects a number, or 2^24 - 1, which is none. As long as all bits so far were as
 *   it expected, its input is the stretch of its confidence, negated if it expects a 0; else 0.
 *   Confidences are counters (counter.h) of whether an expected bit came, with p = 7/8 and n = 1 at
 *   first, limit 127: one for each expert, state and place. State is 4 * (of the last three numbers
 *   that it had an expectation of, whether it was right: bits, at first 0, the latest in bit 0) +
 *   how many others expect the same, 3 at most; place is 4 - b in k, and 5 + (d, at most 6) in v.
 */
#ifndef TRC_CODEC_MIXING_NUMBER_H
#define TRC_CODEC_MIXING_NUMBER_H

#include "codec/entropy/counter.h"
#include "codec/mixing/predictor.h"

enum {
	TRC_NUMBER_MAP_SETS = 3,
	TRC_NUMBER_BITS = 24,
	TRC_NUMBER_STATES = 32,
	TRC_NUMBER_PLACES = 12,
};

#define TRC_NUMBER_NONE UINT32_C(0xffffff) /* no expectation */

/* The map sets, mixers and APMs of a row of numbers. */
#define TRC_NUMBER_ROW \
	.map_sets = TRC_NUMBER_MAP_SETS, .mixers = { 632, 512, 13 }, .apms = { 1824, 664 }

/* A predictor of numbers, with experts like match models (our own). */
struct trc_number {
	struct trc_predictor predictor;
	uint8_t right[TRC_EXPERTS]; /* bits: was it the number, the latest lowest */
	struct trc_counter confidence[TRC_EXPERTS][TRC_NUMBER_STATES][TRC_NUMBER_PLACES];
};

int trc_number_init(struct trc_number *n, struct trc_predictors *with, unsigned number,
                    const struct trc_predictor_row *row, struct trc_err *err) TRC_MUST_USE;
void trc_number_release(struct trc_number *n);

/* Codes a number less than 2^24, of which experts expect what is at most TRC_NUMBER_NONE. One that
 * is read may be as large as 2^32 - 1. */
uint32_t trc_number_code(struct trc_number *n, const uint32_t *context, unsigned selector,
                         const uint32_t *expected, uint32_t v);

/* Codes a number of so many bits or fewer, without experts: the bits below the first of one that is
 * 2^bits larger. */
uint32_t trc_number_code_bits(struct trc_number *n, const uint32_t *context, unsigned selector,
                              unsigned bits, uint32_t v);

#endif
