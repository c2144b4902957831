/* SPDX-License-Identifier: MIT
 * Follows the hot path, and looks up what leaves it. */
#include "codec/program/refs_ops.h"
#include "base/map_find.h"

#include <stdlib.h>

enum {
	WINDOW = 8,     /* types that are compared at once */
	EDGES_NEAR = 8, /* edges of an op that are searched; the others are in the map */
};

int
trc_ops_init(struct trc_ops *o, struct trc_err *err)
{
	*o = (struct trc_ops){ 0 };
	for (size_t i = 0; i < TRC_SHAPES_NEAR; i++)
		o->index.near_shape[i] = TRC_NONE;
	if (trc_map_init(&o->index.shape, err) == 0 && trc_op_index_init(&o->index.op, err) == 0 &&
	    trc_map_init(&o->index.edge, err) == 0)
		return 0;
	trc_ops_release(o);
	return -1;
}

void
trc_ops_release(struct trc_ops *o)
{
	trc_program_release(&o->program);
	trc_map_release(&o->index.shape);
	trc_op_index_release(&o->index.op);
	trc_map_release(&o->index.edge);
	free(o->step);
	free(o->ahead);
	free(o->path.run);
	free(o->path.edge);
	trc_buf_release(&o->path.far);
	free(o->data.addr);
}

/* ---- shapes and ops ---- */

/* Returns true if the op whose first row is row `i` ends before row `k`. If rows have a pc, a
 * different pc ends the op; since no fetch marks the next execution, so does a row like the
 * first. */
static inline bool
ends_before(const struct trc_refs_rows *r, size_t i, size_t k)
{
	if (trc_row_is_fetch(r->type[k]))
		return true;
	return r->pc && (r->pc[k] != r->pc[i] ||
	                 (r->type[k] == r->type[i] && (!r->size || r->size[k] == r->size[i])));
}

/* Returns how many rows from row `i` on form one op. */
static size_t
rows_of_op(const struct trc_refs_rows *r, size_t i)
{
	const size_t most = TRC_SHAPE_DATA + trc_row_is_fetch(r->type[i]);
	size_t k = i + 1;

	while (k < r->n && k - i < most && !ends_before(r, i, k))
		k++;
	return k - i;
}

/* Returns true if the rows of a shape match those from row `i` on. */
static bool
rows_match(const struct trc_shape *s, const struct trc_refs_rows *r, size_t i)
{
	for (size_t k = 0; k < s->rows; k++)
		if (s->type[k] != r->type[i + k] || (r->size && s->size[k] != r->size[i + k]))
			return false;
	return true;
}

/* Returns the types of a shape, followed by that of the fetch that begins the next op, for
 * comparison under window_mask() of its rows. A shape that is too long never matches. */
static uint64_t
window_types(const struct trc_shape *s)
{
	uint8_t type[WINDOW] = { 1 };
	uint64_t types;

	if (s->rows < WINDOW) {
		memcpy(type, s->type, s->rows);
		type[s->rows] = TRC_ROW_FETCH;
	}
	memcpy(&types, type, WINDOW);
	return types;
}

static uint32_t
add_shape(struct trc_ops *o, const struct trc_shape *s, uint64_t hash, struct trc_err *err)
{
	const size_t n = o->program.shapes;

	if (trc_map_add(&o->index.shape, 0, hash, (uint32_t)n, err) ||
	    trc_program_add_shape(&o->program, s, err))
		return TRC_NONE;
	return (uint32_t)n;
}

/* Returns the number of the shape of rows [i, i + n), adding it if necessary; TRC_NONE if out of
 * memory. */
static uint32_t
find_shape(struct trc_ops *o, const struct trc_refs_rows *r, size_t i, size_t n,
           struct trc_err *err)
{
	struct trc_shape s = { .rows = (uint8_t)n };
	struct trc_map_entry *e;
	uint64_t hash;

	for (size_t k = 0; k < n; k++) {
		s.type[k] = r->type[i + k];
		s.size[k] = r->size ? r->size[i + k] : 0;
	}
	trc_shape_finish(&s);
	/* Shapes are compared by content; if two have the same hash, the second uses the next
	 * hash. */
	for (hash = XXH3_64bits(&s, sizeof(s));; hash++) {
		e = trc_map_find(&o->index.shape, 0, hash);
		if (e->value == TRC_MAP_NONE)
			return add_shape(o, &s, hash, err);
		if (memcmp(&o->program.shape[e->value], &s, sizeof(s)) == 0)
			return e->value;
	}
}

