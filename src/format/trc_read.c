/* SPDX-License-Identifier: MIT
 *
 * Reading the container. While the rows of one block come out, the next is read, checked and
 * unpacked beside it.
 */
#include <stdio.h>
#include <stdlib.h>

#include "base/pool.h"
#include "codec/flat.h"
#include "format/format.h"
#include "format/trc.h"

enum { FRAME_MOST = 1 << 28 };

/* A block on its way: prepared by the helper, emptied by the caller. */
struct block {
	enum trc_flow flow; /* of preparing it */
	struct trc_err err;
	uint64_t first, rows, at;
	uint32_t flat;      /* columns that are in `column` */
	struct trc_batch column;
	struct trc_refs refs;
	struct trc_refs_reader *reader;
};

struct container {
	struct trc_source src;
	struct trc_in *in;
	struct block block[2];
	unsigned now;            /* the one that is emptied */
	struct trc_helper helper;
	bool ended;              /* the last frame was that of the end */

	/* The helper's. */
	enum trc_column column[TRC_COLUMNS]; /* in the order of the file */
	size_t columns;
	uint64_t rows;           /* read so far */
	uint64_t skip;           /* rows to leave out before the next block */
	size_t block_rows;       /* at most */
	struct trc_program program;
	bool has_program;
	uint64_t *wide;          /* a column as numbers */
	struct trc_meta meta;    /* from the end */
	struct block *preparing;
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

/* The next frame, which must be there and good. */
static int
next_frame(struct container *c, struct trc_frame *f, bool *end, struct trc_err *err)
{
	switch (trc_frame_read(c->in, FRAME_MOST, f, err)) {
	case TRC_FRAME_FAILED: return trc_err_in(err, "%s", c->in->name);
	case TRC_FRAME_END: *end = true; return 0;
	case TRC_FRAME_GOOD: *end = false; return 0;
	case TRC_FRAME_CUT: return damaged(c, f, "the file is cut short in the frame", err);
	case TRC_FRAME_BAD: break;
	}
	return damaged(c, f, "damaged data", err);
}

static int
read_name(struct trc_view *v, enum trc_column *column, struct trc_err *err)
{
	const uint8_t *name;
	uint64_t len;
	uint32_t bit;

	if (!trc_view_num(v, &len) || len > 64 || !(name = trc_view_bytes(v, (size_t)len)))
		return trc_fail(err, "the header is damaged");
	bit = trc_column_bit((const char *)name, (size_t)len);
	if (!bit)
		return trc_fail(err, "has a column '%.*s' that this trc does not know; a newer one may",
		                (int)len, (const char *)name);
	*column = (enum trc_column)trc_ctz64(bit);
	return 0;
}

static int
read_header(struct container *c, const struct trc_frame *f, uint32_t *have, struct trc_err *err)
{
	struct trc_view v = { f->payload, f->payload + f->len };
	uint64_t columns, rows, page_bits;

	if (f->number != TRC_VERSION_NUMBER)
		return trc_fail(err, "is a container of version %llu; this trc reads version %d",
		                (unsigned long long)f->number, TRC_VERSION_NUMBER);
	if (!trc_view_num(&v, &columns) || columns > TRC_COLUMNS)
		return trc_fail(err, "the header is damaged");
	*have = 0;
	for (c->columns = 0; c->columns < columns; c->columns++) {
		if (read_name(&v, &c->column[c->columns], err))
			return -1;
		if (*have >> c->column[c->columns] & 1)
			return trc_fail(err, "the header is damaged");
		*have |= 1u << c->column[c->columns];
	}
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
	uint64_t page_bits, totals;
	struct trc_meta meta = { 0 };

	if (!trc_view_num(&v, &page_bits) || page_bits > 63 || !trc_view_num(&v, &meta.sad) ||
	    !trc_view_num(&v, &totals) || !trc_view_num(&v, &meta.refs) ||
	    !trc_view_num(&v, &meta.insns) || !trc_view_num(&v, &meta.last_time))
		return trc_fail(err, "the index is damaged");
	meta.page_bits = (uint32_t)page_bits;
	meta.totals = totals & 1;
	c->meta = meta;
	return 0;
}

static int
read_program(struct container *c, const struct trc_frame *f, struct trc_err *err)
{
	if (f->len < 1)
		return trc_fail(err, "the program part of a block is empty");
	if (f->payload[0] & 1 || !c->has_program) {
		trc_program_release(&c->program);
		c->has_program = false;
		if (trc_program_init(&c->program, err))
			return -1;
		c->has_program = true;
	}
	return trc_program_read(&c->program, f->payload + 1, (size_t)f->len - 1, err);
}

/* ---- blocks ---- */

static int
read_refs(struct container *c, struct block *b, struct trc_view *v, size_t new_slots,
          struct trc_err *err)
{
	const uint8_t *absolute = trc_view_bytes(v, 1);
	uint64_t first, ops;

