/* SPDX-License-Identifier: MIT
 *
 * Reading the container. While the rows of one block come out, the next is read, checked and
 * unpacked beside it.
 */
#include <stdio.h>
#include <stdlib.h>

#include "base/cores.h"
#include "base/pool.h"
#include "codec/flat.h"
#include "format/digest.h"
#include "format/format.h"
#include "format/trc.h"

enum { FRAME_MOST = 1 << 28, DISCARD = 1024 };

/* A block on its way: prepared by the helper, emptied by the caller. */
struct block {
	enum trc_flow flow; /* of preparing it */
	struct trc_err err;
	uint64_t rows, at;
	uint64_t digest;    /* of all its rows, as the file has it */
	bool whole;         /* all its rows come out */
	uint32_t flat;      /* columns that are in `column` */
	struct trc_batch column;
	struct trc_refs refs;
	struct trc_refs_reader *reader;
};

struct container {
	struct trc_source src;
	struct trc_in *in;
	struct block block[2];
	unsigned now; /* the one that is emptied */
	struct trc_digest digest; /* of what came of it */
	int threads;
	struct trc_helper helper;
	struct block *preparing;

	/* The helper's while it runs. */
	bool salvage;
	bool ended;              /* the last frame was that of the end */
	uint64_t base;           /* rows of the containers before this one in the file */
	uint64_t rows;           /* that have come, or are known to be missing */
	uint64_t skip;           /* rows to leave out before the next that comes */
	size_t block_rows;       /* at most */
	struct trc_program program;
	uint64_t generation;     /* parts of the program read so far; 0: it is not there */
	uint64_t *wide;          /* a column as numbers */
	struct trc_meta meta;    /* of the whole trace */
	struct trc_gap *gap;
	size_t gaps, gap_cap;
};

bool
trc_column_narrow(struct trc_batch *b, enum trc_column c, const uint64_t *v, size_t n)
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

/* ---- frames ---- */

static int
damaged(const struct container *c, const struct trc_frame *f, const char *what,
        struct trc_err *err)
{
	return trc_fail(err, "%s: %s at byte %llu, after %llu good records; --salvage gets the rest",
	                c->in->name, what, (unsigned long long)f->offset,
	                (unsigned long long)c->rows);
}

/* The next frame. Between frames there is nothing; a salvage searches behind what is damaged. */
static int
next_frame(struct container *c, struct trc_frame *f, bool *end, struct trc_err *err)
{
	uint64_t skipped;

	for (;;) {
		const enum trc_frame_found found = trc_frame_read(c->in, FRAME_MOST, f, err);

		*end = found == TRC_FRAME_END;
		if (found == TRC_FRAME_FAILED)
			return trc_err_in(err, "%s", c->in->name);
		if (*end || found == TRC_FRAME_GOOD)
			return 0;
		if (!c->salvage)
			return damaged(c, f, found == TRC_FRAME_CUT ? "the file is cut short in a frame" :
			                                              "damaged data", err);
		if (trc_frame_search(c->in, &skipped, err))
			return trc_err_in(err, "%s", c->in->name);
	}
}

/* The columns that a header or a block names. */
static int
read_columns(struct trc_view *v, uint32_t *have, struct trc_err *err)
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

static int
read_header(struct container *c, const struct trc_frame *f, uint32_t *have, struct trc_err *err)
{
	struct trc_view v = { f->payload, f->payload + f->len };
	uint64_t rows, page_bits;

	if (f->number != TRC_VERSION_NUMBER)
		return trc_fail(err, "is a container of version %llu; this trc reads version %d",
		                (unsigned long long)f->number, TRC_VERSION_NUMBER);
	if (read_columns(&v, have, err))
		return -1;
	if (!trc_view_num(&v, &rows) || rows == 0 || rows > TRC_BLOCK_MOST ||
	    !trc_view_num(&v, &page_bits) || page_bits > 63 || !trc_view_num(&v, &c->meta.sad))
		return trc_fail(err, "the header is damaged");
	c->block_rows = (size_t)rows;
	c->meta.page_bits = (uint32_t)page_bits;
	return 0;
}

