/* SPDX-License-Identifier: MIT
 * The references of a block, by context. */
#include "container/block_refs.h"

void
trc_block_refs_release(struct trc_block_refs *r)
{
	trc_batch_release(&r->gathered);
	trc_refs_reader_close(r->reader);
}

void
trc_block_refs_clear(struct trc_block_refs *r, uint64_t first)
{
	r->contexts = 0;
	r->by_op = 0;
	r->first = first;
}

/* ---- reading frames ---- */

static int
fail(struct trc_err *err)
{
	return trc_fail(err, "the references of a block are damaged");
}

/* Prepares one more context; it is counted once its references are good. */
static int
add_context(struct trc_block_refs *r, const struct trc_packed_block *from,
            const struct trc_block_frame *f, struct trc_err *err)
{
	uint64_t rows = from->refs.rows;

	if (r->contexts == 0)
		r->rows = f->rows;
	/* All contexts together have at most as many rows as the block. */
	for (size_t i = 0; i < r->contexts; i++)
		rows += r->context[i].rows;
	if (f->rows != r->rows || rows > r->rows || r->contexts == TRC_CONTEXTS_MOST)
		return fail(err);
	if (!r->reader)
		r->reader = trc_refs_reader_open(err);
	if (!r->reader)
		return -1;
	trc_refs_reader_limit(r->reader, from->set.plan.reader);
	r->context[r->contexts].rows = from->refs.rows;
	return 0;
}

/* If the frame directly follows a part of the program, the slots of that part are new to its
 * references; otherwise no slots are. */
int
trc_block_refs_follow(struct trc_block_refs *r, const struct trc_program_version *v,
                      const struct trc_packed_block *from, const struct trc_block_frame *f,
                      struct trc_err *err)
{
	const struct trc_refs_old none = { SIZE_MAX, SIZE_MAX };

	if (add_context(r, from, f, err))
		return -1;
	if (v->generation == 0 || from->refs.generation != v->generation)
		return trc_fail(err, "the program that a block refers to is damaged or missing");
	return trc_refs_follow(r->reader, v->program, f->grown ? v->old : none, &from->refs.refs,
	                       err);
}

/* Allocates room for the contexts that are read one by one. Pages that are never filled use no
 * memory. */
static int
make_gathered(struct trc_block_refs *r, uint32_t have, struct trc_err *err)
{
	struct trc_batch *g = &r->gathered;

	if (g->cap >= r->rows)
		return 0;
	trc_batch_release(g);
	return trc_batch_init_room(g, have & (TRC_GATHERED_COLUMNS | TRC_BY_OP_COLUMNS),
	                           (size_t)r->rows, err);
}

/* Reads all references of one of several contexts. */
static int
gather(struct trc_block_refs *r, struct trc_refs_context *x, uint32_t have, struct trc_err *err)
{
	struct trc_batch *g = &r->gathered;
	const size_t end = x->at + (size_t)x->rows;
	size_t n;

	if (make_gathered(r, have, err))
		return -1;
	for (size_t at = x->at; at < end; at += n) {
		n = trc_refs_next(r->reader, g->type ? g->type + at : NULL, g->addr + at,
		                  g->size ? g->size + at : NULL, g->pc ? g->pc + at : NULL,
		                  end - at);
		if (n == 0)
			return fail(err);
	}
	return 0;
}

/* Reads the columns that ops explain, for a context whose references have begun. All contexts must
 * have the same columns. */
