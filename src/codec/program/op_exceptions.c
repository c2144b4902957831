/* SPDX-License-Identifier: MIT
 * Exceptions of columns by ops: found along a path, and filled in along a walk. */
#include "codec/program/op_exceptions.h"

#include <stdlib.h>

#include "codec/program/refs.h"

enum {
	CHANGES = 1, /* exceptions become the value of their edge */
	PIECE = 64,  /* ops of a path that are examined together */
};

/* ---- finding exceptions ---- */

void
trc_op_finder_release(struct trc_op_finder *f)
{
	free(f->edge);
	free(f->op);
	free(f->id);
	free(f->taken);
	free(f->rows);
	free(f->now);
	free(f->unsure);
	free(f->known);
	trc_buf_release(&f->kept.bytes);
	trc_buf_release(&f->changed.bytes);
}

/* Sorts the edges by the op that they leave, in order of their numbers there. */
static int
sort_edges(struct trc_op_finder *f, const struct trc_program *p, struct trc_err *err)
{
	uint32_t n = 0;

	if (trc_grow(&f->edge, &f->edge_cap, p->edges, sizeof(*f->edge), err) ||
	    trc_grow(&f->op, &f->op_cap, p->ops, sizeof(*f->op), err))
		return -1;
	for (size_t i = 0; i < p->ops; i++) {
		f->op[i] = (struct trc_op_left){ n, p->shape[p->op[i].shape].rows };
		for (uint32_t e = p->op[i].edge; e != TRC_NONE; e = p->edge[e].next)
			f->edge[n++] = e;
	}
	return 0;
}

/* Lays out the ops of run `i`, and all edges by which they are left but that of the last op. */
static void
follow_run(struct trc_op_finder *f, const struct trc_path *path, size_t i)
{
	const struct trc_path_run run = path->run[i];
	size_t at = i > 0 ? path->run[i - 1].end : 0;

	for (uint32_t id = trc_path_first(path->run, i); id <= run.last; id++, at++) {
		f->id[at] = id;
		f->rows[at] = (uint8_t)f->op[id].rows;
		f->taken[at] = id < run.last ? f->edge[f->op[id].first + path->ahead[id]] :
		                               TRC_NONE;
	}
}

/* Finds the edge by which each op on the path is left; the last op is left by none. */
static int
find_edges(struct trc_op_finder *f, const struct trc_program *p, const struct trc_path *path,
           struct trc_err *err)
{
	struct trc_view far = path->far;

	f->ops = path->runs > 0 ? path->run[path->runs - 1].end : 0;
	if (sort_edges(f, p, err) || trc_grow(&f->id, &f->id_cap, f->ops, sizeof(*f->id), err) ||
	    trc_grow(&f->taken, &f->taken_cap, f->ops, sizeof(*f->taken), err) ||
	    trc_grow(&f->rows, &f->rows_cap, f->ops, sizeof(*f->rows), err))
		return -1;
	for (size_t i = 0; i < path->runs; i++) {
		const struct trc_path_run run = path->run[i];
		uint64_t number = path->edge[i];

		follow_run(f, path, i);
		if (i + 1 == path->runs)
			break;
		if (TRC_UNLIKELY(number == TRC_PATH_FAR) && !trc_view_num(&far, &number))
			return trc_fail(err, "a path lacks an edge");
		f->taken[run.end - 1] = f->edge[f->op[run.last].first + number];
	}
	return 0;
}

static TRC_ALWAYS_INLINE uint64_t
value_at(const void *v, unsigned width, size_t i)
{
	return width == 1 ? ((const uint8_t *)v)[i] :
	       width == 4 ? ((const uint32_t *)v)[i] :
	                    ((const uint64_t *)v)[i];
}

static int
add_exception(struct trc_op_exceptions *to, size_t row, uint64_t v, struct trc_err *err)
{
	const size_t gap = row - to->next;

	to->next = row + 1;
	to->n++;
	return trc_buf_put_num(&to->bytes, gap, err) || trc_buf_put_num(&to->bytes, v, err) ? -1 :
	                                                                                      0;
}

/* Adds a row that is an exception whether values stay or change. */
static int
add_both(struct trc_op_finder *f, size_t row, uint64_t v, struct trc_err *err)
{
	return add_exception(&f->kept, row, v, err) || add_exception(&f->changed, row, v, err) ?
	               -1 :
	               0;
}

