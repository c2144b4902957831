/* SPDX-License-Identifier: MIT
 * Laying out runs, and following the choices through them. */
#include "codec/program/refs_runs.h"

#include <stdlib.h>

_Static_assert((int)TRC_SHAPE_ROWS <= TRC_RUN_SLACK,
               "an op is laid out with what may be behind it");

enum {
	NOT_SEEN = 0,
	FEW_ROWS = 4,        /* most ops have no more */
	ROWS_MOST = 1 << 24, /* of all templates; what real programs need is a tenth */
};

int
trc_walk_room(const struct trc_walk *w, size_t more, struct trc_err *err)
{
	const size_t bytes = w->run_cap * sizeof(*w->run) +
	                     w->run_of_op_cap * sizeof(*w->run_of_op) +
	                     w->next_cap * sizeof(*w->next) + w->type_cap * sizeof(*w->type) +
	                     w->addr_cap * sizeof(*w->addr) + w->size_cap * sizeof(*w->size) +
	                     w->place_cap * sizeof(*w->place) + w->order_cap * sizeof(*w->order) +
	                     w->passed_cap * sizeof(*w->passed) + w->choosing;

	if (w->most == 0 || (bytes <= w->most && more <= w->most - bytes))
		return 0;
	return trc_fail(err,
	                "the program needs %zu MiB more memory than there may be; --memlimit "
	                "raises it",
	                ((bytes - w->most + more) >> 20) + 1);
}

/* Makes room for the templates of one more run, and what is laid out behind them. */
static int
grow_templates(struct trc_walk *w, struct trc_err *err)
{
	const size_t rows = w->row + TRC_RUN_ROWS + TRC_RUN_SLACK;
	const size_t places = w->places + TRC_RUN_ROWS + TRC_RUN_SLACK;

	return trc_grow(&w->type, &w->type_cap, rows, sizeof(*w->type), err) ||
	                       trc_grow(&w->addr, &w->addr_cap, rows, sizeof(*w->addr), err) ||
	                       (w->sized &&
	                        trc_grow(&w->size, &w->size_cap, rows, sizeof(*w->size), err)) ||
	                       trc_grow(&w->place, &w->place_cap, places, sizeof(*w->place), err) ?
	               -1 :
	               0;
}

/* Lays out the rows of an op at the end of the templates: so many of them, of which only those
 * count that it has. A fixed number are a few instructions, and no loop. */
static TRC_ALWAYS_INLINE void
lay_rows(struct trc_walk *w, const struct trc_run *run, const struct trc_op *op,
         const struct trc_shape *s, uint32_t rows)
{
	const uint32_t fetch = s->fetch, row = (uint32_t)w->row - run->row + fetch;
	struct trc_place *place = w->place + w->places;
	uint64_t *addr = w->addr + w->row;

	memcpy(w->type + w->row, s->type, rows * sizeof(*s->type));
	if (w->sized)
		memcpy(w->size + w->row, s->size, rows * sizeof(*s->size));
	for (uint32_t i = 0; i < rows; i++)
		addr[i] = op->pc;
	for (uint32_t i = 0; i < rows; i++)
		place[i] = (struct trc_place){ row + i, op->slot + i };
}

static void
lay_op(struct trc_walk *w, const struct trc_run *run, const struct trc_op *op)
{
	const struct trc_shape *s = &w->program->shape[op->shape];

	if (TRC_LIKELY(s->rows <= FEW_ROWS))
		lay_rows(w, run, op, s, FEW_ROWS);
	else
		lay_rows(w, run, op, s, TRC_SHAPE_ROWS);
	w->row += s->rows;
	w->places += s->data;
}

