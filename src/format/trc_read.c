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

/* The references of one task or space of a block, or of all of it. */
struct context {
	uint32_t key;
	uint64_t rows;
	struct trc_refs refs;
	struct trc_refs_reader *reader;
};

/* A block on its way: prepared by the helper, emptied by the caller. */
struct block {
	enum trc_flow flow; /* of preparing it */
	struct trc_err err;
	uint64_t first, rows, at;
	uint64_t digest;    /* of all its rows, as the file has it */
	bool whole;         /* all its rows come out */
	uint32_t flat;      /* columns that are in `column` */
	struct trc_batch column;
	struct context context[TRC_CONTEXTS_MOST];
	size_t contexts;
	const uint32_t *key; /* of each row, if there are several contexts */
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
	uint64_t memlimit;
	struct trc_frame kept;   /* by find_header(), if has_kept */
	bool has_kept;
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

	if (c->has_kept) {
		*f = c->kept;
		*end = c->has_kept = false;
		return 0;
	}
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
	uint64_t rows, page_bits, len;
	const uint8_t *format;

	if (f->number != TRC_VERSION_NUMBER)
		return trc_fail(err, "is a container of version %llu; this trc reads version %d",
		                (unsigned long long)f->number, TRC_VERSION_NUMBER);
	if (read_columns(&v, have, err))
		return -1;
	if (!trc_view_num(&v, &rows) || rows == 0 || rows > TRC_BLOCK_MOST ||
	    !trc_view_num(&v, &page_bits) || page_bits > 63 || !trc_view_num(&v, &c->meta.sad))
		return trc_fail(err, "the header is damaged");
	if (!trc_view_num(&v, &len) || len >= sizeof(c->meta.format) ||
	    !(format = trc_view_bytes(&v, (size_t)len)))
		return trc_fail(err, "the header is damaged");
	memcpy(c->meta.format, format, (size_t)len);
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
	memcpy(meta.format, c->meta.format, sizeof(meta.format));
	c->meta = meta;
	return 0;
}

/* Parts of the program are numbered; one that is missing leaves the program behind it unusable
 * until it begins anew. */
static int
read_program(struct container *c, const struct trc_frame *f, struct trc_err *err)
{
	struct trc_view v = { f->payload, f->payload + f->len };
	const uint8_t *flags = trc_view_bytes(&v, 1);
	const bool anew = flags && *flags & 1;
	const bool follows = c->generation > 0 && f->number == c->generation + 1;
	uint32_t have;

	c->generation = 0;
	if (read_columns(&v, &have, err))
		return -1;
	if (have != c->src.have)
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

/* Streams together may claim no more than what their rows can need. */
static int
unpack_streams(const struct container *c, struct context *x, struct trc_view *v,
               struct trc_err *err)
{
	size_t budget = TRC_STREAMS_MOST((size_t)x->rows);
	struct unpacking u = { .raw = x->refs.stream };

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

/* A place for the references of one more context of the block that begins at row `first`, not counted
 * before they are good. Those of another block, which never came, are dropped. */
static struct context *
add_context(struct block *b, uint64_t first, struct trc_err *err)
{
	struct context *x;

	if (b->first != first)
		b->contexts = 0;
	b->first = first;
	if (b->contexts == TRC_CONTEXTS_MOST) {
		trc_fail(err, "a block has too many contexts");
		return NULL;
	}
	x = &b->context[b->contexts];
	if (!x->reader)
		x->reader = trc_refs_reader_open(err);
	return x->reader ? x : NULL;
}

static int
read_refs(struct container *c, struct block *b, const struct trc_frame *f, size_t new_slots,
          struct trc_err *err)
{
	struct trc_view v = { f->payload, f->payload + f->len };
	const uint8_t *absolute = trc_view_bytes(&v, 1);
	struct context *x = add_context(b, c->base + (f->number >> TRC_ROW_BITS), err);
	uint64_t generation, first, ops;

	if (!x)
		return -1;
	x->rows = f->number & ((1u << TRC_ROW_BITS) - 1);
	if (!absolute || !trc_view_num(&v, &generation) || !trc_view_num(&v, &first) ||
	    first > UINT32_MAX || !trc_view_num(&v, &ops) || ops > x->rows ||
	    x->rows > c->block_rows || (c->src.have & TRC_HAS_TYPE) == 0 ||
	    (c->src.have & TRC_HAS_ADDR) == 0)
		return trc_fail(err, "the references of a block are damaged");
	if (c->generation == 0 || generation != c->generation)
		return trc_fail(err, "the program that a block refers to is damaged or missing");
	x->refs.absolute = *absolute & 1;
	x->refs.first = (uint32_t)first;
	x->refs.ops = ops;
	if (unpack_streams(c, x, &v, err))
		return -1;
	if (trc_refs_begin(x->reader, &c->program, new_slots, &x->refs, x->rows, err))
		return -1;
	b->contexts++;
	return 0;
}

/* How the references of the contexts, all of which came before, make up the block. */
static int
read_contexts(struct block *b, struct trc_view *v, struct trc_err *err)
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
	return rows == b->rows ? 0 : trc_fail(err, "references of a block are missing");
}

/* Rows and contexts must tell the same number of each key. */
static int
check_keys(struct block *b, struct trc_err *err)
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
	if (!narrow(&b->column, column, c->wide, (size_t)b->rows))
		return trc_fail(err, "a value of column '%s' does not fit it", trc_column[column].name);
	b->flat |= 1u << column;
	return 0;
}

