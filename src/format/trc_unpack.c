/* SPDX-License-Identifier: MIT
 * Unpacking blocks of the container. Whatever a frame claims is checked before it is believed. */
#include "format/trc_unpack.h"

#include "base/pool.h"
#include "codec/flat.h"
#include "codec/rows.h"
#include "format/trc_events.h"

/* Numbers into a column of the batch; false if one does not fit. */
static bool
narrow(struct trc_batch *b, enum trc_column c, const uint64_t *v, size_t n)
{
	void *at = trc_batch_column(b, c);
	const unsigned width = (unsigned)trc_column[c].width;
	uint64_t all = 0;

	for (size_t i = 0; i < n; i++) {
		all |= v[i];
		switch (width) {
		case 1: ((uint8_t *)at)[i] = (uint8_t)v[i]; break;
		case 4: ((uint32_t *)at)[i] = (uint32_t)v[i]; break;
		default: ((uint64_t *)at)[i] = v[i]; break;
		}
	}
	return width == 8 || all >> 8 * width == 0;
}

int
trc_block_columns(struct trc_view *v, uint32_t *have, struct trc_err *err)
{
	uint64_t columns;

	*have = 0;
	if (!trc_view_num(v, &columns))
		return trc_fail(err, "the list of columns is damaged");
	if (columns & ~(uint64_t)TRC_HAS_ALL)
		return trc_fail(err, "has columns that this trc does not know; a newer one may");
	*have = (uint32_t)columns;
	return 0;
}

/* Parts of the program are numbered; one that is missing leaves the program behind it unusable
 * until it begins anew. */
int
trc_block_program(struct trc_blocks *c, const struct trc_frame *f, struct trc_err *err)
{
	struct trc_view v = { f->payload, f->payload + f->len };
	const uint8_t *flags = trc_view_bytes(&v, 1);
	const bool anew = flags && *flags & 1;
	const bool follows = c->generation > 0 && f->number == c->generation + 1;
	uint32_t have;

	c->generation = 0;
	if (trc_block_columns(&v, &have, err))
		return -1;
	if (have != c->have)
		return trc_fail(err, "a part of the program has other columns than the trace");
	if (anew) {
		trc_program_release(&c->program);
		if (trc_program_init(&c->program, err))
			return -1;
	} else if (!follows) {
		return trc_fail(err, "a part of the program before this one is missing");
	}
	if (trc_program_read(&c->program, v.p, (size_t)(v.end - v.p), err))
		return -1;
	c->generation = f->number;
	return 0;
}

/* The streams of a block, unpacked on all cores. */
struct unpacking {
	struct trc_packed stream[TRC_REFS_STREAMS];
	struct trc_buf *raw;
	struct trc_err err[TRC_REFS_STREAMS];
	int ret[TRC_REFS_STREAMS];
};

static void
unpack_one(void *arg, size_t i)
{
	struct unpacking *u = arg;

	u->ret[i] = trc_packed_unpack(&u->stream[i], &u->raw[i], &u->err[i]);
}

/* As many threads as there is memory for the tables of. */
static int
threads_for(const struct trc_blocks *c, const struct unpacking *u)
{
	size_t most = 1, threads;

	for (int i = 0; i < TRC_REFS_STREAMS; i++)
		most = trc_packed_memory(&u->stream[i]) > most ? trc_packed_memory(&u->stream[i]) :
								 most;
	threads = c->tables / most;
	return threads < 1 ? 1 : threads < (size_t)c->threads ? (int)threads : c->threads;
}

/* Streams together may claim no more than what their rows can need. */
static int
unpack_streams(const struct trc_blocks *c, struct trc_refs *refs, uint64_t rows, struct trc_view *v,
	       struct trc_err *err)
{
	size_t budget = TRC_STREAMS_MOST((size_t)rows);
	struct unpacking u = { .raw = refs->stream };

