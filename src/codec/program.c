/* SPDX-License-Identifier: MIT
 *
 * The growth of a program, range coded:
 *
 *   counts  new shapes, ops (LEB128); whatever else there is follows from them
 *   shapes  number of rows; for each its type and size
 *   ops     in order of first appearance: shape, given the shape before, in as many bits as shapes
 *           have (the first decisions of a larger tree are left out); pc, which mostly follows
 *           that of the op before, or is a fall-through that was left open, or else a difference
 *   edges   of new ops: whether one, else how many; whether the first leads to the next new op,
 *           where the others lead; of older ops: a list
 *   slots   of new ops: mode, given type and the mode before; residual if it was constant
 */
#include "codec/program.h"

#include <stdlib.h>

enum {
	SHAPE_BITS = 8,
	SHAPE_ESCAPE = (1 << SHAPE_BITS) - 1,
	MODE_BITS = 5,
	EDGES_BITS = 3,
	EDGES_ESCAPE = (1 << EDGES_BITS) - 1,
	RESIDUALS = 5, /* absolute, self, 1 back, 2 back, further back */
};

_Static_assert(TRC_MODES <= 1 << MODE_BITS, "a mode has MODE_BITS bits");
_Static_assert(TRC_OPEN == 16, "an open fall-through is named by four bits");

struct trc_program_models {
	/* Shapes. */
	struct trc_num rows, size[32];
	struct trc_bit type[33][32];
	/* Ops. */
	struct trc_bit shape[1 << SHAPE_BITS][1 << SHAPE_BITS];
	struct trc_num shape_far;
	struct trc_bit sequential[2][1 << SHAPE_BITS], open[2], open_index[16];
	struct trc_num jump;
	/* Edges. */
	struct trc_bit one_edge[2][1 << SHAPE_BITS], first_next[2][1 << SHAPE_BITS];
	struct trc_bit edges[2][1 << SHAPE_BITS][1 << EDGES_BITS];
	struct trc_num edges_many, to_near, to_far, from;
	/* Slots. */
	struct trc_bit mode[2][TRC_MODES][1 << MODE_BITS], constant[2][TRC_MODES];
	struct trc_num residual[RESIDUALS][2];

	/* Where coding stands. */
	uint32_t last_shape;
	uint64_t last_pc, next_pc, last_absolute;
	bool was_sequential;
	uint8_t last_mode;
	uint64_t open_pc[TRC_OPEN];
};

int
trc_program_init(struct trc_program *p, struct trc_err *err)
{
	struct trc_bit *bit;

	*p = (struct trc_program){ .version = p->version + 1 };
	p->models = trc_alloc(1, sizeof(*p->models), err);
	if (!p->models)
		return -1;
	bit = (struct trc_bit *)(void *)p->models;
	for (size_t i = 0; i < offsetof(struct trc_program_models, last_shape) / sizeof(*bit); i++)
		bit[i] = TRC_BIT_EVEN;
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
	p->op[p->ops++] = (struct trc_op){ pc,       shape,    (uint32_t)p->slots,
		                           TRC_NONE, TRC_NONE, 0 };
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
	p->edge[p->edges] = (struct trc_edge){ to, TRC_NONE };
	if (op->edges++ == 0)
		op->edge = (uint32_t)p->edges;
	else
		p->edge[op->edge_last].next = (uint32_t)p->edges;
	op->edge_last = (uint32_t)p->edges++;
	return 0;
}

static int
damaged(struct trc_err *err, const char *what)
{
	return trc_fail(err, "the program part of a block is damaged (%s)", what);
}

static int
code_shape(struct trc_rc *rc, struct trc_program_models *m, struct trc_shape *s,
           struct trc_err *err)
{
	unsigned before = 32;

	s->rows = (uint8_t)trc_rc_num(rc, &m->rows, s->rows);
	if (s->rows < 1 || s->rows > TRC_SHAPE_ROWS)
		return damaged(err, "rows of a shape");
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
	s->fetch = (s->type[0] & 15) == 2;
	s->data = (uint8_t)(s->rows - s->fetch);
	for (unsigned i = 1; i < s->rows; i++)
		if ((s->type[i] & 15) == 2)
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
			return damaged(err, "types of a shape");
		if (trc_program_add_shape(p, &s, err))
			return -1;
	}
	return 0;
}

