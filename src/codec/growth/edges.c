/* SPDX-License-Identifier: MIT
 * Codes edges and ops along the path on which they first appeared. */
#include "codec/growth/edges.h"

#include "codec/growth/op_columns.h"
#include "codec/growth/op_models.h"

enum {
	ESCAPE = TRC_EDGE_CONTEXTS - 1,
	FEW = 4,  /* bits of a shape up to which a context includes several shapes */
	UNIT = 4, /* log2 of the unit of jumps */
	NEAR = 3, /* in units */
};

_Static_assert(TRC_OPEN == 16, "an open pc is named by four bits");

/* The state of coding a growth. */
struct coder {
	struct trc_program *p;
	struct trc_edge_models *m;
	struct trc_rc *rc;
	struct trc_op_models *by_op; /* NULL: the program has no columns */
	bool writes;                 /* a compile-time constant */
	struct trc_err *err;
	int bits;           /* in a shape */
	uint32_t next, end; /* number of the next new op; end of the new ops */

	/* The previous edge. */
	uint32_t to;
	bool landed;
	uint64_t back; /* if it landed: the end of the op where it began */

	/* Of the last new op. */
	uint32_t shape;
	uint64_t op_end;
	bool op_known;
};

/* An edge, as far as it is known. */
struct edge {
	uint32_t from, to;
	bool jumps; /* `from` is coded rather than implied */

	/* Of `from`: */
	uint32_t shape;
	uint64_t end;
	bool known; /* `end` is known */
	unsigned class;
};

void
trc_edge_models_init(struct trc_edge_models *m)
{
	const size_t first = offsetof(struct trc_edge_models, shape_far);
	const size_t bits = offsetof(struct trc_edge_models, made) - first;

	trc_bits_init(&m->shape_far, bits);
	memset(&m->made, 0, sizeof(m->made));
	memset(&m->history, 0, offsetof(struct trc_edge_history, known.at[1]));
}

static TRC_ALWAYS_INLINE unsigned
code_bit(struct coder *c, struct trc_bit *m, unsigned bit)
{
	return trc_rc_code_bit(c->rc, c->writes, m, bit);
}

static TRC_ALWAYS_INLINE uint64_t
code_num(struct coder *c, struct trc_num *m, uint64_t v)
{
	return trc_rc_code_num(c->rc, c->writes, m, v);
}

/* Returns a shape as used in contexts. */
static unsigned
context_of(uint32_t shape)
{
	return shape < ESCAPE ? shape : ESCAPE;
}

/* Returns the context for what follows an op of this shape. */
static unsigned
context_behind(const struct coder *c, uint32_t shape)
{
	const unsigned context = context_of(shape);

	return c->bits > FEW ? context : (c->m->history.recent << c->bits | context) & ESCAPE;
}

/* ---- history ---- */

/* Returns the op known at a pc, or TRC_NONE. */
static uint32_t
known_at(const struct coder *c, uint64_t pc)
{
	const struct trc_places *known = &c->m->history.known;
	const uint32_t row = known->row[TRC_PLACE(pc) / TRC_PLACES_ROW];
	const struct trc_place_of_op *p = &known->at[row][TRC_PLACE(pc) % TRC_PLACES_ROW];

	return p->high == (uint32_t)(pc >> 16) ? p->op - 1 : TRC_NONE;
}

static void
know_at(struct trc_places *known, uint64_t pc, uint32_t op)
{
	uint16_t *row = &known->row[TRC_PLACE(pc) / TRC_PLACES_ROW];

	if (*row == 0) {
		*row = ++known->rows;
		memset(known->at[*row], 0, sizeof(known->at[*row]));
	}
	known->at[*row][TRC_PLACE(pc) % TRC_PLACES_ROW] =
	        (struct trc_place_of_op){ 1 + op, (uint32_t)(pc >> 16) };
}

static uint32_t
find_open(const struct trc_edge_history *h, uint64_t pc)
{
	for (uint32_t i = 0; i < h->opens; i++)
		if (h->open[i].pc == pc)
			return i;
	return TRC_OPEN;
}