/* The index begins with what is known of the whole trace. */
static int
read_index(struct container *c, const struct trc_frame *f, struct trc_err *err)
{
	struct trc_view v = { f->payload, f->payload + f->len };
	struct trc_meta meta = { 0 };
	uint64_t page_bits, totals;

	if (!trc_view_num(&v, &page_bits) || page_bits > 63 || !trc_view_num(&v, &meta.sad) ||
	    !trc_view_num(&v, &totals) || !trc_view_num(&v, &meta.refs) ||
	    !trc_view_num(&v, &meta.insns) || !trc_view_num(&v, &meta.last_time))
		return trc_fail(err, "the index is damaged");
	meta.page_bits = (uint32_t)page_bits;
	meta.totals = totals & 1;
	c->meta = meta;
	return 0;
}

/* Parts of the program are numbered; one that is missing leaves the program behind it unusable
 * until it begins anew. */
static int
read_program(struct container *c, const struct trc_frame *f, struct trc_err *err)
{
	const bool anew = f->len > 0 && f->payload[0] & 1;
	const bool follows = c->generation > 0 && f->number == c->generation + 1;

	c->generation = 0;
	if (anew) {
		trc_program_release(&c->program);
		if (trc_program_init(&c->program, err))
			return -1;
	} else if (!follows) {
		return trc_fail(err, "a part of the program before this one is missing");
	}
	if (trc_program_read(&c->program, f->payload + 1, (size_t)f->len - 1, err))
		return -1;
	c->generation = f->number;
	return 0;
}

/* ---- blocks ---- */

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

/* Streams together may claim no more than what the rows of a block can need. */
static int
unpack_streams(const struct container *c, struct block *b, struct trc_view *v, struct trc_err *err)
{
	size_t budget = TRC_STREAMS_MOST((size_t)b->rows);
	struct unpacking u = { .raw = b->refs.stream };

	for (int i = 0; i < TRC_REFS_STREAMS; i++) {
		if (trc_packed_take(v, budget, &u.stream[i], err))
			return -1;
		budget -= u.stream[i].n;
	}
	trc_pool_run(c->threads, unpack_one, &u, TRC_REFS_STREAMS);
	for (int i = 0; i < TRC_REFS_STREAMS; i++)
		if (u.ret[i]) {
			*err = u.err[i];
			return -1;
		}
	return 0;
}

static int
read_refs(struct container *c, struct block *b, struct trc_view *v, size_t new_slots,
          struct trc_err *err)
{
	const uint8_t *absolute = trc_view_bytes(v, 1);
	uint64_t generation, first, ops;

	if (!absolute || !trc_view_num(v, &generation) || !trc_view_num(v, &first) ||
	    first > UINT32_MAX || !trc_view_num(v, &ops) || ops > b->rows ||
	    (c->src.have & TRC_HAS_TYPE) == 0 || (c->src.have & TRC_HAS_ADDR) == 0)
		return trc_fail(err, "the references of a block are damaged");
	if (c->generation == 0 || generation != c->generation)
		return trc_fail(err, "the program that a block refers to is damaged or missing");
	b->refs.absolute = *absolute & 1;
	b->refs.first = (uint32_t)first;
	b->refs.ops = ops;
	if (unpack_streams(c, b, v, err))
		return -1;
	return trc_refs_begin(b->reader, &c->program, new_slots, &b->refs, b->rows, err);
}

static int
read_flat(struct container *c, struct block *b, struct trc_view *v, struct trc_err *err)
{
	const uint8_t *number = trc_view_bytes(v, 1);
	enum trc_column column;

	if (!number || *number >= TRC_COLUMNS || !(c->src.have >> *number & 1))
		return trc_fail(err, "a column of a block is damaged");
	column = (enum trc_column)*number;
	if (!b->column.mem && trc_batch_init(&b->column, c->src.have, c->block_rows, err))
		return -1;
	if (trc_flat_read(v, c->wide, (size_t)b->rows, err))
		return -1;
	if (!trc_column_narrow(&b->column, column, c->wide, (size_t)b->rows))
		return trc_fail(err, "a value of column '%s' does not fit it", trc_column[column].name);
	b->flat |= 1u << column;
	return 0;
}

