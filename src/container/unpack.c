/* SPDX-License-Identifier: MIT
 * Unpacking blocks of the container: programs and references. Whatever a frame claims is checked
 * before it is believed. */
#include "container/unpack.h"

#include <stdlib.h>

#include "base/pool.h"

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

/* ---- raw blocks ---- */

void
trc_raw_clear(struct trc_raw *r)
{
	r->pieces = 0;
	r->bytes.n = 0;
}

void
trc_raw_release(struct trc_raw *r)
{
	free(r->piece);
	trc_buf_release(&r->bytes);
	trc_refs_release(&r->refs);
}

/* True if nothing of the program before frame `f` is needed to read what comes after it. */
static bool
begins_anew(const struct trc_frame *f)
{
	return f->kind == TRC_KIND_PROGRAM && f->len > 0 && f->payload[0] & 1;
}

/* Where blocks are passed over, what the next could go on from is kept; drops what frame `f` makes
 * needless of that. */
static void
drop_needless(struct trc_raw *r, const struct trc_frame *f)
{
	const bool lost = r->pieces > 0 && r->piece[0].kind == TRC_KIND_TRACE;

	for (size_t i = lost; i < r->pieces; i++)
		if (r->piece[i].kind != f->kind)
			return;
	r->pieces = lost;
	r->bytes.n = 0;
}

int
trc_raw_add(struct trc_raw *r, const struct trc_frame *f, uint64_t base, bool grown,
            struct trc_err *err)
{
	struct trc_piece p = { .kind = TRC_KIND_TRACE };

	if (!f)
		trc_raw_clear(r);
	else if (begins_anew(f))
		drop_needless(r, f);
	if (trc_grow(&r->piece, &r->piece_cap, r->pieces + 1, sizeof(p), err))
		return -1;
	if (f) {
		p = (struct trc_piece){ .kind = f->kind,
			                .grown = grown,
			                .number = f->number,
			                .offset = f->offset,
			                .first = base + trc_frame_first(f),
			                .rows = trc_frame_rows(f),
			                .at = r->bytes.n,
			                .len = (size_t)f->len };
		if (trc_buf_put(&r->bytes, f->payload, p.len, err))
			return -1;
	}
	r->piece[r->pieces++] = p;
	return 0;
}

static struct trc_view
payload(const struct trc_raw *r, const struct trc_piece *p)
{
	return (struct trc_view){ r->bytes.p + p->at, r->bytes.p + p->at + p->len };
}

int
trc_raw_at(const struct trc_raw *r, const struct trc_piece *p, struct trc_err *err)
{
	return trc_err_in(err, "%s: at byte %llu, after %llu good records", r->name,
	                  (unsigned long long)p->offset, (unsigned long long)r->good);
}

/* Takes what there is of references. Streams together may claim no more than what their rows can
 * need. */
static int
take_refs(struct trc_raw *r, const struct trc_piece *p, struct trc_err *err)
{
	struct trc_view v = payload(r, p);
	struct trc_refs_head *h = &r->head;
	const uint8_t *absolute = trc_view_bytes(&v, 1);
	uint64_t first, ops;
	size_t budget;

	if (!absolute || !trc_view_num(&v, &h->rows) || h->rows == 0 || h->rows > p->rows ||
	    p->rows > r->room.block_rows || !trc_view_num(&v, &h->generation) ||
	    !trc_view_num(&v, &first) || first > UINT32_MAX || !trc_view_num(&v, &ops) ||
	    ops > h->rows || (r->have & TRC_HAS_ADDR) == 0)
		return trc_fail(err, "the references of a block are damaged");
	r->refs.absolute = *absolute & 1;
	r->refs.first = (uint32_t)first;
	r->refs.ops = ops;
	budget = TRC_STREAMS_MOST((size_t)h->rows);
	for (int i = 0; i < TRC_REFS_STREAMS; i++) {
		if (trc_packed_take(&v, budget, &r->packed[i], err))
			return -1;
		budget -= r->packed[i].n;
		if (r->packed[i].method == TRC_PACK_PATH && i != TRC_REFS_PATH)
			return trc_fail(err, "the references of a block are damaged");
	}
	r->refs.branches = r->packed[TRC_REFS_PATH].method == TRC_PACK_PATH ?
	                           r->packed[TRC_REFS_PATH].n :
	                           0;
	return 0;
}

/* Only blocks whose last frame but one is their only one with references are plain; the others are
 * taken piece by piece. So are those of a salvage, which leaves out pieces. */
