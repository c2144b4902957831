/* SPDX-License-Identifier: MIT
 * Produces the rows of runs, and the addresses of their data references. */
#include "codec/program/refs_reader.h"

#include <stdlib.h>

#include "codec/program/op_exceptions.h"
#include "codec/program/refs_cursors.h"

enum {
	DATA_ROOM = 16384,
	COPY = 64, /* bytes of a column per copy */
};

_Static_assert((int)COPY <= (int)(TRC_RUN_SLACK * sizeof(uint32_t)), "no more than the slack");

/* The destination of rows. */
struct columns {
	uint8_t *type; /* `type`, `size` and `pc` may be NULL */
	uint64_t *addr;
	uint32_t *size;
	uint64_t *pc;
};

/* An interpreter of runs. This is new, but similar to a dynamic translator with a code cache. */
struct trc_refs_reader {
	struct trc_walk walk;
	const struct trc_refs *refs;
	size_t old_slots; /* before the growth of the block */
	size_t at;        /* number of runs in its order that were produced */

	struct trc_cursors cursors;
	struct trc_op_layout layout; /* for columns by op */

	/* Addresses of data references; the last TRC_BACK before `data_at` are in use. */
	uint64_t *data;
	size_t data_at;

	/* Rows of a run for which the caller had no room. */
	struct columns spill;
	size_t spill_at, spill_n;
};

struct trc_refs_reader *
trc_refs_reader_open(struct trc_err *err)
{
	struct trc_refs_reader *r = trc_alloc(1, sizeof(*r), err);

	if (!r)
		return NULL;
	r->spill.type = trc_alloc(TRC_RUN_ROWS + TRC_RUN_SLACK, sizeof(*r->spill.type), err);
	r->spill.addr = trc_alloc(TRC_RUN_ROWS + TRC_RUN_SLACK, sizeof(*r->spill.addr), err);
	r->spill.size = trc_alloc(TRC_RUN_ROWS + TRC_RUN_SLACK, sizeof(*r->spill.size), err);
	r->spill.pc = trc_alloc(TRC_RUN_ROWS + TRC_RUN_SLACK, sizeof(*r->spill.pc), err);
	r->data = trc_alloc_room(TRC_BACK + DATA_ROOM, sizeof(*r->data), err);
	if (!r->spill.type || !r->spill.addr || !r->spill.size || !r->spill.pc || !r->data) {
		trc_refs_reader_close(r);
		return NULL;
	}
	return r;
}

void
trc_refs_reader_close(struct trc_refs_reader *r)
{
	if (!r)
		return;
	trc_walk_release(&r->walk);
	trc_cursors_release(&r->cursors);
	trc_op_layout_release(&r->layout);
	free(r->data);
	free(r->spill.type);
	free(r->spill.addr);
	free(r->spill.size);
	free(r->spill.pc);
	free(r);
}

const struct trc_program *
trc_refs_program(const struct trc_refs_reader *r)
{
	return r->walk.graph.program;
}

void
trc_refs_reader_limit(struct trc_refs_reader *r, size_t most)
{
	r->walk.most = most;
}

/* ---- beginning ---- */

int
trc_refs_follow(struct trc_refs_reader *r, const struct trc_program *p, struct trc_refs_old old,
                const struct trc_refs *refs, struct trc_err *err)
{
	r->refs = refs;
	r->old_slots = old.slots;
	return trc_walk(&r->walk, p, old.edges, refs, err);
}

int
trc_refs_begin(struct trc_refs_reader *r, uint64_t rows, struct trc_err *err)
{
	r->at = r->spill_at = r->spill_n = 0;
	r->data_at = TRC_BACK;
	memset(r->data, 0, TRC_BACK * sizeof(*r->data));
	if (r->walk.graph.program->columns > 0 && trc_op_layout_begin(&r->layout, &r->walk, err))
		return -1;
	return trc_cursors_set(&r->cursors, &r->walk, r->refs, r->old_slots, rows, err);
}

int
trc_refs_column(struct trc_refs_reader *r, unsigned k, struct trc_view *in, void *to, size_t rows,
                struct trc_err *err)
{
	return trc_op_layout_fill(&r->layout, &r->walk, k, in, to, rows, err);
}

/* ---- rows ---- */