static int
read_sections(struct container *c, struct block *b, struct trc_view *v, size_t new_slots,
              struct trc_err *err)
{
	bool refs = false;

	b->flat = 0;
	while (v->p < v->end) {
		const uint8_t section = *v->p++;
		int ret;

		if (section == TRC_SECTION_REFS && !refs) {
			ret = read_refs(c, b, v, new_slots, err);
			refs = true;
		} else if (section == TRC_SECTION_FLAT) {
			ret = read_flat(c, b, v, err);
		} else {
			ret = trc_fail(err, "a block has a section of kind %u", section);
		}
		if (ret)
			return -1;
	}
	if ((b->flat | (refs ? c->src.have & TRC_REFS_COLUMNS : 0)) != c->src.have)
		return trc_fail(err, "a block lacks a column");
	return 0;
}

static int
add_gap(struct container *c, uint64_t rows, struct trc_err *err)
{
	if (trc_grow(&c->gap, &c->gap_cap, c->gaps + 1, sizeof(*c->gap), err))
		return -1;
	c->gap[c->gaps++] = (struct trc_gap){ c->rows, rows };
	return 0;
}

/* Leaves out rows at the start of a block. */
static void
discard(struct container *c, struct block *b)
{
	const uint64_t n = c->skip < b->rows ? c->skip : b->rows;
	uint8_t type[DISCARD];
	uint64_t addr[DISCARD];

	for (b->at = 0; b->at < n;) {
		uint64_t left = n - b->at < DISCARD ? n - b->at : DISCARD;

		b->at += b->flat == c->src.have ?
		                 left :
		                 trc_refs_next(b->reader, type, addr, NULL, (size_t)left);
	}
	c->skip -= n;
}

static int
read_block(struct container *c, struct block *b, const struct trc_frame *f, size_t new_slots,
           struct trc_err *err)
{
	struct trc_view v = { f->payload, f->payload + f->len };
	const uint64_t first = c->base + (f->number >> TRC_ROW_BITS);
	const uint8_t *digest;
	uint32_t have;

	b->rows = f->number & ((1u << TRC_ROW_BITS) - 1);
	b->at = 0;
	if (b->rows == 0 || b->rows > c->block_rows)
		return trc_fail(err, "a block has too many rows");
	if (first != c->rows && (!c->salvage || first < c->rows))
		return trc_fail(err, "a block is missing");
	if (read_columns(&v, &have, err))
		return -1;
	if (have != c->src.have)
		return trc_fail(err, "a block has other columns than the trace");
	digest = trc_view_bytes(&v, 8);
	if (!digest)
		return trc_fail(err, "a block has no fingerprint");
	b->digest = trc_le64(digest);
	if (read_sections(c, b, &v, new_slots, err))
		return -1;
	if (first > c->rows && add_gap(c, first - c->rows, err))
		return -1;
	c->rows = first + b->rows;
	b->whole = c->skip == 0;
	discard(c, b);
	return 0;
}

/* ---- preparing ---- */

static int
read_end(struct container *c, const struct trc_frame *f, struct trc_err *err)
{
	const uint64_t rows = c->base + f->number;

	c->ended = true;
	if (rows == c->rows)
		return 0;
	if (!c->salvage)
		return trc_fail(err, "the end tells of %llu records",
		                (unsigned long long)f->number);
	if (rows > c->rows && add_gap(c, rows - c->rows, err))
		return -1;
	c->rows = rows;
	return 0;
}

static int
read_next_header(struct container *c, const struct trc_frame *f, struct trc_err *err)
{
	uint32_t have;

	if (read_header(c, f, &have, err))
		return -1;
	if (have != c->src.have)
		return trc_fail(err, "is joined of containers with different columns");
	c->base = c->rows;
	c->generation = 0;
	c->ended = false;
	return 0;
}

