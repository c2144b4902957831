/* SPDX-License-Identifier: MIT
 * Writes one slot after another to the streams. */
#include "codec/program/refs_writer.h"

#include <stdlib.h>

#include "base/numbers.h"
#include "codec/growth/growth.h"
#include "codec/program/op_exceptions.h"
#include "codec/program/refs_ops.h"
#include "codec/program/successor_search.h"

/* The effort spent before choosing. */
static const struct effort {
	size_t sample;    /* references of a slot, for its mode */
	size_t literals;  /* literals, for the form of all */
	size_t own;       /* literals of a slot, for a form of its own; 0: none has one */
	size_t successor; /* references of a slot, for a successor table; 0: none has one */
	bool models;      /* models choose the cheapest mode in which a slot is constant */
} usual = { 3000, 16384, 4096, 4096, true }, quick = { 200, 2048, 0, 0, false };

/* Compiles rows to a program and the streams of a block. This is new. */
struct trc_refs_writer {
	const struct effort *effort;
	struct trc_ops ops;

	/* Of the current block. */
	uint32_t *event, *start; /* data references sorted by slot; the first one of each slot */
	size_t event_cap, start_cap;
	struct trc_slot_modes *modes; /* choices for new slots */
	size_t modes_cap;
	struct trc_refs_literals literals;
	struct trc_successor_search search;
	struct trc_buf scratch;
	size_t old_ops, old_edges; /* sizes of the program before the block */
	struct trc_path_model *path_model;
	struct trc_op_finder finder;
};

struct trc_refs_writer *
trc_refs_writer_open(bool fast, struct trc_err *err)
{
	struct trc_refs_writer *w = trc_alloc(1, sizeof(*w), err);

	if (w)
		w->effort = fast ? &quick : &usual;
	if (w && (trc_ops_init(&w->ops, err) || trc_growth_begin(&w->ops.program, err))) {
		trc_refs_writer_close(w);
		return NULL;
	}
	return w;
}

void
trc_refs_writer_close(struct trc_refs_writer *w)
{
	if (!w)
		return;
	trc_ops_release(&w->ops);
	trc_path_model_close(w->path_model);
	free(w->event);
	free(w->start);
	free(w->modes);
	trc_refs_literals_release(&w->literals);
	trc_successor_search_release(&w->search);
	trc_buf_release(&w->scratch);
	trc_op_finder_release(&w->finder);
	free(w);
}

size_t
trc_refs_writer_ops(const struct trc_refs_writer *w)
{
	return w->ops.program.ops;
}

size_t
trc_refs_writer_new_ops(const struct trc_refs_writer *w)
{
	return w->ops.program.ops - w->old_ops;
}

bool
trc_refs_writer_fits(const struct trc_refs_writer *w)
{
	const struct trc_program *p = &w->ops.program;

	return p->ops <= TRC_PROGRAM_MOST && p->shapes <= TRC_SHAPES_MOST &&
	       p->edges <= TRC_EDGES_MOST && p->slots <= TRC_SLOTS_MOST;
}

/* ---- path ---- */

static struct trc_path
path_of(const struct trc_refs_writer *w)
{
	const struct trc_ops *o = &w->ops;

	return (struct trc_path){ &o->program,
		                  w->old_edges,
		                  o->path.run,
		                  o->path.edge,
		                  o->ahead,
		                  o->path.runs,
		                  trc_buf_view(&o->path.far) };
}

enum { BRANCHES = 8 }; /* copied at once */

/* Gathers the edges that lead from ops with several to the next op. Returns, for each op and the
 * end, how many of them are before its own; *edge are these edges. */
static const uint32_t *
gather_ahead(struct trc_refs_writer *w, const uint8_t **edge, struct trc_err *err)
{
	const struct trc_program *p = &w->ops.program;
	uint32_t *before, n = 0;
	uint8_t *to;

	w->scratch.n = 0;
	if (trc_buf_room(&w->scratch, (p->ops + 1) * (sizeof(*before) + 1) + BRANCHES, err))
		return NULL;
	before = (uint32_t *)(void *)w->scratch.p;
	to = (uint8_t *)(before + p->ops + 1);
	for (size_t i = 0; i < p->ops; i++) {
		before[i] = n;
		to[n] = w->ops.ahead[i];
		n += p->op[i].edges >= 2;
	}
	before[p->ops] = n;
	*edge = to;
	return before;
}