static int
gather_columns(struct trc_block_refs *r, struct trc_refs_context *x,
               const struct trc_packed_block *from, struct trc_err *err)
{
	const struct trc_buf *stream = &from->refs.refs.stream[TRC_REFS_EXCEPTION];
	const struct trc_program *p = trc_refs_program(r->reader);
	struct trc_view v = trc_buf_view(stream);
	uint64_t columns = 0;
	uint32_t by_op = 0;

	if (stream->n > 0 && (!trc_view_num(&v, &columns) || columns >> p->columns != 0))
		return fail(err);
	for (unsigned k = 0; k < p->columns; k++) {
		const struct trc_op_column *c = &p->column[k];

		if (!(columns >> k & 1))
			continue;
		by_op |= 1u << c->name;
		if (make_gathered(r, from->set.have, err) ||
		    trc_refs_column(r->reader, k, &v,
		                    (uint8_t *)trc_batch_column(&r->gathered, c->name) +
		                            x->at * c->width,
		                    (size_t)x->rows, err))
			return -1;
	}
	if (v.p != v.end || (r->contexts > 0 && by_op != r->by_op))
		return fail(err);
	r->by_op = by_op;
	return 0;
}

int
trc_block_refs_begin(struct trc_block_refs *r, const struct trc_packed_block *from,
                     struct trc_err *err)
{
	struct trc_refs_context *x = &r->context[r->contexts];

	x->at = r->contexts == 0 ? 0 : x[-1].at + (size_t)x[-1].rows;
	if (trc_refs_begin(r->reader, x->rows, err) || gather_columns(r, x, from, err) ||
	    (x->rows < r->rows && gather(r, x, from->set.have, err)))
		return -1;
	r->contexts++;
	return 0;
}

/* Drops the references of a previous block that never arrived. A single context with all rows is
 * still read from the streams that were unpacked for it, so nothing may be unpacked after it. */
int
trc_block_refs_add(struct trc_block_refs *r, const struct trc_program_version *v,
                   struct trc_packed_block *from, const struct trc_block_frame *f,
                   struct trc_err *err)
{
	if (r->first != f->first)
		trc_block_refs_clear(r, f->first);
	if (r->contexts == 1 && r->context[0].rows == r->rows)
		return trc_fail(err, "references of a block come twice");
	if (trc_packed_block_unpack_frame(from, f, err) ||
	    trc_block_refs_follow(r, v, from, f, err))
		return -1;
	return trc_block_refs_begin(r, from, err);
}

/* ---- checking contexts against rows ---- */

static struct trc_refs_context *
find_context(struct trc_block_refs *r, uint32_t key)
{
	for (size_t i = 0; i < r->contexts; i++)
		if (r->context[i].key == key)
			return &r->context[i];
	return NULL;
}

/* Fails unless each key has as many rows in the block as in its context. */
static int
check_keys(struct trc_block_refs *r, uint64_t n, struct trc_err *err)
{
	struct trc_refs_context *x = r->context;
	uint64_t left[TRC_CONTEXTS_MOST];

	for (size_t i = 0; i < r->contexts; i++)
		left[i] = r->context[i].rows;
	for (uint64_t i = 0; i < n; i++) {
		if (x->key != r->key[i])
			x = find_context(r, r->key[i]);
		if (!x || left[x - r->context]-- == 0)
			return trc_fail(err, "contexts of a block are damaged");
	}
	return 0;
}

int
trc_block_refs_check(struct trc_block_refs *r, const struct trc_refs_section *s, uint64_t first,
                     const struct trc_batch *rows, uint64_t n, struct trc_err *err)
{
	uint64_t sum = 0;

	r->key = NULL;
	if (!s->present) {
		r->contexts = 0;
		return 0;
	}
	if (r->first != first || s->keys != r->contexts || s->by_op != r->by_op)
		return trc_fail(err, "references of a block are damaged or missing");
	for (size_t i = 0; i < r->contexts; i++) {
		r->context[i].key = s->key[i];
		sum += r->context[i].rows;
	}
	if (sum != n || sum != r->rows)
		return trc_fail(err, "references of a block are missing");
	if (r->contexts < 2)
		return 0;
	r->key = rows->task ? rows->task : rows->asid;
	if (!r->key)
		return trc_fail(err, "a block has contexts that no column tells apart");
	return check_keys(r, n, err);
}

/* ---- returning rows ---- */