/* Makes the run that begins with op `id` and ends at the next choice. */
static int
make_run(struct trc_walk *w, uint32_t id, struct trc_err *err)
{
	const struct trc_program *p = w->program;
	struct trc_run run = { .row = (uint32_t)w->row, .place = (uint32_t)w->places, .first = id };

	if (grow_templates(w, err) || trc_walk_room(w, 0, err))
		return -1;
	for (;;) {
		lay_op(w, &run, &p->op[id]);
		run.last = id;
		if (++run.ops == TRC_RUN_OPS || p->op[id].edges != 1)
			break;
		id = p->edge[p->op[id].edge].to;
	}
	run.rows = (uint32_t)w->row - run.row;
	run.places = (uint32_t)w->places - run.place;
	run.edges = p->op[run.last].edges;
	run.next = (uint32_t)w->nexts;
	if (w->row > ROWS_MOST)
		return trc_refs_corrupt(err, "too many runs");
	if (trc_grow(&w->run, &w->run_cap, w->runs + 1, sizeof(*w->run), err) ||
	    trc_grow(&w->passed, &w->passed_cap, w->runs + 1, sizeof(*w->passed), err) ||
	    trc_grow(&w->next, &w->next_cap, w->nexts + run.edges, sizeof(*w->next), err))
		return -1;
	for (uint32_t i = 0; i < run.edges; i++)
		w->next[w->nexts++] = NOT_SEEN;
	w->passed[w->runs] = 0;
	w->run[w->runs++] = run;
	w->run_of_op[run.first] = (uint32_t)w->runs;
	return 0;
}

/* 1 + the number of the run that begins with op `id`; 0 if there is no memory. */
static uint32_t
find_run(struct trc_walk *w, uint32_t id, struct trc_err *err)
{
	if (w->run_of_op[id] == NOT_SEEN && make_run(w, id, err))
		return 0;
	return w->run_of_op[id];
}

/* The same for the run that follows by edge `choice`. */
static uint32_t
follow(struct trc_walk *w, const struct trc_run *run, uint32_t choice, struct trc_err *err)
{
	const struct trc_program *p = w->program;
	const uint32_t place = run->next + choice;
	uint32_t edge = p->op[run->last].edge;

	for (uint32_t i = 0; i < choice; i++)
		edge = p->edge[edge].next;
	const uint32_t found = find_run(w, p->edge[edge].to, err);

	if (found)
		w->next[place] = found;
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
	const bool same = w->program && w->version == p->version && w->row < ROWS_MOST / 2;

	w->program = p;
	if (same) {
		for (size_t i = 0; i < w->runs; i++)
			w->passed[i] = w->run[i].decider = 0;
		return 0;
	}
	w->version = p->version;
	w->sized = has_sizes(p);
	w->runs = w->nexts = w->row = w->places = 0;
	if (trc_walk_room(w, p->ops * sizeof(*w->run_of_op), err) ||
	    trc_grow(&w->run_of_op, &w->run_of_op_cap, p->ops, sizeof(*w->run_of_op), err))
		return -1;
	if (p->ops > 0)
		memset(w->run_of_op, 0, p->ops * sizeof(*w->run_of_op));
	return 0;
}

/* What choices are read from. */
struct choices {
	struct trc_view choice, far;
	struct trc_path_model *told; /* NULL: they are bytes */
};

static int
begin_choices(struct trc_walk *w, struct choices *c, const struct trc_refs *refs, size_t old_edges,
              struct trc_err *err)
{
	const struct trc_program *p = w->program;
	const struct trc_buf *choice = &refs->stream[TRC_REFS_PATH];

	*c = (struct choices){ trc_buf_view(choice), trc_buf_view(&refs->stream[TRC_REFS_FAR]),
		               NULL };
	if (refs->branches == 0)
		return 0;
	if (w->choosing < trc_path_model_memory(p, refs->branches))
		w->choosing = trc_path_model_memory(p, refs->branches);
	if (trc_walk_room(w, 0, err))
		return -1;
	if (!w->chooser)
		w->chooser = trc_path_model_open(err);
	if (!w->chooser ||
	    trc_path_begin(w->chooser, p, old_edges, choice->p, choice->n, refs->branches, err))
		return -1;
	c->told = w->chooser;
	c->choice.p = c->choice.end;
	return 0;
}