int
trc_raw_complete(struct trc_raw *r, struct trc_err *err)
{
	const struct trc_piece *refs = r->pieces >= 2 ? &r->piece[r->pieces - 2] : NULL;
	size_t contexts = 0;

	r->grows = r->plain = false;
	for (size_t i = 0; i < r->pieces; i++) {
		contexts += r->piece[i].kind == TRC_KIND_REFS;
		r->grows |= r->piece[i].kind == TRC_KIND_PROGRAM;
	}
	if (r->salvage || contexts != 1 || refs->kind != TRC_KIND_REFS)
		return 0;
	r->plain = true;
	return take_refs(r, refs, err) ? trc_raw_at(r, refs, err) : 0;
}

static int
unpack_stream(void *arg, size_t i, struct trc_err *err)
{
	struct trc_raw *r = arg;

	return trc_packed_unpack(&r->packed[i], &r->refs.stream[i], err);
}

int
trc_raw_unpack(struct trc_raw *r, size_t stream, struct trc_err *err)
{
	if (unpack_stream(r, stream, err))
		return trc_raw_at(r, &r->piece[r->pieces - 2], err);
	return 0;
}

/* As many threads as there is memory for the tables of. */
static int
threads_for(const struct trc_raw *r)
{
	const size_t had = (size_t)trc_threads_for(r->threads, r->head.rows);
	size_t most = 1, threads;

	for (int i = 0; i < TRC_REFS_STREAMS; i++) {
		const size_t bytes = trc_packed_memory(&r->packed[i]);

		most = bytes > most ? bytes : most;
	}
	threads = r->room.tables / most;
	return threads < 1 ? 1 : (int)(threads < had ? threads : had);
}

/* ---- the program ---- */

void
trc_growing_release(struct trc_growing *g)
{
	for (size_t i = 0; i < TRC_VERSIONS_MOST; i++)
		trc_program_release(&g->program[i]);
}

int
trc_growing_go_on(struct trc_growing *g, size_t to, struct trc_err *err)
{
	if (to != g->at && trc_program_go_on(&g->program[to], &g->program[g->at], err))
		return -1;
	g->at = to;
	return 0;
}

/* Forgets everything that blocks could go on from. */
static void
begin_anew(struct trc_growing *g)
{
	g->known.generation = 0;
}

/* The program by parts, which are numbered. Types of its shapes are the only rows that it holds:
 * sums say that the bytes are those that were written, not that they make sense. */
static int
add_part(struct trc_growing *g, const struct trc_raw *r, const struct trc_piece *p,
         struct trc_err *err)
{
	struct trc_view v = payload(r, p);
	const uint8_t *flags = trc_view_bytes(&v, 1);
	const bool anew = flags && *flags & 1;
	struct trc_known *known = &g->known;
	const bool follows = known->generation > 0 && p->number == known->generation + 1;
	struct trc_program *program = &g->program[g->at];
	uint32_t have;
	size_t shape;

	known->generation = 0;
	if (trc_block_columns(&v, &have, err))
		return -1;
	if (have != r->have)
		return trc_fail(err, "a part of the program has other columns than the trace");
	if (anew)
		trc_program_release(program);
	else if (!follows)
		return trc_fail(err, "a part of the program before this one is missing");
	known->old = (struct trc_refs_old){ program->slots, program->edges };
	shape = program->shapes;
	if (trc_growth_read(program, v.p, (size_t)(v.end - v.p), err))
		return -1;
	for (; shape < program->shapes; shape++)
		if (trc_block_check_types(program->shape[shape].type, program->shape[shape].rows,
		                          err))
			return -1;
	known->program = program;
	known->generation = p->number;
	return 0;
}

int
trc_block_program(struct trc_growing *g, struct trc_raw *r, struct trc_err *err)
{
	for (size_t i = 0; r->plain && i < r->pieces; i++) {
		if (r->piece[i].kind == TRC_KIND_TRACE)
			begin_anew(g);
		else if (r->piece[i].kind == TRC_KIND_PROGRAM && add_part(g, r, &r->piece[i], err))
			return trc_raw_at(r, &r->piece[i], err);
	}
	r->known = g->known;
	return 0;
}

/* ---- references ---- */

/* Drops the references that there are, for those of the block that begins with row `first`. */
static void
begin_contexts(struct trc_block *b, uint64_t first)
{
	b->contexts = 0;
	b->refs_first = first;
}

