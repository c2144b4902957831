/* SPDX-License-Identifier: MIT
 * Codes paths; the same code is compiled for each direction. */
#include "codec/program/path.h"

#include <stdlib.h>

#include "codec/entropy/range_coder.h"
#include "codec/mixing/mixer.h"
#include "codec/program/path_match.h"

enum {
	RECENT = 3,
	COUNTERS = 8, /* per branch op */
	REFUSED = 3,  /* numbers of refused edges that serve as contexts */
	OFTEN = 8,    /* contexts for how often a new edge was refused */
	NO_MATCH = 0, /* selectors of weights */
	OTHER = TRC_MATCH_BUCKETS + 1,
	STATES,
	WEIGHT = 4096,
	RATE = 6,
};

/* An op with several edges, and its local history. */
struct branch_op {
	uint32_t first; /* number of its first edge */
	uint32_t edges, known;
	uint32_t next; /* its first edge in the program that is not known yet */
	uint32_t recent[RECENT];
	uint32_t taken; /* bits, the latest lowest: the branch was not to edge 0 */
	struct trc_counter counter[COUNTERS];
};

_Static_assert(sizeof(struct branch_op) == 64, "it is a line of the cache");
_Static_assert(TRC_EDGES_MOST < 1 << (32 - TRC_PATH_HISTORY_BITS), "numbers are above histories");

/* All branch ops reached so far. */
struct branch_ops {
	struct branch_op *op;
	uint32_t *number; /* for each op of the program: 1 + number; 0: not reached */
	size_t n, cap, number_cap;
	uint32_t edges; /* 1 + their total number of edges */
};

/* A branch predictor, and the coder of its mispredictions: see path.h. */
struct trc_path_model {
	const struct trc_program *program;
	const struct trc_logistic *logistic;
	struct trc_rc rc;
	struct branch_ops ops;
	struct trc_path_match match;
	int16_t weight[REFUSED][STATES][TRC_LANES];

	/* Runs. */
	size_t ready; /* branches before this one are decoded */
	bool ran;     /* the last branch was part of a run */
	bool wrong;   /* the match is wrong, because a run ended early */
	struct trc_bit fails[32];
	struct trc_num right;

	/* New edges. */
	uint32_t next;    /* the next new edge of the program, or TRC_NONE */
	unsigned refused; /* how often it was refused */
	struct trc_bit fresh[OFTEN];

	struct trc_num rest;
	uint32_t *order; /* for writing: the branch op of each branch */
	size_t order_cap;
};

/* ---- begin ---- */

struct trc_path_model *
trc_path_model_open(struct trc_err *err)
{
	struct trc_path_model *m = trc_alloc(1, sizeof(*m), err);

	if (m)
		m->logistic = trc_logistic();
	return m;
}

void
trc_path_model_close(struct trc_path_model *m)
{
	if (!m)
		return;
	trc_path_match_release(&m->match);
	free(m->ops.op);
	free(m->ops.number);
	free(m->order);
	free(m);
}

size_t
trc_path_model_memory(const struct trc_program *p, size_t n)
{
	const size_t ops = p->ops < n ? p->ops : n;

	/* Arrays that grow one by one may have twice the room. */
	return sizeof(struct trc_path_model) + trc_path_match_memory(n) +
	       2 * ops * sizeof(struct branch_op) + p->ops * sizeof(uint32_t);
}

/* Returns the first edge from `e` on that leaves a branch op; TRC_NONE if there is none. */
static uint32_t
next_edge(const struct trc_program *p, size_t e)
{
	while (e < p->edges && p->op[p->edge[e].from].edges < 2)
		e++;
	return e < p->edges ? (uint32_t)e : TRC_NONE;
}

static void
init_models(struct trc_path_model *m)
{
	for (int k = 0; k < TRC_LANES; k++)
		m->weight[0][0][k] = WEIGHT;
	trc_repeat(m->weight, sizeof(m->weight[0][0]), sizeof(m->weight));
	trc_bits_init(m->fails, sizeof(m->fails));
	trc_bits_init(m->fresh, sizeof(m->fresh));
	trc_num_init(&m->right, 1);
	trc_num_init(&m->rest, 1);
}