static uint64_t
literal(const struct trc_refs_reader *r, struct trc_other *v, uint64_t base)
{
	const uint8_t *high = r->refs->stream[TRC_REFS_HIGH].p;
	uint64_t a;

	if (r->cursors.wide) {
		a = trc_be64(v->literal);
		v->literal += 8;
	} else {
		a = trc_be64(high + 8 * (size_t)trc_be16(v->literal)) << 16;
		a |= trc_be16(v->literal + 2);
		v->literal += 4;
	}
	return v->absolute ? a - base : a;
}

/* Returns the residual of a varying slot for a token. */
static TRC_ALWAYS_INLINE uint64_t
residual_of_token(const struct trc_refs_reader *r, struct trc_other *v, uint64_t base,
                  unsigned token)
{
	if (TRC_UNLIKELY(token == TRC_LAST_RESIDUALS))
		*trc_residual_order_oldest(&v->residuals) = literal(r, v, base);
	return trc_residual_order_use(&v->residuals, token);
}

/* Does the same for a slot with a successor table, by its key. */
static TRC_NO_INLINE uint64_t
residual_by_key(const struct trc_refs_reader *r, struct trc_other *v, uint64_t base, unsigned token,
                uint64_t key)
{
	struct trc_successor_entry *e = trc_successor_at(&v->successor, key);

	if (e->key != key)
		e->residual = residual_of_token(r, v, base, token);
	else if (token > 0)
		e->residual = residual_of_token(r, v, base, token - (token < TRC_LAST_RESIDUALS));
	e->key = key;
	return e->residual;
}

/* Returns the next residual of a varying slot; `data` points after the preceding references. */
static TRC_ALWAYS_INLINE uint64_t
vary(const struct trc_refs_reader *r, struct trc_other *v, uint64_t base, const uint64_t *data)
{
	if (TRC_UNLIKELY(v->begins)) {
		v->begins = false;
		return 0;
	}
	if (v->successor.bits > 0) {
		const ptrdiff_t back = v->successor.key;

		return residual_by_key(r, v, base, *v->token++,
		                       back == TRC_SUCCESSOR_SELF ? v->last : data[-back]);
	}
	return residual_of_token(r, v, base, *v->token++);
}

/* Returns the next address of a slot that is not a constant difference. */
static inline uint64_t
next_other(const struct trc_refs_reader *r, const struct trc_cursor *c, const uint64_t *data)
{
	struct trc_other *o = &r->cursors.other[c->other];
	uint64_t a = o->base ? data[o->base] : o->self ? o->last : 0;

	if (o->token) {
		a = a << o->left >> o->right;
		a += vary(r, o, a, data);
	} else {
		a += c->residual;
	}
	o->last = a;
	return a;
}

static TRC_ALWAYS_INLINE uint64_t
next_address(const struct trc_refs_reader *r, const struct trc_cursor *c, const uint64_t *data)
{
	if (TRC_LIKELY(c->base < 0))
		return data[c->base] + c->residual;
	return c->is_other ? next_other(r, c, data) : c->residual;
}

/* Copies `n` bytes in steps of `step` bytes; the last step may exceed `n`. */
static TRC_ALWAYS_INLINE void
copy(void *dst, const void *src, size_t n, size_t step)
{
	const char *from = src;

	for (char *p = dst, *end = p + n; p < end; p += step, from += step)
		memcpy(p, from, step);
}

/* A run to produce; only a part of the last run may belong to the block. */
struct part {
	const struct trc_run *run;
	uint32_t rows, places;
};

static inline struct part
next_part(const struct trc_refs_reader *r)
{
	const struct trc_walk *w = &r->walk;
	const struct trc_run *run = &w->graph.run[w->order[r->at]];

	if (r->at + 1 == w->orders)
		return (struct part){ run, w->tail_rows, w->tail_places };
	return (struct part){ run, run->rows, run->places };
}

/* Computes the addresses of the data references of a run, on which later ones depend. If `put`,
 * which must be a compile-time constant, stores them at `addr`. */