	for (int i = 0; i < TRC_REFS_STREAMS; i++) {
		if (trc_packed_take(v, budget, &u.stream[i], err))
			return -1;
		budget -= u.stream[i].n;
	}
	trc_pool_run(threads_for(c, &u), unpack_one, &u, TRC_REFS_STREAMS);
	for (int i = 0; i < TRC_REFS_STREAMS; i++)
		if (u.ret[i]) {
			*err = u.err[i];
			return -1;
		}
	return 0;
}

/* A place for the references of one more context of a block, not counted before they are good.
 * Those of another block, which never came, are dropped. */
static struct trc_block_context *
add_context(const struct trc_blocks *c, struct trc_block *b, const struct trc_frame *f,
	    uint64_t first, struct trc_err *err)
{
	const uint64_t rows = f->number & ((1u << TRC_ROW_BITS) - 1);

	if (b->first != first)
		b->contexts = 0;
	b->first = first;
	if (b->contexts == 0)
		b->refs_rows = rows;
	if (rows != b->refs_rows || rows > c->block_rows || b->contexts == TRC_CONTEXTS_MOST) {
		trc_fail(err, "the references of a block are damaged");
		return NULL;
	}
	if (!b->reader)
		b->reader = trc_refs_reader_open(err);
	if (b->reader)
		trc_refs_reader_limit(b->reader, c->reader);
	return b->reader ? &b->context[b->contexts] : NULL;
}

/* Reads what comes before the streams. */
static int
read_refs_head(const struct trc_blocks *c, struct trc_block *b, struct trc_block_context *x,
	       struct trc_view *v, struct trc_err *err)
{
	const uint8_t *absolute = trc_view_bytes(v, 1);
	uint64_t generation, first, ops, rows = 0;

	if (!absolute || !trc_view_num(v, &x->rows) || x->rows == 0 || x->rows > b->refs_rows)
		return trc_fail(err, "the references of a block are damaged");
	/* All contexts together have no more rows than the block. */
	for (size_t i = 0; i <= b->contexts; i++)
		rows += b->context[i].rows;
	if (!trc_view_num(v, &generation) || !trc_view_num(v, &first) || first > UINT32_MAX ||
	    !trc_view_num(v, &ops) || ops > x->rows || rows > b->refs_rows ||
	    (c->have & TRC_HAS_TYPE) == 0 || (c->have & TRC_HAS_ADDR) == 0)
		return trc_fail(err, "the references of a block are damaged");
	if (c->generation == 0 || generation != c->generation)
		return trc_fail(err, "the program that a block refers to is damaged or missing");
	b->refs.absolute = *absolute & 1;
	b->refs.first = (uint32_t)first;
	b->refs.ops = ops;
	return 0;
}

/* Reads all references of a context that is one of several. */
static int
gather(const struct trc_blocks *c, struct trc_block *b, struct trc_block_context *x,
       struct trc_err *err)
{
	struct trc_batch *g = &b->gathered;
	size_t n, end;

	if (g->cap < c->block_rows) {
		trc_batch_release(g);
		if (trc_batch_init(g, c->have & TRC_REFS_COLUMNS, c->block_rows, err))
			return -1;
	}
	x->at = b->contexts == 0 ? 0 : x[-1].at + (size_t)x[-1].rows;
	end = x->at + (size_t)x->rows;
	for (size_t at = x->at; at < end; at += n) {
		n = trc_refs_next(b->reader, g->type + at, g->addr + at,
				  g->size ? g->size + at : NULL, end - at);
		if (n == 0)
			return trc_fail(err, "the references of a block are damaged");
	}
	return 0;
}

