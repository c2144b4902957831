/* SPDX-License-Identifier: MIT
 * Chooses the program of references, and makes the frames of both. */
#include "container/pack/refs_packer.h"

#include <stdlib.h>

#include "codec/program/inference.h"
#include "codec/program/refs_writer.h"
#include "container/block_refs.h"
#include "container/container.h"
#include "container/pack/refs_streams.h"
#include "container/sections.h"

_Static_assert((int)TRC_ROW_TYPE == (int)TRC_TYPE_MASK && (int)TRC_ROW_READ == (int)TRC_READ &&
                       (int)TRC_ROW_FETCH == (int)TRC_FETCH,
               "types are the same in codec");

/* The sources of instructions. */
enum instructions { NONE, FETCHES, PCS, INFERRED };

/* A grammar that grows as it is used (like that of a dictionary coder) until it is reset. */
struct program {
	struct trc_refs_writer *writer; /* NULL: the next references reset it */
	enum instructions from;
	bool resets;         /* its first part is not in a frame yet */
	uint64_t generation; /* number of parts in frames */
	uint64_t before;     /* the same before this block */
	unsigned blocks;     /* blocks that have used it */

	uint8_t column[TRC_OP_COLUMNS]; /* columns of the trace that its ops explain */
	unsigned columns;
};

/* Replacements for columns that the trace lacks. */
struct substitutes {
	uint64_t *pc;                 /* inferred from addresses */
	enum trc_inference_kind kind; /* how it was inferred */
	uint8_t *type;                /* zeros */
	size_t pc_cap, type_cap;
};

struct trc_refs_packer {
	uint32_t have;
	int level, threads;
	const struct trc_batch *rows;
	uint64_t first;
	size_t added, fetches; /* rows of the block that were added, and the fetches of these */

	struct program program;
	struct substitutes substitutes;
	struct trc_contexts contexts;
	struct trc_refs_streams streams;
	struct trc_buf growth;
	struct trc_buf exceptions[TRC_OP_COLUMNS]; /* of one context */
	uint32_t by_op;                            /* columns of the block that ops explain */
	struct trc_refs_frame *frame;
	size_t frames, frame_cap;
};

/* ---- the program ---- */

static size_t
count_fetches(const uint8_t *type, size_t rows)
{
	enum { MOST = 255 }; /* the most a byte can count, for vectorisation */
	size_t fetches = 0;

	for (size_t at = 0, n; at < rows; at += n) {
		uint8_t count = 0;

		n = rows - at < MOST ? rows - at : MOST;
		for (size_t i = 0; i < n; i++)
			count = (uint8_t)(count + ((type[at + i] & TRC_TYPE_MASK) == TRC_FETCH));
		fetches += count;
	}
	return fetches;
}

/* Returns true if more than one in 16 references is a fetch. */
static bool
are_many(size_t fetches, size_t rows)
{
	return fetches >= rows / 16 + 1;
}

/* Returns true if each row has the pc of an instruction; for a fetch this must be its address. */
static bool
has_pcs(const struct trc_batch *b)
{
	bool other = false;

	for (size_t i = 0; b->pc && i < b->n; i++)
		other |= (b->type[i] & TRC_TYPE_MASK) == TRC_FETCH && b->pc[i] != b->addr[i];
	return b->pc && !other;
}

static enum instructions
instructions_of(const struct trc_batch *b)
{
	if (!b->addr)
		return NONE;
	if (!b->type)
		return INFERRED;
	if (has_pcs(b))
		return PCS;
	return are_many(count_fetches(b->type, b->n), b->n) ? FETCHES : INFERRED;
}

static void
forget(struct program *p)
{
	trc_refs_writer_close(p->writer);
	p->writer = NULL;
	p->blocks = p->columns = 0;
}

/* Begins an empty program, which may explain all columns that are properties of an instruction. */
static int
begin_program(struct trc_refs_packer *p, struct trc_err *err)
{
	struct program *g = &p->program;

	g->writer = trc_refs_writer_open(trc_pack_level(p->level) <= TRC_PACK_FAST, err);
	if (!g->writer)
		return -1;
	g->resets = true;
	for (size_t i = 0; i < TRC_COUNT(trc_by_op_order); i++) {
		const uint8_t c = trc_by_op_order[i];

		if (!(p->have >> c & 1))
			continue;
		g->column[g->columns++] = c;
		trc_refs_writer_add_column(g->writer, c, (uint8_t)trc_column[c].width,
		                           c == TRC_COL_REGS);
	}
	return 0;
}