/* Takes a frame; *ready if that was a block. */
static int
take_frame(struct container *c, struct block *b, const struct trc_frame *f, size_t *new_slots,
           bool *ready, struct trc_err *err)
{
	switch (f->kind) {
	case TRC_KIND_TRACE: return read_next_header(c, f, err);
	case TRC_KIND_PROGRAM:
		*new_slots = f->len > 0 && f->payload[0] & 1 ? 0 : c->program.slots;
		return read_program(c, f, err);
	case TRC_KIND_BLOCK:
		if (read_block(c, b, f, *new_slots, err))
			return -1;
		*ready = b->at < b->rows;
		*new_slots = c->program.slots;
		return 0;
	case TRC_KIND_INDEX: return read_index(c, f, err);
	case TRC_KIND_END: return read_end(c, f, err);
	default: return 0; /* what later versions add */
	}
}

/* Passes over blocks that are left out as a whole, without reading them. */
static int
pass_blocks(struct container *c, struct trc_err *err)
{
	struct trc_frame f;

	while (c->skip > 0 && !c->salvage) {
		const enum trc_frame_found found = trc_frame_peek(c->in, &f, err);
		const uint64_t rows = f.number & ((1u << TRC_ROW_BITS) - 1);

		if (found == TRC_FRAME_FAILED)
			return trc_err_in(err, "%s", c->in->name);
		if (found != TRC_FRAME_GOOD || f.kind != TRC_KIND_BLOCK || rows > c->skip)
			break;
		if (trc_in_skip(c->in, TRC_FRAME_HEAD + f.len, err))
			return trc_err_in(err, "%s", c->in->name);
		c->skip -= rows;
		c->rows += rows;
	}
	return 0;
}

/* The file has ended. */
static enum trc_flow
end(struct container *c, const struct trc_frame *f, struct trc_err *err)
{
	if (!c->ended && !c->salvage)
		damaged(c, f, "the file ends without its end frame", err);
	if (!c->ended && (!c->salvage || add_gap(c, UINT64_MAX, err)))
		return TRC_FLOW_FAILED;
	c->meta.gap = c->gap;
	c->meta.gaps = c->gaps;
	return TRC_FLOW_END;
}

/* Reads frames up to the next block and prepares that. */
static enum trc_flow
prepare(struct container *c, struct block *b, struct trc_err *err)
{
	size_t new_slots = c->program.slots;
	bool ready = false, ended;
	struct trc_frame f;

	while (!ready) {
		if (pass_blocks(c, err) || next_frame(c, &f, &ended, err))
			return TRC_FLOW_FAILED;
		if (ended)
			return end(c, &f, err);
		if (take_frame(c, b, &f, &new_slots, &ready, err) == 0)
			continue;
		/* A salvage leaves out what is damaged; the next block shows what is missing. */
		if (c->salvage && err->code == TRC_FAILED)
			continue;
		trc_err_in(err, "%s: at byte %llu, after %llu good records", c->in->name,
		           (unsigned long long)f.offset, (unsigned long long)c->rows);
		return TRC_FLOW_FAILED;
	}
	return TRC_FLOW_ROWS;
}

static void
prepare_beside(void *arg)
{
	struct container *c = arg;

	c->preparing->flow = prepare(c, c->preparing, &c->preparing->err);
}

static void
start_preparing(struct container *c, unsigned which)
{
	c->preparing = &c->block[which];
	trc_helper_start(&c->helper, prepare_beside, c);
}

/* ---- the source ---- */

/* Copies the flat columns of the next `n` rows behind those of `b`. */
static void
copy_flat(const struct block *from, struct trc_batch *b, size_t n)
{
	struct trc_batch columns = *b;

	columns.have = from->flat;
	trc_batch_append(&columns, &from->column, (size_t)from->at, n);
}

/* Compares all rows of a block with its fingerprint. */
static int
check_block(struct container *c, const struct block *block, struct trc_err *err)
{
	if (block->at < block->rows || !block->whole ||
	    trc_digest_all(&c->digest) == block->digest)
		return 0;
	return trc_fail(err, "%s: a block did not come out as it was packed: the file was made or "
	                     "read by a faulty trc", c->in->name);
}