/* Does the same, without hashing all of the shape if it was found recently. */
static uint32_t
find_near_shape(struct trc_ops *o, const struct trc_refs_rows *r, size_t i, struct trc_err *err)
{
	const size_t n = rows_of_op(r, i), end = i + n - 1;
	const uint32_t first = r->type[i] + (r->size ? r->size[i] * 4 : 0);
	const uint32_t last = r->type[end] + (r->size ? r->size[end] * 4 : 0);
	uint32_t *near = &o->index.near_shape[(n * 67 + first * 5 + last * 17) % TRC_SHAPES_NEAR];

	if (*near == TRC_NONE || o->program.shape[*near].rows != n ||
	    !rows_match(&o->program.shape[*near], r, i))
		*near = find_shape(o, r, i, n, err);
	return *near;
}

static uint32_t
add_op(struct trc_ops *o, uint64_t pc, uint32_t shape, struct trc_op_entry *at, struct trc_err *err)
{
	struct trc_program *p = &o->program;
	const struct trc_shape *s = &p->shape[shape];
	const size_t id = p->ops;

	if (trc_grow(&o->step, &o->step_cap, id + 1, sizeof(*o->step), err) ||
	    trc_grow(&o->ahead, &o->ahead_cap, id + 1, sizeof(*o->ahead), err) ||
	    trc_program_add_op(p, o->inferred && !s->fetch ? 0 : pc, shape, err))
		return TRC_NONE;
	o->step[id] = (struct trc_op_follow){ .pc = pc,
		                              .types = window_types(s),
		                              .shape = shape,
		                              .to = TRC_NONE,
		                              .edge = TRC_PATH_FAR,
		                              .rows = s->rows,
		                              .data = s->data,
		                              .fetch = s->fetch };
	return trc_op_index_add(&o->index.op, o->step, at, (uint32_t)id, err) ? TRC_NONE :
	                                                                        (uint32_t)id;
}

static uint32_t
find_op(struct trc_ops *o, const struct trc_refs_rows *r, size_t i, struct trc_err *err)
{
	const uint32_t shape = find_near_shape(o, r, i, err);
	struct trc_op_entry *at;
	size_t next;

	if (shape == TRC_NONE)
		return TRC_NONE;
	/* After a new op the next one is usually new as well. */
	next = i + o->program.shape[shape].rows;
	if (next < r->n && trc_row_is_fetch(r->type[next]))
		trc_op_index_request(&o->index.op, r->addr[next]);
	at = trc_op_index_find(&o->index.op, o->step, o->pc, shape);
	return at->id != TRC_MAP_NONE ? at->id : add_op(o, o->pc, shape, at, err);
}

/* ---- edges ---- */

/* Returns the ordinal of the edge between two ops, adding it if necessary; TRC_NONE if out of
 * memory. */
static uint32_t
find_edge(struct trc_ops *o, uint32_t from, uint32_t to, struct trc_err *err)
{
	struct trc_program *p = &o->program;
	const uint32_t ordinal = p->op[from].edges;
	uint32_t edge = p->op[from].edge, known;

	for (uint32_t i = 0; i < ordinal && i < EDGES_NEAR; i++, edge = p->edge[edge].next)
		if (p->edge[edge].to == to)
			return i;
	known = ordinal <= EDGES_NEAR ? TRC_MAP_NONE :
	                                trc_map_find(&o->index.edge, from, to)->value;
	if (known != TRC_MAP_NONE)
		return known;
	if ((ordinal >= EDGES_NEAR && trc_map_add(&o->index.edge, from, to, ordinal, err)) ||
	    trc_program_add_edge(p, from, to, err))
		return TRC_NONE;
	return ordinal;
}

/* Returns true if the op matches the rows from row `i` on. */
static bool
op_matches(const struct trc_ops *o, uint32_t id, const struct trc_refs_rows *r, size_t i)
{
	const struct trc_op_follow *s = &o->step[id];
	const size_t end = i + s->rows;

	if (s->pc != o->pc || end > r->n || !rows_match(&o->program.shape[s->shape], r, i))
		return false;
	for (size_t k = i + 1; r->pc && k < end; k++)
		if (r->pc[k] != s->pc)
			return false;
	return end == r->n || s->data == TRC_SHAPE_DATA || ends_before(r, i, end);
}

