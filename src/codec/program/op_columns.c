/* SPDX-License-Identifier: MIT
 * Values of columns by op and by edge: one code for both directions. */
#include "codec/program/op_columns.h"

#include <stdlib.h>

#include "codec/mixing/predictor.h"

enum {
	LINE_BITS = 16, /* 4 MiB of bit histories */
	VALUE_BYTES = 8,
	SIZE_BITS = 4, /* of how many bytes a value has */
	SIZES = 1 << SIZE_BITS,
	LEFT = 16, /* bytes to the end of an instruction, from here on all alike */
	NEAR = 16,
	PLACES = 3, /* where an edge leads */
	CLASSES = 256,
	BYTE_NODES = 256,
};

static const struct trc_predictor_row size_row = {
	.contexts = 6, .map_sets = 1, .mixers = { SIZES, 1, 1 }, .apms = { SIZES, 1 }
};

static const struct trc_predictor_row byte_row = {
	.contexts = 12,
	.map_sets = 1,
	.mixers = { VALUE_BYTES * BYTE_NODES, LEFT *BYTE_NODES, VALUE_BYTES },
	.apms = { VALUE_BYTES * BYTE_NODES, LEFT *BYTE_NODES },
};

/* Models of one column. */
struct models {
	struct trc_predictor size, byte;
	struct trc_bit same[PLACES][CLASSES], as_last[PLACES][CLASSES];
	struct trc_num number;
	uint64_t other[CLASSES]; /* the last value of an edge that was not that of its op */
};

struct trc_op_column_models {
	struct trc_predictors with;
	struct models column[TRC_OP_COLUMNS];
};

void
trc_op_column_models_close(struct trc_op_column_models *m)
{
	if (!m)
		return;
	for (int k = 0; k < TRC_OP_COLUMNS; k++) {
		trc_predictor_release(&m->column[k].size);
		trc_predictor_release(&m->column[k].byte);
	}
	trc_predictors_release(&m->with);
	free(m);
}

static int
init_column(struct models *m, struct trc_predictors *with, unsigned k, struct trc_err *err)
{
	trc_bits_init(m->same, sizeof(m->same) + sizeof(m->as_last));
	trc_num_init(&m->number, 1);
	return trc_predictor_init(&m->size, with, 2 * k, &size_row, err) ||
	                       trc_predictor_init(&m->byte, with, 2 * k + 1, &byte_row, err) ?
	               -1 :
	               0;
}

/* The models of a program, made when it grows first. */
static struct trc_op_column_models *
models_of(struct trc_program *p, struct trc_err *err)
{
	struct trc_op_column_models *m = p->column_models;
	int failed;

	if (m)
		return m;
	m = trc_alloc(1, sizeof(*m), err);
	if (!m)
		return NULL;
	failed = trc_predictors_init(&m->with, LINE_BITS, err);
	for (unsigned k = 0; !failed && k < p->columns; k++)
		failed = init_column(&m->column[k], &m->with, k, err);
	if (failed) {
		trc_op_column_models_close(m);
		return NULL;
	}
	return p->column_models = m;
}

/* ---- the value of an op ---- */

/* What the value of an op is predicted from. */
struct facts {
	uint64_t before[2];
	uint32_t other, shape, shape_before, size;
	bool falls; /* through, to what is behind it, before it goes anywhere else */
};

static void
find_facts(const struct trc_program *p, unsigned k, size_t i, struct facts *f)
{
	const struct trc_op *op = &p->op[i];
	const struct trc_op_column *c = &p->column[k];

	*f = (struct facts){ .shape = op->shape };
	f->size = (uint32_t)(trc_op_end(p, (uint32_t)i) - op->pc);
	if (i > 0) {
		f->before[0] = c->of_op[i - 1];
		f->shape_before = p->op[i - 1].shape;
	}
	if (i > 1)
		f->before[1] = c->of_op[i - 2];
	if (k > 0)
		f->other = (uint32_t)c[-1].of_op[i] & 0xffff;
	f->falls = op->edge != TRC_NONE && p->op[p->edge[op->edge].to].pc == op->pc + f->size;
}