static int
begin(struct trc_path_model *m, const struct trc_program *p, size_t old_edges, size_t n,
      struct trc_err *err)
{
	struct branch_ops *ops = &m->ops;

	if (trc_grow(&ops->number, &ops->number_cap, p->ops, sizeof(*ops->number), err) ||
	    trc_path_match_begin(&m->match, n, err))
		return -1;
	if (p->ops > 0)
		memset(ops->number, 0, p->ops * sizeof(*ops->number));
	ops->n = 0;
	ops->edges = 1;
	init_models(m);
	m->program = p;
	m->ready = 0;
	m->ran = m->wrong = false;
	m->next = next_edge(p, old_edges);
	m->refused = 0;
	return 0;
}

uint32_t
trc_path_branch_op(struct trc_path_model *m, uint32_t id, struct trc_err *err)
{
	const struct trc_program *p = m->program;
	struct branch_ops *ops = &m->ops;
	struct branch_op op = { .first = ops->edges,
		                .edges = p->op[id].edges,
		                .next = p->op[id].edge,
		                .recent = { 0, 1, 2 } };

	if (ops->number[id])
		return ops->number[id] - 1;
	if (trc_grow(&ops->op, &ops->cap, ops->n + 1, sizeof(op), err))
		return TRC_NONE;
	/* The new edges of an op are its last ones. No edge after m->next is known yet. */
	for (; op.next < m->next; op.known++)
		op.next = p->edge[op.next].next;
	for (int k = 0; k < COUNTERS; k++)
		op.counter[k] = TRC_COUNTER_NEW;
	ops->edges += op.edges;
	ops->op[ops->n++] = op;
	ops->number[id] = (uint32_t)ops->n;
	return (uint32_t)ops->n - 1;
}

/* ---- an edge ---- */

/* Codes whether an edge is taken; `confidence` is NULL unless it is the edge of the match. */
static TRC_ALWAYS_INLINE bool
code_edge(struct trc_path_model *m, bool writes, struct branch_op *op, uint32_t edge,
          struct trc_counter *confidence, int16_t weight[TRC_LANES], bool taken)
{
	const struct trc_logistic *l = m->logistic;
	struct trc_counter *local = &op->counter[(2 * op->taken + edge) % COUNTERS];
	const int x = l->stretch[trc_counter_p(*local) / 16];
	const int y = confidence ? l->stretch[trc_counter_p(*confidence) / 16] : 0;
	const trc_lanes input = trc_lanes_two(x, y);
	const int p = trc_squash(l, trc_lanes_y(trc_lanes_load(weight), input));

	taken = trc_rc_code_p1(&m->rc, writes, p, taken);
	trc_counter_learn(local, taken, TRC_PATH_LIMIT);
	if (confidence)
		trc_counter_learn(confidence, taken, TRC_PATH_LIMIT);
	trc_lanes_learn(weight, input, trc_mixer_error(p, taken, RATE));
	return taken;
}

/* Codes whether the next new edge, which belongs to the op, is taken. */
static bool
code_new(struct trc_path_model *m, bool taken)
{
	const unsigned n = m->refused;
	const unsigned often = n < 4 ? n : n < 16 ? 4 : n < 64 ? 5 : n < 256 ? 6 : 7;

	return trc_rc_bit(&m->rc, &m->fresh[often], taken);
}

/* Returns the only known edge that was not refused. */
static uint32_t
last_left(const struct branch_op *op, const uint32_t *refused, unsigned n)
{
	uint64_t sum = (uint64_t)op->known * (op->known - 1) / 2;

	for (unsigned k = 0; k < n; k++)
		sum -= refused[k];
	return (uint32_t)sum;
}