/* Returns the op at row `i` if it is the target of one of the first edges of the last op. */
static uint32_t
find_successor(const struct trc_ops *o, const struct trc_refs_rows *r, size_t i, uint32_t *ordinal)
{
	const struct trc_program *p = &o->program;
	const struct trc_op *from = &p->op[o->last];
	uint32_t edge = from->edge;

	for (*ordinal = 0; *ordinal < from->edges && *ordinal < EDGES_NEAR; ++*ordinal) {
		if (op_matches(o, p->edge[edge].to, r, i))
			return p->edge[edge].to;
		edge = p->edge[edge].next;
	}
	return TRC_NONE;
}

/* Returns the op at row `i` in any case, and the edge from the last op to it; TRC_NONE if out of
 * memory. */
static uint32_t
find_any(struct trc_ops *o, const struct trc_refs_rows *r, size_t i, uint32_t *ordinal,
         struct trc_err *err)
{
	uint32_t id = o->last == TRC_NONE ? TRC_NONE : find_successor(o, r, i, ordinal);

	if (id != TRC_NONE)
		return id;
	id = find_op(o, r, i, err);
	if (id == TRC_NONE || o->last == TRC_NONE)
		return id;
	*ordinal = find_edge(o, o->last, id, err);
	return *ordinal == TRC_NONE ? TRC_NONE : id;
}

/* ---- the path ---- */

/* Returns the bits of the types that are compared for an op of `rows` rows: all bits of its own
 * types, and of the row after it that it is a fetch. None are compared if the op is too long. */
static TRC_ALWAYS_INLINE uint64_t
window_mask(size_t rows)
{
	enum { KIND = TRC_ROW_TYPE };
	static const uint8_t mask[TRC_SHAPE_ROWS + 1][WINDOW] = {
		{ 0 },
		{ 255, KIND },
		{ 255, 255, KIND },
		{ 255, 255, 255, KIND },
		{ 255, 255, 255, 255, KIND },
		{ 255, 255, 255, 255, 255, KIND },
		{ 255, 255, 255, 255, 255, 255, KIND },
		{ 255, 255, 255, 255, 255, 255, 255, KIND },
	};
	uint64_t bits;

	memcpy(&bits, mask[rows], WINDOW);
	return bits;
}

/* Returns true if `n` sizes are equal; both arrays must have WINDOW elements. */
static TRC_ALWAYS_INLINE bool
sizes_match(const uint32_t *want, const uint32_t *size, size_t n)
{
	static const uint32_t mask[8] = { UINT32_MAX, UINT32_MAX, UINT32_MAX, UINT32_MAX };
	uint64_t a[2], b[2], m[2];

	if (TRC_LIKELY(n <= 4)) {
		memcpy(a, want, sizeof(a));
		memcpy(b, size, sizeof(b));
		memcpy(m, mask + 4 - n, sizeof(m));
		return (((a[0] ^ b[0]) & m[0]) | ((a[1] ^ b[1]) & m[1])) == 0;
	}
	for (size_t k = 0; k < n; k++)
		if (want[k] != size[k])
			return false;
	return true;
}

/* Returns true if an op is at row `i`; there must be WINDOW rows. `pc` is that of the last op. */
static TRC_ALWAYS_INLINE bool
is_at(const struct trc_op_follow *s, const struct trc_shape *shape, const struct trc_refs_rows *r,
      size_t i, uint64_t pc)
{
	uint64_t types;

	memcpy(&types, r->type + i, sizeof(types));
	return (types & window_mask(s->rows)) == s->types &&
	       (s->fetch ? r->addr[i] : pc) == s->pc &&
	       (!r->size || sizes_match(shape[s->shape].size, r->size + i, s->rows));
}

/* Stores the data references of an op at row `i`. Usually there is one or none; if there is none,
 * the first store is harmless. */
static TRC_ALWAYS_INLINE size_t
put_data(const struct trc_op_follow *s, const struct trc_refs_rows *r, size_t i, uint64_t *data)
{
	const uint64_t *from = r->addr + i + s->fetch;

	data[0] = from[0];
	for (uint32_t k = 1; TRC_UNLIKELY(k < s->data); k++)
		data[k] = from[k];
	return s->data;
}

/* Appends ops while each follows the previous one as it did the last time. Returns the row where
 * that ends, or where there are too few rows left. Most ops are the next of the program, and these
 * are in a loop of their own, so that the processor need not wait for which one it is. */