static enum trc_flow
container_next(struct trc_source *src, struct trc_batch *b, struct trc_err *err)
{
	struct container *c = (struct container *)src;

	while (b->n < b->cap) {
		struct block *block = &c->block[c->now];
		size_t n = b->cap - b->n;

		if (block->at == block->rows) {
			if (block->flow != TRC_FLOW_ROWS)
				break;
			trc_helper_wait(&c->helper);
			c->now ^= 1;
			block = &c->block[c->now];
			trc_digest_reset(&c->digest);
			if (block->flow == TRC_FLOW_ROWS)
				start_preparing(c, c->now ^ 1);
			else
				block->at = block->rows = 0;
			continue;
		}
		if (n > block->rows - block->at)
			n = (size_t)(block->rows - block->at);
		if (block->flat != src->have)
			n = trc_refs_next(block->reader, b->type + b->n, b->addr + b->n,
			                  b->size ? b->size + b->n : NULL, n);
		copy_flat(block, b, n);
		trc_digest_update(&c->digest, b, b->n, n);
		b->n += n;
		block->at += n;
		if (check_block(c, block, err))
			return TRC_FLOW_FAILED;
	}
	if (b->n > 0)
		return TRC_FLOW_ROWS;
	if (c->block[c->now].flow == TRC_FLOW_FAILED)
		*err = c->block[c->now].err;
	else
		src->meta = c->meta;
	return c->block[c->now].flow;
}

static int
container_skip(struct trc_source *src, uint64_t rows, struct trc_err *err)
{
	struct container *c = (struct container *)src;
	struct block *next = &c->block[c->now ^ 1];

	/* Only at the start, when one block is prepared and none is out. */
	(void)err;
	trc_helper_wait(&c->helper);
	if (next->flow != TRC_FLOW_ROWS)
		return 0;
	c->skip = rows;
	next->whole = rows == 0;
	discard(c, next);
	if (next->at == next->rows)
		start_preparing(c, c->now ^ 1);
	return 0;
}

static void
release(struct container *c)
{
	trc_helper_wait(&c->helper);
	for (int i = 0; i < 2; i++) {
		trc_batch_release(&c->block[i].column);
		trc_refs_release(&c->block[i].refs);
		trc_refs_reader_close(c->block[i].reader);
	}
	trc_program_release(&c->program);
	trc_digest_release(&c->digest);
	free(c->wide);
	free(c->gap);
	free(c);
}

static void
container_close(struct trc_source *src)
{
	struct container *c = (struct container *)src;
	struct trc_in *in = c->in;

	release(c);
	trc_in_close(in);
}

static int
begin(struct container *c, struct trc_err *err)
{
	struct trc_frame f;
	bool ended;

	if (next_frame(c, &f, &ended, err))
		return -1;
	if (ended || f.kind != TRC_KIND_TRACE)
		return trc_fail(err, "%s: does not begin as a trc container", c->in->name);
	if (read_header(c, &f, &c->src.have, err))
		return trc_err_in(err, "%s", c->in->name);
	c->wide = trc_alloc(c->block_rows, sizeof(*c->wide), err);
	for (int i = 0; i < 2; i++) {
		c->block[i].reader = trc_refs_reader_open(err);
		if (!c->block[i].reader)
			return -1;
	}
	return c->wide ? trc_digest_init(&c->digest, c->src.have, err) : -1;
}

struct trc_source *
trc_container_source(struct trc_in *in, const void *settings, struct trc_err *err)
{
	struct container *c = trc_alloc(1, sizeof(*c), err);

	(void)settings;
	if (!c)
		return NULL;
	c->in = in;
	c->src = (struct trc_source){ .next = container_next, .skip = container_skip,
		                      .close = container_close };
	if (begin(c, err)) {
		release(c);
		return NULL;
	}
	c->src.meta = c->meta;
	c->threads = trc_cores();
	/* The block "before" the first is empty; the first is prepared meanwhile. */
	c->block[0].flow = TRC_FLOW_ROWS;
	start_preparing(c, 1);
	return &c->src;
}