static void
close_open(struct trc_edge_history *h, uint32_t i)
{
	h->opens--;
	memmove(&h->open[i], &h->open[i + 1], (h->opens - i) * sizeof(h->open[0]));
}

static void
leave_open(struct trc_edge_history *h, uint64_t pc, uint32_t op)
{
	h->opens += h->opens < TRC_OPEN;
	memmove(&h->open[1], &h->open[0], (h->opens - 1) * sizeof(h->open[0]));
	h->open[0].pc = pc;
	h->open[0].op = op;
}

/* ---- new ops ---- */

/* Returns the models for the shape of the op to which an edge leads. */
static struct trc_bit *
shape_models(const struct coder *c, const struct edge *e)
{
	const unsigned context = e->from == TRC_NONE ? 0 : context_behind(c, e->shape);
	const unsigned before = c->m->history.recent & ((1u << c->bits) - 1);

	const unsigned kind = before < TRC_OFTEN ? before : TRC_OFTEN;
	const bool few = c->bits <= FEW || context >= TRC_OFTEN;
	struct trc_bit *models = few ? c->m->shape[context] : c->m->often[context][kind];

	trc_bits_first(models, sizeof(c->m->shape[0]),
	               few ? &c->m->made.shape[context] : &c->m->made.often[context][kind]);
	return models;
}

static TRC_ALWAYS_INLINE uint32_t
code_shape(struct coder *c, const struct edge *e, bool plain, uint32_t shape)
{
	struct trc_edge_models *m = c->m;
	struct trc_bit *models = shape_models(c, e);
	uint32_t got;

	if (e->from != TRC_NONE)
		m->history.recent = m->history.recent << c->bits | context_of(e->shape);
	got = c->by_op ? trc_op_code_shape(c->p, c->by_op, e->from, plain, (unsigned)c->bits,
	                                   context_of(shape)) :
	                 trc_rc_code_branch(c->rc, c->writes, models, TRC_SHAPE_BITS, c->bits,
	                                    context_of(shape));
	if (got == ESCAPE)
		got += (uint32_t)trc_rc_code_rare(c->rc, c->writes, &m->shape_far, shape - ESCAPE);
	return got;
}

/* Codes the pc of a new op that is neither plain nor back. */
static TRC_ALWAYS_INLINE int
code_jump(struct coder *c, const struct edge *e, uint64_t *pc)
{
	struct trc_edge_models *m = c->m;
	const unsigned kind = e->class / (TRC_EDGE_CONTEXTS / TRC_JUMPS);
	const uint32_t from = e->from;
	const uint64_t end = e->end;
	struct trc_edge_history *h = &m->history;
	uint32_t i = find_open(h, *pc);
	uint64_t far;

	if (code_bit(c, &m->open[c->landed][e->class], i < h->opens)) {
		i = trc_rc_code_tree(c->rc, c->writes, m->open_at, 4, i);
		if (i >= h->opens)
			return trc_program_corrupt(c->err, "end of an op that is open");
		*pc = h->open[i].pc;
		c->p->op[h->open[i].op].left = from;
		close_open(h, i);
	} else {
		far = code_num(c, &m->jump[kind], trc_zigzag((*pc >> UNIT) - (end >> UNIT)));
		*pc = ((end >> UNIT) + trc_unzigzag(far)) << UNIT |
		      trc_rc_code_fair_tree(c->rc, c->writes, m->low[kind][far > NEAR], UNIT,
		                            *pc & ((1 << UNIT) - 1));
		trc_move_to_front_add(&h->landings, c->next);
	}
	if (from != TRC_NONE)
		leave_open(h, end, c->next);
	return 0;
}

/* Returns the pc that an op of this shape is expected to have. */
static uint64_t
expected_pc(const struct trc_program *p, const struct edge *e, uint32_t shape)
{
	return p->shape[shape].fetch ? e->end : p->op[e->from].pc;
}

/* Returns true unless the length of an op is coded as unknown. */
static TRC_ALWAYS_INLINE bool
knows_end(const struct trc_program *p, uint32_t op)
{
	return !p->lengths || p->op[op].length || !trc_shape_unsized(&p->shape[p->op[op].shape]);
}