static size_t
follow(struct trc_ops *o, const struct trc_refs_rows *rows, size_t i)
{
	/* Local copies: otherwise the compiler would have to assume that any store changes them. */
	const struct trc_refs_rows r = *rows;
	const struct trc_op_follow *const step = o->step;
	const struct trc_shape *const shape = o->program.shape;
	struct trc_path_run *run = o->path.run + o->path.runs - 1;
	uint64_t *data = o->data.addr + TRC_BACK + o->data.n;
	uint8_t *edge = o->path.edge + o->path.runs - 1;
	uint32_t last = o->last, ops = (uint32_t)o->path.n;
	uint64_t pc = o->pc;

	while (i + WINDOW <= r.n) {
		const struct trc_op_follow *s = &step[last + 1];

		if (step[last].to == last + 1 && is_at(s, shape, &r, i, pc)) {
			last++;
		} else {
			if (step[last].to == last + 1 || step[last].to == TRC_NONE)
				break;
			s = &step[step[last].to];
			if (!is_at(s, shape, &r, i, pc))
				break;
			*run++ = (struct trc_path_run){ ops, last };
			*edge++ = step[last].edge;
			last = step[last].to;
		}
		ops++;
		data += put_data(s, &r, i, data);
		pc = s->pc;
		i += s->rows;
	}
	*run = (struct trc_path_run){ ops, last };
	o->path.n = ops;
	o->path.runs = (size_t)(run - o->path.run) + 1;
	o->data.n = (size_t)(data - o->data.addr) - TRC_BACK;
	o->last = last;
	o->pc = pc;
	return i;
}

/* Records the edge by which the last op was left to `to`, which becomes the hot one. */
static int
note_edge(struct trc_ops *o, uint32_t to, uint32_t ordinal, struct trc_err *err)
{
	const bool far = ordinal >= TRC_PATH_FAR;
	struct trc_op_follow *s = &o->step[o->last];

	s->to = far ? TRC_NONE : to;
	s->edge = o->path.edge[o->path.runs - 1] = far ? TRC_PATH_FAR : (uint8_t)ordinal;
	if (to == o->last + 1 && !far)
		o->ahead[o->last] = s->edge;
	return far ? trc_buf_put_num(&o->path.far, ordinal, err) : 0;
}

/* Appends an op to the path, once the edge to it is noted. */
static void
append_op(struct trc_ops *o, uint32_t id)
{
	struct trc_op_path *p = &o->path;

	if (p->n == 0 || id != o->last + 1 || p->edge[p->runs - 1] == TRC_PATH_FAR)
		p->runs++;
	p->run[p->runs - 1] = (struct trc_path_run){ (uint32_t)++p->n, id };
	o->last = id;
}

/* Appends the op at row `i` in any case; returns the row after it, or `i` if out of memory. */
static size_t
step_aside(struct trc_ops *o, const struct trc_refs_rows *r, size_t i, struct trc_err *err)
{
	uint32_t id, ordinal;

	if (trc_row_is_fetch(r->type[i]))
		o->pc = r->addr[i];
	else if (r->pc)
		o->pc = r->pc[i];
	id = find_any(o, r, i, &ordinal, err);
	if (id == TRC_NONE || (o->last != TRC_NONE && note_edge(o, id, ordinal, err)))
		return i;
	append_op(o, id);
	for (uint32_t k = 0; k < o->step[id].data; k++)
		o->data.addr[TRC_BACK + o->data.n++] = r->addr[i + o->step[id].fetch + k];
	return i + o->step[id].rows;
}

/* Makes room for `rows` more rows. */
static int
grow_block(struct trc_ops *o, size_t rows, struct trc_err *err)
{
	const size_t runs = o->path.runs + rows, data = o->data.n + rows;

	/* One more than there can be: see follow(). */
	if (trc_grow(&o->path.run, &o->path.run_cap, runs, sizeof(*o->path.run), err) ||
	    trc_grow(&o->path.edge, &o->path.edge_cap, runs, sizeof(*o->path.edge), err) ||
	    trc_grow(&o->data.addr, &o->data.addr_cap, data + TRC_BACK + 1, sizeof(*o->data.addr),
	             err))
		return -1;
	return 0;
}

/* Finds the ops from row *i on whose first row has more than `ahead` rows after it, and moves *i to
 * the row after them. */
static int
find_from(struct trc_ops *o, const struct trc_refs_rows *rows, size_t *i, size_t ahead,
          struct trc_err *err)
{
	while (*i + ahead < rows->n) {
		size_t next;

		if (o->last != TRC_NONE && !rows->pc)
			*i = follow(o, rows, *i);
		if (*i + ahead >= rows->n)
			break;
		next = step_aside(o, rows, *i, err);
		if (next == *i)
			return -1;
		*i = next;
	}
	return 0;
}