/* ---- columns that ops explain ---- */

/* For a new program, drops the columns that its first rows show to be unexplained. */
static void
keep_explained(struct program *g, struct trc_buf *exceptions, size_t rows)
{
	enum { FEW = 4 }; /* rows per byte of exceptions */
	const unsigned n = g->columns;
	unsigned keep = 0;

	g->columns = 0;
	for (unsigned k = 0; k < n; k++) {
		const struct trc_buf e = exceptions[k];

		if (e.n == 0 || e.n > rows / FEW + 64)
			continue;
		keep |= 1u << k;
		exceptions[k] = exceptions[g->columns];
		exceptions[g->columns] = e;
		g->column[g->columns++] = g->column[k];
	}
	trc_refs_writer_keep_columns(g->writer, keep);
}

/* Finds the exceptions in `n` rows of `b` from row `at` on. */
static int
find_exceptions(struct trc_refs_packer *p, const struct trc_batch *b, size_t at, size_t n,
                struct trc_err *err)
{
	struct program *g = &p->program;
	const void *v[TRC_OP_COLUMNS];

	for (unsigned k = 0; k < g->columns; k++)
		v[k] = (const uint8_t *)trc_batch_column(b, (enum trc_column)g->column[k]) +
		       at * trc_column[g->column[k]].width;
	if (trc_refs_write_columns(g->writer, v, n / g->columns, p->exceptions, err))
		return -1;
	if (g->resets)
		keep_explained(g, p->exceptions, n);
	return 0;
}

/* Appends the stream of exceptions to the frame of a context. */
static int
put_exceptions(struct trc_refs_packer *p, struct trc_refs_frame *f, struct trc_err *err)
{
	const struct program *g = &p->program;
	struct trc_buf *raw = &p->streams.refs.stream[TRC_REFS_EXCEPTION];
	unsigned columns = 0;

	for (unsigned k = 0; k < g->columns; k++)
		columns |= (p->by_op >> g->column[k] & 1) << k;
	raw->n = 0;
	if (trc_buf_put_num(raw, columns, err))
		return -1;
	for (unsigned k = 0; k < g->columns; k++)
		if (columns >> k & 1 &&
		    trc_buf_put(raw, f->exceptions[k].p, f->exceptions[k].n, err))
			return -1;
	f->payload.p[0] |= TRC_REFS_EXCEPTIONS;
	return trc_pack(raw->p, raw->n, TRC_PACK_BYTES, p->level, &f->payload, err);
}

/* ---- frames ---- */

/* Returns an empty frame after the existing ones, without counting it; NULL if there is no
 * memory. */
static struct trc_refs_frame *
next_frame(struct trc_refs_packer *p, uint8_t kind, struct trc_err *err)
{
	struct trc_refs_frame *f;

	if (p->frames == p->frame_cap) {
		if (trc_grow(&p->frame, &p->frame_cap, p->frames + 1, sizeof(*p->frame), err))
			return NULL;
		for (size_t i = p->frames; i < p->frame_cap; i++)
			p->frame[i] = (struct trc_refs_frame){ 0 };
	}
	f = &p->frame[p->frames];
	f->kind = kind;
	f->payload.n = 0;
	return f;
}

/* Appends a part of the program with, at its end, values of columns that its ops explain. */
static int
put_part(struct trc_refs_packer *p, struct trc_buf *b, size_t *growth, struct trc_err *err)
{
	const struct program *g = &p->program;
	const unsigned flags = (g->resets ? TRC_PROGRAM_RESETS : 0) |
	                       (g->columns > 0 ? TRC_PROGRAM_COLUMNS : 0) |
	                       (trc_refs_writer_lengths(g->writer) ? TRC_PROGRAM_LENGTHS : 0);
	uint64_t columns = 0;
	size_t head;

	for (unsigned k = 0; k < g->columns; k++)
		columns |= UINT64_C(1) << g->column[k];
	if (trc_buf_put_byte(b, flags, err) || trc_buf_put_num(b, p->have, err))
		return -1;
	head = b->n;
	if ((columns && trc_buf_put_num(b, columns, err)) ||
	    trc_buf_put(b, p->growth.p, p->growth.n, err))
		return -1;
	*growth = b->n - head;
	return 0;
}