/* Codes the length of the op that was added last. */
static TRC_ALWAYS_INLINE void
code_length(struct coder *c, const struct edge *e, uint32_t shape)
{
	struct trc_op *op = &c->p->op[c->next];
	const unsigned before = e->from == TRC_NONE ? TRC_LENGTH : c->p->op[e->from].length;
	struct trc_bit *models = c->m->length[shape < TRC_OFTEN ? shape : TRC_OFTEN - 1][before];

	if (!c->p->lengths || !trc_shape_unsized(&c->p->shape[shape]))
		return;
	if (c->by_op)
		op->length = trc_op_code_length(c->p, c->by_op, c->next, op->length) &
		             TRC_LENGTH_MOST;
	else
		op->length = trc_rc_code_tree(c->rc, c->writes, models, 4, op->length);
}

static TRC_ALWAYS_INLINE int
code_op(struct coder *c, const struct edge *e, bool plain)
{
	struct trc_program *p = c->p;
	const struct trc_op *op = c->writes ? &p->op[c->next] : NULL;
	uint64_t pc = op ? op->pc : 0;
	bool back = false;
	uint32_t shape;

	if (!plain && c->landed)
		back = code_bit(c, &c->m->is_back[e->class], pc == c->back);
	shape = code_shape(c, e, plain, op ? op->shape : 0);
	if (shape >= p->shapes)
		return trc_program_corrupt(c->err, "shape of an op");
	if (plain)
		pc = expected_pc(p, e, shape);
	else if (back)
		pc = c->back;
	else if (code_jump(c, e, &pc))
		return -1;
	if (back)
		p->op[c->to].left = e->from;
	if (plain && e->jumps) {
		const uint32_t i = find_open(&c->m->history, e->end);

		if (i < c->m->history.opens)
			close_open(&c->m->history, i);
	}
	if (!op && trc_program_add_op(p, pc, shape, c->err))
		return -1;
	if (p->slots > TRC_SLOTS_MOST)
		return trc_program_corrupt(c->err, "number of slots");
	if (c->by_op && trc_op_columns_code_op(p, c->by_op, c->next, c->err))
		return -1;
	code_length(c, e, shape);
	c->shape = shape;
	c->op_end = trc_op_end(p, c->next);
	c->op_known = knows_end(p, c->next);
	know_at(&c->m->history.known, pc, c->next++);
	return 0;
}

/* ---- edges ---- */

/* Codes where an edge begins that does not continue the previous one. */
static TRC_ALWAYS_INLINE int
code_from(struct coder *c, uint32_t *from)
{
	const uint32_t left = c->landed ? c->p->op[c->to].left : TRC_NONE;
	uint64_t far;

	if (left != TRC_NONE && code_bit(c, &c->m->is_left, *from == left)) {
		*from = left;
		return 0;
	}
	far = code_num(c, &c->m->from[c->landed], trc_zigzag((uint64_t)*from - c->to));
	*from = c->to + (uint32_t)trc_unzigzag(far);
	return *from < c->next ? 0 : trc_program_corrupt(c->err, "start of an edge");
}

/* Codes the target of an edge if it is a known op. */
static TRC_ALWAYS_INLINE int
code_known(struct coder *c, struct edge *e, uint32_t at_end)
{
	struct trc_edge_models *m = c->m;
	struct trc_move_to_front *landings = &m->history.landings;
	uint32_t i;

	c->landed = false;
	if (at_end != TRC_NONE && code_bit(c, &m->at_end[e->jumps], e->to == at_end)) {
		e->to = at_end;
		return 0;
	}
	i = c->writes ? trc_move_to_front_find(landings, e->to) : 0;
	if (code_bit(c, &m->landed[e->jumps], i < trc_move_to_front_count(landings))) {
		i = (uint32_t)code_num(c, &m->rank, i);
		if (i >= trc_move_to_front_count(landings))
			return trc_program_corrupt(c->err, "landing");
		e->to = trc_move_to_front_use(landings, i);
	} else {
		e->to = e->from +
		        (uint32_t)trc_unzigzag(code_num(c, &m->known[e->jumps],
		                                        trc_zigzag((uint64_t)e->to - e->from)));
		if (e->to >= c->next)
			return trc_program_corrupt(c->err, "end of an edge");
		trc_move_to_front_add(landings, e->to);
	}
	c->landed = true;
	c->back = e->end;
	return 0;
}

