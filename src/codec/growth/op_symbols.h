/* SPDX-License-Identifier: MIT
 *
 * Symbols by predictors, and hashes of what they are predicted from (container/SPEC.md, "Columns by
 * op").
 */
#ifndef TRC_CODEC_GROWTH_OP_SYMBOLS_H
#define TRC_CODEC_GROWTH_OP_SYMBOLS_H

#include "codec/mixing/predictor.h"

/* A symbol: so many bits, and what selects mixers besides those that came. */
struct trc_symbol {
	unsigned bits;
	unsigned used; /* bits that it may have: those above are 0, and not coded */
	unsigned select[TRC_MIXERS];
};

/* Codes a symbol: writes `v`, or reads and returns it. */
unsigned trc_symbol_code(struct trc_predictor *p, const struct trc_symbol *s,
                         const uint32_t *context, unsigned v);

/* What each of `n` symbols, of 8 bits at most, would cost, in about 256ths of a bit. Nothing is
 * learnt. Symbols with the same upper bits should be next to each other. */
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

/* How many bytes a value has. */
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
