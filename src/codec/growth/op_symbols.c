/* SPDX-License-Identifier: MIT
 * Codes symbols with predictors, bit by bit. */
#include "codec/growth/op_symbols.h"

/* Returns the selectors, given the bits so far after a leading 1. */
static struct trc_select
select_by(const struct trc_symbol *s, unsigned path)
{
	const unsigned first = (s->select[0] << s->bits) + path;
	const unsigned second = (s->select[1] << s->bits) + path;

	return (struct trc_select){ .mixer = { first, second, s->select[2] },
		                    .apm = { first, second } };
}

/* Returns true if bit `b` is the first of those that share a slot. */
static bool
begins_slot(const struct trc_symbol *s, unsigned b)
{
	return b + 1 == s->used || b % TRC_CELL_BITS == TRC_CELL_BITS - 1;
}

unsigned
trc_symbol_code(struct trc_predictor *p, const struct trc_symbol *s, const uint32_t *context,
                unsigned v)
{
	unsigned node = 1, path = 1u << (s->bits - s->used);

	for (unsigned b = s->used; b-- > 0;) {
		const struct trc_select select = select_by(s, path);
		unsigned bit;

		if (begins_slot(s, b)) {
			trc_predictor_find_path(p, path, context);
			node = 1;
		}
		bit = trc_predictor_code(p, node, &select, v >> b & 1);
		node = node * 2 + bit;
		path = path * 2 + bit;
	}
	return path - (1u << s->bits);
}

/* Bits that a symbol shares with the previous one are not evaluated again. */
void
trc_symbol_costs(const struct trc_predictor *p, const struct trc_symbol *s, const uint32_t *context,
                 const uint8_t *v, size_t n, unsigned *cost)
{
	enum { BITS_MOST = 8 };
	struct trc_predictor look[BITS_MOST / TRC_CELL_BITS];
	unsigned sum[BITS_MOST + 1] = { 0 }; /* by bit: cost of this bit and those above */

	for (size_t i = 0; i < n; i++) {
		const unsigned from = i > 0 ? 64 - (unsigned)trc_clz64(v[i] ^ v[i - 1]) : s->used;

		for (unsigned b = from; b-- > 0;) {
			const unsigned group = b / TRC_CELL_BITS, above = v[i] >> (b + 1);
			const unsigned path = 1u << (s->bits - 1 - b) | above;
			const struct trc_select select = select_by(s, path);
			unsigned top = b | (TRC_CELL_BITS - 1), node;

			top = top < s->used ? top : s->used - 1;
			node = 1u << (top - b) | (above & ((1u << (top - b)) - 1));
			if (begins_slot(s, b))
				trc_predictor_look(p, path, context, &look[group]);
			sum[b] = sum[b + 1] +
			         trc_predictor_cost(&look[group], node, &select, v[i] >> b & 1);
		}
		cost[i] = sum[0];
	}
}
