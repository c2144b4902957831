/* SPDX-License-Identifier: MIT
 * The growing arrays of a program. */
#include "codec/growth/program.h"

#include <stdlib.h>

void
trc_program_release(struct trc_program *p)
{
	free(p->models);
	trc_op_models_close(p->op_models);
	for (int k = 0; k < TRC_OP_COLUMNS; k++) {
		free(p->column[k].of_op);
		free(p->column[k].of_edge);
	}
	free(p->shape);
	free(p->op);
	free(p->edge);
	free(p->slot);
	*p = (struct trc_program){ .version = p->version + 1 };
}

static void
copy_items(void *to, const void *from, size_t n, size_t size)
{
	if (n > 0)
		memcpy(to, from, n * size);
}

static int
copy_columns(struct trc_program *to, const struct trc_program *from, struct trc_err *err)
{
	to->columns = from->columns;
	for (unsigned k = 0; k < from->columns; k++) {
		const struct trc_op_column *f = &from->column[k];
		struct trc_op_column *t = &to->column[k];

		if (trc_grow(&t->of_op, &t->op_cap, f->ops, sizeof(*t->of_op), err) ||
		    trc_grow(&t->of_edge, &t->edge_cap, f->edges, sizeof(*t->of_edge), err))
			return -1;
		copy_items(t->of_op, f->of_op, f->ops, sizeof(*t->of_op));
		copy_items(t->of_edge, f->of_edge, f->edges, sizeof(*t->of_edge));
		t->ops = f->ops;
		t->edges = f->edges;
		t->name = f->name;
		t->width = f->width;
		t->registers = f->registers;
	}
	return 0;
}

int
trc_program_go_on(struct trc_program *to, struct trc_program *from, struct trc_err *err)
{
	if (trc_grow(&to->shape, &to->shape_cap, from->shapes, sizeof(*to->shape), err) ||
	    trc_grow(&to->op, &to->op_cap, from->ops, sizeof(*to->op), err) ||
	    trc_grow(&to->edge, &to->edge_cap, from->edges, sizeof(*to->edge), err) ||
	    trc_grow(&to->slot, &to->slot_cap, from->slots, sizeof(*to->slot), err))
		return -1;
	copy_items(to->shape, from->shape, from->shapes, sizeof(*to->shape));
	copy_items(to->op, from->op, from->ops, sizeof(*to->op));
	copy_items(to->edge, from->edge, from->edges, sizeof(*to->edge));
	copy_items(to->slot, from->slot, from->slots, sizeof(*to->slot));
	to->shapes = from->shapes;
	to->ops = from->ops;
	to->edges = from->edges;
	to->slots = from->slots;
	to->lengths = from->lengths;
	to->version = from->version;
	to->coded = from->coded;
	if (copy_columns(to, from, err))
		return -1;
	to->models = from->models;
	from->models = NULL;
	to->op_models = from->op_models;
	from->op_models = NULL;
	return 0;
}

size_t
trc_program_memory(const struct trc_program *p)
{
	return p->shapes * sizeof(*p->shape) + p->ops * sizeof(*p->op) +
	       p->edges * sizeof(*p->edge) + p->slots * sizeof(*p->slot) +
	       p->columns * (p->ops + p->edges) * sizeof(uint64_t);
}

int
trc_program_add_shape(struct trc_program *p, const struct trc_shape *s, struct trc_err *err)
{
	if (trc_grow(&p->shape, &p->shape_cap, p->shapes + 1, sizeof(*p->shape), err))
		return -1;
	p->shape[p->shapes++] = *s;
	return 0;
}

int
trc_program_add_op(struct trc_program *p, uint64_t pc, uint32_t shape, struct trc_err *err)
{
	const size_t slots = p->slots + p->shape[shape].data;

	if (trc_grow(&p->op, &p->op_cap, p->ops + 1, sizeof(*p->op), err) ||
	    trc_grow(&p->slot, &p->slot_cap, slots, sizeof(*p->slot), err))
		return -1;
	p->op[p->ops++] = (struct trc_op){ .pc = pc,
		                           .shape = shape & 0xffffff,
		                           .length = TRC_LENGTH,
		                           .slot = (uint32_t)p->slots,
		                           .edge = TRC_NONE,
		                           .edge_last = TRC_NONE,
		                           .left = TRC_NONE };
	for (; p->slots < slots; p->slots++)
		p->slot[p->slots] = (struct trc_slot){ 0 };
	return 0;
}

int
trc_program_add_edge(struct trc_program *p, uint32_t from, uint32_t to, struct trc_err *err)
{
	struct trc_op *op = &p->op[from];

	if (trc_grow(&p->edge, &p->edge_cap, p->edges + 1, sizeof(*p->edge), err))
		return -1;
	p->edge[p->edges] = (struct trc_edge){ from, to, TRC_NONE };
	if (op->edges++ == 0)
		op->edge = (uint32_t)p->edges;
	else
		p->edge[op->edge_last].next = (uint32_t)p->edges;
	op->edge_last = (uint32_t)p->edges++;
	return 0;
}

bool
trc_shape_finish(struct trc_shape *s)
{
	s->fetch = trc_row_is_fetch(s->type[0]);
	s->data = (uint8_t)(s->rows - s->fetch);
	for (unsigned i = 1; i < s->rows; i++)
		if (trc_row_is_fetch(s->type[i]))
			return false;
	return s->data <= TRC_SHAPE_DATA;
}