/* Handles the value of op `id` in row `row`; edge `e` leaves the op. */
static TRC_ALWAYS_INLINE int
note_value(struct trc_op_finder *f, struct trc_op_column *c, uint32_t id, uint32_t e, size_t row,
           uint64_t v, struct trc_err *err)
{
	bool *known = f->known + c->edges;

	if (TRC_UNLIKELY(!known[id])) {
		known[id] = true;
		c->of_op[id] = v;
	}
	if (TRC_UNLIKELY(e == TRC_NONE))
		return v == c->of_op[id] ? 0 : add_both(f, row, v, err);
	if (TRC_UNLIKELY(!f->known[e])) {
		f->known[e] = true;
		c->of_edge[e] = f->now[e] = v;
		f->unsure[e] = 0;
	}
	if (TRC_LIKELY(v == f->now[e] && v == c->of_edge[e]))
		return 0;
	if (v != c->of_edge[e] && add_exception(&f->kept, row, v, err))
		return -1;
	if (v != f->now[e] && add_exception(&f->changed, row, v, err))
		return -1;
	f->now[e] = v;
	f->unsure[e] = v != c->of_edge[e];
	return 0;
}

/* Handles the values of ops [from, to) of the path, whose rows begin at `row`. */
static TRC_ALWAYS_INLINE int
note_values(struct trc_op_finder *f, struct trc_op_column *c, size_t from, size_t to, size_t row,
            const void *v, unsigned width, struct trc_err *err)
{
	for (size_t i = from; i < to; i++) {
		const size_t end = row + f->rows[i];

		if (note_value(f, c, f->id[i], f->taken[i], row, value_at(v, width, row), err))
			return -1;
		while (++row < end)
			if (TRC_UNLIKELY(value_at(v, width, row) != 0) &&
			    add_both(f, row, value_at(v, width, row), err))
				return -1;
	}
	return 0;
}

/* Returns true if ops [from, to) of the path, all of which are left by edges, have exactly the
 * known values, and 0 in their other rows. *row is where they begin, and is advanced past them.
 * Whether an op has a second row is unpredictable, so there is no branch for it. */
static TRC_ALWAYS_INLINE bool
as_known(const struct trc_op_finder *f, size_t from, size_t to, size_t *row, const void *v,
         unsigned width)
{
	uint64_t differs = 0;
	size_t at = *row;

	for (size_t i = from; i < to; i++) {
		const uint32_t e = f->taken[i];
		const size_t rows = f->rows[i];

		differs |= (value_at(v, width, at) ^ f->now[e]) | f->unsure[e];
		differs |= value_at(v, width, at + 1) & (UINT64_C(0) - (rows > 1));
		for (size_t k = 2; TRC_UNLIKELY(k < rows); k++)
			differs |= value_at(v, width, at + k);
		at += rows;
	}
	*row = at;
	return differs == 0;
}

static TRC_ALWAYS_INLINE int
find_in(struct trc_op_finder *f, struct trc_op_column *c, const void *v, unsigned width,
        size_t most, struct trc_err *err)
{
	size_t row = 0;

	for (size_t i = 0, to; i < f->ops; i = to) {
		const size_t first = row;

		to = f->ops - i > PIECE ? i + PIECE : f->ops;
		if (to < f->ops && TRC_LIKELY(as_known(f, i, to, &row, v, width)))
			continue;
		if (note_values(f, c, i, to, first, v, width, err))
			return -1;
		if (TRC_UNLIKELY(f->kept.bytes.n > most && f->changed.bytes.n > most))
			break;
	}
	return 0;
}

/* Writes the exceptions for values that stay, or that change if this gives fewer bytes. */
static int
put_exceptions(struct trc_op_finder *f, size_t most, struct trc_buf *out, struct trc_err *err)
{
	const bool changes = f->changed.bytes.n < f->kept.bytes.n;
	const struct trc_op_exceptions *from = changes ? &f->changed : &f->kept;

	out->n = 0;
	if (from->bytes.n > most)
		return 0;
	if (trc_buf_put_byte(out, changes ? CHANGES : 0, err) ||
	    trc_buf_put_num(out, from->n, err) ||
	    trc_buf_put(out, from->bytes.p, from->bytes.n, err))
		return -1;
	return 0;
}

