/* SPDX-License-Identifier: MIT
 *
 * Writing the container. Rows are gathered into blocks of a fixed number, so that batches do not
 * show in the file; a full block is packed beside its caller, its columns and streams on all cores,
 * and what was packed is unpacked and compared before it counts as written.
 */
#include <stdlib.h>

#include "base/cores.h"
#include "base/pool.h"
#include "codec/flat.h"
#include "format/digest.h"
#include "format/format.h"
#include "format/trc.h"

enum {
	LEVEL = 6,
	TASKS = TRC_REFS_STREAMS + TRC_COLUMNS,
	GROWTH_NONE = 1, /* bytes of a growth of nothing: its flags */
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

/* Where the frames of a block stand. */
struct place {
	uint64_t program, block; /* offsets from the start of the container; program 0: none */
	uint64_t rows;
	bool anew;
};

struct writer {
	struct trc_sink sink;
	struct trc_out *out;
	uint64_t start; /* of the container in the output */
	uint32_t have;
	int threads;

	struct trc_batch block[2]; /* one is filled while the other is packed */
	unsigned filling;
	uint64_t first; /* row of the block that is packed */
	struct trc_helper helper;
	struct trc_err err;
	bool failed;

	/* What packing works with. */
	const struct trc_batch *packing;
	struct trc_refs_writer *program;
	bool anew;           /* the program begins with this block */
	uint64_t generation; /* parts of programs written */
	struct trc_refs refs;
	struct trc_buf growth, payload;
	struct trc_digest digest;
	struct task task[TASKS];

	/* What checking works with. */
	struct trc_program check;
	struct trc_refs_reader *reader;