/* Writes the branches. Only after the block is it known which ops have several edges. */
static int
write_branches(struct trc_refs_writer *w, struct trc_refs *refs, struct trc_err *err)
{
	const struct trc_path path = path_of(w);
	struct trc_buf *choice = &refs->stream[TRC_REFS_PATH];
	const uint32_t *before;
	const uint8_t *ahead;
	uint8_t *to;

	before = gather_ahead(w, &ahead, err);
	if (!before || trc_buf_room(choice, w->ops.path.n + 2 * BRANCHES, err))
		return -1;
	to = choice->p;
	for (size_t i = 0; i < path.runs; i++) {
		const uint32_t last = path.run[i].last;
		const uint32_t from = before[trc_path_first(path.run, i)], n = before[last] - from;

		for (uint32_t k = 0; k < n; k += BRANCHES)
			memcpy(to + k, ahead + from + k, BRANCHES);
		to[n] = path.edge[i];
		to += n + (i + 1 < path.runs ? before[last + 1] - before[last] : 0);
	}
	choice->n = (size_t)(to - choice->p);
	return trc_buf_put(&refs->stream[TRC_REFS_FAR], path.far.p,
	                   (size_t)(path.far.end - path.far.p), err);
}

int
trc_refs_write_path(struct trc_refs_writer *w, struct trc_buf *out, size_t *n, struct trc_err *err)
{
	const struct trc_path path = path_of(w);

	if (!w->path_model)
		w->path_model = trc_path_model_open(err);
	return w->path_model ? trc_path_write(w->path_model, &path, out, n, err) : -1;
}

/* ---- other columns ---- */

void
trc_refs_writer_add_column(struct trc_refs_writer *w, uint8_t name, uint8_t width, bool registers)
{
	trc_op_columns_add(&w->ops.program, name, width, registers);
}

int
trc_refs_write_columns(struct trc_refs_writer *w, const void *const *v, size_t most,
                       struct trc_buf *exceptions, struct trc_err *err)
{
	const struct trc_path path = path_of(w);

	return trc_op_finder_find(&w->finder, &w->ops.program, &path, w->old_ops, v, most,
	                          exceptions, err);
}

void
trc_refs_writer_keep_columns(struct trc_refs_writer *w, unsigned keep)
{
	trc_op_columns_keep(&w->ops.program, keep);
}

int
trc_refs_write_growth(struct trc_refs_writer *w, struct trc_buf *out, struct trc_err *err)
{
	return trc_growth_write(&w->ops.program, w->modes, out, err);
}

/* ---- derivation of addresses ---- */

/* Returns the first slot of an op, or of all after the program. */
static uint32_t
slot_of(const struct trc_program *p, size_t op)
{
	return op < p->ops ? p->op[op].slot : (uint32_t)p->slots;
}

/* Counts the data references of each slot. Those of a run are one of each slot between two ops. */
static void
count_by_slot(struct trc_refs_writer *w)
{
	const struct trc_path_run *run = w->ops.path.run;
	const struct trc_program *p = &w->ops.program;
	uint32_t passes = 0;

	memset(w->start, 0, (p->slots + 1) * sizeof(*w->start));
	for (size_t i = 0; i < w->ops.path.runs; i++) {
		w->start[slot_of(p, trc_path_first(run, i))]++;
		w->start[slot_of(p, (size_t)run[i].last + 1)]--;
	}
	for (size_t s = 0; s < p->slots; s++) {
		passes += w->start[s];
		w->start[s] = passes;
	}
}

/* Sorts the data references by slot, keeping their order. */
static int
sort_by_slot(struct trc_refs_writer *w, struct trc_err *err)
{
	const struct trc_path_run *run = w->ops.path.run;
	const struct trc_program *p = &w->ops.program;
	const size_t n = w->ops.data.n, slots = p->slots;
	uint32_t sum = 0;

	if (trc_grow(&w->event, &w->event_cap, n, sizeof(*w->event), err) ||
	    trc_grow(&w->start, &w->start_cap, slots + 1, sizeof(*w->start), err))
		return -1;
	count_by_slot(w);
	for (size_t s = 0; s <= slots; s++) {
		uint32_t count = w->start[s];

		w->start[s] = sum;
		sum += count;
	}
	for (size_t i = 0, at = 0; i < w->ops.path.runs; i++) {
		const uint32_t end = slot_of(p, (size_t)run[i].last + 1);

		for (uint32_t s = slot_of(p, trc_path_first(run, i)); s < end; s++)
			w->event[w->start[s]++] = (uint32_t)at++;
	}
	/* Each start has moved to the end of its slot, which is the start of the next. */
	memmove(w->start + 1, w->start, slots * sizeof(*w->start));
	w->start[0] = 0;
	return 0;
}

