/* SPDX-License-Identifier: MIT
 *
 * Numbers by a predictor, and experts which expect them to be some other number. v < 2^24 is coded
 * as its number of bits, then these but the first, the highest first. As long as all bits so far
 * were as an expert expected, its input is the stretch of its confidence: counters (counter.h) of
 * whether an expected bit came, by how it was right lately and how many others expect the same.
 * container/SPEC.md, "Number model", has what selects mixers and APMs.
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