	struct place *place;
	size_t places, place_cap;
};

void
trc_column_widen(const struct trc_batch *b, enum trc_column c, uint64_t *v)
{
	const void *at = trc_batch_column(b, c);

	for (size_t i = 0; i < b->n; i++)
		v[i] = trc_column[c].width == 1 ? ((const uint8_t *)at)[i] :
		       trc_column[c].width == 4 ? ((const uint32_t *)at)[i] :
		                                  ((const uint64_t *)at)[i];
}

/* ---- packing ---- */

static int
pack_column(const struct writer *w, struct task *t)
{
	const size_t n = w->packing->n;
	uint64_t *v = trc_alloc(n, sizeof(*v), &t->err);
	int ret = -1;

	if (v) {
		trc_column_widen(w->packing, t->column, v);
		ret = trc_flat_write(v, n, LEVEL, &t->out, &t->err);
	}
	free(v);
	return ret;
}

static void
run_task(void *arg, size_t i)
{
	struct writer *w = arg;
	struct task *t = &w->task[i];

	t->out.n = 0;
	if (t->stream)
		t->ret = trc_pack(t->stream->p, t->stream->n, t->kind, LEVEL, &t->out, &t->err);
	else
		t->ret = pack_column(w, t);
}

/* Runs the first `n` tasks; fails as the first of them that failed. */
static int
run_tasks(struct writer *w, size_t n, struct trc_err *err)
{
	trc_pool_run(w->threads, run_task, w, n);
	for (size_t i = 0; i < n; i++)
		if (w->task[i].ret) {
			*err = w->task[i].err;
			return -1;
		}
	return 0;
}

static size_t
add_flat_tasks(struct writer *w, uint32_t columns, size_t n)
{
	for (int c = 0; c < TRC_COLUMNS; c++)
		if (columns >> c & 1) {
			w->task[n].stream = NULL;
			w->task[n++].column = (enum trc_column)c;
		}
	return n;
}

/* A program shows if there is a fetch to every few references. */
static bool
shows_program(const struct trc_batch *b)
{
	size_t fetches = 0;

	if (!b->type || !b->addr)
		return false;
	for (size_t i = 0; i < b->n; i++)
		fetches += (b->type[i] & TRC_TYPE_MASK) == TRC_FETCH;
	return fetches >= b->n / 16 + 1;
}

static int
put_byte(struct trc_buf *b, unsigned v, struct trc_err *err)
{
	const uint8_t byte = (uint8_t)v;

	return trc_buf_put(b, &byte, 1, err);
}

static int
renew_program(struct writer *w, struct trc_err *err)
{
	trc_refs_writer_close(w->program);
	w->program = trc_refs_writer_open(err);
	w->anew = true;
	return w->program ? 0 : -1;
}

/* Makes the streams of the block's references; *good false if the block is no program. */
static int
model_refs(struct writer *w, bool *good, struct trc_err *err)
{
	const struct trc_batch *b = w->packing;
	const struct trc_refs_rows rows = { b->type, b->addr, b->size, b->n };
	size_t ops;

	if (!w->program && renew_program(w, err))
		return -1;
	ops = trc_refs_writer_ops(w->program);
	w->growth.n = 0;
	if (put_byte(&w->growth, w->anew, err) ||
	    trc_refs_write(w->program, &rows, &w->refs, &w->growth, err))
		return -1;
	*good = trc_refs_writer_fits(w->program) &&
	        trc_refs_writer_ops(w->program) - ops <= b->n / 2 + 64;
	return 0;
}

static int
put_sections(struct writer *w, bool refs, uint32_t flat, struct trc_err *err)
{
	struct trc_buf *b = &w->payload;
	uint8_t digest[8];
	size_t n = 0;

	trc_digest_reset(&w->digest);
	trc_digest_update(&w->digest, w->packing, 0, w->packing->n);
	trc_put_le64(digest, trc_digest_all(&w->digest));
	b->n = 0;
	if (trc_buf_put_num(b, w->have, err) || trc_buf_put(b, digest, sizeof(digest), err))
		return -1;
	if (refs) {
		if (put_byte(b, TRC_SECTION_REFS, err) || put_byte(b, w->refs.absolute, err) ||
		    trc_buf_put_num(b, w->generation, err) ||
		    trc_buf_put_num(b, w->refs.first, err) || trc_buf_put_num(b, w->refs.ops, err))
			return -1;
		for (; n < TRC_REFS_STREAMS; n++)
			if (trc_buf_put(b, w->task[n].out.p, w->task[n].out.n, err))
				return -1;
	}
	for (int c = 0; c < TRC_COLUMNS; c++) {
		if (!(flat >> c & 1))
			continue;
		if (put_byte(b, TRC_SECTION_FLAT, err) ||
		    put_byte(b, (unsigned)c, err) ||
		    trc_buf_put(b, w->task[n].out.p, w->task[n].out.n, err))
			return -1;
		n++;
	}
	return 0;
}

/* Unpacks what was packed and compares: a file that cannot be read back is worse than none. */
static int
check_refs(struct writer *w, struct trc_err *err)
{
	enum { ROWS = 1024 };
	const struct trc_batch *b = w->packing;
	uint8_t type[ROWS];
	uint64_t addr[ROWS];
	uint32_t size[ROWS];
	size_t slots, n;

	if (w->anew) {
		trc_program_release(&w->check);
		if (trc_program_init(&w->check, err))
			return -1;
	}
	slots = w->check.slots;
	if (trc_program_read(&w->check, w->growth.p + 1, w->growth.n - 1, err) ||
	    trc_refs_begin(w->reader, &w->check, slots, &w->refs, b->n, err))
		return -1;
	for (size_t at = 0; at < b->n; at += n) {
		n = trc_refs_next(w->reader, type, addr, b->size ? size : NULL, ROWS);
		if (n == 0 || n > b->n - at || memcmp(type, b->type + at, n * sizeof(*type)) ||
		    memcmp(addr, b->addr + at, n * sizeof(*addr)) ||
		    (b->size && memcmp(size, b->size + at, n * sizeof(*size))))
			return trc_fail(err, "a block did not come back as it was: a fault of trc, "
			                     "please report it");
	}
	return 0;
}

static int
put_frames(struct writer *w, bool refs, bool grown, struct trc_err *err)
{
	struct place *p;

	if (trc_grow(&w->place, &w->place_cap, w->places + 1, sizeof(*w->place), err))
		return -1;
	p = &w->place[w->places++];
	*p = (struct place){ .rows = w->packing->n, .anew = refs && w->anew };
	if (grown) {
		p->program = trc_out_offset(w->out) - w->start;
		if (trc_frame_write(w->out, TRC_KIND_PROGRAM, w->generation, &w->growth, err))
			return -1;
	}
	p->block = trc_out_offset(w->out) - w->start;
	return trc_frame_write(w->out, TRC_KIND_BLOCK, w->first << TRC_ROW_BITS | w->packing->n,
	                       &w->payload, err);
}

static int
pack_block(struct writer *w, struct trc_err *err)
{
	bool refs = shows_program(w->packing), grown;
	uint32_t flat = w->have;
	size_t n = 0;

	if (refs && model_refs(w, &refs, err))
		return -1;
	grown = refs && (w->anew || w->growth.n > GROWTH_NONE);
	w->generation += grown;
	if (refs) {
		flat &= ~(uint32_t)TRC_REFS_COLUMNS;
		for (; n < TRC_REFS_STREAMS; n++) {
			w->task[n].stream = &w->refs.stream[n];
			w->task[n].kind = (enum trc_pack_kind)trc_refs_kind[n];
		}
		if (w->refs.stream[TRC_REFS_HIGH].n == 0)
			w->task[TRC_REFS_LITERAL].kind = TRC_PACK_WORDS8;
	}
	if (run_tasks(w, add_flat_tasks(w, flat, n), err) || put_sections(w, refs, flat, err) ||
	    (refs && check_refs(w, err)) || put_frames(w, refs, grown, err))
		return -1;
	w->first += w->packing->n;
	if (refs)
		w->anew = false;
	/* What was tried in vain, or has grown large, is forgotten. */
	if (w->program && (!refs || trc_refs_writer_ops(w->program) > TRC_PROGRAM_MOST / 2)) {
		trc_refs_writer_close(w->program);
		w->program = NULL;
	}
	return 0;
}

static void
pack_beside(void *arg)
{
	struct writer *w = arg;

	w->failed = pack_block(w, &w->err) != 0;
}

/* Waits for the block that is packed; fails if that failed. */
static int
wait_packed(struct writer *w, struct trc_err *err)
{
	trc_helper_wait(&w->helper);
	if (w->failed)
		*err = w->err;
	return w->failed ? -1 : 0;
}

static int
flush_block(struct writer *w, struct trc_err *err)
{
	if (wait_packed(w, err))
		return -1;
	w->packing = &w->block[w->filling];
	w->filling ^= 1;
	w->block[w->filling].n = 0;
	trc_helper_start(&w->helper, pack_beside, w);
	return 0;
}

/* ---- the sink ---- */

static int
writer_put(struct trc_sink *sink, const struct trc_batch *b, struct trc_err *err)
{
	struct writer *w = (struct writer *)sink;

	for (size_t at = 0; at < b->n;) {
		struct trc_batch *block = &w->block[w->filling];
		size_t n = block->cap - block->n < b->n - at ? block->cap - block->n : b->n - at;

		trc_batch_append(block, b, at, n);
		at += n;
		if (block->n == block->cap && flush_block(w, err))
			return -1;
	}
	return 0;
}

static int
put_index(struct writer *w, const struct trc_meta *meta, struct trc_err *err)
{
	const uint64_t fact[] = { meta->page_bits, meta->sad,   meta->totals,
		                  meta->refs,      meta->insns, meta->last_time };
	struct trc_buf *b = &w->payload;
	uint64_t last = 0;

	b->n = 0;
	for (size_t i = 0; i < TRC_COUNT(fact); i++)
		if (trc_buf_put_num(b, fact[i], err))
			return -1;
	for (size_t i = 0; i < w->places; i++) {
		const struct place *p = &w->place[i];
		const uint64_t program = p->program ? p->program : p->block;

		if (trc_buf_put_num(b, p->rows << 1 | p->anew, err) ||
		    trc_buf_put_num(b, program - last, err) ||
		    trc_buf_put_num(b, p->block - program, err))
			return -1;
		last = p->block;
	}
	return trc_frame_write(w->out, TRC_KIND_INDEX, w->places, b, err);
}

/* The end is as long as any other: from the end of the file it tells where the index is. */
static int
put_end(struct writer *w, uint64_t index, struct trc_err *err)
{
	uint8_t end[TRC_END_LEN];

	trc_put_le64(end, index);
	w->payload.n = 0;
	if (trc_buf_put(&w->payload, end, sizeof(end), err))
		return -1;
	return trc_frame_write(w->out, TRC_KIND_END, w->first, &w->payload, err);
}

static int
writer_finish(struct trc_sink *sink, const struct trc_meta *meta, struct trc_err *err)
{
	struct writer *w = (struct writer *)sink;
	uint64_t index;

	if (w->block[w->filling].n > 0 && flush_block(w, err))
		return -1;
	if (wait_packed(w, err))
		return -1;
	index = trc_out_offset(w->out) - w->start;
	if (put_index(w, meta, err) || put_end(w, index, err))
		return -1;
	return trc_out_commit(w->out, err);
}

/* Frees all but the output. */
static void
release(struct writer *w)
{
	trc_helper_wait(&w->helper);
	trc_batch_release(&w->block[0]);
	trc_batch_release(&w->block[1]);
	trc_refs_writer_close(w->program);
	trc_refs_release(&w->refs);
	trc_buf_release(&w->growth);
	trc_buf_release(&w->payload);
	trc_digest_release(&w->digest);
	for (int i = 0; i < TASKS; i++)
		trc_buf_release(&w->task[i].out);
	trc_program_release(&w->check);
	trc_refs_reader_close(w->reader);
	free(w->place);
	free(w);
}

static void
writer_close(struct trc_sink *sink)
{
	struct writer *w = (struct writer *)sink;

	trc_helper_wait(&w->helper);
	trc_out_close(w->out);
	release(w);
}

static int
put_header(struct writer *w, const struct trc_meta *meta, size_t rows, struct trc_err *err)
{
	struct trc_buf *b = &w->payload;

	if (trc_buf_put_num(b, w->have, err) || trc_buf_put_num(b, rows, err) ||
	    trc_buf_put_num(b, meta->page_bits, err) || trc_buf_put_num(b, meta->sad, err))
		return -1;
	return trc_frame_write(w->out, TRC_KIND_TRACE, TRC_VERSION_NUMBER, b, err);
}

/* The largest power of two that keeps to the limits of a block. */
static size_t
rows_of_block(uint32_t have)
{
	size_t bytes = 1, rows = TRC_BLOCK_MOST;

	for (int c = 0; c < TRC_COLUMNS; c++)
		bytes += have >> c & 1 ? trc_column[c].width : 0;
	while (rows * bytes > TRC_BLOCK_BYTES)
		rows /= 2;
	return rows;
}

struct trc_sink *
trc_container_sink(struct trc_out *out, uint32_t have, const struct trc_meta *meta,
                   const void *settings, struct trc_err *err)
{
	struct writer *w = trc_alloc(1, sizeof(*w), err);
	const size_t rows = rows_of_block(have);

	(void)settings;
	if (!w)
		return NULL;
	w->sink = (struct trc_sink){ writer_put, writer_finish, writer_close };
	w->out = out;
	w->start = trc_out_offset(out);
	w->have = have;
	w->threads = trc_cores();
	w->reader = trc_refs_reader_open(err);
	if (!w->reader || trc_digest_init(&w->digest, have, err) ||
	    trc_batch_init(&w->block[0], have, rows, err) ||
	    trc_batch_init(&w->block[1], have, rows, err) || put_header(w, meta, rows, err)) {
		release(w);
		return NULL;
	}
	return &w->sink;
}
