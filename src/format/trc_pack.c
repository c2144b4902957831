/* SPDX-License-Identifier: MIT
 *
 * Packing a block. If a program shows in it, its references are modelled, those of each task (or,
 * if the trace has no tasks, of each space) by themselves; every other column is packed for itself,
 * and all streams and columns at once on all cores.
 */
#include "format/trc_pack.h"

#include <stdlib.h>

#include "base/pool.h"
#include "codec/flat.h"
#include "codec/guess.h"
#include "codec/rows.h"
#include "format/digest.h"
#include "format/trc.h"
#include "format/trc_events.h"
#include "format/trc_pages.h"
#include "format/trc_verify.h"

enum {
	FAST = 1, /* levels up to this are for speed */
};

/* One stream or column to pack. */
struct task {
	const struct trc_buf *stream;
	enum trc_pack_kind kind;
	enum trc_column column; /* if stream is NULL */
	struct trc_buf out;
	struct trc_err err;
	int ret;
};

enum { NO_COLUMN = 255 };

/* Numbers of columns that are packed as rows: clocks, then names. */
struct rows {
	uint8_t column[TRC_ROWS_CLOCKS + TRC_ROWS_NAMES];
	size_t clocks, names;
	uint8_t same; /* as the first clock */
};

/* Where the instructions come from that references are modelled by. */
enum program { NONE, FETCHES, PCS, GUESSED };

/* A frame that is written if the block is packed so. */
struct frame {
	uint8_t kind;
	uint64_t number;
	struct trc_buf payload;
};

/* The rows of one task or space. */
struct context {
	uint32_t key;
	size_t n;
	size_t at; /* where they are gathered */
};

struct trc_block_packer {
	struct trc_out *out;
	uint32_t have;
	struct trc_pack_settings set;
	const struct trc_batch *rows;
	uint64_t first;

	struct trc_refs_writer *program;
	enum program kind;
	bool anew;           /* the program begins with the references that come */
	uint64_t generation; /* parts of programs written */
	unsigned blocks;     /* that the program served */
	uint64_t *pc;        /* guessed */
	uint8_t *type;       /* zeros, where the trace has none */
	size_t pc_cap, type_cap;
	struct frame *frame; /* of the references of this block */
	size_t frames, frame_cap;
	size_t growth_head;  /* bytes of a part before its growth */
	struct trc_paging paging;
	struct trc_refs refs;
	struct trc_buf growth, payload;
	struct trc_digest digest;
	struct task task[TRC_REFS_STREAMS + TRC_COLUMNS];

	struct context context[TRC_CONTEXTS_MOST];
	size_t contexts;
	struct trc_batch sorted; /* the references by context, if there are several */
	struct trc_verifier *verifier; /* NULL: nothing is read back */
};

static int
put_byte(struct trc_buf *b, unsigned v, struct trc_err *err)
{
	const uint8_t byte = (uint8_t)v;

	return trc_buf_put(b, &byte, 1, err);
}

/* ---- tasks ---- */

static void
widen(const struct trc_batch *b, enum trc_column c, uint64_t *v)
{
	const void *at = trc_batch_column(b, c);

	for (size_t i = 0; i < b->n; i++)
		v[i] = trc_column[c].width == 1   ? ((const uint8_t *)at)[i]
		       : trc_column[c].width == 4 ? ((const uint32_t *)at)[i]
						  : ((const uint64_t *)at)[i];
}

static int
pack_column(const struct trc_block_packer *p, struct task *t)
{
	const size_t n = p->rows->n;
	uint64_t *v = trc_alloc(n, sizeof(*v), &t->err);
	int ret = -1;

	if (v) {
		widen(p->rows, t->column, v);
		ret = trc_flat_write(v, n, p->set.level, &t->out, &t->err);
	}
	free(v);
	return ret;
}

static void
run_task(void *arg, size_t i)
{
	struct trc_block_packer *p = arg;
	struct task *t = &p->task[i];

	t->out.n = 0;
	if (t->stream)
		t->ret = trc_pack(t->stream->p, t->stream->n, t->kind, p->set.level, &t->out,
				  &t->err);
	else
		t->ret = pack_column(p, t);
}

