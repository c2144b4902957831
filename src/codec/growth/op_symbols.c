/* SPDX-License-Identifier: MIT
 * Symbols by predictors, bit by bit. */
#include "codec/growth/op_symbols.h"

unsigned
trc_symbol_code(struct trc_predictor *p, const struct trc_symbol *s, const uint32_t *context,
                unsigned v)
{
	unsigned node = 1, path = 1u << (s->bits - s->used);

	for (unsigned b = s->used; b-- > 0;) {
		const unsigned first = (s->select[0] << s->bits) + path;
		const unsigned second = (s->select[1] << s->bits) + path;
		const struct trc_select select = { .mixer = { first, second, s->select[2] },
			                           .apm = { first, second } };
		unsigned bit;

		if (b + 1 == s->used || b % TRC_CELL_BITS == TRC_CELL_BITS - 1) {
			trc_predictor_find_path(p, path, context);
			node = 1;
		}
		bit = trc_predictor_code(p, node, &select, v >> b & 1);
		node = node * 2 + bit;
		path = path * 2 + bit;
	}
	return path - (1u << s->bits);
}
