/* SPDX-License-Identifier: MIT
 * Rows of runs, and the addresses of their data references. */
#include "codec/program/refs_reader.h"

#include <stdlib.h>

#include "codec/program/refs_cursors.h"

enum { DATA_ROOM = 16384 };

/* An interpreter of runs: new, though a translator with a code cache is close. */
struct trc_refs_reader {
	struct trc_walk walk;
	const struct trc_refs *refs;
	size_t old_slots; /* before the growth of the block */
	size_t at;        /* runs in its order that came out */

	struct trc_cursors cursors;

	/* Addresses of data references, the last TRC_BACK before `data_at` in use. */
	uint64_t *data;
	size_t data_at;

	/* Rows of a run that the caller had no room for. */
	uint8_t *spill_type;
	uint64_t *spill_addr;
	uint32_t *spill_size;
	uint64_t *spill_pc;
	size_t spill_at, spill_n;
};

struct trc_refs_reader *
trc_refs_reader_open(struct trc_err *err)
{
	struct trc_refs_reader *r = trc_alloc(1, sizeof(*r), err);

	if (!r)
		return NULL;
	r->spill_type = trc_alloc(TRC_RUN_ROWS + TRC_RUN_SLACK, sizeof(*r->spill_type), err);
	r->spill_addr = trc_alloc(TRC_RUN_ROWS + TRC_RUN_SLACK, sizeof(*r->spill_addr), err);
	r->spill_size = trc_alloc(TRC_RUN_ROWS + TRC_RUN_SLACK, sizeof(*r->spill_size), err);
	r->spill_pc = trc_alloc(TRC_RUN_ROWS + TRC_RUN_SLACK, sizeof(*r->spill_pc), err);
	r->data = trc_alloc(TRC_BACK + DATA_ROOM, sizeof(*r->data), err);
	if (!r->spill_type || !r->spill_addr || !r->spill_size || !r->spill_pc || !r->data) {
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
	free(r->data);
	free(r->spill_type);
	free(r->spill_addr);
	free(r->spill_size);
	free(r->spill_pc);
	free(r);
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
	return trc_cursors_set(&r->cursors, &r->walk, r->refs, r->old_slots, rows, err);
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

/* The residual of a varying slot that a token stands for. */
static TRC_ALWAYS_INLINE uint64_t
residual_of_token(const struct trc_refs_reader *r, struct trc_other *v, uint64_t base,
                  unsigned token)
{
	if (TRC_UNLIKELY(token == TRC_LAST_RESIDUALS))
		*trc_residual_order_oldest(&v->residuals) = literal(r, v, base);
	return trc_residual_order_use(&v->residuals, token);
}

/* The same of a slot with a successor table, by its key. */
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

/* The next residual of a varying slot; `data` ends with the references before. */
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

/* The address of a slot that has more than a constant difference. */
static inline uint64_t
next_other(const struct trc_refs_reader *r, const struct trc_cursor *c, const uint64_t *data)
{
	struct trc_other *o = &r->cursors.other[c->other];
	uint64_t a = c->back ? data[-(ptrdiff_t)c->back] : o->self ? o->last : 0;

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
	if (TRC_LIKELY(c->kind == TRC_CURSOR_BACK))
		return data[-(ptrdiff_t)c->back] + c->residual;
	return c->kind == TRC_CURSOR_ABSOLUTE ? c->residual : next_other(r, c, data);
}

/* Copies `n` bytes, and up to TRC_RUN_SLACK - 1 more where that is allowed. */
static inline void
copy(void *dst, const void *src, size_t n, bool slack)
{
	if (!slack) {
		memcpy(dst, src, n);
		return;
	}
	for (size_t i = 0; i < n; i += TRC_RUN_SLACK)
		memcpy((char *)dst + i, (const char *)src + i, TRC_RUN_SLACK);
}

static inline void
put_sizes(const struct trc_refs_reader *r, const struct trc_run *run, uint32_t rows, uint32_t *size,
          bool slack)
{
	if (r->walk.template.sized)
		copy(size, r->walk.template.size + run->row, rows * sizeof(*size), slack);
	else
		memset(size, 0, rows * sizeof(*size));
}

/* A run that comes out; of the last only a part may belong to the block. */
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

/* Finds the addresses of the data references of a run, which later ones lead on from; `put`, a
 * constant: and puts them at `addr`. */
static TRC_ALWAYS_INLINE void
put_data(struct trc_refs_reader *r, const struct part *part, uint64_t *addr, bool put)
{
	const struct trc_cursor *stop = r->cursors.stop + part->run->place;
	uint64_t *data;

	if (r->data_at + part->places > TRC_BACK + DATA_ROOM) {
		memmove(r->data, r->data + r->data_at - TRC_BACK, TRC_BACK * sizeof(*r->data));
		r->data_at = TRC_BACK;
	}
	data = r->data + r->data_at;
	for (uint32_t k = 0; k < part->places; k++, data++) {
		*data = next_address(r, &stop[k], data);
		if (put)
			addr[stop[k].row] = *data;
	}
	r->data_at += part->places;
}

/* Puts the rows of a run. */
static TRC_ALWAYS_INLINE void
put_run(struct trc_refs_reader *r, const struct part *part, uint8_t *type, uint64_t *addr,
        uint32_t *size, uint64_t *pc, bool slack)
{
	const struct trc_run *run = part->run;
	const uint32_t rows = part->rows;

	if (type)
		copy(type, r->walk.template.type + run->row, rows * sizeof(*type), slack);
	copy(addr, r->walk.template.addr + run->row, rows * sizeof(*addr), slack);
	if (size)
		put_sizes(r, run, rows, size, slack);
	if (pc)
		copy(pc, r->walk.template.addr + run->row, rows * sizeof(*pc), slack);
	put_data(r, part, addr, true);
}

/* Keeps the rows of a run that the caller has no room for; the first `at` of them are out. */
static TRC_NO_INLINE void
spill_run(struct trc_refs_reader *r, const struct part *part, size_t at)
{
	put_run(r, part, r->spill_type, r->spill_addr, r->spill_size, r->spill_pc, true);
	r->spill_at = at;
	r->spill_n = part->rows;
}

/* Gives rows of a run that did not fit. */
static size_t
take_spill(struct trc_refs_reader *r, uint8_t *type, uint64_t *addr, uint32_t *size, uint64_t *pc,
           size_t n)
{
	const size_t left = r->spill_n - r->spill_at;

	n = n < left ? n : left;
	if (type)
		memcpy(type, r->spill_type + r->spill_at, n * sizeof(*type));
	memcpy(addr, r->spill_addr + r->spill_at, n * sizeof(*addr));
	if (size)
		memcpy(size, r->spill_size + r->spill_at, n * sizeof(*size));
	if (pc)
		memcpy(pc, r->spill_pc + r->spill_at, n * sizeof(*pc));
	r->spill_at += n;
	return n;
}

size_t
trc_refs_next(struct trc_refs_reader *r, uint8_t *type, uint64_t *addr, uint32_t *size,
              uint64_t *pc, size_t n)
{
	size_t done = take_spill(r, type, addr, size, pc, n);

	for (; r->at < r->walk.orders && done < n; r->at++) {
		const struct part part = next_part(r);

		if (part.rows > n - done) {
			if (done > 0)
				break;
			spill_run(r, &part, 0);
			r->at++;
			return take_spill(r, type, addr, size, pc, n);
		}
		put_run(r, &part, type ? type + done : NULL, addr + done, size ? size + done : NULL,
		        pc ? pc + done : NULL, n - done >= part.rows + TRC_RUN_SLACK);
		done += part.rows;
	}
	return done;
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
			spill_run(r, &part, (size_t)n);
			n = 0;
		} else {
			put_data(r, &part, NULL, false);
			n -= part.rows;
		}
	}
}