/* Makes streams of the references from row `at` of `b` on and, if the program grows by *growth
 * bytes, a frame with that part of the program. Sets *good to false if the references are not a
 * program. */
static int
make_part(struct trc_refs_packer *p, const struct trc_batch *b, size_t at,
          const struct trc_refs_rows *rows, size_t *growth, bool *good, struct trc_err *err)
{
	struct trc_refs_frame *f = next_frame(p, TRC_KIND_PROGRAM, err);
	struct program *g = &p->program;

	*growth = p->growth.n = 0;
	if (!f || (!g->writer && begin_program(p, err)))
		return -1;
	if (p->added > 0 ? trc_refs_write_end(g->writer, &p->streams.refs, err) :
	                   trc_refs_write(g->writer, rows, &p->streams.refs, err))
		return -1;
	*good = trc_refs_writer_fits(g->writer) &&
	        trc_refs_writer_new_ops(g->writer) <= rows->n / 2 + 64;
	if (!*good)
		return 0;
	if (g->columns > 0 && find_exceptions(p, b, at, rows->n, err))
		return -1;
	if (trc_refs_write_growth(g->writer, &p->growth, err))
		return -1;
	if (g->resets || p->growth.n > 0) {
		if (put_part(p, &f->payload, growth, err))
			return -1;
		f->number = ++g->generation;
		p->frames++;
	}
	return 0;
}

static int
make_refs(struct trc_refs_packer *p, size_t rows, size_t growth, struct trc_err *err)
{
	const struct trc_refs *refs = &p->streams.refs;
	struct trc_refs_frame *f = next_frame(p, TRC_KIND_REFS, err);
	struct trc_buf *b;

	if (!f ||
	    trc_refs_streams_pack(&p->streams,
	                          &(const struct trc_refs_packing){
	                                  p->program.writer, p->level,
	                                  trc_threads_for(p->threads, p->rows->n), rows, growth },
	                          err))
		return -1;
	p->program.resets = false;
	for (unsigned k = 0; k < p->program.columns; k++) {
		const struct trc_buf e = f->exceptions[k];

		f->exceptions[k] = p->exceptions[k];
		p->exceptions[k] = e;
	}
	f->number = p->first << TRC_ROW_BITS | p->rows->n;
	p->frames++;
	b = &f->payload;
	if (trc_buf_put_byte(b, refs->absolute ? TRC_REFS_ABSOLUTE : 0, err) ||
	    trc_buf_put_num(b, rows, err) || trc_buf_put_num(b, p->program.generation, err) ||
	    trc_buf_put_num(b, refs->first, err) || trc_buf_put_num(b, refs->ops, err))
		return -1;
	return trc_refs_streams_put(&p->streams, b, err);
}

static int
infer(struct trc_refs_packer *p, struct trc_refs_rows *rows, struct trc_err *err)
{
	struct substitutes *s = &p->substitutes;

	if (trc_grow(&s->pc, &s->pc_cap, rows->n, sizeof(*s->pc), err))
		return -1;
	if (!p->program.writer &&
	    trc_infer_instructions(rows, trc_pack_level(p->level), s->pc, &s->kind, err))
		return -1;
	trc_inference(rows, s->kind, s->pc);
	rows->pc = s->pc;
	rows->inferred = true;
	return 0;
}

/* Makes the frames of one context; sets *good to false if its references are not a program. */
static int
make_frames(struct trc_refs_packer *p, const struct trc_batch *b, size_t at,
            struct trc_refs_rows *rows, bool *good, struct trc_err *err)
{
	size_t growth;

	if (p->program.from == INFERRED && infer(p, rows, err))
		return -1;
	if (make_part(p, b, at, rows, &growth, good, err))
		return -1;
	return *good ? make_refs(p, rows->n, growth, err) : 0;
}