/* Codes the target of an edge. */
static TRC_ALWAYS_INLINE int
code_to(struct coder *c, struct edge *e)
{
	const unsigned context = c->by_op ? e->class : context_behind(c, e->shape);
	const uint32_t at_end = known_at(c, e->end);
	const bool known = at_end != TRC_NONE;
	bool fresh = c->writes && e->to == c->next, plain = false;

	if (c->next < c->end) {
		const struct trc_op *op = fresh ? &c->p->op[e->to] : NULL;

		plain = e->known && op && op->pc == expected_pc(c->p, e, op->shape);
		if (e->known)
			plain = !code_bit(c, &c->m->plain[e->jumps][context][known], !plain);
		fresh = plain || code_bit(c, &c->m->fresh[e->jumps][context][known], fresh);
	}
	if (!fresh)
		return code_known(c, e, at_end);
	e->to = c->next;
	if (code_op(c, e, plain))
		return -1;
	c->landed = false;
	return 0;
}

/* Codes the first op of the growth if it is new; otherwise sets *op to TRC_NONE. */
static TRC_ALWAYS_INLINE int
code_start(struct coder *c, bool begins, uint32_t *op)
{
	const struct edge none = { .from = TRC_NONE, .to = TRC_NONE };

	*op = TRC_NONE;
	if (c->next == c->end || !code_bit(c, &c->m->start, begins))
		return 0;
	*op = c->next;
	return code_op(c, &none, false);
}

static TRC_ALWAYS_INLINE int
code_edges(struct coder *c, size_t edges)
{
	/* The known edges, when writing; there may be none. */
	const struct trc_edge *next = c->writes && edges ? c->p->edge + c->p->coded.edges : NULL;
	uint32_t last;

	if (code_start(c, c->writes && (edges == 0 || next[0].from >= c->next), &last))
		return -1;
	for (size_t i = 0; i < edges; i++) {
		struct edge e = { last, 0, last == TRC_NONE, c->shape, c->op_end, c->op_known, 0 };

		if (c->writes) {
			e.from = next[i].from;
			e.to = next[i].to;
		}
		if (e.jumps) {
			if (code_from(c, &e.from))
				return -1;
			e.shape = c->p->op[e.from].shape;
			e.end = trc_op_end(c->p, e.from);
			e.known = knows_end(c->p, e.from);
		}
		e.class = trc_op_class(c->p, e.from);
		last = c->next;
		if (code_to(c, &e) ||
		    (!c->writes && trc_program_add_edge(c->p, e.from, e.to, c->err)))
			return -1;
		c->to = e.to;
		last = e.to == last ? last : TRC_NONE;
		if (trc_rc_overrun(c->rc) > 0)
			return trc_program_corrupt(c->err, "it ends early");
	}
	return c->next == c->end ? 0 : trc_program_corrupt(c->err, "number of ops");
}

int
trc_edges_code(struct trc_program *p, struct trc_edge_models *m, struct trc_rc *rc, size_t ops,
               size_t edges, struct trc_err *err)
{
	const uint32_t first = (uint32_t)p->coded.ops;
	struct coder c = { .p = p,
		           .m = m,
		           .rc = rc,
		           .by_op = p->columns > 0 ? p->op_models : NULL,
		           .err = err,
		           .next = first };
	struct trc_rc copy;
	int failed;

	c.end = first + (uint32_t)ops;
	c.bits = p->shapes ? 64 - trc_clz64(context_of((uint32_t)p->shapes - 1)) : 0;
	if (rc->out) {
		c.writes = true;
		return code_edges(&c, edges);
	}
	if (c.by_op) /* the models hold `rc` */
		return code_edges(&c, edges);
	copy = *rc;
	c.rc = &copy;
	c.writes = false;
	failed = code_edges(&c, edges);
	*rc = copy;
	return failed;
}