int
trc_block_refs(struct trc_blocks *c, struct trc_block *b, const struct trc_frame *f,
	       uint64_t first_row, size_t new_slots, struct trc_err *err)
{
	struct trc_view v = { f->payload, f->payload + f->len };
	struct trc_block_context *x = add_context(c, b, f, first_row, err);

	if (!x || read_refs_head(c, b, x, &v, err) ||
	    unpack_streams(c, &b->refs, x->rows, &v, err) ||
	    trc_refs_begin(b->reader, &c->program, new_slots, &b->refs, x->rows, err))
		return -1;
	if (x->rows < b->refs_rows && gather(c, b, x, err))
		return -1;
	b->contexts++;
	return 0;
}

/* How the references of the contexts, all of which came before, make up the block. */
static int
read_contexts(struct trc_block *b, struct trc_view *v, struct trc_err *err)
{
	uint64_t n, key, rows = 0;

	if (!trc_view_num(v, &n) || n != b->contexts || n == 0)
		return trc_fail(err, "references of a block are damaged or missing");
	for (size_t i = 0; i < b->contexts; i++) {
		if (n > 1 && (!trc_view_num(v, &key) || key > UINT32_MAX))
			return trc_fail(err, "a block is damaged");
		b->context[i].key = n > 1 ? (uint32_t)key : 0;
		rows += b->context[i].rows;
	}
	return rows == b->rows && rows == b->refs_rows ?
		       0 :
		       trc_fail(err, "references of a block are missing");
}

/* Rows and contexts must tell the same number of each key. */
static int
check_keys(struct trc_block *b, struct trc_err *err)
{
	uint64_t left[TRC_CONTEXTS_MOST];
	size_t x = 0;

	b->key = NULL;
	if (b->contexts < 2)
		return 0;
	b->key = b->column.task ? b->column.task : b->column.asid;
	if (!b->key)
		return trc_fail(err, "a block has contexts that no column tells apart");
	for (size_t i = 0; i < b->contexts; i++)
		left[i] = b->context[i].rows;
	for (uint64_t i = 0; i < b->rows; i++) {
		if (b->context[x].key != b->key[i])
			for (x = 0; x < b->contexts && b->context[x].key != b->key[i]; x++)
				;
		if (x == b->contexts || left[x]-- == 0)
			return trc_fail(err, "contexts of a block are damaged");
	}
	return 0;
}

/* Room for the columns of a block: blocks of a later container may be larger. */
static int
make_columns(const struct trc_blocks *c, struct trc_block *b, struct trc_err *err)
{
	if (b->column.cap >= c->block_rows)
		return 0;
	trc_batch_release(&b->column);
	return trc_batch_init(&b->column, c->have, c->block_rows, err);
}

/* True for the number of a column that the trace has, and that is numbers, not text. */
static bool
is_number(const struct trc_blocks *c, uint8_t column)
{
	return column < TRC_COLUMNS && column != TRC_COL_EVENT && c->have >> column & 1;
}

static int
read_flat(struct trc_blocks *c, struct trc_block *b, struct trc_view *v, struct trc_err *err)
{
	const uint8_t *number = trc_view_bytes(v, 1);
	enum trc_column column;

	if (!number || !is_number(c, *number))
		return trc_fail(err, "a column of a block is damaged");
	column = (enum trc_column) * number;
	if (make_columns(c, b, err))
		return -1;
	if (trc_flat_read(v, c->wide, (size_t)b->rows, err))
		return -1;
	if (!narrow(&b->column, column, c->wide, (size_t)b->rows))
		return trc_fail(err, "a value of column '%s' does not fit it",
				trc_column[column].name);
	b->flat |= 1u << column;
	return 0;
}

/* ---- pages ---- */

void
trc_block_pages_forget(struct trc_blocks *c)
{
	trc_pages_close(c->pages);
	c->pages = NULL;
}

/* Sets up what a frame of pages goes on from; it is good for nothing until the frame was read. */
static int
follow_pages(struct trc_blocks *c, uint64_t first_row, uint64_t before, struct trc_err *err)
{
	if (before == 0) {
		trc_block_pages_forget(c);
		c->pages = trc_pages_open(err);
		c->pages_began = first_row;
		return c->pages ? 0 : -1;
	}
	if (c->pages && before <= first_row && c->pages_began == first_row - before &&
	    c->pages_end == first_row)
		return 0;
	trc_block_pages_forget(c);
	return trc_fail(err, "the pages that a block goes on from are damaged or missing");
}

