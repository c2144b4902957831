/* SPDX-License-Identifier: MIT
 * Which program references belong to, and their streams, packed at once on all cores. */
#include "container/model.h"

#include <stdlib.h>

#include "base/pool.h"
#include "codec/program/inference.h"
#include "codec/program/refs_writer.h"
#include "codec/stream/pack.h"
#include "container/container.h"

_Static_assert((int)TRC_ROW_TYPE == (int)TRC_TYPE_MASK && (int)TRC_ROW_READ == (int)TRC_READ &&
                       (int)TRC_ROW_FETCH == (int)TRC_FETCH,
               "types are the same in codec");

/* Where the instructions come from. */
enum program { NONE, FETCHES, PCS, INFERRED };

/* The rows of one task or space. */
struct context {
	uint32_t key;
	size_t n;
	size_t at; /* where they are gathered */
};

struct trc_modelling {
	uint32_t have;
	int level, threads;
	struct trc_patience patience; /* 0 for a byte: not known yet */
	const struct trc_batch *rows;
	uint64_t first;

	struct trc_refs_writer *program;
	enum program kind;
	bool anew;                     /* the program begins with the references that come */
	uint64_t generation;           /* parts of programs written */
	uint64_t before;               /* the same before this block */
	unsigned blocks;               /* that the program served */
	size_t growth_head;            /* bytes of a part before its growth */
	uint64_t *pc;                  /* inferred, */
	enum trc_inference_kind alike; /* this way */
	uint8_t *type;                 /* zeros, where the trace has none */
	size_t pc_cap, type_cap;
	struct trc_refs refs;
	struct trc_buf growth, payload;
	struct trc_buf path; /* choices */
	struct trc_buf packed[TRC_REFS_STREAMS];
	struct trc_model_frame *frame;
	size_t frames, frame_cap;

	struct context context[TRC_CONTEXTS_MOST];
	size_t contexts;
	struct trc_batch sorted; /* the references by context, if there are several */
};

/* ---- the program ---- */

/* True if there is a fetch to every few references. */
static bool
has_fetches(const struct trc_batch *b)
{
	enum { PIECE = 255 }; /* what a byte can count, so that many are counted at once */
	size_t fetches = 0;

	for (size_t at = 0, n; at < b->n; at += n) {
		uint8_t count = 0;

		n = b->n - at < PIECE ? b->n - at : PIECE;
		for (size_t i = 0; i < n; i++)
			count = (uint8_t)(count + ((b->type[at + i] & TRC_TYPE_MASK) == TRC_FETCH));
		fetches += count;
	}
	return fetches >= b->n / 16 + 1;
}

/* True if each row has the pc of an instruction, which that of a fetch is its address. */
static bool
has_pcs(const struct trc_batch *b)
{
	bool other = false;

	for (size_t i = 0; b->pc && i < b->n; i++)
		other |= (b->type[i] & TRC_TYPE_MASK) == TRC_FETCH && b->pc[i] != b->addr[i];
	return b->pc && !other;
}

static enum program
program_of(const struct trc_batch *b)
{
	if (!b->addr)
		return NONE;
	if (!b->type)
		return INFERRED;
	return has_pcs(b) ? PCS : has_fetches(b) ? FETCHES : INFERRED;
}

static void
forget_program(struct trc_modelling *p)
{
	trc_refs_writer_close(p->program);
	p->program = NULL;
	p->blocks = 0;
}

/* ---- references ---- */

/* Packs choices as the program tells them. */
static int
write_path(struct trc_modelling *p, struct trc_buf *out, struct trc_err *err)
{
	const uint8_t method = TRC_PACK_PATH;
	size_t n;

	p->path.n = 0;
	if (trc_refs_write_path(p->program, &p->path, &n, err) || trc_buf_put_num(out, n, err))
		return -1;
	if (n == 0)
		return 0;
	return trc_buf_put(out, &method, 1, err) || trc_buf_put_num(out, p->path.n, err) ||
	                       trc_buf_put(out, p->path.p, p->path.n, err) ?
	               -1 :
	               0;
}