/* ---- contexts ---- */

/* Makes a type column for a trace that has none. */
static int
make_types(struct substitutes *s, size_t n, struct trc_err *err)
{
	if (trc_grow(&s->type, &s->type_cap, n, sizeof(*s->type), err))
		return -1;
	memset(s->type, 0, n * sizeof(*s->type));
	return 0;
}

/* Makes the frames of all contexts; sets *good to false if the references of one are not a
 * program. */
static int
make_contexts(struct trc_refs_packer *p, bool *good, struct trc_err *err)
{
	const struct trc_batch *b = p->rows;
	struct trc_contexts *c = &p->contexts;

	trc_contexts_find(c, b);
	if (c->n > 1) {
		if (trc_contexts_sort(c, b, p->have, err))
			return -1;
		b = &c->sorted;
	}
	if (!b->type && make_types(&p->substitutes, p->rows->n, err))
		return -1;
	for (size_t i = 0, at = 0; i < c->n && *good; at += c->context[i++].n) {
		struct trc_refs_rows rows = { .type = b->type ? b->type + at : p->substitutes.type,
			                      .addr = b->addr + at,
			                      .size = b->size ? b->size + at : NULL,
			                      .n = c->context[i].n };

		if (p->program.from == PCS)
			rows.pc = b->pc + at;
		if (make_frames(p, b, at, &rows, good, err))
			return -1;
	}
	return 0;
}

/* ---- piece by piece ---- */

bool
trc_refs_packer_takes(const struct trc_refs_packer *p, const struct trc_batch *b, size_t at,
                      size_t n)
{
	const struct program *g = &p->program;

	return !(p->have & ~TRC_REFS_COLUMNS) && b->type && b->addr &&
	       are_many(count_fetches(b->type + at, n), n) && (!g->writer || g->from == FETCHES);
}

int
trc_refs_packer_add(struct trc_refs_packer *p, const struct trc_batch *b, size_t at, size_t n,
                    struct trc_err *err)
{
	struct program *g = &p->program;
	const struct trc_refs_rows rows = { .type = b->type + at,
		                            .addr = b->addr + at,
		                            .size = b->size ? b->size + at : NULL,
		                            .n = n };

	if (!g->writer && begin_program(p, err))
		return -1;
	if (p->added == 0)
		trc_refs_write_begin(g->writer);
	p->added += n;
	p->fetches += count_fetches(rows.type, n);
	return trc_refs_write_rows(g->writer, &rows, err);
}

bool
trc_refs_packer_fits(const struct trc_refs_packer *p)
{
	return are_many(p->fetches, p->added);
}

void
trc_refs_packer_return(struct trc_refs_packer *p, struct trc_batch *to)
{
	trc_refs_written_rows(p->program.writer, to->type, to->addr, to->size);
	to->n = p->added;
	p->added = p->fetches = 0;
	forget(&p->program);
}

/* Makes the frames of the rows that were added, which are of one context. */
static int
make_added(struct trc_refs_packer *p, bool *good, struct trc_err *err)
{
	struct trc_refs_rows rows = { .n = p->added };

	p->contexts.n = 1;
	p->contexts.context[0] = (struct trc_context){ .n = p->added };
	return make_frames(p, p->rows, 0, &rows, good, err);
}

/* ---- the block ---- */

/* Finds the columns that ops may explain, which are those they explain in all contexts. */
static void
find_explained(const struct trc_refs_packer *p, struct trc_refs_frames *to)
{
	const struct program *g = &p->program;

	for (unsigned k = 0; k < g->columns; k++) {
		bool all = true;

		for (size_t i = 0; i < p->frames; i++) {
			if (p->frame[i].kind != TRC_KIND_REFS)
				continue;
			all &= p->frame[i].exceptions[k].n > 0;
			to->exceptions[g->column[k]] += p->frame[i].exceptions[k].n;
		}
		to->by_op |= (uint32_t)all << g->column[k];
	}
}