/* Codes which of several known edges is taken. */
static TRC_ALWAYS_INLINE uint32_t
code_known(struct trc_path_model *m, bool writes, struct branch_op *op, bool wrong, uint32_t edge)
{
	struct trc_path_match *a = &m->match;
	const uint32_t expected = a->at ? trc_path_at(a, a->at) - op->first : TRC_NONE;
	const unsigned state = a->at ? OTHER : NO_MATCH;
	uint32_t refused[1 + RECENT];
	unsigned n = 0;

	if (a->at && !wrong &&
	    code_edge(m, writes, op, expected, trc_path_match_confidence(a),
	              m->weight[0][1 + trc_path_match_bucket(a)], edge == expected))
		return expected;
	if (a->at)
		refused[n++] = expected;
	for (int k = 0; k < RECENT && n + 1 < op->known; k++) {
		const uint32_t e = op->recent[k];

		if (e >= op->known || e == expected)
			continue;
		if (code_edge(m, writes, op, e, NULL,
		              m->weight[n < REFUSED ? n : REFUSED - 1][state], edge == e))
			return e;
		refused[n++] = e;
	}
	if (n + 1 >= op->known)
		return last_left(op, refused, n);
	return op->known - 1 - (uint32_t)trc_rc_num(&m->rc, &m->rest, op->known - 1 - edge);
}

/* ---- a branch ---- */

/* Codes a run of up to `most` branches; the branches up to m->ready are then decoded. */
static void
code_run(struct trc_path_model *m, bool writes, size_t most)
{
	struct trc_path_match *a = &m->match;
	size_t n = 0;

	while (writes && n < most && trc_path_at(a, a->at + n) == trc_path_at(a, a->i + n))
		n++;
	m->wrong = trc_rc_bit(&m->rc, &m->fails[63 - trc_clz64(most)], n < most);
	if (m->wrong) {
		n = (size_t)trc_rc_num(&m->rc, &m->right, n);
		n = n < most ? n : most - 1;
	} else {
		n = most;
	}
	trc_path_match_run(a, n);
	m->ready = a->i + n;
	m->ran = n > 0;
	trc_counter_learn(trc_path_match_confidence(a), !m->wrong, TRC_PATH_LIMIT);
}

/* Updates the model with a branch that is not part of a run. */
static TRC_ALWAYS_INLINE void
note_branch(struct trc_path_model *m, struct branch_op *op, uint32_t edge, bool offered)
{
	int k = 0;

	trc_path_match_add(&m->match, op->first + edge);
	m->refused += offered;
	if (edge == op->known) {
		op->known++;
		op->next = m->program->edge[op->next].next;
		m->next = next_edge(m->program, (size_t)m->next + 1);
		m->refused = 0;
	}
	op->taken = op->taken << 1 | (edge != 0);
	while (k < RECENT - 1 && op->recent[k] != edge)
		k++;
	for (; k > 0; k--)
		op->recent[k] = op->recent[k - 1];
	op->recent[0] = edge;
}

/* Codes a branch; returns TRC_NONE if the data is invalid. */
static TRC_ALWAYS_INLINE uint32_t
code_branch(struct trc_path_model *m, bool writes, struct branch_op *op, uint32_t edge)
{
	struct trc_path_match *a = &m->match;
	bool wrong, offered, fresh;
	size_t run;

	if (m->ran) {
		trc_path_match_rehash(a);
		m->ran = false;
	}
	if (!m->wrong) {
		trc_path_match_find(a, op->first, op->edges);
		run = trc_path_match_certain(a);
		if (run > 0)
			code_run(m, writes, run);
		if (a->i < m->ready)
			return trc_path_at(a, a->i++) - op->first;
	}
	wrong = m->wrong;
	m->wrong = false;
	offered = op->next == m->next && m->next != TRC_NONE;
	fresh = offered && (op->known == 0 || code_new(m, edge == op->known));
	if (fresh)
		edge = op->known;
	else if (op->known > 1)
		edge = code_known(m, writes, op, wrong, edge);
	else
		edge = wrong ? TRC_NONE : 0;
	if (edge >= op->known + fresh)
		return TRC_NONE;
	note_branch(m, op, edge, offered);
	return edge;
}

