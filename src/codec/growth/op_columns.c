/* SPDX-License-Identifier: MIT
 * Values of columns by op and by edge; the same code serves both directions. */
#include "codec/growth/op_columns.h"

#include <stdlib.h>

#include "codec/growth/op_models.h"

enum {
	VALUE_BYTES = 8,
	SIZE_BITS = 4, /* of the number of bytes in a value */
	BYTE_BITS = 8,
	LEFT = 16, /* bytes to the end of an instruction; greater numbers count as the same */
	NEAR = 16,
};

static const struct trc_predictor_row size_row = {
	.contexts = 6,
	.map_sets = 1,
	.mixers = { 1 << SIZE_BITS, 1 << SIZE_BITS, 1 },
	.apms = { 1 << SIZE_BITS, 1 << SIZE_BITS },
};

static const struct trc_predictor_row byte_row = {
	.contexts = 12,
	.map_sets = 1,
	.mixers = { VALUE_BYTES << BYTE_BITS, LEFT << BYTE_BITS, VALUE_BYTES },
	.apms = { VALUE_BYTES << BYTE_BITS, LEFT << BYTE_BITS },
};

static const struct trc_predictor_row parts_row = {
	.contexts = 8,
	.map_sets = 1,
	.mixers = { 1 << BYTE_BITS, 1 << BYTE_BITS, 1 },
	.apms = { 1 << BYTE_BITS, 1 << BYTE_BITS },
};

static const struct trc_predictor_row register_row = {
	.contexts = 9,
	.map_sets = 1,
	.mixers = { VALUE_BYTES << BYTE_BITS, 1 << BYTE_BITS, VALUE_BYTES },
	.apms = { VALUE_BYTES << BYTE_BITS, 1 << BYTE_BITS },
};

int
trc_op_value_models_init(struct trc_op_value_models *m, struct trc_predictors *with, unsigned k,
                         bool registers, struct trc_err *err)
{
	trc_bits_init(m->same, sizeof(m->same) + sizeof(m->again));
	trc_num_init(&m->number, 1);
	if (trc_predictor_init(&m->size, with, 2 * k, registers ? &parts_row : &size_row, err) ||
	    trc_predictor_init(&m->byte, with, 2 * k + 1, registers ? &register_row : &byte_row,
	                       err))
		return -1;
	return 0;
}

/* ---- values of ops ---- */

/* The data from which the value of an op is predicted. */
struct facts {
	uint64_t x1, x2; /* values of the two previous ops */
	uint32_t other, shape, shape1, size;
};

static struct facts
find_facts(const struct trc_program *p, unsigned k, size_t i)
{
	const struct trc_op *op = &p->op[i];
	const struct trc_op_column *c = &p->column[k];
	const struct trc_shape *shape = &p->shape[op->shape];

	return (struct facts){
		.x1 = i > 0 ? c->of_op[i - 1] : 0,
		.x2 = i > 1 ? c->of_op[i - 2] : 0,
		.other = k > 0 ? (uint32_t)c[-1].of_op[i] & 0xffff : 0,
		.shape = op->shape,
		.shape1 = i > 0 ? p->op[i - 1].shape : 0,
		.size = shape->fetch ? shape->size[0] : 0,
	};
}

static uint32_t
byte_of(uint64_t v, unsigned j)
{
	return v >> 8 * j & 255;
}

static uint32_t
code_size(struct trc_op_value_models *m, const struct facts *f, uint32_t size)
{
	const uint32_t all = trc_hash_value(f->x1), form = trc_hash2(f->shape, f->size);
	const uint32_t context[] = {
		trc_hash2(form, f->other),
		trc_hash3(trc_value_bytes(f->x1), trc_value_bytes(f->x2), f->shape),
		trc_hash2(all, f->size),
		trc_hash3(byte_of(f->x1, 0), f->shape, f->other),
		trc_hash2(form, f->shape1),
		trc_hash2(all, form),
	};
	const struct trc_symbol s = { SIZE_BITS, SIZE_BITS, { 0 } };

	return trc_symbol_code(&m->size, &s, context, size);
}

