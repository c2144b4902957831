/* SPDX-License-Identifier: MIT
 *
 * Addresses of requests: what followed the same requests before, and where streams go on, are
 * candidates. All else goes on a stream used long ago, is a name (request_names.h), or new: then
 * its bits are coded, by what its neighbours have as long as others begin alike. SPEC.md has it
 * ("Requests").
 */
#ifndef TRC_CODEC_COLUMN_REQUEST_ADDRESSES_H
#define TRC_CODEC_COLUMN_REQUEST_ADDRESSES_H

#include "codec/column/request_names.h"
#include "codec/column/requests.h"
#include "codec/mixing/predictor.h"

enum {
	TRC_REQUEST_TABLES = 4,
	TRC_REQUEST_PREDICTIONS = 8,
	TRC_REQUEST_CANDIDATES = 6, /* most that are tried for a request */
	TRC_REQUEST_END_BITS = 6,
	TRC_REQUEST_ENDS = 1 << TRC_REQUEST_END_BITS,
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
	struct trc_predictor candidate, kind, bit;
	struct trc_request_names names;
	struct trc_request now[4];
	unsigned bits, unit;
	uint32_t rows;  /* before the one that is coded */
	uint32_t hits;  /* bits: was a candidate right, the latest lowest */
	uint32_t kinds; /* of rows that were no candidates, two bits each */

	uint64_t end[TRC_REQUEST_ENDS];
	unsigned ends;
	struct trc_bit end_tree[TRC_REQUEST_ENDS];
	struct trc_request_successor *table[TRC_REQUEST_TABLES], *successor[TRC_REQUEST_TABLES];
	unsigned successor_shift;
	uint64_t far[2]; /* addresses that were no candidates */
	struct trc_bit rest[TRC_REQUEST_ADDRESS_BITS][4];

	uint64_t prediction[TRC_REQUEST_PREDICTIONS];
	unsigned has; /* bits: predictions with an address */
	uint8_t right[TRC_REQUEST_PREDICTIONS];
	struct trc_counter relation[TRC_REQUEST_PREDICTIONS][TRC_REQUEST_CANDIDATES]
	                           [TRC_REQUEST_RELATIONS];
};

/* Prepares zeroed memory for so many rows; the predictors are 0 to 3. What fails is released all
 * the same. */
int trc_request_addresses_init(struct trc_request_addresses *a, struct trc_predictors *with,
                               size_t rows, unsigned bits, unsigned unit,
                               struct trc_err *err) TRC_MUST_USE;
void trc_request_addresses_release(struct trc_request_addresses *a);

/* Bytes that it takes, at most. */
size_t trc_request_addresses_memory(size_t rows);

/* Codes an address: writes `addr`, or reads it if not `writes`, into now[0]. False if data has no
 * address there. */
bool trc_request_address_code(struct trc_request_addresses *a, bool writes,
                              uint64_t addr) TRC_MUST_USE;

/* Learns the row whose address and size are in now[0]. */
void trc_request_addresses_add(struct trc_request_addresses *a);

/* What is known of an address: NULL if nothing is. */
const struct trc_request_name *trc_request_known(const struct trc_request_addresses *a,
                                                 uint64_t addr);

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