/* A context for what follows an op of this shape. */
static unsigned
context_of(uint32_t shape)
{
	return shape < SHAPE_ESCAPE ? shape : SHAPE_ESCAPE;
}

/* How many bits a shape has in a program of so many. */
static int
bits_of_shape(size_t shapes)
{
	return 64 - trc_clz64(context_of((uint32_t)shapes - 1));
}

static uint32_t
code_shape_of_op(struct trc_rc *rc, struct trc_program_models *m, int bits, uint32_t shape)
{
	struct trc_bit *model = m->shape[context_of(m->last_shape)];
	const uint32_t got = trc_rc_branch(rc, model, SHAPE_BITS, bits, context_of(shape));

	if (got < SHAPE_ESCAPE)
		return got;
	return got + (uint32_t)trc_rc_num(rc, &m->shape_far, shape - SHAPE_ESCAPE);
}

static unsigned
find_open(const struct trc_program_models *m, uint64_t pc)
{
	for (unsigned i = 0; i < TRC_OPEN; i++)
		if (m->open_pc[i] == pc)
			return i;
	return TRC_OPEN;
}

/* The pc of an op that does not follow the one before: a fall-through that was left open, the last
 * one first, or a difference. The one left now joins them. */
static uint64_t
code_jump(struct trc_rc *rc, struct trc_program_models *m, uint64_t pc)
{
	unsigned i = find_open(m, pc);
	uint64_t got;

	if (trc_rc_bit(rc, &m->open[m->was_sequential], i < TRC_OPEN)) {
		i = trc_rc_tree(rc, m->open_index, 4, i);
		got = m->open_pc[i];
		memmove(&m->open_pc[i], &m->open_pc[i + 1],
		        (TRC_OPEN - 1 - i) * sizeof(m->open_pc[0]));
		m->open_pc[TRC_OPEN - 1] = 0;
	} else {
		got = m->next_pc + trc_unzigzag(trc_rc_num(rc, &m->jump,
		                                           trc_zigzag(pc - m->next_pc)));
	}
	memmove(&m->open_pc[1], &m->open_pc[0], (TRC_OPEN - 1) * sizeof(m->open_pc[0]));
	m->open_pc[0] = m->next_pc;
	return got;
}

static int
code_ops(struct trc_program *p, struct trc_rc *rc, size_t n, struct trc_err *err)
{
	struct trc_program_models *m = p->models;
	const int bits = bits_of_shape(p->shapes);

	for (size_t i = 0; i < n; i++) {
		const struct trc_op *op = rc->out ? &p->op[p->coded_ops + i] : NULL;
		uint32_t shape = code_shape_of_op(rc, m, bits, op ? op->shape : 0);
		uint64_t pc = op ? op->pc : 0, expected;
		const unsigned context = context_of(m->last_shape);

		if (shape >= p->shapes)
			return damaged(err, "shape of an op");
		expected = p->shape[shape].fetch ? m->next_pc : m->last_pc;
		if (trc_rc_bit(rc, &m->sequential[m->was_sequential][context], pc != expected)) {
			pc = code_jump(rc, m, pc);
			m->was_sequential = false;
		} else {
			pc = expected;
			m->was_sequential = true;
		}
		m->last_shape = shape;
		m->last_pc = pc;
		if (p->shape[shape].fetch)
			m->next_pc = pc + (p->shape[shape].size[0] ? p->shape[shape].size[0] : 4);
		else if (pc != expected)
			m->next_pc = pc;
		if (!op && trc_program_add_op(p, pc, shape, err))
			return -1;
		if (!op && p->slots > TRC_SLOTS_MOST)
			return damaged(err, "number of slots");
		if (trc_rc_overrun(rc) > 0)
			return damaged(err, "it ends early");
	}
	return 0;
}

/* Where the edge of `from` leads. */
static uint32_t
code_to(struct trc_rc *rc, struct trc_num *m, uint32_t from, uint32_t to)
{
	return from + (uint32_t)trc_unzigzag(
	                      trc_rc_num(rc, m, trc_zigzag((uint64_t)to - (uint64_t)from)));
}

