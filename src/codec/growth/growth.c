/* SPDX-License-Identifier: MIT
 * The growth of a program: its counts as plain numbers, followed by its items in the range
 * coder. */
#include "codec/growth/growth.h"

#include <string.h>

#include "codec/growth/edges.h"
#include "codec/growth/op_columns.h"
#include "codec/growth/op_models.h"
#include "codec/growth/op_slots.h"

/* The adaptive bit models of all parts of a growth; they live as long as the program. */
struct trc_growth_models {
	struct trc_num rows;
	struct trc_bit type[33][32];
	struct trc_num size[32]; /* initialised on first use: most types never occur */
	bool made[32];
	struct trc_edge_models edges;
	struct trc_slot_models slots;
};

/* Returns the models of a program, creating them on its first growth. */
static struct trc_growth_models *
models_of(struct trc_program *p, struct trc_err *err)
{
	struct trc_growth_models *m = p->models;

	if (m)
		return m;
	m = trc_alloc_room(1, sizeof(*m), err);
	if (!m)
		return NULL;
	trc_bits_init(m, offsetof(struct trc_growth_models, size));
	memset(m->made, 0, sizeof(m->made));
	trc_edge_models_init(&m->edges);
	trc_slot_models_init(&m->slots);
	return p->models = m;
}

static int
code_shape(struct trc_rc *rc, struct trc_growth_models *m, struct trc_shape *s, struct trc_err *err)
{
	unsigned before = 32;
	struct trc_num *size;

	s->rows = (uint8_t)trc_rc_num(rc, &m->rows, s->rows);
	if (s->rows < 1 || s->rows > TRC_SHAPE_ROWS)
		return trc_program_corrupt(err, "rows of a shape");
	for (unsigned i = 0; i < s->rows; i++) {
		s->type[i] = (uint8_t)trc_rc_tree(rc, m->type[before], 5, s->type[i]);
		size = &m->size[s->type[i]];
		trc_bits_first(size->len, sizeof(*size), &m->made[s->type[i]]);
		s->size[i] = (uint32_t)trc_rc_num(rc, size, s->size[i]);
		before = s->type[i];
	}
	return 0;
}

static int
code_shapes(struct trc_program *p, struct trc_growth_models *m, struct trc_rc *rc, size_t n,
            struct trc_err *err)
{
	for (size_t i = 0; i < n; i++) {
		struct trc_shape s = { 0 };

		if (rc->out)
			s = p->shape[p->coded.shapes + i];
		if (code_shape(rc, m, &s, err))
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

/* Codes everything after the shapes with the range coder of the predictors. */
static int
code_by_op(struct trc_program *p, struct trc_growth_models *m, struct trc_rc *rc, size_t ops,
           size_t edges, const struct trc_slot_modes *modes, struct trc_err *err)
{
	struct trc_op_models *by_op = trc_op_models_of(p, err);

	if (!by_op)
		return -1;
	by_op->with.rc = *rc;
	if (trc_edges_code(p, &m->edges, &by_op->with.rc, ops, edges, err) ||
	    trc_op_columns_code_edges(p, by_op, p->coded.edges, err) ||
	    trc_op_slots_code(p, by_op, p->coded.ops, modes, err))
		return -1;
	*rc = by_op->with.rc;
	return 0;
}

static int
code(struct trc_program *p, struct trc_rc *rc, size_t shapes, size_t ops, size_t edges,
     const struct trc_slot_modes *modes, struct trc_err *err)
{
	struct trc_growth_models *m = models_of(p, err);

	if (!m || code_shapes(p, m, rc, shapes, err))
		return -1;
	if (p->columns > 0 ? code_by_op(p, m, rc, ops, edges, modes, err) :
	                     trc_edges_code(p, &m->edges, rc, ops, edges, err) ||
	                             trc_slots_code(p, &m->slots, rc, p->coded.ops, modes, err))
		return -1;
	p->coded.shapes = p->shapes;
	p->coded.ops = p->ops;
	p->coded.edges = p->edges;
	p->coded.slots = p->slots;
	return 0;
}

int
trc_growth_begin(struct trc_program *p, struct trc_err *err)
{
	return models_of(p, err) ? 0 : -1;
}

int
trc_growth_write(struct trc_program *p, const struct trc_slot_modes *modes, struct trc_buf *out,
                 struct trc_err *err)
{
	const size_t shapes = p->shapes - p->coded.shapes, ops = p->ops - p->coded.ops;
	const size_t edges = p->edges - p->coded.edges;
	struct trc_rc rc;

	if (ops == 0 && edges == 0)
		return 0;
	if (trc_buf_put_num(out, shapes, err) || trc_buf_put_num(out, ops, err) ||
	    trc_buf_put_num(out, edges, err))
		return -1;
	trc_rc_write(&rc, out);
	if (code(p, &rc, shapes, ops, edges, modes, err))
		return -1;
	return trc_rc_finish(&rc, err);
}

/* Allocates room for the items that follow in `bytes` bytes, but not more than these can
 * contain. */
static int
reserve(struct trc_program *p, size_t ops, size_t edges, size_t bytes, struct trc_err *err)
{
	enum { SHORTEST = 16 }; /* most items per byte; typically 1 to 4 */
	const size_t most = SHORTEST * bytes;

	ops = ops < most ? ops : most;
	edges = edges < most ? edges : most;
	if (trc_grow(&p->op, &p->op_cap, p->ops + ops, sizeof(*p->op), err) ||
	    trc_grow(&p->edge, &p->edge_cap, p->edges + edges, sizeof(*p->edge), err))
		return -1;
	return 0;
}

int
trc_growth_read(struct trc_program *p, const uint8_t *data, size_t n, struct trc_err *err)
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
	if (trc_rc_overrun(&rc))
		return trc_program_corrupt(err, "it ends early");
	return trc_rc_ended(&rc) ? 0 : trc_program_corrupt(err, "something left over");
}