/* ---- both directions ---- */

/* Returns how many branches a path has. Its last op is not left. */
static size_t
count_branches(const struct trc_path *path)
{
	const struct trc_op *op = path->program->op;
	size_t n = 0;

	for (size_t i = 0; i < path->runs; i++)
		for (uint32_t id = trc_path_first(path->run, i); id <= path->run[i].last; id++)
			n += op[id].edges >= 2;
	return path->runs > 0 ? n - (op[path->run[path->runs - 1].last].edges >= 2) : 0;
}

/* Stores branch `n` of a path in its final position. */
static int
number_branch(struct trc_path_model *m, uint32_t id, uint64_t edge, size_t n, struct trc_view *far,
              struct trc_err *err)
{
	uint32_t *x = m->match.past + TRC_PATH_BEFORE;
	uint32_t op;

	if (edge == TRC_PATH_FAR && !trc_view_num(far, &edge))
		return trc_fail(err, "a far branch is missing");
	op = trc_path_branch_op(m, id, err);
	if (op == TRC_NONE)
		return -1;
	m->order[n] = op;
	x[n] = (m->ops.op[op].first + (uint32_t)edge) << TRC_PATH_HISTORY_BITS;
	return 0;
}

static int
number_branches(struct trc_path_model *m, const struct trc_path *path, struct trc_err *err)
{
	const struct trc_program *p = path->program;
	struct trc_view far = path->far;
	size_t n = 0;

	if (trc_grow(&m->order, &m->order_cap, m->match.n, sizeof(*m->order), err))
		return -1;
	for (size_t i = 0; n < m->match.n; i++) {
		const uint32_t last = path->run[i].last;

		for (uint32_t id = trc_path_first(path->run, i); id <= last && n < m->match.n; id++)
			if (p->op[id].edges >= 2 &&
			    number_branch(m, id, id < last ? path->ahead[id] : path->edge[i], n++,
			                  &far, err))
				return -1;
	}
	return 0;
}

int
trc_path_write(struct trc_path_model *m, const struct trc_path *path, struct trc_buf *out,
               size_t *n, struct trc_err *err)
{
	struct trc_path_match *a = &m->match;

	*n = count_branches(path);
	if (*n == 0)
		return 0;
	if (begin(m, path->program, path->old_edges, *n, err) || number_branches(m, path, err))
		return -1;
	trc_rc_write(&m->rc, out);
	while (a->i < *n) {
		struct branch_op *op = &m->ops.op[m->order[a->i]];

		code_branch(m, true, op, trc_path_at(a, a->i) - op->first);
		a->i = a->i < m->ready ? m->ready : a->i;
	}
	return trc_rc_finish(&m->rc, err);
}

int
trc_path_begin(struct trc_path_model *m, const struct trc_program *program, size_t old_edges,
               const uint8_t *p, size_t len, size_t n, struct trc_err *err)
{
	trc_rc_read(&m->rc, p, p + len);
	return begin(m, program, old_edges, n, err);
}

static TRC_NO_INLINE uint32_t
read_branch(struct trc_path_model *m, struct branch_op *op)
{
	if (m->match.i == m->match.n || trc_rc_overrun(&m->rc))
		return TRC_NONE;
	return code_branch(m, false, op, 0);
}

uint32_t
trc_path_next(struct trc_path_model *m, uint32_t branch_op)
{
	struct branch_op *op = &m->ops.op[branch_op];

	if (m->match.i < m->ready)
		return trc_path_at(&m->match, m->match.i++) - op->first;
	return read_branch(m, op);
}

bool
trc_path_ended(const struct trc_path_model *m)
{
	return m->match.i == m->match.n && !m->wrong && trc_rc_ended(&m->rc);
}