/* A place for the references of one more context of a block, not counted before they are good.
 * Those of another block, which never came, are dropped. */
static int
add_context(const struct trc_raw *r, struct trc_block *b, const struct trc_piece *p,
            struct trc_err *err)
{
	uint64_t rows = r->head.rows;

	if (b->contexts == 0)
		b->refs_rows = p->rows;
	/* All contexts together have no more rows than the block. */
	for (size_t i = 0; i < b->contexts; i++)
		rows += b->context[i].rows;
	if (p->rows != b->refs_rows || rows > b->refs_rows || b->contexts == TRC_CONTEXTS_MOST)
		return trc_fail(err, "the references of a block are damaged");
	if (!b->reader)
		b->reader = trc_refs_reader_open(err);
	if (!b->reader)
		return -1;
	trc_refs_reader_limit(b->reader, r->room.reader);
	b->context[b->contexts].rows = r->head.rows;
	return 0;
}

/* Reads all references of a context that is one of several. */
static int
gather(const struct trc_raw *r, struct trc_block *b, struct trc_block_context *x,
       struct trc_err *err)
{
	struct trc_batch *g = &b->gathered;
	size_t n, end;

	if (g->cap < b->refs_rows) {
		trc_batch_release(g);
		if (trc_batch_init_room(g, r->have & TRC_GATHERED_COLUMNS, (size_t)b->refs_rows,
		                        err))
			return -1;
	}
	x->at = b->contexts == 0 ? 0 : x[-1].at + (size_t)x[-1].rows;
	end = x->at + (size_t)x->rows;
	for (size_t at = x->at; at < end; at += n) {
		n = trc_refs_next(b->reader, g->type ? g->type + at : NULL, g->addr + at,
		                  g->size ? g->size + at : NULL, g->pc ? g->pc + at : NULL,
		                  end - at);
		if (n == 0)
			return trc_fail(err, "the references of a block are damaged");
	}
	return 0;
}

/* Follows the choices of one more context, which is not counted before its references are good.
 * Slots are new to the references right behind the part of the program that has them. */
static int
walk_refs(const struct trc_known *known, const struct trc_raw *r, struct trc_block *b,
          const struct trc_piece *p, struct trc_err *err)
{
	const struct trc_refs_old none = { SIZE_MAX, SIZE_MAX };

	if (add_context(r, b, p, err))
		return -1;
	if (known->generation == 0 || r->head.generation != known->generation)
		return trc_fail(err, "the program that a block refers to is damaged or missing");
	return trc_refs_follow(b->reader, known->program, p->grown ? known->old : none, &r->refs,
	                       err);
}

static int
begin_refs(const struct trc_raw *r, struct trc_block *b, struct trc_err *err)
{
	struct trc_block_context *x = &b->context[b->contexts];

	if (trc_refs_begin(b->reader, x->rows, err) ||
	    (x->rows < b->refs_rows && gather(r, b, x, err)))
		return -1;
	b->contexts++;
	return 0;
}

/* All at once, of one context that may be one of several. One that has all rows of the block is
 * read from where its streams were unpacked, so nothing may be unpacked behind it. */
static int
add_refs(const struct trc_growing *g, struct trc_raw *r, struct trc_block *b,
         const struct trc_piece *p, struct trc_err *err)
{
	if (b->refs_first != p->first)
		begin_contexts(b, p->first);
	if (b->contexts == 1 && b->context[0].rows == b->refs_rows)
		return trc_fail(err, "references of a block come twice");
	if (take_refs(r, p, err) ||
	    trc_pool_run(threads_for(r), unpack_stream, r, TRC_REFS_STREAMS, err) ||
	    walk_refs(&g->known, r, b, p, err))
		return -1;
	return begin_refs(r, b, err);
}

int
trc_block_walk(const struct trc_raw *r, struct trc_block *b, struct trc_err *err)
{
	const struct trc_piece *p = &r->piece[r->pieces - 2];

	begin_contexts(b, p->first);
	return walk_refs(&r->known, r, b, p, err) ? trc_raw_at(r, p, err) : 0;
}

