/* SPDX-License-Identifier: MIT
 * Codes numbers bit by bit, with the expectations of experts. */
#include "codec/mixing/number.h"

#include <assert.h>

enum { LENGTH_BITS = 5, DEPTH_MOST = 23 };

/* The number being coded: a path through a binary tree, like a symbol in lpaq1. */
struct coding {
	struct trc_number_coder *n;
	const uint32_t *context;
	uint32_t path;                               /* all bits so far, after a leading 1 */
	unsigned bits;                               /* number of bits so far */
	unsigned node;                               /* bits since slots were found, after a 1 */
	uint32_t expected[TRC_EXPERTS];              /* by each expert */
	struct trc_counter *confidence[TRC_EXPERTS]; /* by position; NULL after a wrong bit */
};

int
trc_number_init(struct trc_number_coder *n, struct trc_predictors *with, unsigned number,
                const struct trc_predictor_row *row, struct trc_err *err)
{
	if (trc_predictor_init(&n->predictor, with, number, row, err))
		return -1;
	for (int i = 0; i < row->experts; i++)
		for (int k = 0; k < TRC_NUMBER_STATES * TRC_NUMBER_PLACES; k++)
			n->confidence[i][k / TRC_NUMBER_PLACES][k % TRC_NUMBER_PLACES] =
			        trc_counter_of(57344, 1);
	return 0;
}

void
trc_number_release(struct trc_number_coder *n)
{
	trc_predictor_release(&n->predictor);
}

static uint32_t
count_bits(uint32_t v)
{
	return 64 - (uint32_t)trc_clz64(v);
}

/* Determines the confidence of the experts. */
static void
ask_experts(struct coding *c, const uint32_t *expected)
{
	struct trc_number_coder *n = c->n;
	const unsigned experts = n->predictor.row.experts;

	for (unsigned i = 0; i < experts; i++) {
		unsigned others = 0;

		for (unsigned k = 0; k < experts; k++)
			others += k != i && expected[k] == expected[i];
		others = others < 3 ? others : 3;
		c->confidence[i] = expected[i] == TRC_NUMBER_NONE ?
		                           NULL :
		                           n->confidence[i][n->right[i] % 8 * 4 + others];
		c->expected[i] = count_bits(expected[i]);
	}
}

/* Codes bit `b` of the length or of the value. */
static unsigned
code_bit(struct coding *c, unsigned place, const struct trc_select *s, unsigned b, unsigned bit)
{
	struct trc_predictor *p = &c->n->predictor;

	if (c->bits++ % TRC_CELL_BITS == 0) {
		trc_predictor_find_path(p, c->path, c->context);
		c->node = 1;
	}
	for (unsigned i = 0; i < p->row.experts; i++) {
		const struct trc_counter *conf = c->confidence[i];
		const int x = conf ? trc_stretch(p->with->logistic,
		                                 (uint16_t)trc_counter_p(conf[place])) :
		                     0;

		p->expert[i] = (int16_t)(c->expected[i] >> b & 1 ? x : -x);
	}
	bit = trc_predictor_code(p, c->node, s, bit);
	for (unsigned i = 0; i < p->row.experts; i++) {
		const bool right = (c->expected[i] >> b & 1) == bit;

		if (c->confidence[i])
			trc_counter_learn(&c->confidence[i][place], right, TRC_EXPERT_LIMIT);
		if (!right)
			c->confidence[i] = NULL;
	}
	c->node = c->node * 2 + bit;
	c->path = c->path * 2 + bit;
	return bit;
}

/* Codes the number of bits of a number. */
static uint32_t
code_length(struct coding *c, unsigned selector, uint32_t k)
{
	uint32_t node = 1;

	for (unsigned b = LENGTH_BITS; b-- > 0;) {
		const struct trc_select s = {
			.map_set = 0,
			.mixer = { node, 32 * (selector % 8) + node, b },
			.apm = { 32 * selector + node, node },
		};

		node = node * 2 + code_bit(c, LENGTH_BITS - 1 - b, &s, b, k >> b & 1);
	}
	return node - (1u << LENGTH_BITS);
}

/* Codes a number of `k` bits, k >= 1. */
static uint32_t
code_value(struct coding *c, unsigned selector, uint32_t k, uint32_t v)
{
	uint32_t value = 1;

	for (unsigned b = k - 1, d = 0; b-- > 0; d++) {
		const unsigned at = d < DEPTH_MOST ? d : DEPTH_MOST;
		const unsigned length = k < TRC_NUMBER_BITS ? k : TRC_NUMBER_BITS;
		const struct trc_select s = {
			.map_set = d > 0 ? 2 : 1,
			.mixer = { 32 + 24 * length + at, 256 + 32 * (selector % 8) + at,
			           5 + (d < 7 ? d : 7) },
			.apm = { 1024 + 32 * length + (value < 32 ? value : 0),
			         64 + 24 * length + at },
		};

		value = value * 2 + code_bit(c, 5 + (d < 6 ? d : 6), &s, b, v >> b & 1);
	}
	return value;
}

uint32_t
trc_number_code(struct trc_number_coder *n, const uint32_t *context, unsigned selector,
                const uint32_t *expected, uint32_t v)
{
	const unsigned experts = n->predictor.row.experts;
	struct coding c = { .n = n, .context = context, .path = 1 };
	uint32_t k;

	ask_experts(&c, expected);
	k = code_length(&c, selector, count_bits(v));
	memcpy(c.expected, expected, experts * sizeof(*expected));
	v = k > 0 ? code_value(&c, selector, k, v) : 0;
	for (unsigned i = 0; i < experts; i++)
		if (expected[i] != TRC_NUMBER_NONE)
			n->right[i] = (uint8_t)(n->right[i] << 1 | (expected[i] == v));
	return v;
}

uint32_t
trc_number_code_bits(struct trc_number_coder *n, const uint32_t *context, unsigned selector,
                     unsigned bits, uint32_t v)
{
	struct coding c = { .n = n, .context = context, .path = 1 };

	assert(n->predictor.row.experts == 0);
	return code_value(&c, selector, bits + 1, v | 1u << bits) - (1u << bits);
}
