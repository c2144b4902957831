/* SPDX-License-Identifier: MIT
 * Numbers, bit by bit, and hints of what they are. */
#include "codec/mixing/predictor.h"

/* The number that is coded. */
struct number {
	struct trc_panel *panel;
	const uint32_t *context;
	uint32_t bits[TRC_PANEL_MORE];          /* of what is coded, as hints say */
	struct trc_cell *trust[TRC_PANEL_MORE]; /* by place; NULL if the hint has been wrong */
};

static uint32_t
count_bits(uint32_t v)
{
	return 64 - (uint32_t)trc_clz64(v);
}

/* Finds how far each hint is to be trusted. */
static void
take_hints(struct number *n, const uint32_t *hint)
{
	struct trc_panel *p = n->panel;

	for (unsigned i = 0; i < p->more; i++) {
		unsigned others = 0;

		for (unsigned k = 0; k < p->more; k++)
			others += k != i && hint[k] == hint[i];
		n->trust[i] = hint[i] == TRC_NO_HINT ?
		                      NULL :
		                      p->trust[i][p->right[i] % 8 * 4 + (others < 3 ? others : 3)];
	}
}

static void
judge_hints(struct trc_panel *p, const uint32_t *hint, uint32_t v)
{
	for (unsigned i = 0; i < p->more; i++)
		if (hint[i] != TRC_NO_HINT)
			p->right[i] = (uint8_t)(p->right[i] << 1 | (hint[i] == v));
}

/* Decides on bit `b` of what is coded; `node` tells contexts which bits came, `place` how many. */
static unsigned
decide_bit(struct number *n, uint32_t node, unsigned place, struct trc_select *s, unsigned b,
           unsigned bit)
{
	struct trc_panel *p = n->panel;
	uint32_t context[TRC_PANEL_CONTEXTS];

	for (unsigned i = 0; i < p->contexts; i++)
		context[i] = trc_hash(node, n->context[i]);
	for (unsigned i = 0; i < p->more; i++) {
		const int16_t x = n->trust[i] ?
		                          trc_stretch(p->with->logistic, n->trust[i][place].p) :
		                          0;

		s->input[i] = (int16_t)(n->bits[i] >> b & 1 ? x : -x);
	}
	bit = trc_decide(p, context, s, bit);
	for (unsigned i = 0; i < p->more; i++) {
		const bool right = (n->bits[i] >> b & 1) == bit;

		if (n->trust[i])
			trc_cell_learn(&n->trust[i][place], right, TRC_PANEL_LIMIT);
		if (!right)
			n->trust[i] = NULL;
	}
	return bit;
}

/* Codes how many bits a number has. */
static uint32_t
decide_length(struct number *n, unsigned choice, uint32_t k)
{
	uint32_t node = 1;

	for (unsigned b = 5; b-- > 0;) {
		struct trc_select s = {
			.stage = 0,
			.weight = { node, 32 * (choice % 8) + node, b },
			.row = { 32 * choice + node, node },
		};

		node = node * 2 + decide_bit(n, node, 4 - b, &s, b, k >> b & 1);
	}
	return node - 32;
}

/* Codes a number of `k` bits, at least 1. */
static uint32_t
decide_value(struct number *n, unsigned choice, uint32_t k, uint32_t v)
{
	uint32_t node = 1;

	for (unsigned b = k - 1, d = 0; b-- > 0; d++) {
		const unsigned at = d < 23 ? d : 23, length = k < 24 ? k : 24;
		struct trc_select s = {
			.stage = d > 0 ? 2 : 1,
			.weight = { 32 + 24 * length + at, 256 + 32 * (choice % 8) + at,
			            5 + (d < 7 ? d : 7) },
			.row = { 1024 + 32 * length + (node < 32 ? node : 0),
			         64 + 24 * length + at },
		};

		node = node * 2 +
		       decide_bit(n, (k << 18) + node, 5 + (d < 6 ? d : 6), &s, b, v >> b & 1);
	}
	return node;
}

uint32_t
trc_decide_number(struct trc_panel *p, const uint32_t *context, unsigned choice,
                  const uint32_t *hint, uint32_t v)
{
	struct number n = { .panel = p, .context = context };
	uint32_t k;

	take_hints(&n, hint);
	for (unsigned i = 0; i < p->more; i++)
		n.bits[i] = count_bits(hint[i]);
	k = decide_length(&n, choice, count_bits(v));
	if (k > 0) {
		memcpy(n.bits, hint, p->more * sizeof(*hint));
		v = decide_value(&n, choice, k, v);
	} else {
		v = 0;
	}
	judge_hints(p, hint, v);
	return v;
}
