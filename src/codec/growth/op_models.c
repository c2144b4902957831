/* SPDX-License-Identifier: MIT
 * Predictors of the properties of ops; the same code serves both directions. */
#include "codec/growth/op_models.h"

#include <stdlib.h>

#include "codec/growth/op_columns.h"

enum {
	LINE_BITS = 16, /* log2 of cache lines: 4 MiB of cells */
	SHAPE_BITS = 8,
	LENGTH_BITS = 4,
	SHAPES = 8, /* shapes that select separately */
};

static const struct trc_predictor_row shape_row = {
	.contexts = 8,
	.map_sets = 1,
	.mixers = { 2 << SHAPE_BITS, SHAPES << SHAPE_BITS, 1 },
	.apms = { 2 << SHAPE_BITS, SHAPES << SHAPE_BITS },
};

static const struct trc_predictor_row length_row = {
	.contexts = 8,
	.map_sets = 1,
	.mixers = { 1 << LENGTH_BITS, SHAPES << LENGTH_BITS, 1 },
	.apms = { 1 << LENGTH_BITS, SHAPES << LENGTH_BITS },
};

void
trc_op_models_close(struct trc_op_models *m)
{
	if (!m)
		return;
	for (int k = 0; k < TRC_OP_COLUMNS; k++) {
		trc_predictor_release(&m->column[k].size);
		trc_predictor_release(&m->column[k].byte);
	}
	trc_predictor_release(&m->shape);
	trc_predictor_release(&m->length);
	trc_op_slot_models_release(&m->slots);
	trc_predictors_release(&m->with);
	free(m);
}

static int
init(struct trc_op_models *m, const struct trc_program *p, struct trc_err *err)
{
	enum { SHAPE = 2 * TRC_OP_COLUMNS, LENGTH, SLOT };

	if (trc_predictors_init(&m->with, LINE_BITS, err) ||
	    trc_predictor_init(&m->shape, &m->with, SHAPE, &shape_row, err) ||
	    trc_predictor_init(&m->length, &m->with, LENGTH, &length_row, err) ||
	    trc_op_slot_models_init(&m->slots, &m->with, SLOT, err))
		return -1;
	for (unsigned k = 0; k < p->columns; k++)
		if (trc_op_value_models_init(&m->column[k], &m->with, k, p->column[k].registers,
		                             err))
			return -1;
	return 0;
}

struct trc_op_models *
trc_op_models_of(struct trc_program *p, struct trc_err *err)
{
	struct trc_op_models *m = p->op_models;

	if (m)
		return m;
	m = trc_alloc(1, sizeof(*m), err);
	if (!m)
		return NULL;
	if (init(m, p, err)) {
		trc_op_models_close(m);
		return NULL;
	}
	return p->op_models = m;
}

/* ---- properties of an op ---- */

static unsigned
near_shape(uint32_t shape)
{
	return shape < SHAPES ? shape : SHAPES - 1;
}

/* An earlier op, or the op before a new one. */
struct before {
	uint64_t value;
	uint32_t shape, length;
};

/* Returns op `i`, or zeros if there is none. */
static struct before
op_at(const struct trc_program *p, uint32_t i)
{
	return i < p->ops ?
	               (struct before){ p->column[0].of_op[i], p->op[i].shape, p->op[i].length } :
	               (struct before){ 0 };
}

unsigned
trc_op_code_shape(const struct trc_program *p, struct trc_op_models *m, uint32_t from, bool plain,
                  unsigned bits, unsigned shape)
{
	const uint32_t none = TRC_NONE;
	const struct before a = op_at(p, from);
	const struct before b = op_at(p, from != none && from > 0 ? from - 1 : none);
	const struct before c = op_at(p, from != none && from > 1 ? from - 2 : none);
	const uint32_t va = (uint32_t)a.value, vb = (uint32_t)b.value;
	const uint32_t all = trc_hash_value(a.value);
	const uint32_t context[] = {
		trc_hash2(a.shape, plain),
		trc_hash3(a.shape, b.shape, va & 0xffff),
		trc_hash3(a.shape, b.shape, c.shape),
		trc_hash2(all, plain),
		trc_hash3(va & 0xffff, a.shape, a.length),
		trc_hash3(va & 255, vb & 255, a.shape),
		trc_hash3(a.shape, a.length, trc_hash2(b.shape, b.length)),
		trc_hash3(trc_hash2(all, a.length), b.length, trc_hash_value(b.value)),
	};
	const struct trc_symbol s = { SHAPE_BITS, bits, { plain, near_shape(a.shape), 0 } };

	return trc_symbol_code(&m->shape, &s, context, shape);
}

unsigned
trc_op_code_length(const struct trc_program *p, struct trc_op_models *m, uint32_t i,
                   unsigned length)
{
	const struct before a = op_at(p, i);
	const struct before b = op_at(p, i > 0 ? i - 1 : TRC_NONE);
	const struct before c = op_at(p, i > 1 ? i - 2 : TRC_NONE);
	const uint32_t all = trc_hash_value(a.value), low = (uint32_t)a.value;
	const uint32_t high = (uint32_t)(a.value >> 32), parts = trc_value_parts(a.value);
	const uint32_t context[] = {
		trc_hash2(all, a.shape),
		trc_hash3(a.shape, parts, trc_op_class(p, i)),
		trc_hash3(a.shape, b.length, c.length),
		trc_hash3(a.shape, low & 0xffff, parts),
		trc_hash3(a.shape, high, b.length),
		trc_hash2(a.shape, high),
		trc_hash3(all, trc_hash_value(b.value), b.length),
		trc_hash3(a.shape, low & 255, high & 255),
	};
	const struct trc_symbol s = { LENGTH_BITS, LENGTH_BITS, { 0, near_shape(a.shape), 0 } };

	return trc_symbol_code(&m->length, &s, context, length);
}