static int
find_column(struct trc_op_finder *f, struct trc_op_column *c, const void *v, size_t most,
            struct trc_err *err)
{
	f->kept.n = f->kept.next = f->kept.bytes.n = 0;
	f->changed.n = f->changed.next = f->changed.bytes.n = 0;
	if (c->edges > 0)
		memcpy(f->now, c->of_edge, c->edges * sizeof(*f->now));
	for (size_t i = 0; i < c->edges; i++)
		f->unsure[i] = !f->known[i];
	return c->width == 1 ? find_in(f, c, v, 1, most, err) :
	       c->width == 4 ? find_in(f, c, v, 4, most, err) :
	                       find_in(f, c, v, 8, most, err);
}

int
trc_op_finder_find(struct trc_op_finder *f, struct trc_program *p, const struct trc_path *path,
                   size_t old_ops, const void *const *v, size_t most, struct trc_buf *exceptions,
                   struct trc_err *err)
{
	const size_t all = p->edges + p->ops;

	if (trc_op_columns_room(p, err) || find_edges(f, p, path, err) ||
	    trc_grow(&f->now, &f->now_cap, p->edges, sizeof(*f->now), err) ||
	    trc_grow(&f->unsure, &f->unsure_cap, p->edges, sizeof(*f->unsure), err) ||
	    trc_grow(&f->known, &f->known_cap, all, sizeof(*f->known), err))
		return -1;
	for (unsigned k = 0; k < p->columns; k++) {
		for (size_t i = 0; i < all; i++)
			f->known[i] = i < p->edges ? i < path->old_edges : i < p->edges + old_ops;
		if (find_column(f, &p->column[k], v[k], most, err) ||
		    put_exceptions(f, most, &exceptions[k], err))
			return -1;
	}
	return 0;
}

/* ---- filling columns ---- */

void
trc_op_layout_release(struct trc_op_layout *l)
{
	free(l->step);
	free(l->of_run);
	free(l->of_next);
	free(l->now);
}

int
trc_op_layout_begin(struct trc_op_layout *l, const struct trc_walk *w, struct trc_err *err)
{
	const struct trc_run_graph *g = &w->graph;

	if (trc_grow(&l->of_run, &l->of_run_cap, g->runs, sizeof(*l->of_run), err) ||
	    trc_grow(&l->of_next, &l->of_next_cap, g->nexts, sizeof(*l->of_next), err))
		return -1;
	if (g->runs > 0)
		memset(l->of_run, 0, g->runs * sizeof(*l->of_run));
	l->steps = 0;
	return 0;
}

static int
lay_run(struct trc_op_layout *l, const struct trc_run_graph *g, uint32_t number,
        struct trc_err *err)
{
	const struct trc_program *p = g->program;
	const struct trc_run *run = &g->run[number];
	uint32_t id = run->first, row = 0, e;

	if (trc_grow(&l->step, &l->step_cap, l->steps + run->ops, sizeof(*l->step), err))
		return -1;
	l->of_run[number] = 1 + (uint32_t)l->steps;
	for (uint32_t k = 0; k < run->ops; k++) {
		const struct trc_op *op = &p->op[id];

		l->step[l->steps++] = (struct trc_op_step){ row, op->edge };
		row += p->shape[op->shape].rows;
		if (k + 1 < run->ops)
			id = p->edge[op->edge].to;
	}
	e = p->op[run->last].edge;
	for (uint32_t k = 0; k < run->edges; k++, e = p->edge[e].next)
		l->of_next[run->next + k] = e;
	return 0;
}

/* The state of reading exceptions. */
struct reader {
	struct trc_view in;
	uint64_t left;
	uint64_t row, value; /* the next exception; `row` is `rows` after the last one */
	uint64_t rows;
	uint64_t cleared; /* number of rows that were cleared before values were stored */
	uint8_t width;
	bool changes;
};

static int
damaged(struct trc_err *err)
{
	return trc_refs_corrupt(err, "exceptions of a column");
}

/* Reads the next exception, at or after row `from`. */
static int
next_exception(struct reader *r, uint64_t from, struct trc_err *err)
{
	uint64_t gap;

	r->row = r->rows;
	if (r->left == 0)
		return 0;
	r->left--;
	if (!trc_view_num(&r->in, &gap) || gap >= r->rows - from ||
	    !trc_view_num(&r->in, &r->value) || (r->width < 8 && r->value >> 8 * r->width != 0))
		return damaged(err);
	r->row = from + gap;
	return 0;
}

static TRC_ALWAYS_INLINE void
put_value(void *to, unsigned width, size_t i, uint64_t v)
{
	if (width == 1)
		((uint8_t *)to)[i] = (uint8_t)v;
	else if (width == 4)
		((uint32_t *)to)[i] = (uint32_t)v;
	else
		((uint64_t *)to)[i] = v;
}