static int
write_varying(struct trc_refs_writer *w, struct trc_refs *refs, const struct trc_slot_refs *r,
              unsigned mode, const struct trc_successor_table *successor, struct trc_err *err)
{
	struct trc_buf *token = &refs->stream[TRC_REFS_TOKEN];
	struct trc_last_residuals mtf = { .n = 0 };

	if (trc_buf_room(token, r->n, err) || trc_refs_literals_room(&w->literals, r->n, err))
		return -1;
	for (size_t j = mode == TRC_MODE_SELF; j < r->n; j++) {
		uint64_t v = trc_residual(r, j, mode);
		const unsigned t = trc_successor_token(successor, r, j, v, &mtf);

		trc_buf_byte(token, (uint8_t)t);
		if (t == TRC_LAST_RESIDUALS)
			trc_refs_literals_add(&w->literals, r->data[r->event[j]], v);
	}
	trc_refs_literals_end(&w->literals);
	return 0;
}

/* The coding of the addresses of a slot in a block. */
struct slot_coding {
	struct trc_mode_choice how;
	struct trc_successor_table successor; /* if it varies */
	uint32_t modes;                       /* for a new slot: its constant modes */
};

static int
choose_coding(struct trc_refs_writer *w, const struct trc_slot_refs *r, const struct trc_slot *slot,
              bool is_new, struct slot_coding *d, struct trc_err *err)
{
	d->how = is_new ? trc_mode_for_new(r, &d->modes) : trc_mode_for_old(r, slot);
	if (is_new && d->modes && !w->effort->models) {
		d->how = trc_mode_shortest(r, d->modes);
		d->modes = 0;
	}
	if (d->how.constant)
		return 0;
	return trc_successor_choose(&w->search, r, w->effort->successor, &d->how.mode,
	                            &d->successor, err);
}

/* Writes the state of a slot that existed before the block. */
static int
write_state(struct trc_refs *refs, const struct trc_slot *slot, const struct trc_mode_choice *d,
            struct trc_err *err)
{
	struct trc_buf *state = &refs->stream[TRC_REFS_STATE];
	struct trc_buf *constant = &refs->stream[TRC_REFS_CONSTANT];
	const bool same = d->mode == slot->mode;

	if (!d->constant)
		return trc_buf_put_byte(state, TRC_STATE_VARIES + (same ? 0 : 1 + d->mode), err);
	if (same && slot->constant && d->residual == slot->residual)
		return trc_buf_put_byte(state, 0, err);
	if (trc_buf_put_byte(state, 1 + d->mode, err) || trc_buf_room(constant, 8, err))
		return -1;
	trc_buf_be64(constant, d->residual);
	return 0;
}

static int
write_slot(struct trc_refs_writer *w, struct trc_refs *refs, size_t i, struct trc_err *err)
{
	struct trc_program *p = &w->ops.program;
	const bool is_new = i >= p->coded.slots;
	const struct trc_slot_refs r = { w->ops.data.addr + TRC_BACK, w->event + w->start[i],
		                         w->start[i + 1] - w->start[i], w->effort->sample };
	struct trc_slot *slot = &p->slot[i];
	struct slot_coding d;

	if (r.n == 0)
		return 0;
	if (choose_coding(w, &r, slot, is_new, &d, err) ||
	    trc_buf_room(&refs->stream[TRC_REFS_FIRST], 8, err))
		return -1;
	if (d.how.mode == TRC_MODE_SELF)
		trc_buf_be64(&refs->stream[TRC_REFS_FIRST], r.data[r.event[0]]);
	if (is_new) {
		*slot = (struct trc_slot){ d.how.residual, (uint8_t)d.how.mode, d.how.constant };
		w->modes[i - p->coded.slots] = (struct trc_slot_modes){ &r.data[r.event[0]],
			                                                d.modes };
	} else if (write_state(refs, slot, &d.how, err)) {
		return -1;
	}
	if (d.how.constant)
		return 0;
	return trc_buf_put_byte(&refs->stream[TRC_REFS_SUCCESSOR], trc_successor_byte(&d.successor),
	                        err) ?
	               -1 :
	               write_varying(w, refs, &r, d.how.mode, &d.successor, err);
}

static void
clear(struct trc_refs_writer *w, struct trc_refs *refs)
{
	refs->absolute = false;
	refs->branches = 0;
	for (int i = 0; i < TRC_REFS_STREAMS; i++)
		refs->stream[i].n = 0;
	trc_refs_literals_clear(&w->literals);
	w->search.left = TRC_SUCCESSOR_MOST;
}

/* Returns true if lengths are worth coding, because many instructions without a size do not begin 4
 * bytes after each other. */