static int
read_sections(struct container *c, struct block *b, struct trc_view *v, struct trc_err *err)
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
		} else {
			ret = trc_fail(err, "a block has a section of kind %u", section);
		}
		if (ret)
			return -1;
	}
	if ((b->flat | (refs ? c->src.have & TRC_REFS_COLUMNS : 0)) != c->src.have)
		return trc_fail(err, "a block lacks a column");
	if (!refs)
		b->contexts = 0;
	return check_keys(b, err);
}

/* Puts up to `n` of the next rows' references; returns how many. */
static size_t
next_refs(struct block *b, uint8_t *type, uint64_t *addr, uint32_t *size, size_t n)
{
	struct context *x = b->context;
	size_t run = n;

	if (b->key) {
		const uint32_t *key = b->key + b->at;

		for (run = 1; run < n && key[run] == key[0]; run++)
			;
		while (x->key != key[0])
			x++;
	}
	return trc_refs_next(x->reader, type, addr, size, run);
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

		b->at += b->contexts ? next_refs(b, type, addr, NULL, (size_t)left) : left;
	}
	c->skip -= n;
}

static int
read_block(struct container *c, struct block *b, const struct trc_frame *f, struct trc_err *err)
{
	struct trc_view v = { f->payload, f->payload + f->len };
	const uint64_t first = c->base + (f->number >> TRC_ROW_BITS);
	const uint8_t *digest;
	uint32_t have;

	if (b->first != first)
		b->contexts = 0;
	b->first = first;
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
	if (read_sections(c, b, &v, err))
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
	case TRC_KIND_REFS:
		if (read_refs(c, b, f, *new_slots, err))
			return -1;
		*new_slots = c->program.slots;
		return 0;
	case TRC_KIND_BLOCK:
		if (read_block(c, b, f, err))
			return -1;
		*ready = b->at < b->rows;
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

	b->contexts = 0;
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
		if (block->contexts)
			n = next_refs(block, b->type + b->n, b->addr + b->n,
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
		for (size_t k = 0; k < TRC_CONTEXTS_MOST; k++) {
			trc_refs_release(&c->block[i].context[k].refs);
			trc_refs_reader_close(c->block[i].context[k].reader);
		}
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

/* What reading may take at most: two blocks with their columns and streams, one column as numbers,
 * and the program. */
static int
check_memory(const struct container *c, struct trc_err *err)
{
	enum { PROGRAM = 96 << 20 };
	uint64_t row = 0, need;

	for (int i = 0; i < TRC_COLUMNS; i++)
		row += c->src.have >> i & 1 ? trc_column[i].width : 0;
	need = 2 * (c->block_rows * row + TRC_STREAMS_MOST(c->block_rows)) + 8 * c->block_rows;
	need += c->src.have & TRC_HAS_ADDR ? PROGRAM : 0;
	if (need <= c->memlimit)
		return 0;
	return trc_fail(err, "%s: may need %llu MiB to read, more than the limit of %llu; "
	                     "--memlimit raises it", c->in->name,
	                (unsigned long long)(need >> 20), (unsigned long long)(c->memlimit >> 20));
}

/* Where the header is damaged, a salvage learns the columns from the first part of the program, or
 * block, that is good; that frame is kept, to be taken first. */
static int
find_header(struct container *c, struct trc_frame *f, struct trc_err *err)
{
	bool ended = false;

	c->block_rows = TRC_BLOCK_MOST;
	while (c->salvage && !ended) {
		struct trc_view v = { f->payload, f->payload + f->len };

		if (f->kind == TRC_KIND_PROGRAM && v.p < v.end)
			v.p++;
		if (f->kind == TRC_KIND_PROGRAM || f->kind == TRC_KIND_BLOCK) {
			c->kept = *f;
			c->has_kept = true;
			return read_columns(&v, &c->src.have, err);
		}
		if (next_frame(c, f, &ended, err))
			return -1;
	}
	return trc_fail(err, "does not begin as a trc container");
}

static int
begin(struct container *c, struct trc_err *err)
{
	struct trc_frame f;
	bool ended;

	if (next_frame(c, &f, &ended, err))
		return -1;
	if (ended)
		return trc_fail(err, "%s: holds no frame of a trc container", c->in->name);
	if (f.kind != TRC_KIND_TRACE ? find_header(c, &f, err) :
	                               read_header(c, &f, &c->src.have, err))
		return trc_err_in(err, "%s", c->in->name);
	if (check_memory(c, err))
		return -1;
	c->wide = trc_alloc(c->block_rows, sizeof(*c->wide), err);
	return c->wide ? trc_digest_init(&c->digest, c->src.have, err) : -1;
}

struct trc_source *
trc_container_source(struct trc_in *in, const void *settings, struct trc_err *err)
{
	const struct trc_container_from *from = settings;
	struct container *c = trc_alloc(1, sizeof(*c), err);

	if (!c)
		return NULL;
	c->in = in;
	c->salvage = from->salvage;
	c->threads = from->threads ? (int)from->threads : trc_cores();
	c->memlimit = from->memlimit ? from->memlimit : TRC_MEMORY_MOST;
	c->src = (struct trc_source){ .next = container_next, .skip = container_skip,
		                      .close = container_close };
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