int
trc_refs_packer_pack(struct trc_refs_packer *p, const struct trc_batch *rows, uint64_t first,
                     struct trc_refs_frames *to, struct trc_err *err)
{
	const enum instructions from = p->added > 0 ? FETCHES : instructions_of(rows);
	struct program *g = &p->program;
	bool good = from != NONE;

	p->rows = rows;
	p->first = first;
	p->frames = 0;
	g->before = g->generation;
	if (from != g->from && p->added == 0)
		forget(g);
	g->from = from;
	*to = (struct trc_refs_frames){ .fresh = !g->writer || g->resets };
	if (!good)
		return 0;
	if (p->added > 0 ? make_added(p, &good, err) : make_contexts(p, &good, err))
		return -1;
	if (!good)
		return 0;
	to->frame = p->frame;
	to->n = p->frames;
	find_explained(p, to);
	return 0;
}

int
trc_refs_packer_finish(struct trc_refs_packer *p, uint32_t by_op, struct trc_refs_frames *to,
                       struct trc_err *err)
{
	enum { SURE = 4 }; /* rows per byte */
	const enum instructions from = p->program.from;

	p->by_op = by_op;
	for (size_t i = 0; i < to->n; i++) {
		if (by_op && to->frame[i].kind == TRC_KIND_REFS &&
		    put_exceptions(p, &to->frame[i], err))
			return -1;
		to->bytes += TRC_FRAME_HEAD_LEAST + to->frame[i].payload.n;
	}
	to->columns = by_op | (from == PCS ? TRC_GATHERED_COLUMNS : TRC_REFS_COLUMNS);
	to->sure = from == FETCHES || to->bytes <= p->rows->n / SURE;
	return 0;
}

int
trc_refs_packer_section(const struct trc_refs_packer *p, struct trc_buf *b, struct trc_err *err)
{
	const struct trc_contexts *c = &p->contexts;
	const bool pcs = p->program.from == PCS;
	size_t start = b->n;

	if (trc_buf_put_byte(b, pcs ? TRC_SECTION_REFS_PC : TRC_SECTION_REFS, err) ||
	    trc_buf_put_num(b, c->n, err))
		return -1;
	for (size_t i = 0; c->n > 1 && i < c->n; i++)
		if (trc_buf_put_num(b, c->context[i].key, err))
			return -1;
	if (trc_section_end(b, start, err))
		return -1;
	if (p->by_op == 0)
		return 0;
	start = b->n;
	return trc_buf_put_byte(b, TRC_SECTION_BY_OP, err) || trc_buf_put_num(b, p->by_op, err) ||
	                       trc_section_end(b, start, err) ?
	               -1 :
	               0;
}

/* Resets a program that was not used, has become large, or has served many blocks. */
void
trc_refs_packer_end(struct trc_refs_packer *p, bool written)
{
	struct program *g = &p->program;

	p->added = p->fetches = 0;
	if (!written)
		g->generation = g->before;
	g->blocks = g->writer ? g->blocks + 1 : 0;
	if (g->writer && (!written || g->blocks >= TRC_RESET_BLOCKS ||
	                  trc_refs_writer_ops(g->writer) > TRC_PROGRAM_MOST / 2))
		forget(g);
}

struct trc_refs_packer *
trc_refs_packer_open(uint32_t have, int level, int threads, struct trc_err *err)
{
	struct trc_refs_packer *p = trc_alloc(1, sizeof(*p), err);

	if (!p)
		return NULL;
	p->have = have;
	p->level = level;
	p->threads = threads;
	return p;
}

void
trc_refs_packer_close(struct trc_refs_packer *p)
{
	if (!p)
		return;
	forget(&p->program);
	free(p->substitutes.pc);
	free(p->substitutes.type);
	trc_contexts_release(&p->contexts);
	trc_refs_streams_release(&p->streams);
	for (size_t i = 0; i < p->frame_cap; i++) {
		trc_buf_release(&p->frame[i].payload);
		for (int k = 0; k < TRC_OP_COLUMNS; k++)
			trc_buf_release(&p->frame[i].exceptions[k]);
	}
	trc_buf_release(&p->growth);
	for (int k = 0; k < TRC_OP_COLUMNS; k++)
		trc_buf_release(&p->exceptions[k]);
	free(p->frame);
	free(p);
}