/* Codes byte `j` of a value of `size` bytes; `x` contains the bytes below. */
static uint32_t
code_byte(struct trc_op_value_models *m, const struct facts *f, uint32_t size, uint32_t j,
          uint64_t x, uint32_t byte)
{
	const uint32_t left = f->size > j && f->size - j < LEFT ? f->size - j : 0;
	const uint32_t low = trc_hash_value(x | UINT64_C(1) << 8 * j);
	const uint32_t form = trc_hash2(f->shape, f->size), x1 = (uint32_t)f->x1 & 0xffff;
	const uint32_t last = j > 0 ? byte_of(x, j - 1) : 0;
	const uint32_t last2 = j > 1 ? x >> 8 * (j - 2) & 0xffff : last;
	const uint32_t context[] = {
		trc_hash3(low, size, f->size),
		trc_hash3(low, form, f->other),
		trc_hash2(low, x1),
		trc_hash3(low, trc_hash_value(f->x1), form),
		trc_hash2(j, size),
		trc_hash3(j, last, form),
		trc_hash3(j, size, form),
		trc_hash3(low, form, x1),
		trc_hash2(byte_of(x, 0), j),
		trc_hash3(j, byte_of(f->x1, j), byte_of(f->x2, j)),
		trc_hash2(j, last2),
		trc_hash3(low, f->shape, f->shape1),
	};
	const struct trc_symbol s = { BYTE_BITS, BYTE_BITS, { j, left, j } };

	return trc_symbol_code(&m->byte, &s, context, byte);
}

static int
code_word(struct trc_op_value_models *m, const struct facts *f, uint64_t *v, struct trc_err *err)
{
	const uint32_t size = code_size(m, f, trc_value_bytes(*v));
	uint64_t x = 0;

	if (size > VALUE_BYTES)
		return trc_program_corrupt(err, "bytes of a value");
	for (uint32_t j = 0; j < size; j++)
		x |= (uint64_t)code_byte(m, f, size, j, x, byte_of(*v, j)) << 8 * j;
	*v = x;
	return 0;
}

/* ---- registers ---- */

/* Codes which registers a value has. */
static uint32_t
code_parts(struct trc_op_value_models *m, const struct facts *f, uint32_t parts)
{
	const uint32_t form = trc_hash3(f->shape, f->size, f->other);
	const uint32_t all1 = trc_hash_value(f->x1), all2 = trc_hash_value(f->x2);
	const uint32_t parts1 = trc_value_parts(f->x1), written = (uint32_t)f->x1 & 0xffff;
	const uint32_t context[] = {
		trc_hash3(form, byte_of(f->x1, 0), byte_of(f->x2, 0)),
		trc_hash3(form, parts1, trc_value_parts(f->x2)),
		trc_hash3(form, all1, all2),
		trc_hash2(all1, form),
		trc_hash3(form, written, parts1),
		trc_hash2(all1, all2),
		form,
		trc_hash3(form, f->shape1, byte_of(f->x1, 0)),
	};
	const struct trc_symbol s = { BYTE_BITS, BYTE_BITS, { 0 } };

	return trc_symbol_code(&m->size, &s, context, parts);
}

/* Codes register `j`; `x` contains the registers before it, the last of which is `last`. */
static uint32_t
code_register(struct trc_op_value_models *m, const struct facts *f, uint32_t parts, uint32_t j,
              uint64_t x, uint32_t last, uint32_t r)
{
	const uint32_t form = trc_hash3(f->shape, f->size, f->other);
	const uint32_t all1 = trc_hash_value(f->x1), all2 = trc_hash_value(f->x2);
	const uint32_t low = trc_hash3(trc_hash_value(x), parts, j);
	const uint32_t context[] = {
		trc_hash2(j, last),
		trc_hash3(j, byte_of(f->x1, 0), parts),
		trc_hash3(j, parts, form),
		trc_hash2(low, form),
		trc_hash3(low, all1, all2),
		trc_hash3(j, (uint32_t)f->x1 & 0xffff, (uint32_t)f->x2 & 0xffff),
		trc_hash3(j, byte_of(f->x1, j), byte_of(f->x2, j)),
		trc_hash3(low, form, all1),
		trc_hash3(j, last, parts),
	};
	const struct trc_symbol s = { BYTE_BITS, BYTE_BITS, { j, 0, j } };

	return trc_symbol_code(&m->byte, &s, context, r);
}

