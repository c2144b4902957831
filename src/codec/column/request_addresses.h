/* SPDX-License-Identifier: MIT
 *
 * Predicts the addresses of requests. Candidates are what followed the same requests before, and
 * where sequential streams continue. Any other address continues a stream used long ago, is known
 * already (request_names.h), or is new: its bits are then coded in the context of its neighbours'
 * bits, as long as other addresses have begun with the same bits. SPEC.md, "Requests", specifies
 * it.
 */
#ifndef TRC_CODEC_COLUMN_REQUEST_ADDRESSES_H
#define TRC_CODEC_COLUMN_REQUEST_ADDRESSES_H

#include "codec/column/request_names.h"
#include "codec/column/requests.h"
#include "codec/mixing/predictor.h"

enum {
	TRC_REQUEST_TABLES = 4,
	TRC_REQUEST_PREDICTIONS = 8,
	TRC_REQUEST_CANDIDATES = 6, /* the most candidates tried for a request */
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

/* A request; [0] is the one being coded, as far as it is known, the others precede it. */
struct trc_request_coded {
	uint64_t addr;
	uint32_t size;
};

/* The predictor of addresses (our own). */
struct trc_request_addresses {
	struct trc_predictors *with;
	struct trc_predictor candidate, kind, bit;
	struct trc_request_names names;
	struct trc_request_coded now[4];
	unsigned bits, unit;
	uint32_t rows;  /* number before the current one */
	uint32_t hits;  /* bits, the latest lowest: a candidate was right */
	uint32_t kinds; /* of rows that were not candidates, two bits each */

	uint64_t end[TRC_REQUEST_ENDS];
	unsigned ends;
	struct trc_bit end_tree[TRC_REQUEST_ENDS];
	struct trc_request_successor *table[TRC_REQUEST_TABLES], *successor[TRC_REQUEST_TABLES];
	unsigned successor_shift;
	uint64_t far[2]; /* the last addresses that were not candidates */
	struct trc_bit rest[TRC_REQUEST_ADDRESS_BITS][4];

	uint64_t prediction[TRC_REQUEST_PREDICTIONS];
	unsigned has; /* bits: predictions that have an address */
	uint8_t right[TRC_REQUEST_PREDICTIONS];
	struct trc_counter relation[TRC_REQUEST_PREDICTIONS][TRC_REQUEST_CANDIDATES]
	                           [TRC_REQUEST_RELATIONS];
};

/* Initialises zeroed memory for `rows` rows; uses predictors 0 to 3. Must be released even if it
 * failed. */
int trc_request_addresses_init(struct trc_request_addresses *a, struct trc_predictors *with,
                               size_t rows, unsigned bits, unsigned unit,
                               struct trc_err *err) TRC_MUST_USE;
void trc_request_addresses_release(struct trc_request_addresses *a);

/* Returns the most bytes that it needs. */
size_t trc_request_addresses_memory(size_t rows);

/* Codes an address into now[0]: writes `addr`, or reads it if not `writes`. Returns false if the
 * data is invalid. */
bool trc_request_address_code(struct trc_request_addresses *a, bool writes,
                              uint64_t addr) TRC_MUST_USE;

/* Updates the model with the row whose address and size are in now[0]. */
void trc_request_addresses_add(struct trc_request_addresses *a);

/* Returns the entry of an address, or NULL if it is unknown. */
const struct trc_request_name *trc_request_known(const struct trc_request_addresses *a,
                                                 uint64_t addr);

static inline uint32_t
trc_hash64(uint64_t v, uint32_t h)
{
	return trc_hash((uint32_t)(v >> 32), trc_hash((uint32_t)v, h));
}

/* Returns approximately the block of a device that contains an address. */
static inline uint64_t
trc_request_block(const struct trc_request_addresses *a, uint64_t addr)
{
	enum { BLOCK_BITS = 9 };

	return a->unit < BLOCK_BITS ? addr >> (BLOCK_BITS - a->unit) : addr;
}

#endif
