/* SPDX-License-Identifier: MIT
 * Lays out runs, and follows the path through them. */
#include "codec/program/refs_runs.h"

#include <stdlib.h>

_Static_assert((int)TRC_SHAPE_ROWS <= TRC_RUN_SLACK,
               "an op is laid out with what may be behind it");

enum {
	NOT_SEEN = 0,
	FEW_ROWS = 4,        /* most ops have at most this many */
	ROWS_MOST = 1 << 24, /* in all templates; real programs need a tenth of this */
};

int
trc_walk_check_memory(const struct trc_walk *w, size_t more, struct trc_err *err)
{
	const size_t bytes = w->graph.run_cap * sizeof(*w->graph.run) +
	                     w->graph.run_of_op_cap * sizeof(*w->graph.run_of_op) +
	                     w->graph.next_cap * sizeof(*w->graph.next) +
	                     w->template.type_cap * sizeof(*w->template.type) +
	                     w->template.addr_cap * sizeof(*w->template.addr) +
	                     w->template.size_cap * sizeof(*w->template.size) +
	                     w->template.place_cap * sizeof(*w->template.place) +
	                     w->order_cap * sizeof(*w->order) + w->taken_cap * sizeof(*w->taken) +
	                     w->graph.passed_cap * sizeof(*w->graph.passed) + w->model_bytes;

	if (w->most == 0 || (bytes <= w->most && more <= w->most - bytes))
		return 0;
	return trc_fail(err,
	                "the program needs %zu MiB more memory than the limit; raise it with "
	                "--memlimit",
	                ((bytes - w->most + more) >> 20) + 1);
}

/* Makes room for the templates of one more run and its slack. */
static int
grow_templates(struct trc_walk *w, struct trc_err *err)
{
	const size_t rows = w->template.row + TRC_RUN_ROWS + TRC_RUN_SLACK;
	const size_t places = w->template.places + TRC_RUN_ROWS + TRC_RUN_SLACK;

	if (trc_grow(&w->template.type, &w->template.type_cap, rows, sizeof(*w->template.type),
	             err) ||
	    trc_grow(&w->template.addr, &w->template.addr_cap, rows, sizeof(*w->template.addr),
	             err) ||
	    (w->template.sized && trc_grow(&w->template.size, &w->template.size_cap, rows,
	                                   sizeof(*w->template.size), err)) ||
	    trc_grow(&w->template.place, &w->template.place_cap, places, sizeof(*w->template.place),
	             err))
		return -1;
	return 0;
}

/* Lays out the rows of an op at the end of the templates. Always writes `rows` rows, of which only
 * those that the op has count: a constant number takes a few instructions instead of a loop. */
static TRC_ALWAYS_INLINE void
lay_rows(struct trc_walk *w, const struct trc_run *run, const struct trc_op *op,
         const struct trc_shape *s, uint32_t rows)
{
	const uint32_t fetch = s->fetch, row = (uint32_t)w->template.row - run->row + fetch;
	struct trc_run_place *place = w->template.place + w->template.places;
	uint64_t *addr = w->template.addr + w->template.row;

	memcpy(w->template.type + w->template.row, s->type, rows * sizeof(*s->type));
	if (w->template.sized)
		memcpy(w->template.size + w->template.row, s->size, rows * sizeof(*s->size));
	for (uint32_t i = 0; i < rows; i++)
		addr[i] = op->pc;
	for (uint32_t i = 0; i < rows; i++)
		place[i] = (struct trc_run_place){ row + i, op->slot + i };
}

static void
lay_op(struct trc_walk *w, const struct trc_run *run, const struct trc_op *op)
{
	const struct trc_shape *s = &w->graph.program->shape[op->shape];

	if (TRC_LIKELY(s->rows <= FEW_ROWS))
		lay_rows(w, run, op, s, FEW_ROWS);
	else
		lay_rows(w, run, op, s, TRC_SHAPE_ROWS);
	w->template.row += s->rows;
	w->template.places += s->data;
}