static int
pack_stream(void *arg, size_t i, struct trc_err *err)
{
	struct trc_modelling *p = arg;
	const struct trc_buf *stream = &p->refs.stream[i];
	const enum trc_pack_kind kind = trc_refs_kind(&p->refs, (enum trc_refs_stream)i);
	const bool path = i <= TRC_REFS_FAR && trc_pack_level(p->level) > TRC_PACK_FAST;
	struct trc_buf *out = &p->packed[i];

	if (p->patience.byte)
		return path ? 0 :
		              trc_pack_slowly(stream->p, stream->n, kind, p->level, &p->patience,
		                              out, err);
	out->n = 0;
	if (!path)
		return trc_pack(stream->p, stream->n, kind, p->level, out, err);
	return i == TRC_REFS_PATH ? write_path(p, out, err) : trc_buf_put_num(out, 0, err);
}

static int
pack_at_once(struct trc_modelling *p, struct trc_err *err)
{
	return trc_pool_run(trc_threads_for(p->threads, p->rows->n), pack_stream, p,
	                    TRC_REFS_STREAMS, err);
}

/* Makes the streams of some references; *good false if they are no program. */
static int
model_refs(struct trc_modelling *p, const struct trc_refs_rows *rows, bool *good,
           struct trc_err *err)
{
	size_t ops;

	if (!p->program) {
		p->program = trc_refs_writer_open(trc_pack_level(p->level) <= TRC_PACK_FAST, err);
		if (!p->program)
			return -1;
		p->anew = true;
	}
	ops = trc_refs_writer_ops(p->program);
	p->growth.n = 0;
	if (trc_buf_put_byte(&p->growth, p->anew, err) || trc_buf_put_num(&p->growth, p->have, err))
		return -1;
	p->growth_head = p->growth.n;
	if (trc_refs_write(p->program, rows, &p->refs, &p->growth, err))
		return -1;
	*good = trc_refs_writer_fits(p->program) &&
	        trc_refs_writer_ops(p->program) - ops <= rows->n / 2 + 64;
	return 0;
}

/* Nanoseconds that a byte less is worth: the larger a part of its block it is, the more, and the
 * less, the longer the growth of the program takes to read. */
static uint64_t
worth(uint64_t rows, uint64_t bytes, uint64_t growth, unsigned more)
{
	enum { ROWS = 16 }; /* that take as long as a byte of the program */

	return rows * more / bytes * rows / (rows + ROWS * growth) + 1;
}

/* Packs the streams by what is read fast; then, since that tells how large the block is, slowly
 * where that saves so much of it that it is worth the time. */
static int
pack_all(struct trc_modelling *p, size_t rows, struct trc_err *err)
{
	/* Picoseconds that a reference may take longer: for one byte less in a thousand, and for
	 * one stream. */
	static const struct {
		uint16_t byte, most;
	} more[] = {
		[2] = { 10, 1000 }, [3] = { 20, 2000 },   [4] = { 30, 3000 },   [5] = { 40, 5000 },
		[6] = { 53, 6000 }, [7] = { 150, 12000 }, [8] = { 600, 50000 }, [9] = { 0, 0 }
	};
	const size_t growth = p->growth.n - p->growth_head;
	size_t bytes = growth;

	p->patience.byte = 0;
	if (pack_at_once(p, err))
		return -1;
	for (int i = 0; i < TRC_REFS_STREAMS; i++)
		bytes += p->packed[i].n;
	if (p->level >= TRC_PACK_EXTREME || more[p->level].byte == 0)
		return 0;
	p->patience.byte = worth(rows, bytes, growth, more[p->level].byte);
	p->patience.most = (uint64_t)rows * more[p->level].most / 1000;
	return pack_at_once(p, err);
}

static int
pack_streams(struct trc_modelling *p, size_t rows, struct trc_err *err)
{
	struct trc_buf *b = &p->payload;

	b->n = 0;
	if (pack_all(p, rows, err) || trc_buf_put_byte(b, p->refs.absolute, err) ||
	    trc_buf_put_num(b, rows, err) || trc_buf_put_num(b, p->generation, err) ||
	    trc_buf_put_num(b, p->refs.first, err) || trc_buf_put_num(b, p->refs.ops, err))
		return -1;
	for (int i = 0; i < TRC_REFS_STREAMS; i++)
		if (trc_buf_put(b, p->packed[i].p, p->packed[i].n, err))
			return -1;
	return 0;
}

