/* SPDX-License-Identifier: MIT
 *
 * Addresses of requests: what followed the same requests before, and where streams go on, are
 * candidates; of all else the bits are coded, by what their neighbours have. Words are those of
 * requests.h.
 *
 * Predictions, eight of them, each an address or none.
 *   0 to 3: ends of streams: an end is where a row's address and size lead, in units. They are in
 *      order of last use, 32 at most: a row takes the first one that is its address out of them, if
 *      there is one, and puts its own in front. 0 is the first, and so on.
 *   4, 5: what followed in the contexts W(addr[1], 1) and W(addr[2], W(addr[1], 2)) the last time.
 *   6, 7: addr[1], and on top of it what was added to it in the contexts H(size[1], W(addr[1] -
 *      addr[2], 3)) and W(addr[2] - addr[3], W(addr[1] - addr[2], 4)) the last time.
 *   Of 4 to 7 each has a table of 2^b entries, b the least from 10 to 17 with 2^b >= rows, or 17;
 *   of context c: x = c * 0x85ebca6b, x ^= x >> 14, x *= 0x9e3779b1: entry x >> 32 - b, check x | 1
 *   (16 bits); one with another check is empty. Once the address is known the entry has it.
 *   right[k] are bits, at first 0, the latest in bit 0: of each row of which prediction k had an
 *   address, was it right? An address of more bits than the greatest has is none.
 *
 * Candidates are the addresses of predictions 4, 5, 0, 1, 6, 7, 2, 3 in this order, as far as there
 *   are such; each once, six at most. Of each a bit, until one is right: predictor 0. tried is how
 *   many there were before it, k the number of the prediction, agree the predictions that are it,
 *   bit k for prediction k, and count how many. Contexts, all of cell 1: H(agree, H(tried, 0)),
 *   H(hits mod 16, H(agree, 1)), W(candidate, 2), H(its last size, 0 if it is not known, H(size[1],
 *   H(k, 3))), W(addr[1], H(k, 4)), H(right[k] mod 256, H(k, H(tried, 5))), W(candidate - addr[1],
 *   H(size[1], 6)). Experts are counters (limit 127), one for each prediction, tried, and relation:
 *   0 if it has no address, else 1 + 2 * (right mod 8) + (is it not this candidate). Map set:
 *   tried; mixers 8 * tried + k, 16 * (hits mod 16) + 2 * tried + (is it known), count - 1; APMs
 *   agree, 64 * tried + right[k] mod 64.
 *
 * Bits, of an address that no candidate has, from the highest that an address has down: predictor
 *   1. Slots are found every fourth bit, of contexts W(p, c), the lower four bits 0, p being the
 *   bits so far behind a 1 (modulo 2^64); node is the bits since behind a 1, d how many bits came.
 *   far[0] and far[1] are the last addresses that were coded so, 0 at first. c is 0, H(size[1], 1),
 *   W(B(addr[1]), 2), W(B(addr[1]) / 64, 3), W(B(addr[1]) / 1024, W(B(addr[2]) / 1024, 4)),
 *   W(B(far[0]) / 8, 5), W(B(far[0]) / 1024, H(size[1], 6)), W(B(far[1]) / 64, W(B(far[0]) / 64,
 *   7)); the last context is no c but H(t, H(d, H(p mod 16, 8))) with its lower bits 0: t is p less
 *   what it would be for far[0], plus 8, if that is 0 to 16, else 99. same is 4 if addr[1] begins
 *   with the bits so far, + 2 if far[0] does, + 1 if far[1] does. Map set 0 for the first third of
 *   bits (3d < bits), 1 for the second, 2; mixers 8d + same, 16d + node, 0; APMs 8d + same, 16d +
 *   node.
 */
#ifndef TRC_CODEC_COLUMN_REQUEST_ADDRESSES_H
#define TRC_CODEC_COLUMN_REQUEST_ADDRESSES_H

#include "codec/column/requests.h"
#include "codec/mixing/predictor.h"

enum {
	TRC_REQUEST_TABLES = 4,
	TRC_REQUEST_PREDICTIONS = 8,
	TRC_REQUEST_CANDIDATES = 6, /* most that are tried for a request */
	TRC_REQUEST_ENDS = 32,
	TRC_REQUEST_RELATIONS = 17,
	TRC_REQUEST_ADDRESS_BITS = 64,
};

/* What followed in a context the last time: an entry of a Markov predictor's table. */
struct trc_request_successor {
	uint64_t value;
	uint16_t check;
	bool seen;
};

/* A request before the one that is coded; of [0], what is known of that. */
struct trc_request {
	uint64_t addr;
	uint32_t size;
};

/* Predicts addresses of requests (our own). */
struct trc_request_addresses {
	struct trc_predictors *with;
	struct trc_predictor candidate, bit;
	struct trc_request now[4];
	const struct trc_requests *rows;
	uint32_t *known; /* 1 + the last row of each address, by its hash; 0: free */
	size_t known_mask;
	unsigned bits, unit;
	unsigned hits;

	uint64_t end[TRC_REQUEST_ENDS];
	unsigned ends;
	struct trc_request_successor *table[TRC_REQUEST_TABLES], *successor[TRC_REQUEST_TABLES];
	unsigned successor_shift;
	uint64_t far[2];

	uint64_t prediction[TRC_REQUEST_PREDICTIONS];
	unsigned has; /* bits: predictions with an address */
	uint8_t right[TRC_REQUEST_PREDICTIONS];
	struct trc_counter relation[TRC_REQUEST_PREDICTIONS][TRC_REQUEST_CANDIDATES]
	                           [TRC_REQUEST_RELATIONS];
};

/* Prepares zeroed memory for rows, of which those before the one that is coded are filled in; the
 * predictors are 0 and 1. What fails is released all the same. */
int trc_request_addresses_init(struct trc_request_addresses *a, struct trc_predictors *with,
                               const struct trc_requests *rows, unsigned bits, unsigned unit,
                               struct trc_err *err) TRC_MUST_USE;
void trc_request_addresses_release(struct trc_request_addresses *a);

/* Bytes that it takes, at most. */
size_t trc_request_addresses_memory(size_t rows);

/* Codes an address: writes `addr`, or reads it if not `writes`. It is in now[0] then. */
void trc_request_address_code(struct trc_request_addresses *a, bool writes, uint64_t addr);

/* Learns row `i`, whose address and size are in now[0] and in the rows. */
void trc_request_addresses_add(struct trc_request_addresses *a, size_t i);

/* The size that the last row of an address had: NULL if it is not known. */
const uint32_t *trc_request_size(const struct trc_request_addresses *a, uint64_t addr);

static inline uint32_t
trc_hash64(uint64_t v, uint32_t h)
{
	return trc_hash((uint32_t)(v >> 32), trc_hash((uint32_t)v, h));
}

/* About which block of a device an address is in. */
static inline uint64_t
trc_request_block(const struct trc_request_addresses *a, uint64_t addr)
{
	enum { BLOCK_BITS = 9 };

	return a->unit < BLOCK_BITS ? addr >> (BLOCK_BITS - a->unit) : addr;
}

#endif