static int
code_edges_of(struct trc_program *p, struct trc_rc *rc, uint32_t from, uint32_t edge, size_t n,
              bool first_is_next, struct trc_err *err)
{
	if (!rc->out && n > TRC_EDGES_MOST - p->edges)
		return damaged(err, "number of edges");
	for (size_t i = 0; i < n; i++) {
		uint32_t to = rc->out ? p->edge[edge].to : 0;

		if (i == 0 && first_is_next)
			to = from + 1;
		else
			to = code_to(rc, i == 0 ? &p->models->to_near : &p->models->to_far, from,
			             to);
		if (to >= p->ops)
			return damaged(err, "end of an edge");
		if (rc->out)
			edge = p->edge[edge].next;
		else if (trc_program_add_edge(p, from, to, err))
			return -1;
	}
	return 0;
}

/* The edges of an op whose edges all are new. */
static int
code_new_op_edges(struct trc_program *p, struct trc_rc *rc, uint32_t from, struct trc_err *err)
{
	struct trc_program_models *m = p->models;
	const uint32_t shape = p->op[from].shape;
	const unsigned context = context_of(shape);
	/* Whether the op after this in the list follows it in memory. */
	const bool follows = from + 1 < p->ops &&
	                     p->op[from + 1].pc == p->op[from].pc + p->shape[shape].size[0];
	uint64_t n = p->op[from].edges;
	bool next = false;

	if (trc_rc_bit(rc, &m->one_edge[follows][context], n != 1))
		n = trc_rc_tree(rc, m->edges[follows][context], EDGES_BITS,
		                n < EDGES_ESCAPE ? (unsigned)n : EDGES_ESCAPE);
	else
		n = 1;
	if (n == EDGES_ESCAPE)
		n += trc_rc_num(rc, &m->edges_many, p->op[from].edges - (uint64_t)EDGES_ESCAPE);
	if (n > p->ops)
		return damaged(err, "number of edges");
	if (n > 0 && from + 1 < p->ops) {
		next = rc->out && p->edge[p->op[from].edge].to == from + 1;
		next = !trc_rc_bit(rc, &m->first_next[follows][context], !next);
	}
	return code_edges_of(p, rc, from, p->op[from].edge, (size_t)n, next, err);
}

/* The writer's list of older ops that have new edges: their numbers, and the first new edge. */
struct older {
	uint32_t from, edge;
	size_t n;
};

/* New edges of older ops, sorted by op: the writer finds them by going through the new edges. */
static int
find_older(const struct trc_program *p, struct older **list, size_t *n, struct trc_err *err)
{
	size_t cap = 0;

	*list = NULL;
	*n = 0;
	for (uint32_t from = 0; from < p->coded_ops; from++) {
		const struct trc_op *op = &p->op[from];
		struct older o = { from, TRC_NONE, 0 };

		/* New edges are at the end of the list, and have the highest numbers. */
		if (op->edges == 0 || op->edge_last < p->coded_edges)
			continue;
		for (uint32_t e = op->edge; e != TRC_NONE; e = p->edge[e].next)
			if (e >= p->coded_edges)
				o.edge = o.n++ ? o.edge : e;
		if (trc_grow(list, &cap, *n + 1, sizeof(**list), err))
			return -1;
		(*list)[(*n)++] = o;
	}
	return 0;
}

static int
code_older_edges(struct trc_program *p, struct trc_rc *rc, const struct older *list, size_t n,
                 struct trc_err *err)
{
	struct trc_program_models *m = p->models;
	uint64_t from = 0;

	n = (size_t)trc_rc_num(rc, &m->edges_many, n);
	if (n > p->coded_ops)
		return damaged(err, "number of edges");
	for (size_t i = 0; i < n; i++) {
		const struct older o = rc->out ? list[i] : (struct older){ 0 };
		uint64_t edges;

		from += trc_rc_num(rc, &m->from, o.from - from);
		edges = trc_rc_num(rc, &m->edges_many, o.n);
		if (from >= p->coded_ops || edges > p->ops)
			return damaged(err, "start of an edge");
		if (code_edges_of(p, rc, (uint32_t)from, o.edge, (size_t)edges, false, err))
			return -1;
		if (trc_rc_overrun(rc) > 0)
			return damaged(err, "it ends early");
	}
	return 0;
}