int
trc_block_pages(struct trc_blocks *c, struct trc_block *b, const struct trc_frame *f,
		uint64_t first_row, struct trc_err *err)
{
	const uint64_t rows = f->number & ((1u << TRC_ROW_BITS) - 1);
	struct trc_view v = { f->payload, f->payload + f->len };
	const uint8_t *column;
	uint64_t before;
	uint32_t have;

	b->pages_rows = 0;
	if (trc_block_columns(&v, &have, err))
		return -1;
	column = trc_view_bytes(&v, 1);
	if (have != c->have || !column || !is_number(c, *column) || !trc_view_num(&v, &before) ||
	    rows == 0 || rows > c->block_rows)
		return trc_fail(err, "the pages of a block are damaged");
	if (make_columns(c, b, err) || follow_pages(c, first_row, before, err))
		return -1;
	if (trc_pages_read(c->pages, &v, c->wide, (size_t)rows, err) ||
	    (v.p < v.end && trc_fail(err, "the pages of a block are damaged"))) {
		trc_block_pages_forget(c);
		return -1;
	}
	if (!narrow(&b->column, (enum trc_column)*column, c->wide, (size_t)rows))
		return trc_fail(err, "a value of column '%s' does not fit it",
				trc_column[*column].name);
	c->pages_end = first_row + rows;
	b->pages = *column;
	b->pages_first = first_row;
	b->pages_rows = rows;
	return 0;
}

/* The column that the frame of pages before had. */
static int
take_pages(struct trc_block *b, struct trc_view *v, struct trc_err *err)
{
	const uint8_t *column = trc_view_bytes(v, 1);

	if (!column || b->pages_rows != b->rows || b->pages_first != b->first ||
	    *column != b->pages || b->flat >> b->pages & 1)
		return trc_fail(err, "pages of a block are damaged or missing");
	b->flat |= 1u << b->pages;
	b->pages_rows = 0;
	return 0;
}

/* ---- sections ---- */

/* Takes `n` numbers of columns that the trace has and this block did not have yet. */
static const uint8_t *
read_columns(struct trc_blocks *c, struct trc_block *b, struct trc_view *v, size_t n)
{
	const uint8_t *number = trc_view_bytes(v, n);

	for (size_t i = 0; number && i < n; i++) {
		if (!is_number(c, number[i]) || b->flat >> number[i] & 1)
			return NULL;
		b->flat |= 1u << number[i];
	}
	return number;
}

static int
store_column(struct trc_blocks *c, struct trc_block *b, uint8_t number, struct trc_err *err)
{
	const enum trc_column column = (enum trc_column)number;

	if (!narrow(&b->column, column, c->wide, (size_t)b->rows))
		return trc_fail(err, "a value of column '%s' does not fit it",
		                trc_column[column].name);
	return 0;
}

static int
store_rows(struct trc_blocks *c, struct trc_block *b, const struct trc_rows_unpacked *r,
           size_t names, const uint8_t *clock, const uint8_t *name, const uint8_t *same,
           struct trc_err *err)
{
	for (size_t i = 0; i < r->clocks + names; i++) {
		const uint8_t number = i < r->clocks ? clock[i] : name[i - r->clocks];

		trc_rows_column(r, i, c->wide);
		if (store_column(c, b, number, err) ||
		    (i == 0 && same && store_column(c, b, *same, err)))
			return -1;
	}
	return 0;
}