int
trc_block_refs(struct trc_growing *g, struct trc_raw *r, struct trc_block *b, struct trc_err *err)
{
	if (!r->plain)
		begin_contexts(b, UINT64_MAX);
	for (size_t i = 0; i < r->pieces; i++) {
		const struct trc_piece *p = &r->piece[i];
		int ret = 0;

		if (p->kind == TRC_KIND_REFS)
			ret = r->plain ? begin_refs(r, b, err) : add_refs(g, r, b, p, err);
		else if (p->kind == TRC_KIND_PROGRAM && !r->plain)
			ret = add_part(g, r, p, err);
		else if (p->kind == TRC_KIND_TRACE && !r->plain)
			begin_anew(g);
		/* What is damaged shows in the block when a salvage puts it together. */
		if (ret && (!r->salvage || err->code != TRC_FAILED))
			return trc_raw_at(r, p, err);
	}
	return 0;
}

/* ---- references and columns together ---- */

/* How the references of the contexts make up the block. */
static int
check_contexts(struct trc_block *b, struct trc_err *err)
{
	uint64_t rows = 0;

	if (!b->refs) {
		b->contexts = 0;
		return 0;
	}
	if (b->refs_first != b->first || b->keys != b->contexts)
		return trc_fail(err, "references of a block are damaged or missing");
	for (size_t i = 0; i < b->contexts; i++) {
		b->context[i].key = b->keyed[i];
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

/* An index that tells of other times than a block has may have hidden rows of other blocks, too. */
static int
check_times(const struct trc_raw *r, const struct trc_block *b, struct trc_err *err)
{
	uint64_t first = UINT64_MAX, last = 0;

	if (!r->timed || !(b->flat & TRC_HAS_TIME) || b->end < b->rows)
		return 0;
	for (uint64_t i = 0; i < b->rows; i++) {
		const uint64_t t = b->column.time[i];

		first = t < first ? t : first;
		last = t > last ? t : last;
	}
	return first == r->time_first && last == r->time_last ?
	               0 :
	               trc_fail(err, "the index tells of other times than a block has");
}

/* Puts up to `n` of the next rows' references, from row b->at on; returns how many. */
static size_t
next_refs(struct trc_block *b, uint8_t *type, uint64_t *addr, uint32_t *size, uint64_t *pc,
          size_t n)
{
	const struct trc_batch *g = &b->gathered;
	struct trc_block_context *x = b->context;
	const uint32_t *key;
	size_t run;

	if (!b->key)
		return trc_refs_next(b->reader, type, addr, size, pc, n);
	key = b->key + b->at;
	for (run = 1; run < n && key[run] == key[0]; run++)
		;
	while (x->key != key[0])
		x++;
	if (type)
		memcpy(type, g->type + x->at, run * sizeof(*type));
	memcpy(addr, g->addr + x->at, run * sizeof(*addr));
	if (size)
		memcpy(size, g->size + x->at, run * sizeof(*size));
	if (pc)
		memcpy(pc, g->pc + x->at, run * sizeof(*pc));
	x->at += run;
	return run;
}

/* Leaves out the references of the first `n` rows. */
static void
skip_refs(struct trc_block *b, uint64_t n)
{
	struct trc_block_context *x = b->context;

	if (b->contexts > 0 && !b->key)
		trc_refs_skip(b->reader, n);
	for (uint64_t i = 0; b->key && i < n; i++) {
		if (x->key != b->key[i])
			for (x = b->context; x->key != b->key[i]; x++)
				;
		x->at++;
	}
}

int
trc_block_finish(const struct trc_raw *r, struct trc_block *b, struct trc_err *err)
{
	if (check_contexts(b, err) || check_keys(b, err) || check_times(r, b, err))
		return trc_raw_at(r, &r->piece[r->pieces - 1], err);
	b->at = r->skip < b->end ? r->skip : b->end;
	skip_refs(b, b->at);
	b->whole = b->at == 0 && b->end == b->rows;
	return 0;
}

size_t
trc_block_take(struct trc_block *b, struct trc_batch *to, struct trc_fingerprint *sums)
{
	const size_t at = to->n;
	size_t n = to->cap - at;

	if (n > b->end - b->at)
		n = (size_t)(b->end - b->at);
	if (b->contexts)
		n = next_refs(b, to->type ? to->type + at : NULL, to->addr + at,
		              to->size ? to->size + at : NULL, b->pcs ? to->pc + at : NULL, n);
	trc_batch_copy(to, &b->column, b->flat, (size_t)b->at, n);
	trc_fingerprint_update(sums, to, at, n);
	to->n += n;
	b->at += n;
	return n;
}

void
trc_block_release(struct trc_block *b)
{
	trc_batch_release(&b->column);
	trc_batch_release(&b->gathered);
	trc_refs_reader_close(b->reader);
	free(b->wide);
}