static int
code_edges(struct trc_program *p, struct trc_rc *rc, struct trc_err *err)
{
	struct older *list = NULL;
	size_t n = 0;
	int ret = -1;

	for (size_t from = p->coded_ops; from < p->ops; from++)
		if (code_new_op_edges(p, rc, (uint32_t)from, err) || trc_rc_overrun(rc) > 0)
			return trc_rc_overrun(rc) ? damaged(err, "it ends early") : -1;
	if (!rc->out || find_older(p, &list, &n, err) == 0)
		ret = code_older_edges(p, rc, list, n, err);
	free(list);
	return ret;
}

static void
code_slot(struct trc_rc *rc, struct trc_program_models *m, struct trc_slot *s, unsigned type)
{
	const unsigned store = (type & 15) != 0;
	struct trc_num *model;
	uint64_t r;

	s->mode = (uint8_t)trc_rc_tree(rc, m->mode[store][m->last_mode], MODE_BITS, s->mode);
	if (s->mode >= TRC_MODES)
		s->mode = 0;
	m->last_mode = s->mode;
	s->constant = !trc_rc_bit(rc, &m->constant[store][s->mode], !s->constant);
	if (!s->constant)
		return;
	model = &m->residual[s->mode < RESIDUALS ? s->mode : RESIDUALS - 1][store];
	r = trc_zigzag(s->residual - (s->mode == TRC_MODE_ABSOLUTE ? m->last_absolute : 0));
	r = trc_rc_num(rc, model, r);
	s->residual = trc_unzigzag(r);
	if (s->mode == TRC_MODE_ABSOLUTE)
		s->residual = m->last_absolute += s->residual;
}

static int
code_slots(struct trc_program *p, struct trc_rc *rc, struct trc_err *err)
{
	for (size_t i = p->coded_ops; i < p->ops; i++) {
		const struct trc_shape *shape = &p->shape[p->op[i].shape];

		for (unsigned k = 0; k < shape->data; k++)
			code_slot(rc, p->models, &p->slot[p->op[i].slot + k],
			          shape->type[shape->fetch + k]);
		if (trc_rc_overrun(rc) > 0)
			return damaged(err, "it ends early");
	}
	return 0;
}

static int
code(struct trc_program *p, struct trc_rc *rc, size_t shapes, size_t ops, struct trc_err *err)
{
	if (code_shapes(p, rc, shapes, err) || code_ops(p, rc, ops, err) ||
	    code_edges(p, rc, err) || code_slots(p, rc, err))
		return -1;
	p->coded_shapes = p->shapes;
	p->coded_ops = p->ops;
	p->coded_edges = p->edges;
	p->coded_slots = p->slots;
	return 0;
}

int
trc_program_write(struct trc_program *p, struct trc_buf *out, struct trc_err *err)
{
	const size_t shapes = p->shapes - p->coded_shapes, ops = p->ops - p->coded_ops;
	struct trc_rc rc;

	if (ops == 0 && p->edges == p->coded_edges)
		return 0;
	if (trc_buf_put_num(out, shapes, err) || trc_buf_put_num(out, ops, err))
		return -1;
	trc_rc_write(&rc, out);
	if (code(p, &rc, shapes, ops, err))
		return -1;
	return trc_rc_finish(&rc, err);
}

int
trc_program_read(struct trc_program *p, const uint8_t *data, size_t n, struct trc_err *err)
{
	struct trc_view v = { data, data + n };
	uint64_t shapes, ops;
	struct trc_rc rc;

	if (n == 0)
		return 0;
	if (!trc_view_num(&v, &shapes) || !trc_view_num(&v, &ops) ||
	    shapes > TRC_SHAPES_MOST - p->shapes || ops > TRC_PROGRAM_MOST - p->ops)
		return damaged(err, "counts");
	p->version++;
	trc_rc_read(&rc, v.p, v.end);
	if (code(p, &rc, (size_t)shapes, (size_t)ops, err))
		return -1;
	return trc_rc_overrun(&rc) ? damaged(err, "it ends early") : 0;
}