/* Keeps a frame until it is known whether the block is packed so. */
static int
keep_frame(struct trc_modelling *p, uint8_t kind, uint64_t number, const struct trc_buf *payload,
           struct trc_err *err)
{
	struct trc_model_frame *f;

	if (p->frames == p->frame_cap) {
		if (trc_grow(&p->frame, &p->frame_cap, p->frames + 1, sizeof(*p->frame), err))
			return -1;
		for (size_t i = p->frames; i < p->frame_cap; i++)
			p->frame[i] = (struct trc_model_frame){ 0 };
	}
	f = &p->frame[p->frames];
	f->kind = kind;
	f->number = number;
	f->payload.n = 0;
	if (trc_buf_put(&f->payload, payload->p, payload->n, err))
		return -1;
	p->frames++;
	return 0;
}

/* Makes the frames of the references of one context; *good false if they are no program. */
static int
make_refs(struct trc_modelling *p, struct trc_refs_rows *rows, bool *good, struct trc_err *err)
{
	bool grown;

	if (p->kind == INFERRED) {
		if (trc_grow(&p->pc, &p->pc_cap, rows->n, sizeof(*p->pc), err))
			return -1;
		if (!p->program &&
		    trc_infer_instructions(rows, trc_pack_level(p->level), p->pc, &p->alike, err))
			return -1;
		trc_inference(rows, p->alike, p->pc);
		rows->pc = p->pc;
		rows->inferred = true;
	}
	if (model_refs(p, rows, good, err) || !*good)
		return *good ? -1 : 0;
	grown = p->anew || p->growth.n > p->growth_head;
	p->generation += grown;
	if (pack_streams(p, rows->n, err))
		return -1;
	p->anew = false;
	if (grown && keep_frame(p, TRC_KIND_PROGRAM, p->generation, &p->growth, err))
		return -1;
	return keep_frame(p, TRC_KIND_REFS, p->first << TRC_ROW_BITS | p->rows->n, &p->payload,
	                  err);
}

/* ---- contexts ---- */

/* The column whose values tell contexts apart, or NULL. */
static const uint32_t *
key_column(const struct trc_batch *b)
{
	return b->task ? b->task : b->asid;
}

/* The context of a key, new if it has to be; NULL if there are too many. */
static struct context *
find_context(struct trc_modelling *p, uint32_t key)
{
	for (size_t i = 0; i < p->contexts; i++)
		if (p->context[i].key == key)
			return &p->context[i];
	if (p->contexts == TRC_CONTEXTS_MOST)
		return NULL;
	p->context[p->contexts] = (struct context){ .key = key };
	return &p->context[p->contexts++];
}

/* Counts the rows of each context. One that takes all rows stands for none, or too many. */
static void
find_contexts(struct trc_modelling *p)
{
	const uint32_t *key = key_column(p->rows);
	struct context *c = NULL;

	p->contexts = 0;
	for (size_t i = 0; key && i < p->rows->n; i++) {
		if (!c || c->key != key[i])
			c = find_context(p, key[i]);
		if (!c)
			break;
		c->n++;
	}
	if (p->contexts < 2 || !c) {
		p->context[0] = (struct context){ .n = p->rows->n };
		p->contexts = 1;
	}
}

/* Gathers the references by context. */
static int
sort_contexts(struct trc_modelling *p, struct trc_err *err)
{
	const uint32_t *key = key_column(p->rows);
	struct trc_batch *to = &p->sorted;
	struct context *c = NULL;
	size_t at = 0;

	if (!to->mem && trc_batch_init_room(to, p->have & TRC_GATHERED_COLUMNS, p->rows->cap, err))
		return -1;
	for (size_t i = 0; i < p->contexts; i++) {
		p->context[i].at = at;
		at += p->context[i].n;
	}
	for (size_t i = 0, n; i < p->rows->n; i += n) {
		for (n = 1; i + n < p->rows->n && key[i + n] == key[i]; n++)
			;
		c = find_context(p, key[i]);
		to->n = c->at;
		trc_batch_append(to, p->rows, i, n);
		c->at += n;
	}
	return 0;
}

