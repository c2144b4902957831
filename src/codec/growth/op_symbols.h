/* SPDX-License-Identifier: MIT
 *
 * Codes symbols with predictors, and hashes the data from which they are predicted
 * (container/SPEC.md, "Columns by op").
 */
#ifndef TRC_CODEC_GROWTH_OP_SYMBOLS_H
#define TRC_CODEC_GROWTH_OP_SYMBOLS_H

#include "codec/mixing/predictor.h"

/* The properties of a symbol: its number of bits, and what selects mixers besides the bits coded so
 * far. */
struct trc_symbol {
	unsigned bits;
	unsigned used; /* bits that may be set; the bits above are 0 and are not coded */
	unsigned select[TRC_MIXERS];
};

/* Codes a symbol: writes `v`, or reads and returns it. */
unsigned trc_symbol_code(struct trc_predictor *p, const struct trc_symbol *s,
                         const uint32_t *context, unsigned v);

/* Computes the cost of each of `n` symbols of at most 8 bits, in units of about 1/256 bit, without
 * updating models. Symbols with the same upper bits should be adjacent. */
void trc_symbol_costs(const struct trc_predictor *p, const struct trc_symbol *s,
                      const uint32_t *context, const uint8_t *v, size_t n, unsigned *cost);

static inline unsigned
trc_symbol_cost(const struct trc_predictor *p, const struct trc_symbol *s, const uint32_t *context,
                unsigned v)
{
	const uint8_t symbol = (uint8_t)v;
	unsigned cost;

	trc_symbol_costs(p, s, context, &symbol, 1, &cost);
	return cost;
}

/* Returns the number of bytes in a value. */
static inline unsigned
trc_value_bytes(uint64_t v)
{
	return (unsigned)(71 - trc_clz64(v)) / 8;
}

static inline uint32_t
trc_hash2(uint32_t a, uint32_t b)
{
	return trc_hash(b, trc_hash(a, 0));
}

static inline uint32_t
trc_hash3(uint32_t a, uint32_t b, uint32_t c)
{
	return trc_hash(c, trc_hash2(a, b));
}

static inline uint32_t
trc_hash_value(uint64_t v)
{
	return trc_hash2((uint32_t)v, (uint32_t)(v >> 32));
}

#endif
