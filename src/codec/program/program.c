/* SPDX-License-Identifier: MIT
 *
 * The growth of a program:
 *
 *   counts  new shapes, ops and edges (LEB128)
 *   coded   shapes: number of rows; for each its type and size. Edges and ops. Slots
 */
#include "codec/program/program.h"

#include <stdlib.h>

#include "codec/entropy/corrupt.h"
#include "codec/program/edges.h"
#include "codec/program/slots.h"

struct trc_program_models {
	struct trc_num rows, size[32];
	struct trc_bit type[33][32];
	struct trc_edge_models edges;
	struct trc_slot_models slots;
};

int
trc_program_corrupt(struct trc_err *err, const char *what)
{
	return trc_corrupt_in(err, "the program part of a block is damaged", what);
}

int
trc_program_init(struct trc_program *p, struct trc_err *err)
{
	*p = (struct trc_program){ .version = p->version + 1 };
	p->models = trc_alloc_room(1, sizeof(*p->models), err);
	if (!p->models)
		return -1;
	trc_bits_init(p->models, offsetof(struct trc_program_models, edges));
	trc_edge_models_init(&p->models->edges);
	trc_slot_models_init(&p->models->slots);
	return 0;
}

void
trc_program_release(struct trc_program *p)
{
	free(p->models);
	free(p->shape);
	free(p->op);
	free(p->edge);
	free(p->slot);
	*p = (struct trc_program){ .version = p->version };
}

static void
copy_items(void *to, const void *from, size_t n, size_t size)
{
	if (n > 0)
		memcpy(to, from, n * size);
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
	to->version = from->version;
	to->coded_shapes = from->coded_shapes;
	to->coded_ops = from->coded_ops;
	to->coded_edges = from->coded_edges;
	to->coded_slots = from->coded_slots;
	to->models = from->models;
	from->models = NULL;
	return 0;
}

size_t
trc_program_memory(const struct trc_program *p)
{
	return p->shapes * sizeof(*p->shape) + p->ops * sizeof(*p->op) +
	       p->edges * sizeof(*p->edge) + p->slots * sizeof(*p->slot);
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
	p->op[p->ops++] = (struct trc_op){ pc, shape,   (uint32_t)p->slots, TRC_NONE, TRC_NONE,
		                           0,  TRC_NONE };
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

static int
code_shape(struct trc_rc *rc, struct trc_program_models *m, struct trc_shape *s,
           struct trc_err *err)
{
	unsigned before = 32;

	s->rows = (uint8_t)trc_rc_num(rc, &m->rows, s->rows);
	if (s->rows < 1 || s->rows > TRC_SHAPE_ROWS)
		return trc_program_corrupt(err, "rows of a shape");
	for (unsigned i = 0; i < s->rows; i++) {
		s->type[i] = (uint8_t)trc_rc_tree(rc, m->type[before], 5, s->type[i]);
		s->size[i] = (uint32_t)trc_rc_num(rc, &m->size[s->type[i]], s->size[i]);
		before = s->type[i];
	}
	return 0;
}

/* What of a shape follows from its rows; false if it is none. */
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

static int
code_shapes(struct trc_program *p, struct trc_rc *rc, size_t n, struct trc_err *err)
{
	for (size_t i = 0; i < n; i++) {
		struct trc_shape s = { 0 };

		if (rc->out)
			s = p->shape[p->coded_shapes + i];
		if (code_shape(rc, p->models, &s, err))
			return -1;
		if (rc->out)
			continue;
		if (!trc_shape_finish(&s))
			return trc_program_corrupt(err, "types of a shape");
		if (trc_program_add_shape(p, &s, err))
			return -1;
	}
	return 0;
}

static int
code(struct trc_program *p, struct trc_rc *rc, size_t shapes, size_t ops, size_t edges,
     const struct trc_slot_ways *ways, struct trc_err *err)
{
	struct trc_program_models *m = p->models;

	if (code_shapes(p, rc, shapes, err) || trc_edges_code(p, &m->edges, rc, ops, edges, err) ||
	    trc_slots_code(p, &m->slots, rc, p->coded_ops, ways, err))
		return -1;
	p->coded_shapes = p->shapes;
	p->coded_ops = p->ops;
	p->coded_edges = p->edges;
	p->coded_slots = p->slots;
	return 0;
}

int
trc_program_write(struct trc_program *p, const struct trc_slot_ways *ways, struct trc_buf *out,
                  struct trc_err *err)
{
	const size_t shapes = p->shapes - p->coded_shapes, ops = p->ops - p->coded_ops;
	const size_t edges = p->edges - p->coded_edges;
	struct trc_rc rc;

	if (ops == 0 && edges == 0)
		return 0;
	if (trc_buf_put_num(out, shapes, err) || trc_buf_put_num(out, ops, err) ||
	    trc_buf_put_num(out, edges, err))
		return -1;
	trc_rc_write(&rc, out);
	if (code(p, &rc, shapes, ops, edges, ways, err))
		return -1;
	return trc_rc_finish(&rc, err);
}

/* Makes room at once for what is to come, in so many bytes; not for what nobody would tell so
 * shortly. */
static int
reserve(struct trc_program *p, size_t ops, size_t edges, size_t bytes, struct trc_err *err)
{
	enum { SHORTEST = 16 }; /* items a byte, mostly 1 to 4 */
	const size_t most = SHORTEST * bytes;

	ops = ops < most ? ops : most;
	edges = edges < most ? edges : most;
	return trc_grow(&p->op, &p->op_cap, p->ops + ops, sizeof(*p->op), err) ||
	                       trc_grow(&p->edge, &p->edge_cap, p->edges + edges, sizeof(*p->edge),
	                                err) ?
	               -1 :
	               0;
}

int
trc_program_read(struct trc_program *p, const uint8_t *data, size_t n, struct trc_err *err)
{
	struct trc_view v = { data, data + n };
	uint64_t shapes, ops, edges;
	struct trc_rc rc;

	if (n == 0)
		return 0;
	if (!trc_view_num(&v, &shapes) || !trc_view_num(&v, &ops) || !trc_view_num(&v, &edges) ||
	    shapes > TRC_SHAPES_MOST - p->shapes || ops > TRC_PROGRAM_MOST - p->ops ||
	    edges > TRC_EDGES_MOST - p->edges)
		return trc_program_corrupt(err, "counts");
	p->version++;
	if (reserve(p, (size_t)ops, (size_t)edges, n, err))
		return -1;
	trc_rc_read(&rc, v.p, v.end);
	if (code(p, &rc, (size_t)shapes, (size_t)ops, (size_t)edges, NULL, err))
		return -1;
	return trc_rc_overrun(&rc) ? trc_program_corrupt(err, "it ends early") : 0;
}
