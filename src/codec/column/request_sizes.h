/* SPDX-License-Identifier: MIT
 *
 * Sizes of requests: an object keeps its size; else what came in the same contexts the last time is
 * tried, and what is none of that is a number. SPEC.md has it ("Requests").
 */
#ifndef TRC_CODEC_COLUMN_REQUEST_SIZES_H
#define TRC_CODEC_COLUMN_REQUEST_SIZES_H

#include "codec/column/request_addresses.h"

enum {
	TRC_REQUEST_GUESSES = 5,
	TRC_REQUEST_GUESS_BITS = 14,
	TRC_REQUEST_SIZE_KINDS = 4,
};

/* The size that came in a context the last time: an entry of a Markov predictor's table. */
struct trc_request_guess {
	uint32_t size; /* 0: none */
	uint8_t right; /* bits: was it the size, the latest lowest */
};

/* Predicts sizes of requests (our own). */
struct trc_request_sizes {
	struct trc_predictors *with;
	const struct trc_request_addresses *addresses;
	struct trc_predictor guess;
	struct trc_request_guess table[TRC_REQUEST_GUESSES][1 << TRC_REQUEST_GUESS_BITS];
	struct trc_request_guess *now[TRC_REQUEST_GUESSES];
	struct trc_bit stays[8][8];
	unsigned stayed; /* bits: did addresses keep their sizes, the latest lowest */
	struct trc_num number[TRC_REQUEST_SIZE_KINDS];
};

/* Prepares zeroed memory; its predictor is `number`. What fails is released all the same. */
int trc_request_sizes_init(struct trc_request_sizes *s, struct trc_predictors *with,
                           const struct trc_request_addresses *addresses, unsigned number,
                           struct trc_err *err) TRC_MUST_USE;
void trc_request_sizes_release(struct trc_request_sizes *s);

/* Bytes that it takes beside itself. */
size_t trc_request_sizes_memory(void);

/* Codes the size of the request whose address is in now[0] of the addresses: writes `size`, or
 * reads it if not `writes`. False if data has no size there. */
bool trc_request_size_code(struct trc_request_sizes *s, bool writes, uint32_t *size) TRC_MUST_USE;

#endif