static bool
lengths_vary(const struct trc_program *p)
{
	size_t near = 0, others = 0;

	for (size_t i = 0; i < p->edges; i++) {
		const struct trc_op *from = &p->op[p->edge[i].from];
		const uint64_t length = p->op[p->edge[i].to].pc - from->pc;

		if (!trc_shape_unsized(&p->shape[from->shape]) || length - 1 >= TRC_LENGTH_MOST)
			continue;
		near++;
		others += length != TRC_LENGTH;
	}
	return others > near / 4;
}

/* Returns the distance to the next of `n` sorted pcs, or 0 if it cannot be a length. */
static uint8_t
length_at(const uint64_t *pc, size_t n, uint64_t at)
{
	size_t low = 0;

	while (n > 0) {
		const size_t half = n / 2;

		if (pc[low + half] <= at) {
			low += half + 1;
			n -= half + 1;
		} else {
			n = half;
		}
	}
	return (uint8_t)(pc[low] - at <= TRC_LENGTH_MOST ? pc[low] - at : 0);
}

/* Finds the lengths of new ops, if lengths are coded. */
static int
find_lengths(struct trc_refs_writer *w, struct trc_err *err)
{
	struct trc_program *p = &w->ops.program;
	uint64_t *pc;

	if (p->coded.ops == 0)
		p->lengths = lengths_vary(p);
	if (!p->lengths || p->ops == p->coded.ops)
		return 0;
	w->scratch.n = 0;
	if (trc_buf_room(&w->scratch, (p->ops + 1) * sizeof(*pc), err))
		return -1;
	pc = (uint64_t *)(void *)w->scratch.p;
	for (size_t i = 0; i < p->ops; i++)
		pc[i] = p->op[i].pc;
	trc_numbers_sort(pc, p->ops);
	pc[p->ops] = pc[p->ops - 1] + TRC_LENGTH_MOST + 1;
	/* Other ops keep the default, which readers assume for lengths that are not coded. */
	for (size_t i = p->coded.ops; i < p->ops; i++)
		if (trc_shape_unsized(&p->shape[p->op[i].shape]))
			p->op[i].length = length_at(pc, p->ops, p->op[i].pc);
	return 0;
}

bool
trc_refs_writer_lengths(const struct trc_refs_writer *w)
{
	return w->ops.program.lengths;
}

/* ---- a block ---- */

static void
begin_block(struct trc_refs_writer *w, bool inferred)
{
	w->old_ops = w->ops.program.ops;
	w->old_edges = w->ops.program.edges;
	trc_ops_begin(&w->ops, inferred);
}

void
trc_refs_write_begin(struct trc_refs_writer *w)
{
	begin_block(w, false);
}

int
trc_refs_write_rows(struct trc_refs_writer *w, const struct trc_refs_rows *rows,
                    struct trc_err *err)
{
	return trc_ops_add(&w->ops, rows, err);
}

/* Writes the streams, once the ops of all rows are found. */
static int
write_streams(struct trc_refs_writer *w, struct trc_refs *refs, struct trc_err *err)
{
	const struct trc_program *p = &w->ops.program;

	clear(w, refs);
	if (sort_by_slot(w, err) || write_branches(w, refs, err))
		return -1;
	refs->first = w->ops.path.n ? trc_path_first(w->ops.path.run, 0) : 0;
	refs->ops = w->ops.path.n;
	if (trc_grow(&w->modes, &w->modes_cap, p->slots - p->coded.slots, sizeof(*w->modes), err))
		return -1;
	for (size_t i = 0; i < p->slots; i++)
		if (write_slot(w, refs, i, err))
			return -1;
	if (find_lengths(w, err))
		return -1;
	if (w->search.left == TRC_SUCCESSOR_MOST) /* no slot has a table */
		refs->stream[TRC_REFS_SUCCESSOR].n = 0;
	if (trc_refs_literals_write(&w->literals, w->effort->literals, w->effort->own, refs, err))
		return -1;
	return 0;
}

int
trc_refs_write_end(struct trc_refs_writer *w, struct trc_refs *refs, struct trc_err *err)
{
	return trc_ops_end(&w->ops, err) || write_streams(w, refs, err) ? -1 : 0;
}

int
trc_refs_write(struct trc_refs_writer *w, const struct trc_refs_rows *rows, struct trc_refs *refs,
               struct trc_err *err)
{
	begin_block(w, rows->inferred);
	return trc_ops_find(&w->ops, rows, err) || write_streams(w, refs, err) ? -1 : 0;
}

void
trc_refs_written_rows(const struct trc_refs_writer *w, uint8_t *type, uint64_t *addr,
                      uint32_t *size)
{
	trc_ops_rows(&w->ops, type, addr, size);
}