/* Makes the run that begins with op `id` and ends at the next branch. */
static int
make_run(struct trc_walk *w, uint32_t id, struct trc_err *err)
{
	const struct trc_program *p = w->graph.program;
	struct trc_run run = { .row = (uint32_t)w->template.row,
		               .place = (uint32_t)w->template.places,
		               .first = id };

	if (grow_templates(w, err) || trc_walk_check_memory(w, 0, err))
		return -1;
	for (;;) {
		lay_op(w, &run, &p->op[id]);
		run.last = id;
		if (++run.ops == TRC_RUN_OPS || p->op[id].edges != 1)
			break;
		id = p->edge[p->op[id].edge].to;
	}
	run.rows = (uint32_t)w->template.row - run.row;
	run.places = (uint32_t)w->template.places - run.place;
	run.edges = p->op[run.last].edges;
	run.next = (uint32_t)w->graph.nexts;
	if (w->template.row > ROWS_MOST)
		return trc_refs_corrupt(err, "too many runs");
	if (trc_grow(&w->graph.run, &w->graph.run_cap, w->graph.runs + 1, sizeof(*w->graph.run),
	             err) ||
	    trc_grow(&w->graph.passed, &w->graph.passed_cap, w->graph.runs + 1,
	             sizeof(*w->graph.passed), err) ||
	    trc_grow(&w->graph.next, &w->graph.next_cap, w->graph.nexts + run.edges,
	             sizeof(*w->graph.next), err))
		return -1;
	for (uint32_t i = 0; i < run.edges; i++)
		w->graph.next[w->graph.nexts++] = NOT_SEEN;
	w->graph.passed[w->graph.runs] = 0;
	w->graph.run[w->graph.runs++] = run;
	w->graph.run_of_op[run.first] = (uint32_t)w->graph.runs;
	return 0;
}

/* Returns 1 + the number of the run that begins with op `id`; 0 if out of memory. */
static uint32_t
find_run(struct trc_walk *w, uint32_t id, struct trc_err *err)
{
	if (w->graph.run_of_op[id] == NOT_SEEN && make_run(w, id, err))
		return 0;
	return w->graph.run_of_op[id];
}

/* Does the same for the run that follows by edge `taken`. */
static uint32_t
follow(struct trc_walk *w, const struct trc_run *run, uint32_t taken, struct trc_err *err)
{
	const struct trc_program *p = w->graph.program;
	const uint32_t place = run->next + taken;
	uint32_t edge = p->op[run->last].edge;

	for (uint32_t i = 0; i < taken; i++)
		edge = p->edge[edge].next;
	const uint32_t found = find_run(w, p->edge[edge].to, err);

	if (found)
		w->graph.next[place] = found;
	return found;
}

static bool
has_sizes(const struct trc_program *p)
{
	for (size_t i = 0; i < p->shapes; i++)
		for (unsigned k = 0; k < p->shape[i].rows; k++)
			if (p->shape[i].size[k] != 0)
				return true;
	return false;
}

static int
renew_runs(struct trc_walk *w, const struct trc_program *p, struct trc_err *err)
{
	const bool same = w->graph.program && w->graph.version == p->version &&
	                  w->template.row < ROWS_MOST / 2;

	w->graph.program = p;
	if (same) {
		for (size_t i = 0; i < w->graph.runs; i++)
			w->graph.passed[i] = w->graph.run[i].branch = 0;
		return 0;
	}
	w->graph.version = p->version;
	w->template.sized = has_sizes(p);
	w->graph.runs = w->graph.nexts = w->template.row = w->template.places = 0;
	if (trc_walk_check_memory(w, p->ops * sizeof(*w->graph.run_of_op), err) ||
	    trc_grow(&w->graph.run_of_op, &w->graph.run_of_op_cap, p->ops,
	             sizeof(*w->graph.run_of_op), err))
		return -1;
	if (p->ops > 0)
		memset(w->graph.run_of_op, 0, p->ops * sizeof(*w->graph.run_of_op));
	return 0;
}

/* The source of the path: branches from the path model or as bytes, and numbers that do not fit in
 * a byte. */
struct path_source {
	struct trc_view edge, far;
	struct trc_path_model *model; /* NULL: branches are bytes */
};

static int
begin_path(struct trc_walk *w, struct path_source *c, const struct trc_refs *refs, size_t old_edges,
           struct trc_err *err)
{
	const struct trc_program *p = w->graph.program;
	const struct trc_buf *bytes = &refs->stream[TRC_REFS_PATH];

	*c = (struct path_source){ trc_buf_view(bytes), trc_buf_view(&refs->stream[TRC_REFS_FAR]),
		                   NULL };
	if (refs->branches == 0)
		return 0;
	if (w->model_bytes < trc_path_model_memory(p, refs->branches))
		w->model_bytes = trc_path_model_memory(p, refs->branches);
	if (trc_walk_check_memory(w, 0, err))
		return -1;
	if (!w->model)
		w->model = trc_path_model_open(err);
	if (!w->model ||
	    trc_path_begin(w->model, p, old_edges, bytes->p, bytes->n, refs->branches, err))
		return -1;
	c->model = w->model;
	c->edge.p = c->edge.end;
	return 0;
}