static uint64_t
code_registers(struct trc_op_value_models *m, const struct facts *f, uint64_t v)
{
	const uint32_t parts = code_parts(m, f, trc_value_parts(v));
	uint32_t last = 0;
	uint64_t x = 0;

	for (uint32_t left = parts; left; left &= left - 1) {
		const uint32_t j = (uint32_t)trc_ctz64(left);

		last = code_register(m, f, parts, j, x, last, byte_of(v, j));
		x |= (uint64_t)last << 8 * j;
	}
	return x;
}

static bool
fits(const struct trc_op_column *c, uint64_t v)
{
	return c->width == VALUE_BYTES || v >> 8 * c->width == 0;
}

int
trc_op_columns_code_op(struct trc_program *p, struct trc_op_models *m, size_t i,
                       struct trc_err *err)
{
	if (trc_op_columns_room(p, err))
		return -1;
	for (unsigned k = 0; k < p->columns; k++) {
		struct trc_op_column *c = &p->column[k];
		const struct facts f = find_facts(p, k, i);

		if (c->registers)
			c->of_op[i] = code_registers(&m->column[k], &f, c->of_op[i]);
		else if (code_word(&m->column[k], &f, &c->of_op[i], err))
			return -1;
		if (!fits(c, c->of_op[i]))
			return trc_program_corrupt(err, "bytes of a value");
	}
	return 0;
}

/* ---- values of edges ---- */

static unsigned
place_of(const struct trc_program *p, const struct trc_edge *e)
{
	const uint64_t to = p->op[e->to].pc;

	return to == trc_op_end(p, e->from) ? 0 : to - p->op[e->from].pc - 1 < NEAR ? 1 : 2;
}

static int
code_edge(struct trc_program *p, struct trc_op_models *all, unsigned k, size_t i,
          struct trc_err *err)
{
	struct trc_op_column *c = &p->column[k];
	struct trc_op_value_models *m = &all->column[k];
	const uint64_t of_op = c->of_op[p->edge[i].from];
	const unsigned place = place_of(p, &p->edge[i]), class = of_op & 255;
	struct trc_rc *rc = &all->with.rc;
	uint64_t *v = &c->of_edge[i];

	if (trc_rc_bit(rc, &m->same[place][class], *v == of_op)) {
		*v = of_op;
		return 0;
	}
	if (trc_rc_bit(rc, &m->again[place][class], *v == m->other[class]))
		*v = m->other[class];
	else
		*v = trc_rc_num(rc, &m->number, *v);
	m->other[class] = *v;
	return fits(c, *v) ? 0 : trc_program_corrupt(err, "a value");
}

int
trc_op_columns_code_edges(struct trc_program *p, struct trc_op_models *m, size_t first,
                          struct trc_err *err)
{
	if (trc_op_columns_room(p, err))
		return -1;
	for (unsigned k = 0; k < p->columns; k++)
		for (size_t i = first; i < p->edges; i++)
			if (code_edge(p, m, k, i, err))
				return -1;
	return 0;
}

/* ---- columns of a program ---- */

void
trc_op_columns_add(struct trc_program *p, uint8_t name, uint8_t width, bool registers)
{
	p->column[p->columns++] =
	        (struct trc_op_column){ .name = name, .width = width, .registers = registers };
}

void
trc_op_columns_keep(struct trc_program *p, unsigned keep)
{
	const unsigned n = p->columns;

	p->columns = 0;
	for (unsigned k = 0; k < n; k++) {
		struct trc_op_column *to = &p->column[p->columns], c = p->column[k];

		p->column[k] = *to;
		*to = c;
		p->columns += keep >> k & 1;
	}
	for (unsigned k = p->columns; k < n; k++) {
		free(p->column[k].of_op);
		free(p->column[k].of_edge);
		p->column[k] = (struct trc_op_column){ 0 };
	}
}

static int
grow(uint64_t **v, size_t *cap, size_t from, size_t n, struct trc_err *err)
{
	if (trc_grow(v, cap, n, sizeof(**v), err))
		return -1;
	if (n > from)
		memset(*v + from, 0, (n - from) * sizeof(**v));
	return 0;
}

int
trc_op_columns_room(struct trc_program *p, struct trc_err *err)
{
	for (unsigned k = 0; k < p->columns; k++) {
		struct trc_op_column *c = &p->column[k];

		if (grow(&c->of_op, &c->op_cap, c->ops, p->ops, err) ||
		    grow(&c->of_edge, &c->edge_cap, c->edges, p->edges, err))
			return -1;
		c->ops = p->ops;
		c->edges = p->edges;
	}
	return 0;
}