static int
read_rows(struct trc_blocks *c, struct trc_block *b, struct trc_view *v, struct trc_err *err)
{
	enum { NONE = 255 };
	struct trc_rows_unpacked r = { 0 };
	const uint8_t *clocks, *clock, *names, *name = NULL, *same = NULL;
	int ret;

	clocks = trc_view_bytes(v, 1);
	clock = clocks ? read_columns(c, b, v, *clocks) : NULL;
	names = clock ? trc_view_bytes(v, 1) : NULL;
	name = names ? read_columns(c, b, v, *names) : NULL;
	if (name && v->p < v->end && *v->p == NONE)
		v->p++;
	else if (!name || !(same = read_columns(c, b, v, 1)))
		return trc_fail(err, "rows of a block are damaged");
	if (make_columns(c, b, err))
		return -1;
	ret = trc_rows_read(&r, v, *clocks, *names, (size_t)b->rows, err);
	if (ret == 0)
		ret = store_rows(c, b, &r, *names, clock, name, same, err);
	trc_rows_release(&r);
	return ret;
}

static int
read_events(struct trc_blocks *c, struct trc_block *b, struct trc_view *v, struct trc_err *err)
{
	if (!(c->have & TRC_HAS_EVENT))
		return trc_fail(err, "a block has events that the trace does not");
	if (make_columns(c, b, err))
		return -1;
	b->flat |= TRC_HAS_EVENT;
	return trc_events_read(v, &b->column, (size_t)b->rows, err);
}

int
trc_block_sections(struct trc_blocks *c, struct trc_block *b, struct trc_view *v,
		   struct trc_err *err)
{
	bool refs = false;

	b->flat = 0;
	while (v->p < v->end) {
		const uint8_t section = *v->p++;
		int ret;

		if (section == TRC_SECTION_REFS && !refs) {
			ret = read_contexts(b, v, err);
			refs = true;
		} else if (section == TRC_SECTION_FLAT) {
			ret = read_flat(c, b, v, err);
		} else if (section == TRC_SECTION_ROWS) {
			ret = read_rows(c, b, v, err);
		} else if (section == TRC_SECTION_EVENTS) {
			ret = read_events(c, b, v, err);
		} else if (section == TRC_SECTION_PAGES) {
			ret = take_pages(b, v, err);
		} else {
			ret = trc_fail(err, "a block has a section of kind %u", section);
		}
		if (ret)
			return -1;
	}
	if ((b->flat | (refs ? c->have & TRC_REFS_COLUMNS : 0)) != c->have)
		return trc_fail(err, "a block lacks a column");
	if (!refs)
		b->contexts = 0;
	return check_keys(b, err);
}

bool
trc_block_has_times(const struct trc_block *b, uint64_t lowest, uint64_t highest)
{
	uint64_t first = UINT64_MAX, last = 0;

	if (!(b->flat & TRC_HAS_TIME))
		return true;
	for (uint64_t i = 0; i < b->rows; i++) {
		const uint64_t t = b->column.time[i];

		first = t < first ? t : first;
		last = t > last ? t : last;
	}
	return first == lowest && last == highest;
}

size_t
trc_block_next(struct trc_block *b, uint8_t *type, uint64_t *addr, uint32_t *size, size_t n)
{
	const struct trc_batch *g = &b->gathered;
	struct trc_block_context *x = b->context;
	const uint32_t *key;
	size_t run;

	if (!b->key)
		return trc_refs_next(b->reader, type, addr, size, n);
	key = b->key + b->at;
	for (run = 1; run < n && key[run] == key[0]; run++)
		;
	while (x->key != key[0])
		x++;
	memcpy(type, g->type + x->at, run * sizeof(*type));
	memcpy(addr, g->addr + x->at, run * sizeof(*addr));
	if (size)
		memcpy(size, g->size + x->at, run * sizeof(*size));
	x->at += run;
	return run;
}

void
trc_block_release(struct trc_block *b)
{
	trc_batch_release(&b->column);
	trc_batch_release(&b->gathered);
	trc_refs_release(&b->refs);
	trc_refs_reader_close(b->reader);
}