static int
read_bytes(const struct trc_run *run, struct path_source *c, uint32_t *taken, struct trc_err *err)
{
	uint64_t number;

	if (c->edge.p == c->edge.end)
		return trc_refs_corrupt(err, "branches");
	*taken = *c->edge.p++;
	if (*taken == TRC_PATH_FAR) {
		if (!trc_view_num(&c->far, &number) || number > UINT32_MAX)
			return trc_refs_corrupt(err, "far branches");
		*taken = (uint32_t)number;
	}
	return *taken < run->edges ? 0 : trc_refs_corrupt(err, "a branch");
}

/* Reads the edge that is taken after a run. */
static int
read_branch(struct trc_run *run, struct path_source *c, uint32_t *taken, struct trc_err *err)
{
	*taken = 0;
	if (run->edges == 1)
		return 0;
	if (!c->model)
		return read_bytes(run, c, taken, err);
	if (TRC_UNLIKELY(run->branch == 0)) {
		run->branch = 1 + trc_path_branch_op(c->model, run->last, err);
		if (run->branch == 1 + TRC_NONE)
			return -1;
	}
	*taken = trc_path_next(c->model, run->branch - 1);
	return *taken < run->edges ? 0 : trc_refs_corrupt(err, "a branch");
}

/* Records the edge by which the last run was left. */
static int
note_taken(struct trc_walk *w, uint32_t taken, struct trc_err *err)
{
	if (trc_grow(&w->taken, &w->taken_cap, w->orders, sizeof(*w->taken), err))
		return -1;
	w->taken[w->orders - 1] = taken;
	return 0;
}

/* Follows the path from the first op to the last; sets `order`, `passed` and `tail`. */
static int
walk(struct trc_walk *w, const struct trc_refs *refs, struct path_source *source,
     struct trc_err *err)
{
	uint64_t left = refs->ops;
	uint32_t found;

	w->orders = 0;
	w->tail = 0;
	if (left == 0)
		return 0;
	if (refs->first >= w->graph.program->ops)
		return trc_refs_corrupt(err, "first op");
	found = find_run(w, refs->first, err);
	for (;;) {
		struct trc_run *run;
		uint32_t taken;

		if (!found)
			return -1;
		run = &w->graph.run[found - 1];
		if (w->orders == w->order_cap &&
		    trc_grow(&w->order, &w->order_cap, w->orders + 1, sizeof(*w->order), err))
			return -1;
		w->order[w->orders++] = found - 1;
		if (left <= run->ops)
			break;
		w->graph.passed[found - 1]++;
		left -= run->ops;
		if (run->edges == 0)
			return trc_refs_corrupt(err, "an op without an edge");
		if (read_branch(run, source, &taken, err) ||
		    (w->graph.program->columns > 0 && note_taken(w, taken, err)))
			return -1;
		found = w->graph.next[run->next + taken];
		if (TRC_UNLIKELY(found == NOT_SEEN))
			found = follow(w, run, taken, err);
	}
	w->tail = (uint32_t)left;
	if (source->edge.p != source->edge.end || source->far.p != source->far.end ||
	    (source->model && !trc_path_ended(source->model)))
		return trc_refs_corrupt(err, "branches left over");
	return 0;
}

/* Counts the rows and places of the part of the last run that belongs to the block. */
static void
measure_tail(struct trc_walk *w)
{
	const struct trc_program *p = w->graph.program;
	uint32_t id;

	w->tail_rows = w->tail_places = 0;
	if (w->orders == 0)
		return;
	id = w->graph.run[w->order[w->orders - 1]].first;
	for (uint32_t i = 0; i < w->tail; i++) {
		const struct trc_shape *s = &p->shape[p->op[id].shape];

		w->tail_rows += s->rows;
		w->tail_places += s->data;
		if (i + 1 < w->tail)
			id = p->edge[p->op[id].edge].to;
	}
}

int
trc_walk(struct trc_walk *w, const struct trc_program *p, size_t old_edges,
         const struct trc_refs *refs, struct trc_err *err)
{
	struct path_source source;
	int failed;

	if (renew_runs(w, p, err))
		return -1;
	failed = begin_path(w, &source, refs, old_edges, err) || walk(w, refs, &source, err);
	/* Freed so that the next step can use its memory; allocating it again costs less than using
	 * more. */
	trc_path_model_close(w->model);
	w->model = NULL;
	if (failed)
		return -1;
	measure_tail(w);
	return 0;
}

void
trc_walk_release(struct trc_walk *w)
{
	trc_path_model_close(w->model);
	free(w->graph.run);
	free(w->graph.run_of_op);
	free(w->graph.next);
	free(w->template.type);
	free(w->template.addr);
	free(w->template.size);
	free(w->template.place);
	free(w->order);
	free(w->taken);
	free(w->graph.passed);
}