/* Makes the frames of the references of all contexts; *good false if one of them is no program. */
static int
make_contexts(struct trc_modelling *p, bool *good, struct trc_err *err)
{
	const struct trc_batch *b = p->rows;

	find_contexts(p);
	if (p->contexts > 1) {
		if (sort_contexts(p, err))
			return -1;
		b = &p->sorted;
	}
	if (!b->type) {
		if (trc_grow(&p->type, &p->type_cap, p->rows->n, sizeof(*p->type), err))
			return -1;
		memset(p->type, 0, p->rows->n * sizeof(*p->type));
	}
	for (size_t i = 0, at = 0; i < p->contexts && *good; at += p->context[i++].n) {
		struct trc_refs_rows rows = { .type = b->type ? b->type + at : p->type,
			                      .addr = b->addr + at,
			                      .size = b->size ? b->size + at : NULL,
			                      .n = p->context[i].n };

		if (p->kind == PCS)
			rows.pc = b->pc + at;
		if (make_refs(p, &rows, good, err))
			return -1;
	}
	return 0;
}

/* ---- the block ---- */

static int
make_frames(struct trc_modelling *p, bool *good, bool *fresh, struct trc_err *err)
{
	const enum program kind = program_of(p->rows);

	*good = kind != NONE;
	if (kind != p->kind)
		forget_program(p);
	p->kind = kind;
	*fresh = !p->program;
	return *good ? make_contexts(p, good, err) : 0;
}

int
trc_modelling_make(struct trc_modelling *m, const struct trc_batch *rows, uint64_t first,
                   struct trc_modelled *to, struct trc_err *err)
{
	enum { SURE = 4 }; /* rows to a byte */
	bool good;

	m->rows = rows;
	m->first = first;
	m->before = m->generation;
	m->frames = 0;
	*to = (struct trc_modelled){ 0 };
	if (make_frames(m, &good, &to->fresh, err))
		return -1;
	if (!good)
		return 0;
	to->frame = m->frame;
	to->frames = m->frames;
	to->columns = m->kind == PCS ? TRC_GATHERED_COLUMNS : TRC_REFS_COLUMNS;
	for (size_t i = 0; i < m->frames; i++)
		to->bytes += TRC_FRAME_HEAD_LEAST + m->frame[i].payload.n;
	to->sure = m->kind == FETCHES || to->bytes <= rows->n / SURE;
	return 0;
}

int
trc_modelling_put(const struct trc_modelling *m, struct trc_buf *b, struct trc_err *err)
{
	if (trc_buf_put_byte(b, m->kind == PCS ? TRC_SECTION_REFS_PC : TRC_SECTION_REFS, err) ||
	    trc_buf_put_num(b, m->contexts, err))
		return -1;
	for (size_t i = 0; m->contexts > 1 && i < m->contexts; i++)
		if (trc_buf_put_num(b, m->context[i].key, err))
			return -1;
	return 0;
}

/* What was tried in vain, has grown large or served long is forgotten. */
void
trc_modelling_end(struct trc_modelling *m, bool written)
{
	if (!written)
		m->generation = m->before;
	m->blocks++;
	if (m->program && (!written || m->blocks >= TRC_RESET_BLOCKS ||
	                   trc_refs_writer_ops(m->program) > TRC_PROGRAM_MOST / 2))
		forget_program(m);
}

struct trc_modelling *
trc_modelling_open(uint32_t have, int level, int threads, struct trc_err *err)
{
	struct trc_modelling *m = trc_alloc(1, sizeof(*m), err);

	if (!m)
		return NULL;
	m->have = have;
	m->level = level;
	m->threads = threads;
	return m;
}

void
trc_modelling_close(struct trc_modelling *m)
{
	if (!m)
		return;
	forget_program(m);
	for (size_t i = 0; i < m->frame_cap; i++)
		trc_buf_release(&m->frame[i].payload);
	free(m->frame);
	free(m->pc);
	free(m->type);
	trc_refs_release(&m->refs);
	trc_buf_release(&m->growth);
	trc_buf_release(&m->payload);
	trc_buf_release(&m->path);
	for (size_t i = 0; i < TRC_COUNT(m->packed); i++)
		trc_buf_release(&m->packed[i]);
	trc_batch_release(&m->sorted);
	free(m);
}