static int
read_bytes(const struct trc_run *run, struct choices *c, uint32_t *choice, struct trc_err *err)
{
	uint64_t number;

	if (c->choice.p == c->choice.end)
		return trc_refs_corrupt(err, "choices");
	*choice = *c->choice.p++;
	if (*choice == TRC_PATH_FAR) {
		if (!trc_view_num(&c->far, &number) || number > UINT32_MAX)
			return trc_refs_corrupt(err, "far choices");
		*choice = (uint32_t)number;
	}
	return *choice < run->edges ? 0 : trc_refs_corrupt(err, "a choice");
}

/* Reads which edge is taken behind a run. */
static int
read_choice(struct trc_run *run, struct choices *c, uint32_t *choice, struct trc_err *err)
{
	*choice = 0;
	if (run->edges == 1)
		return 0;
	if (!c->told)
		return read_bytes(run, c, choice, err);
	if (TRC_UNLIKELY(run->decider == 0)) {
		run->decider = 1 + trc_path_branch_op(c->told, run->last, err);
		if (run->decider == 1 + TRC_NONE)
			return -1;
	}
	*choice = trc_path_next(c->told, run->decider - 1);
	return *choice < run->edges ? 0 : trc_refs_corrupt(err, "a choice");
}

/* Follows the choices from the first op to the last; leaves `order`, `passed` and `tail`. */
static int
walk(struct trc_walk *w, const struct trc_refs *refs, struct choices *choices, struct trc_err *err)
{
	uint64_t left = refs->ops;
	uint32_t found;

	w->orders = 0;
	w->tail = 0;
	if (left == 0)
		return 0;
	if (refs->first >= w->program->ops)
		return trc_refs_corrupt(err, "first op");
	found = find_run(w, refs->first, err);
	for (;;) {
		struct trc_run *run;
		uint32_t choice;

		if (!found)
			return -1;
		run = &w->run[found - 1];
		if (w->orders == w->order_cap &&
		    trc_grow(&w->order, &w->order_cap, w->orders + 1, sizeof(*w->order), err))
			return -1;
		w->order[w->orders++] = found - 1;
		if (left <= run->ops)
			break;
		w->passed[found - 1]++;
		left -= run->ops;
		if (run->edges == 0)
			return trc_refs_corrupt(err, "an op without an edge");
		if (read_choice(run, choices, &choice, err))
			return -1;
		found = w->next[run->next + choice];
		if (TRC_UNLIKELY(found == NOT_SEEN))
			found = follow(w, run, choice, err);
	}
	w->tail = (uint32_t)left;
	if (choices->choice.p != choices->choice.end || choices->far.p != choices->far.end ||
	    (choices->told && !trc_path_ended(choices->told)))
		return trc_refs_corrupt(err, "choices left over");
	return 0;
}

/* Rows and places of the part of the last run that belongs to the block. */
static void
measure_tail(struct trc_walk *w)
{
	const struct trc_program *p = w->program;
	uint32_t id;

	w->tail_rows = w->tail_places = 0;
	if (w->orders == 0)
		return;
	id = w->run[w->order[w->orders - 1]].first;
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
	struct choices choices;
	int failed;

	if (renew_runs(w, p, err))
		return -1;
	failed = begin_choices(w, &choices, refs, old_edges, err) || walk(w, refs, &choices, err);
	/* What comes next can use its memory: more costs more than to begin it again. */
	trc_path_model_close(w->chooser);
	w->chooser = NULL;
	if (failed)
		return -1;
	measure_tail(w);
	return 0;
}

void
trc_walk_release(struct trc_walk *w)
{
	trc_path_model_close(w->chooser);
	free(w->run);
	free(w->run_of_op);
	free(w->next);
	free(w->type);
	free(w->addr);
	free(w->size);
	free(w->place);
	free(w->order);
	free(w->passed);
}