	if (!absolute || !trc_view_num(v, &first) || first > UINT32_MAX || !trc_view_num(v, &ops) ||
	    ops > b->rows || (c->src.have & TRC_HAS_TYPE) == 0 || (c->src.have & TRC_HAS_ADDR) == 0)
		return trc_fail(err, "the references of a block are damaged");
	b->refs.absolute = *absolute & 1;
	b->refs.first = (uint32_t)first;
	b->refs.ops = ops;
	for (int i = 0; i < TRC_REFS_STREAMS; i++)
		if (trc_unpack(v, TRC_STREAM_MOST(b->rows), &b->refs.stream[i], err))
			return -1;
	return trc_refs_begin(b->reader, &c->program, new_slots, &b->refs, b->rows, err);
}

static int
read_flat(struct container *c, struct block *b, struct trc_view *v, struct trc_err *err)
{
	const uint8_t *number = trc_view_bytes(v, 1);
	enum trc_column column;

	if (!number || *number >= c->columns)
		return trc_fail(err, "a column of a block is damaged");
	column = c->column[*number];
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
read_block(struct container *c, struct block *b, const struct trc_frame *f, size_t new_slots,
           struct trc_err *err)
{
	struct trc_view v = { f->payload, f->payload + f->len };
	bool refs = false;

	b->flat = 0;
	while (v.p < v.end) {
		const uint8_t section = *v.p++;

		if (section == TRC_SECTION_REFS) {
			if (refs || read_refs(c, b, &v, new_slots, err))
				return refs ? trc_fail(err, "a block is damaged") : -1;
			refs = true;
		} else if (section != TRC_SECTION_FLAT) {
			return trc_fail(err, "a block has a section of kind %u that this trc does not "
			                     "know", section);
		} else if (read_flat(c, b, &v, err)) {
			return -1;
		}
	}
	if ((b->flat | (refs ? c->src.have & TRC_REFS_COLUMNS : 0)) != c->src.have)
		return trc_fail(err, "a block lacks a column");
	return 0;
}

/* Reads frames up to the next block and prepares that. */
static enum trc_flow
prepare(struct container *c, struct block *b, struct trc_err *err)
{
	size_t new_slots = c->program.slots;
	struct trc_frame f;
	uint32_t have;
	bool end;

	for (;;) {
		if (next_frame(c, &f, &end, err))
			return TRC_FLOW_FAILED;
		if (end && !c->ended) {
			damaged(c, &f, "the file ends without its end frame", err);
			return TRC_FLOW_FAILED;
		}
		if (end)
			return TRC_FLOW_END;
		switch (f.kind) {
		case TRC_KIND_TRACE:
			if (read_header(c, &f, &have, err))
				goto failed;
			if (have != c->src.have) {
				trc_fail(err, "is joined of containers with different columns");
				goto failed;
			}
			c->ended = false;
			break;
		case TRC_KIND_PROGRAM:
			new_slots = c->program.slots;
			if (f.len > 0 && f.payload[0] & 1)
				new_slots = 0;
			if (read_program(c, &f, err))
				goto failed;
			break;
		case TRC_KIND_BLOCK:
			b->first = c->rows;
			b->rows = f.number & ((1u << TRC_ROW_BITS) - 1);
			b->at = 0;
			if (b->rows == 0 || b->rows > c->block_rows) {
				trc_fail(err, "a block has too many rows");
				goto failed;
			}
			if (read_block(c, b, &f, new_slots, err))
				goto failed;
			c->rows += b->rows;
			return TRC_FLOW_ROWS;
		case TRC_KIND_INDEX:
			if (read_index(c, &f, err))
				goto failed;
			break;
		case TRC_KIND_END: c->ended = true; break;
		default: break; /* what later versions add */
		}
	}
failed:
	trc_err_in(err, "%s: at byte %llu, after %llu good records", c->in->name,
	           (unsigned long long)f.offset, (unsigned long long)c->rows);
	return TRC_FLOW_FAILED;
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
		b->n += n;
		block->at += n;
	}
	if (b->n > 0)
		return TRC_FLOW_ROWS;
	if (c->block[c->now].flow == TRC_FLOW_FAILED)
		*err = c->block[c->now].err;
	else
		src->meta = c->meta;
	return c->block[c->now].flow;
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
	free(c->wide);
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
	bool end;

	if (next_frame(c, &f, &end, err))
		return -1;
	if (end || f.kind != TRC_KIND_TRACE)
		return trc_fail(err, "%s: does not begin as a trc container", c->in->name);
	if (read_header(c, &f, &c->src.have, err))
		return trc_err_in(err, "%s", c->in->name);
	c->wide = trc_alloc(c->block_rows, sizeof(*c->wide), err);
	for (int i = 0; i < 2; i++) {
		c->block[i].reader = trc_refs_reader_open(err);
		if (!c->block[i].reader)
			return -1;
	}
	return c->wide ? 0 : -1;
}

struct trc_source *
trc_container_source(struct trc_in *in, struct trc_err *err)
{
	struct container *c = trc_alloc(1, sizeof(*c), err);

	if (!c)
		return NULL;
	c->in = in;
	c->src = (struct trc_source){ .next = container_next, .close = container_close };
	if (begin(c, err)) {
		release(c);
		return NULL;
	}
	c->src.meta = c->meta;
	/* The block "before" the first is empty; the first is prepared meanwhile. */
	c->block[0].flow = TRC_FLOW_ROWS;
	start_preparing(c, 1);
	return &c->src;
}