size_t
trc_block_refs_take(struct trc_block_refs *r, uint64_t row, bool pcs, struct trc_batch *to,
                    size_t n)
{
	const uint32_t columns = TRC_REFS_COLUMNS | (pcs ? TRC_HAS_PC : 0) | r->by_op;
	struct trc_refs_context *x;
	const size_t at = to->n;
	const uint32_t *key;
	size_t run = 1;

	if (!r->key) {
		run = trc_refs_next(r->reader, to->type ? to->type + at : NULL, to->addr + at,
		                    to->size ? to->size + at : NULL, pcs ? to->pc + at : NULL, n);
		trc_batch_copy(to, &r->gathered, r->by_op, (size_t)row, run);
		return run;
	}
	key = r->key + row;
	while (run < n && key[run] == key[0])
		run++;
	x = find_context(r, key[0]);
	trc_batch_copy(to, &r->gathered, r->gathered.have & columns, x->at, run);
	x->at += run;
	return run;
}

void
trc_block_refs_skip(struct trc_block_refs *r, uint64_t n)
{
	struct trc_refs_context *x = r->context;

	if (r->contexts > 0 && !r->key)
		trc_refs_skip(r->reader, n);
	for (uint64_t i = 0; r->key && i < n; i++) {
		if (x->key != r->key[i])
			x = find_context(r, r->key[i]);
		x->at++;
	}
}

/* ---- sorting for writing ---- */

void
trc_contexts_release(struct trc_contexts *c)
{
	trc_batch_release(&c->sorted);
}

/* Returns the column whose values are the keys of contexts, or NULL. */
static const uint32_t *
key_column(const struct trc_batch *b)
{
	return b->task ? b->task : b->asid;
}

/* Returns the context of a key, adding it if necessary; NULL if there are too many. */
static struct trc_context *
context_of(struct trc_contexts *c, uint32_t key)
{
	for (size_t i = 0; i < c->n; i++)
		if (c->context[i].key == key)
			return &c->context[i];
	if (c->n == TRC_CONTEXTS_MOST)
		return NULL;
	c->context[c->n] = (struct trc_context){ .key = key };
	return &c->context[c->n++];
}

/* Returns the number of rows of the largest context. */
static size_t
largest(const struct trc_contexts *c)
{
	size_t most = 0;

	for (size_t i = 0; i < c->n; i++)
		most = c->context[i].n > most ? c->context[i].n : most;
	return most;
}

void
trc_contexts_find(struct trc_contexts *c, const struct trc_batch *rows)
{
	enum { FEW = 16 }; /* too few rows to be worth a context of their own */
	const uint32_t *key = key_column(rows);
	struct trc_context *x = NULL;

	c->n = 0;
	for (size_t i = 0; key && i < rows->n; i++) {
		if (!x || x->key != key[i])
			x = context_of(c, key[i]);
		if (!x)
			break;
		x->n++;
	}
	if (c->n < 2 || !x || rows->n - largest(c) <= FEW) {
		c->context[0] = (struct trc_context){ .n = rows->n };
		c->n = 1;
	}
}

int
trc_contexts_sort(struct trc_contexts *c, const struct trc_batch *rows, uint32_t have,
                  struct trc_err *err)
{
	const uint32_t *key = key_column(rows);
	struct trc_batch *to = &c->sorted;
	struct trc_context *x;
	size_t at = 0;

	if (!to->mem && trc_batch_init_room(to, have & (TRC_GATHERED_COLUMNS | TRC_BY_OP_COLUMNS),
	                                    rows->cap, err))
		return -1;
	for (size_t i = 0; i < c->n; at += c->context[i++].n)
		c->context[i].at = at;
	for (size_t i = 0, n; i < rows->n; i += n) {
		for (n = 1; i + n < rows->n && key[i + n] == key[i]; n++)
			;
		x = context_of(c, key[i]);
		to->n = x->at;
		trc_batch_append(to, rows, i, n);
		x->at += n;
	}
	return 0;
}