static uint32_t
bytes_of(uint64_t v)
{
	return (uint32_t)(71 - trc_clz64(v)) / 8;
}

static uint32_t
hash2(uint32_t a, uint32_t b)
{
	return trc_hash(b, trc_hash(a, 0));
}

static uint32_t
hash3(uint32_t a, uint32_t b, uint32_t c)
{
	return trc_hash(c, hash2(a, b));
}

static uint32_t
fold(uint64_t v)
{
	return hash2((uint32_t)v, (uint32_t)(v >> 32));
}

static uint32_t
code_size(struct models *m, const struct facts *f, uint32_t size)
{
	const uint64_t x1 = f->before[0];
	const uint32_t all = fold(x1), shape = hash2(f->shape, f->size);
	const uint32_t context[] = {
		hash2(shape, f->other),
		hash3(bytes_of(x1), bytes_of(f->before[1]), f->shape),
		hash2(all, f->size),
		hash3((uint32_t)x1 & 255, f->shape, f->other),
		hash2(shape, f->shape_before),
		hash2(all, shape),
	};
	unsigned node = 1;

	trc_predictor_find_path(&m->size, 1, context);
	for (unsigned b = SIZE_BITS; b-- > 0;) {
		const struct trc_select s = { .mixer = { node, 0, 0 }, .apm = { node, 0 } };

		node = node * 2 + trc_predictor_code(&m->size, node, &s, size >> b & 1);
	}
	return node - SIZES;
}

/* The contexts of byte `j`, of a value of `size` bytes of which those in `known` came. */
static void
set_contexts(const struct facts *f, uint32_t size, uint32_t j, uint64_t known, uint32_t *context)
{
	const uint32_t low = fold(known | UINT64_C(1) << 8 * j), shape = hash2(f->shape, f->size);
	const uint32_t last = j > 0 ? known >> 8 * (j - 1) & 255 : 0;
	const uint32_t last2 = j > 1 ? known >> 8 * (j - 2) & 0xffff : last;
	const uint32_t x1 = (uint32_t)f->before[0] & 0xffff;

	context[0] = hash3(low, size, f->size);
	context[1] = hash3(low, shape, f->other);
	context[2] = hash2(low, x1);
	context[3] = hash3(low, fold(f->before[0]), shape);
	context[4] = hash2(j, size);
	context[5] = hash3(j, last, shape);
	context[6] = hash3(j, size, shape);
	context[7] = hash3(low, shape, x1);
	context[8] = hash2(known & 255, j);
	context[9] = hash3(j, f->before[0] >> 8 * j & 255, f->before[1] >> 8 * j & 255);
	context[10] = hash2(j, last2);
	context[11] = hash3(low, f->falls, hash2(f->shape, f->shape_before));
}

static uint32_t
code_byte(struct models *m, const struct facts *f, uint32_t size, uint32_t j, uint64_t known,
          uint32_t byte)
{
	const uint32_t left = f->size > j && f->size - j < LEFT ? f->size - j : 0;
	uint32_t context[TRC_CONTEXTS], node = 1, all = 1;

	set_contexts(f, size, j, known, context);
	for (unsigned b = 8; b-- > 0;) {
		const unsigned by_j = j * BYTE_NODES + all, by_left = left * BYTE_NODES + all;
		const struct trc_select s = { .mixer = { by_j, by_left, j },
			                      .apm = { by_j, by_left } };
		unsigned bit;

		if (b % 4 == 3) {
			trc_predictor_find_path(&m->byte, all, context);
			node = 1;
		}
		bit = trc_predictor_code(&m->byte, node, &s, byte >> b & 1);
		node = node * 2 + bit;
		all = all * 2 + bit;
	}
	return all - BYTE_NODES;
}