/* Runs the first `n` tasks; fails as the first of them that failed. */
static int
run_tasks(struct trc_block_packer *p, size_t n, struct trc_err *err)
{
	trc_pool_run(p->set.threads, run_task, p, n);
	for (size_t i = 0; i < n; i++)
		if (p->task[i].ret) {
			*err = p->task[i].err;
			return -1;
		}
	return 0;
}

/* ---- references ---- */

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
			count = (uint8_t)(count +
			                  ((b->type[at + i] & TRC_TYPE_MASK) == TRC_FETCH));
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
		return GUESSED;
	return has_pcs(b) ? PCS : has_fetches(b) ? FETCHES : GUESSED;
}

static void
forget_program(struct trc_block_packer *p)
{
	trc_refs_writer_close(p->program);
	p->program = NULL;
	p->blocks = 0;
}

/* Makes the streams of some references; *good false if they are no program. */
static int
model_refs(struct trc_block_packer *p, const struct trc_refs_rows *rows, bool *good,
	   struct trc_err *err)
{
	size_t ops;

	if (!p->program) {
		p->program = trc_refs_writer_open(trc_pack_level(p->set.level) <= FAST, err);
		if (!p->program)
			return -1;
		p->anew = true;
	}
	ops = trc_refs_writer_ops(p->program);
	p->growth.n = 0;
	if (put_byte(&p->growth, p->anew, err) || trc_buf_put_num(&p->growth, p->have, err))
		return -1;
	p->growth_head = p->growth.n;
	if (trc_refs_write(p->program, rows, &p->refs, &p->growth, err))
		return -1;
	*good = trc_refs_writer_fits(p->program) &&
		trc_refs_writer_ops(p->program) - ops <= rows->n / 2 + 64;
	return 0;
}

static int
pack_streams(struct trc_block_packer *p, size_t rows, struct trc_err *err)
{
	struct trc_buf *b = &p->payload;

	for (int i = 0; i < TRC_REFS_STREAMS; i++) {
		p->task[i].stream = &p->refs.stream[i];
		p->task[i].kind = (enum trc_pack_kind)trc_refs_kind[i];
	}
	if (p->refs.stream[TRC_REFS_HIGH].n == 0)
		p->task[TRC_REFS_LITERAL].kind = TRC_PACK_WORDS8;
	b->n = 0;
	if (run_tasks(p, TRC_REFS_STREAMS, err) || put_byte(b, p->refs.absolute, err) ||
	    trc_buf_put_num(b, rows, err) || trc_buf_put_num(b, p->generation, err) ||
	    trc_buf_put_num(b, p->refs.first, err) ||
	    trc_buf_put_num(b, p->refs.ops, err))
		return -1;
	for (int i = 0; i < TRC_REFS_STREAMS; i++)
		if (trc_buf_put(b, p->task[i].out.p, p->task[i].out.n, err))
			return -1;
	return 0;
}

/* Writes a frame, which is read back first. */
static int
write_frame(struct trc_block_packer *p, uint8_t kind, uint64_t number, struct trc_buf *payload,
	    struct trc_err *err)
{
	if (p->set.harm)
		p->set.harm(p->set.harm_arg, kind, payload);
	if (p->verifier && trc_verifier_frame(p->verifier, kind, number, payload, err))
		return -1;
	return trc_frame_write(p->out, kind, number, payload, err);
}

/* Keeps a frame until it is known whether the block is packed so. */
static int
keep_frame(struct trc_block_packer *p, uint8_t kind, uint64_t number, const struct trc_buf *payload,
	   struct trc_err *err)
{
	struct frame *f;

