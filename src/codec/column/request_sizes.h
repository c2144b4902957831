/* SPDX-License-Identifier: MIT
 *
 * Predicts the sizes of requests. An object keeps its size; otherwise, the last sizes in several
 * contexts are tried; any other size is coded as a number. SPEC.md, "Requests", specifies it.
 */
#ifndef TRC_CODEC_COLUMN_REQUEST_SIZES_H
#define TRC_CODEC_COLUMN_REQUEST_SIZES_H

#include "codec/column/request_addresses.h"

enum {
	TRC_REQUEST_GUESSES = 5,
	TRC_REQUEST_GUESS_BITS = 14,
	TRC_REQUEST_SIZE_KINDS = 4,
};

/* The size that occurred in a context the last time: an entry of a Markov predictor's table. */
struct trc_request_guess {
	uint32_t size; /* 0: none */
	uint8_t right; /* bits, the latest lowest: it was right */
};

/* The predictor of sizes (our own). */
struct trc_request_sizes {
	struct trc_predictors *with;
	const struct trc_request_addresses *addresses;
	struct trc_predictor guess;
	struct trc_request_guess table[TRC_REQUEST_GUESSES][1 << TRC_REQUEST_GUESS_BITS];
	struct trc_request_guess *now[TRC_REQUEST_GUESSES];
	struct trc_bit stays[8][8];
	unsigned stayed; /* bits, the latest lowest: an address kept its size */
	struct trc_num number[TRC_REQUEST_SIZE_KINDS];
};

/* Initialises zeroed memory; uses predictor `number`. Must be released even if it failed. */
int trc_request_sizes_init(struct trc_request_sizes *s, struct trc_predictors *with,
                           const struct trc_request_addresses *addresses, unsigned number,
                           struct trc_err *err) TRC_MUST_USE;
void trc_request_sizes_release(struct trc_request_sizes *s);

/* Returns the bytes that it needs besides the struct. */
size_t trc_request_sizes_memory(void);

/* Codes the size of the request whose address is in now[0] of the addresses: writes `size`, or
 * reads it if not `writes`. Returns false if the data is invalid. */
bool trc_request_size_code(struct trc_request_sizes *s, bool writes, uint32_t *size) TRC_MUST_USE;

#endif