void
trc_ops_begin(struct trc_ops *o, bool inferred)
{
	o->path.n = o->path.runs = o->path.far.n = o->data.n = o->left.n = 0;
	o->last = TRC_NONE;
	o->pc = 0;
	o->inferred = inferred;
}

int
trc_ops_find(struct trc_ops *o, const struct trc_refs_rows *rows, struct trc_err *err)
{
	size_t i = 0;

	if (grow_block(o, rows->n, err))
		return -1;
	if (o->path.n == 0)
		memset(o->data.addr, 0, TRC_BACK * sizeof(*o->data.addr));
	return find_from(o, rows, &i, 0, err);
}

/* ---- piece by piece ---- */

_Static_assert(TRC_OPS_AHEAD > 2 * TRC_SHAPE_ROWS, "an op, and the one that is requested");

static void
append_left(struct trc_ops_left *l, const struct trc_refs_rows *rows, size_t from, size_t n)
{
	memcpy(l->type + l->n, rows->type + from, n * sizeof(*l->type));
	memcpy(l->addr + l->n, rows->addr + from, n * sizeof(*l->addr));
	if (rows->size)
		memcpy(l->size + l->n, rows->size + from, n * sizeof(*l->size));
	l->n += n;
	l->sized = rows->size;
}

static struct trc_refs_rows
rows_left(const struct trc_ops_left *l)
{
	return (struct trc_refs_rows){
		.type = l->type, .addr = l->addr, .size = l->sized ? l->size : NULL, .n = l->n
	};
}

static void
drop_left(struct trc_ops_left *l, size_t n)
{
	l->n -= n;
	memmove(l->type, l->type + n, l->n * sizeof(*l->type));
	memmove(l->addr, l->addr + n, l->n * sizeof(*l->addr));
	memmove(l->size, l->size + n, l->n * sizeof(*l->size));
}

/* What was left is looked at with the first rows of the piece, until all of it is found. */
int
trc_ops_add(struct trc_ops *o, const struct trc_refs_rows *rows, struct trc_err *err)
{
	struct trc_ops_left *l = &o->left;
	const size_t joined = rows->n < 2 * TRC_OPS_AHEAD ? rows->n : 2 * TRC_OPS_AHEAD;
	const size_t before = l->n;
	struct trc_refs_rows both;
	size_t i = 0;

	if (grow_block(o, before + rows->n, err))
		return -1;
	if (o->path.n == 0)
		memset(o->data.addr, 0, TRC_BACK * sizeof(*o->data.addr));
	append_left(l, rows, 0, joined);
	both = rows_left(l);
	if (find_from(o, &both, &i, TRC_OPS_AHEAD, err))
		return -1;
	if (joined == rows->n) {
		drop_left(l, i);
		return 0;
	}
	i -= before;
	if (find_from(o, rows, &i, TRC_OPS_AHEAD, err))
		return -1;
	l->n = 0;
	append_left(l, rows, i, rows->n - i);
	return 0;
}

int
trc_ops_end(struct trc_ops *o, struct trc_err *err)
{
	const struct trc_refs_rows rows = rows_left(&o->left);

	o->left.n = 0;
	return trc_ops_find(o, &rows, err);
}

void
trc_ops_rows(const struct trc_ops *o, uint8_t *type, uint64_t *addr, uint32_t *size)
{
	const uint64_t *data = o->data.addr + TRC_BACK;
	uint32_t id = 0;

	for (size_t i = 0, run = 0; i < o->path.n; i++, id++) {
		const struct trc_op_follow *step;
		const struct trc_shape *s;

		if (i == 0 || i == o->path.run[run].end) {
			run += i > 0;
			id = trc_path_first(o->path.run, run);
		}
		step = &o->step[id];
		s = &o->program.shape[step->shape];
		memcpy(type, s->type, s->rows * sizeof(*type));
		if (size)
			memcpy(size, s->size, s->rows * sizeof(*size));
		if (s->fetch)
			*addr = step->pc;
		memcpy(addr + s->fetch, data, s->data * sizeof(*addr));
		type += s->rows;
		size = size ? size + s->rows : NULL;
		addr += s->rows;
		data += s->data;
	}
	memcpy(type, o->left.type, o->left.n * sizeof(*type));
	memcpy(addr, o->left.addr, o->left.n * sizeof(*addr));
	if (size)
		memcpy(size, o->left.size, o->left.n * sizeof(*size));
}