	if (p->frames == p->frame_cap) {
		if (trc_grow(&p->frame, &p->frame_cap, p->frames + 1, sizeof(*p->frame), err))
			return -1;
		for (size_t i = p->frames; i < p->frame_cap; i++)
			p->frame[i] = (struct frame){ 0 };
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
make_refs(struct trc_block_packer *p, struct trc_refs_rows *rows, bool *good, struct trc_err *err)
{
	bool grown;

	if (p->kind == GUESSED) {
		if (trc_grow(&p->pc, &p->pc_cap, rows->n, sizeof(*p->pc), err))
			return -1;
		trc_guess(rows, p->pc);
		rows->pc = p->pc;
		rows->guessed = true;
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
find_context(struct trc_block_packer *p, uint32_t key)
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
find_contexts(struct trc_block_packer *p)
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
sort_contexts(struct trc_block_packer *p, struct trc_err *err)
{
	const uint32_t *key = key_column(p->rows);
	struct trc_batch *to = &p->sorted;
	struct context *c = NULL;
	size_t at = 0;

	if (!to->mem && trc_batch_init(to, p->have & TRC_GATHERED_COLUMNS, p->rows->cap, err))
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
make_contexts(struct trc_block_packer *p, bool *good, struct trc_err *err)
{
	const struct trc_batch *b = p->rows;

	find_contexts(p);
	if (p->contexts > 1) {
		if (sort_contexts(p, err))
			return -1;
		b = &p->sorted;
	}
	if (!b->type) {
		if (trc_grow(&p->type, &p->type_cap, b->n, sizeof(*p->type), err))
			return -1;
		memset(p->type, 0, b->n * sizeof(*p->type));
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

/* How the references of the block's contexts come together. */
static int
put_contexts(struct trc_block_packer *p, struct trc_err *err)
{
	struct trc_buf *b = &p->payload;

	if (put_byte(b, p->kind == PCS ? TRC_SECTION_REFS_PC : TRC_SECTION_REFS, err) ||
	    trc_buf_put_num(b, p->contexts, err))
		return -1;
	for (size_t i = 0; p->contexts > 1 && i < p->contexts; i++)
		if (trc_buf_put_num(b, p->context[i].key, err))
			return -1;
	return 0;
}

static bool
is_constant(const uint64_t *v, size_t n)
{
	return memcmp(v, v + 1, (n - 1) * sizeof(*v)) == 0;
}

/* Which columns of pages and their times are packed as rows: clocks, names, and one that equals the
 * first clock. */
static size_t
choose_rows(const struct trc_block_packer *p, uint32_t columns, struct rows *r)
{
	const enum trc_column clock[] = { TRC_COL_RTIME, TRC_COL_TIME };
	const enum trc_column name[] = { TRC_COL_TYPE, TRC_COL_ASID, TRC_COL_TASK,
		                         TRC_COL_VPN, TRC_COL_CPN };
	const struct trc_batch *b = p->rows;

	*r = (struct rows){ .same = NO_COLUMN };
	for (size_t i = 0; i < TRC_COUNT(clock) && r->clocks == 0; i++)
		if (columns >> clock[i] & 1)
			r->column[r->clocks++] = (uint8_t)clock[i];
	if (r->clocks == 0 || !(columns & (TRC_HAS_VPN | TRC_HAS_CPN)))
		return 0;
	if (columns & TRC_HAS_ITIME && !is_constant(b->itime, b->n))
		r->column[r->clocks++] = TRC_COL_ITIME;
	for (size_t i = 0; i < TRC_COUNT(name); i++)
		if (columns >> name[i] & 1)
			r->column[r->clocks + r->names++] = (uint8_t)name[i];
	if (r->column[0] == TRC_COL_RTIME && columns & TRC_HAS_TIME &&
	    memcmp(b->time, b->rtime, b->n * sizeof(*b->time)) == 0)
		r->same = TRC_COL_TIME;
	return r->clocks + r->names;
}

static int
put_row_columns(struct trc_block_packer *p, const struct rows *r, struct trc_err *err)
{
	struct trc_buf *b = &p->payload;

	return put_byte(b, TRC_SECTION_ROWS, err) || put_byte(b, (unsigned)r->clocks, err) ||
	                       trc_buf_put(b, r->column, r->clocks, err) ||
	                       put_byte(b, (unsigned)r->names, err) ||
	                       trc_buf_put(b, r->column + r->clocks, r->names, err) ||
	                       put_byte(b, r->same, err) ?
	               -1 :
	               0;
}

/* Packs columns as rows; *taken says which were. */
static int
put_rows(struct trc_block_packer *p, uint32_t columns, uint32_t *taken, struct trc_err *err)
{
	const size_t start = p->payload.n, n = p->rows->n;
	uint64_t *column[TRC_ROWS_CLOCKS + TRC_ROWS_NAMES], *wide;
	struct rows r;
	const size_t count = choose_rows(p, columns, &r);
	bool fits = true;
	int ret;

	*taken = 0;
	if (count == 0)
		return 0;
	wide = trc_alloc(count * n, sizeof(*wide), err);
	if (!wide)
		return -1;
	for (size_t i = 0; i < count; i++) {
		column[i] = wide + i * n;
		widen(p->rows, (enum trc_column)r.column[i], column[i]);
		*taken |= 1u << r.column[i];
	}
	if (r.same != NO_COLUMN)
		*taken |= 1u << r.same;
	ret = put_row_columns(p, &r, err);
	if (ret == 0)
		ret = trc_rows_write(column, r.clocks, r.names, n, p->set.level, &p->payload, &fits,
		                     err);
	free(wide);
	if (ret == 0 && !fits) {
		p->payload.n = start;
		*taken = 0;
	}
	return ret;
}

static int
put_columns(struct trc_block_packer *p, uint32_t columns, struct trc_err *err)
{
	struct trc_buf *b = &p->payload;
	uint32_t taken;
	size_t n = 0;

	if (put_rows(p, columns, &taken, err))
		return -1;
	taken |= TRC_HAS_EVENT;
	for (int c = 0; c < TRC_COLUMNS; c++)
		if ((columns & ~taken) >> c & 1) {
			p->task[n].stream = NULL;
			p->task[n++].column = (enum trc_column)c;
		}
	if (run_tasks(p, n, err))
		return -1;
	for (size_t i = 0; i < n; i++)
		if (put_byte(b, TRC_SECTION_FLAT, err) || put_byte(b, p->task[i].column, err) ||
		    trc_buf_put(b, p->task[i].out.p, p->task[i].out.n, err))
			return -1;
	if (columns & TRC_HAS_EVENT && (put_byte(b, TRC_SECTION_EVENTS, err) ||
	                                trc_events_write(p->rows, p->set.level, b, err)))
		return -1;
	return 0;
}

/* Writes the frame of pages, if they are a column that goes on. */
static int
write_pages(struct trc_block_packer *p, bool *taken, bool *fresh, struct trc_err *err)
{
	struct rows rows;

	*taken = false;
	if (!p->rows->vpn || p->set.level <= FAST || choose_rows(p, p->have, &rows) > 0)
		return 0;
	if (trc_paging_make(&p->paging, p->rows, p->have, p->first, p->set.level, taken, fresh,
	                    err))
		return -1;
	return *taken ? write_frame(p, TRC_KIND_PAGES, p->first << TRC_ROW_BITS | p->rows->n,
	                            &p->paging.payload, err) :
	                0;
}

static int
put_pages(struct trc_block_packer *p, struct trc_err *err)
{
	return put_byte(&p->payload, TRC_SECTION_PAGES, err) ||
	                       put_byte(&p->payload, TRC_COL_VPN, err) ?
	               -1 :
	               0;
}

/* The columns that come from references. */
static uint32_t
modelled(const struct trc_block_packer *p)
{
	return p->kind == PCS ? TRC_GATHERED_COLUMNS : TRC_REFS_COLUMNS;
}

static int
write_block(struct trc_block_packer *p, bool refs, bool pages, struct trc_err *err)
{
	const uint32_t elsewhere =
		(refs ? modelled(p) : 0) | (pages ? (uint32_t)TRC_HAS_VPN : 0);
	uint8_t digest[8];

	trc_digest_reset(&p->digest);
	trc_digest_update(&p->digest, p->rows, 0, p->rows->n);
	trc_put_le64(digest, trc_digest_all(&p->digest));
	p->payload.n = 0;
	if (trc_buf_put_num(&p->payload, p->have, err) ||
	    trc_buf_put(&p->payload, digest, sizeof(digest), err) ||
	    put_columns(p, p->have & ~elsewhere, err) || (pages && put_pages(p, err)) ||
	    (refs && put_contexts(p, err)))
		return -1;
	return write_frame(p, TRC_KIND_BLOCK, p->first << TRC_ROW_BITS | p->rows->n, &p->payload,
			   err);
}

/* Whether the frames of references are smaller than their columns. That is tried only where there
 * is doubt: a program that shows is smaller, and so is one that was guessed well. */
static int
compare_columns(struct trc_block_packer *p, bool *smaller, struct trc_err *err)
{
	enum { SURE = 4 }; /* rows to a byte */
	size_t n = 0;

	*smaller = true;
	for (size_t i = 0; i < p->frames; i++)
		n += p->frame[i].payload.n + TRC_FRAME_HEAD;
	if (p->kind != GUESSED || n <= p->rows->n / SURE)
		return 0;
	p->payload.n = 0;
	if (put_columns(p, p->have & modelled(p), err))
		return -1;
	*smaller = n < p->payload.n;
	return 0;
}

/* Writes the frames of references; *good is whether there are any, and *fresh, whether they need
 * nothing of the blocks before. */
static int
write_refs(struct trc_block_packer *p, bool *good, bool *fresh, struct trc_err *err)
{
	const uint64_t generation = p->generation;
	const enum program kind = program_of(p->rows);

	*good = kind != NONE;
	p->frames = 0;
	if (kind != p->kind)
		forget_program(p);
	p->kind = kind;
	*fresh = !p->program;
	if (*good && make_contexts(p, good, err))
		return -1;
	if (*good && compare_columns(p, good, err))
		return -1;
	if (!*good)
		p->generation = generation;
	for (size_t i = 0; *good && i < p->frames; i++) {
		struct frame *f = &p->frame[i];

		if (write_frame(p, f->kind, f->number, &f->payload, err))
			return -1;
	}
	return 0;
}

int
trc_block_packer_block(struct trc_block_packer *p, const struct trc_batch *rows, uint64_t first,
		       bool *fresh, struct trc_err *err)
{
	bool refs, pages;

	p->rows = rows;
	p->first = first;
	if (write_refs(p, &refs, fresh, err) || write_pages(p, &pages, fresh, err) ||
	    write_block(p, refs, pages, err))
		return -1;
	/* What was tried in vain, has grown large or served long is forgotten. */
	p->blocks++;
	if (p->program && (!refs || p->blocks >= TRC_ANEW_BLOCKS ||
			   trc_refs_writer_ops(p->program) > TRC_PROGRAM_MOST / 2))
		forget_program(p);
	return 0;
}

struct trc_block_packer *
trc_block_packer_open(struct trc_out *out, uint32_t have, const struct trc_pack_settings *settings,
		      struct trc_err *err)
{
	struct trc_block_packer *p = trc_alloc(1, sizeof(*p), err);

	if (!p)
		return NULL;
	p->out = out;
	p->have = have;
	p->set = *settings;
	if (settings->verify)
		p->verifier = trc_verifier_open(have, settings->block_rows, settings->threads, err);
	if ((settings->verify && !p->verifier) || trc_digest_init(&p->digest, have, err)) {
		trc_block_packer_close(p);
		return NULL;
	}
	return p;
}

void
trc_block_packer_close(struct trc_block_packer *p)
{
	if (!p)
		return;
	forget_program(p);
	for (size_t i = 0; i < p->frame_cap; i++)
		trc_buf_release(&p->frame[i].payload);
	free(p->frame);
	free(p->pc);
	free(p->type);
	trc_paging_release(&p->paging);
	trc_refs_release(&p->refs);
	trc_buf_release(&p->growth);
	trc_buf_release(&p->payload);
	trc_digest_release(&p->digest);
	for (size_t i = 0; i < TRC_COUNT(p->task); i++)
		trc_buf_release(&p->task[i].out);
	trc_batch_release(&p->sorted);
	trc_verifier_close(p->verifier);
	free(p);
}