/* Stores the exceptions before row `row`, which are not in first rows of ops. */
static int
put_before(struct reader *r, uint64_t row, void *to, struct trc_err *err)
{
	while (r->row < row) {
		put_value(to, r->width, (size_t)r->row, r->value);
		if (next_exception(r, r->row + 1, err))
			return -1;
	}
	return 0;
}

/* Stores the value of an op in row `row`, which is at or after the next exception. */
static int
put_exception(struct reader *r, size_t row, uint64_t *v, void *to, struct trc_err *err)
{
	uint64_t value = *v;

	if (put_before(r, row, to, err))
		return -1;
	if (r->row == row) {
		value = r->value;
		if (r->changes)
			*v = value;
		if (next_exception(r, row + 1, err))
			return -1;
	}
	put_value(to, r->width, row, value);
	return 0;
}

/* Clears rows up to `end` and some more, so that they are in the cache when values are stored. */
static void
clear_rows(struct reader *r, uint64_t end, void *to)
{
	enum { MORE = 2048 };
	const uint64_t n = end + MORE < r->rows ? end + MORE : r->rows;

	if (n > r->cleared)
		memset((uint8_t *)to + r->cleared * r->width, 0,
		       (size_t)(n - r->cleared) * r->width);
	r->cleared = n;
}

/* Fills in the first rows of ops. */
static TRC_ALWAYS_INLINE int
fill(struct trc_op_layout *l, const struct trc_walk *w, uint64_t *of_last, struct reader *r,
     void *to, unsigned width, struct trc_err *err)
{
	size_t base = 0;

	for (size_t i = 0; i < w->orders; i++) {
		const struct trc_run *run = &w->graph.run[w->order[i]];
		const bool last = i + 1 == w->orders;
		const uint32_t ops = last ? w->tail : run->ops;
		const struct trc_op_step *step;

		if (TRC_UNLIKELY(base + run->rows > r->cleared))
			clear_rows(r, base + run->rows, to);
		if (l->of_run[w->order[i]] == 0 && lay_run(l, &w->graph, w->order[i], err))
			return -1;
		step = l->step + l->of_run[w->order[i]] - 1;
		for (uint32_t k = 0; k < ops; k++) {
			const size_t row = base + step[k].row;
			uint64_t *v = k + 1 < ops ? &l->now[step[k].edge] :
			              last        ? of_last :
			                            &l->now[l->of_next[run->next + w->taken[i]]];

			if (TRC_UNLIKELY(r->row <= row)) {
				if (put_exception(r, row, v, to, err))
					return -1;
				continue;
			}
			put_value(to, width, row, *v);
		}
		base += run->rows;
	}
	return 0;
}

/* Returns the value of the column for the last op of a walk. */
static uint64_t
value_of_last(const struct trc_walk *w, const struct trc_op_column *c)
{
	const struct trc_program *p = w->graph.program;
	uint32_t id = w->graph.run[w->order[w->orders - 1]].first;

	for (uint32_t k = 1; k < w->tail; k++)
		id = p->edge[p->op[id].edge].to;
	return c->of_op[id];
}

int
trc_op_layout_fill(struct trc_op_layout *l, const struct trc_walk *w, unsigned k,
                   struct trc_view *in, void *to, size_t rows, struct trc_err *err)
{
	const struct trc_op_column *c = &w->graph.program->column[k];
	const uint8_t *changes = trc_view_bytes(in, 1);
	struct reader r = { .rows = rows, .width = c->width };
	uint64_t of_last;
	int ret;

	if (!changes || *changes > CHANGES || !trc_view_num(in, &r.left))
		return damaged(err);
	r.changes = *changes == CHANGES;
	r.in = *in;
	if (next_exception(&r, 0, err) ||
	    trc_grow(&l->now, &l->now_cap, c->edges, sizeof(*l->now), err))
		return -1;
	if (c->edges > 0)
		memcpy(l->now, c->of_edge, c->edges * sizeof(*l->now));
	of_last = w->orders > 0 ? value_of_last(w, c) : 0;
	ret = c->width == 1 ? fill(l, w, &of_last, &r, to, 1, err) :
	      c->width == 4 ? fill(l, w, &of_last, &r, to, 4, err) :
	                      fill(l, w, &of_last, &r, to, 8, err);
	if (ret)
		return -1;
	clear_rows(&r, rows, to);
	if (put_before(&r, rows, to, err))
		return -1;
	*in = r.in;
	return r.left == 0 ? 0 : damaged(err);
}