static int
code_op(struct trc_program *p, struct trc_op_column_models *all, unsigned k, size_t i,
        struct trc_err *err)
{
	const uint8_t width = p->column[k].width;
	struct models *m = &all->column[k];
	uint64_t *v = &p->column[k].of_op[i], known = 0;
	struct facts f;
	uint32_t size;

	find_facts(p, k, i, &f);
	size = code_size(m, &f, bytes_of(*v));
	if (size > width)
		return trc_program_corrupt(err, "bytes of a value");
	for (uint32_t j = 0; j < size; j++)
		known |= (uint64_t)code_byte(m, &f, size, j, known, *v >> 8 * j & 255) << 8 * j;
	*v = known;
	return 0;
}

/* ---- that of an edge ---- */

static unsigned
place_of(const struct trc_program *p, const struct trc_edge *e)
{
	const uint64_t to = p->op[e->to].pc;

	return to == trc_op_end(p, e->from) ? 0 : to - p->op[e->from].pc - 1 < NEAR ? 1 : 2;
}

static int
code_edge(struct trc_program *p, struct trc_op_column_models *all, unsigned k, size_t i,
          struct trc_err *err)
{
	struct trc_op_column *c = &p->column[k];
	struct models *m = &all->column[k];
	const uint64_t of_op = c->of_op[p->edge[i].from];
	const unsigned place = place_of(p, &p->edge[i]), class = of_op & 255;
	struct trc_rc *rc = &all->with.rc;
	uint64_t *v = &c->of_edge[i];

	if (trc_rc_bit(rc, &m->same[place][class], *v == of_op)) {
		*v = of_op;
		return 0;
	}
	if (trc_rc_bit(rc, &m->as_last[place][class], *v == m->other[class]))
		*v = m->other[class];
	else
		*v = trc_rc_num(rc, &m->number, *v);
	m->other[class] = *v;
	if (c->width < VALUE_BYTES && *v >> 8 * c->width != 0)
		return trc_program_corrupt(err, "a value");
	return 0;
}

static int
code(struct trc_program *p, struct trc_op_column_models *m, size_t ops, size_t edges,
     struct trc_err *err)
{
	for (unsigned k = 0; k < p->columns; k++) {
		for (size_t i = ops; i < p->ops; i++)
			if (code_op(p, m, k, i, err))
				return -1;
		for (size_t i = edges; i < p->edges; i++)
			if (code_edge(p, m, k, i, err))
				return -1;
	}
	return 0;
}

/* ---- of a program ---- */

void
trc_op_columns_add(struct trc_program *p, uint8_t name, uint8_t width)
{
	p->column[p->columns++] = (struct trc_op_column){ .name = name, .width = width };
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

int
trc_op_columns_write(struct trc_program *p, size_t ops, size_t edges, struct trc_buf *out,
                     struct trc_err *err)
{
	struct trc_op_column_models *m;

	if (p->columns == 0 || (ops == p->ops && edges == p->edges))
		return 0;
	m = models_of(p, err);
	if (!m)
		return -1;
	trc_rc_write(&m->with.rc, out);
	if (code(p, m, ops, edges, err))
		return -1;
	return trc_rc_finish(&m->with.rc, err);
}

int
trc_op_columns_read(struct trc_program *p, size_t ops, size_t edges, struct trc_view in,
                    struct trc_err *err)
{
	struct trc_op_column_models *m;

	if (trc_op_columns_room(p, err))
		return -1;
	if (p->columns == 0 || (ops == p->ops && edges == p->edges))
		return 0;
	m = models_of(p, err);
	if (!m)
		return -1;
	trc_rc_read(&m->with.rc, in.p, in.end);
	if (code(p, m, ops, edges, err))
		return -1;
	return trc_rc_overrun(&m->with.rc) ? trc_program_corrupt(err, "values end early") : 0;
}