static TRC_ALWAYS_INLINE void
put_data(struct trc_refs_reader *r, struct part part, uint64_t *addr, bool put)
{
	const struct trc_cursor *stop = r->cursors.stop + part.run->place;
	uint64_t *data, *end;

	if (TRC_UNLIKELY(r->data_at + part.places > TRC_BACK + DATA_ROOM)) {
		memmove(r->data, r->data + r->data_at - TRC_BACK, TRC_BACK * sizeof(*r->data));
		r->data_at = TRC_BACK;
	}
	data = r->data + r->data_at;
	r->data_at += part.places;
	for (end = data + part.places; data < end; data++, stop++) {
		*data = next_address(r, stop, data);
		if (put)
			addr[stop->row] = *data;
	}
}

/* Writes the rows of a run from row `at` on; TRC_RUN_SLACK more rows may be overwritten. */
static TRC_ALWAYS_INLINE void
put_run(struct trc_refs_reader *r, struct part part, const struct columns *to, size_t at)
{
	const struct trc_run_templates *t = &r->walk.template;
	const size_t row = part.run->row, rows = part.rows;

	if (to->type)
		copy(to->type + at, t->type + row, rows * sizeof(*t->type), TRC_RUN_SLACK);
	copy(to->addr + at, t->addr + row, rows * sizeof(*t->addr), COPY);
	if (to->size && t->sized)
		copy(to->size + at, t->size + row, rows * sizeof(*t->size), COPY);
	else if (to->size)
		memset(to->size + at, 0, rows * sizeof(*to->size));
	if (to->pc)
		copy(to->pc + at, t->addr + row, rows * sizeof(*t->addr), COPY);
	put_data(r, part, to->addr + at, true);
}

/* Writes runs from row `at` of `n` on, as long as there is room for a whole run and its slack,
 * except for the last run. Returns the row after them. */
static size_t
put_runs(struct trc_refs_reader *r, const struct columns *to, size_t at, size_t n)
{
	const struct trc_run *run = r->walk.graph.run;

	for (; r->at + 1 < r->walk.orders; r->at++) {
		const struct trc_run *next = &run[r->walk.order[r->at]];

		if (next->rows + TRC_RUN_SLACK > n - at)
			break;
		put_run(r, (struct part){ next, next->rows, next->places }, to, at);
		at += next->rows;
	}
	return at;
}

/* Stores the rows of a run for which the caller has no room; the first `at` rows were returned
 * already. */
static TRC_NO_INLINE void
spill_run(struct trc_refs_reader *r, struct part part, size_t at)
{
	put_run(r, part, &r->spill, 0);
	r->spill_at = at;
	r->spill_n = part.rows;
}

/* Returns stored rows of a run, from row `at` of `n` on, and the row after them. */
static size_t
take_spill(struct trc_refs_reader *r, const struct columns *to, size_t at, size_t n)
{
	const size_t left = r->spill_n - r->spill_at, from = r->spill_at;

	n = n - at < left ? n - at : left;
	if (to->type)
		memcpy(to->type + at, r->spill.type + from, n * sizeof(*to->type));
	memcpy(to->addr + at, r->spill.addr + from, n * sizeof(*to->addr));
	if (to->size)
		memcpy(to->size + at, r->spill.size + from, n * sizeof(*to->size));
	if (to->pc)
		memcpy(to->pc + at, r->spill.pc + from, n * sizeof(*to->pc));
	r->spill_at += n;
	return at + n;
}

size_t
trc_refs_next(struct trc_refs_reader *r, uint8_t *type, uint64_t *addr, uint32_t *size,
              uint64_t *pc, size_t n)
{
	const struct columns to = { type, addr, size, pc };
	size_t at = take_spill(r, &to, 0, n);

	while (at < n && r->at < r->walk.orders) {
		at = put_runs(r, &to, at, n);
		if (at == n)
			break;
		spill_run(r, next_part(r), 0);
		r->at++;
		at = take_spill(r, &to, at, n);
	}
	return at;
}

void
trc_refs_skip(struct trc_refs_reader *r, uint64_t n)
{
	const size_t left = r->spill_n - r->spill_at, kept = n < left ? (size_t)n : left;

	r->spill_at += kept;
	n -= kept;
	for (; r->at < r->walk.orders && n > 0; r->at++) {
		const struct part part = next_part(r);

		if (part.rows > n) {
			spill_run(r, part, (size_t)n);
			n = 0;
		} else {
			put_data(r, part, NULL, false);
			n -= part.rows;
		}
	}
}
