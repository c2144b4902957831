/* SPDX-License-Identifier: MIT
 *
 * Codes numbers with a predictor and with experts that expect particular values. A number v < 2^24
 * is coded as its number of bits, followed by all but its first bit, the highest first. While all
 * bits so far agree with an expert's value, the expert's input is the stretch of its confidence:
 * counters (counter.h) of whether the expected bit occurred, selected by the expert's recent
 * results and by how many others expect the same. container/SPEC.md, "Number model", specifies what
 * selects mixers and APMs.
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

/* A predictor of numbers, with experts similar to match models (our own). */
struct trc_number_coder {
	struct trc_predictor predictor;
	uint8_t right[TRC_EXPERTS]; /* bits, the latest lowest: it was the number */
	struct trc_counter confidence[TRC_EXPERTS][TRC_NUMBER_STATES][TRC_NUMBER_PLACES];
};

int trc_number_init(struct trc_number_coder *n, struct trc_predictors *with, unsigned number,
                    const struct trc_predictor_row *row, struct trc_err *err) TRC_MUST_USE;
void trc_number_release(struct trc_number_coder *n);

/* Codes a number less than 2^24; expected values are at most TRC_NUMBER_NONE. A number that is read
 * may be as large as 2^32 - 1. */
uint32_t trc_number_code(struct trc_number_coder *n, const uint32_t *context, unsigned selector,
                         const uint32_t *expected, uint32_t v);

/* Codes a number of at most `bits` bits without experts: the bits after the first of v + 2^bits. */
uint32_t trc_number_code_bits(struct trc_number_coder *n, const uint32_t *context,
                              unsigned selector, unsigned bits, uint32_t v);

#endif
