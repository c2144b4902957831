/* SPDX-License-Identifier: MIT
 *
 * Reading the container. While the rows of one block come out, the next is read, checked and
 * unpacked beside it.
 */
#include <stdio.h>
#include <stdlib.h>

#include "base/cores.h"
#include "base/pool.h"
#include "format/digest.h"
#include "format/format.h"
#include "format/trc_events.h"
#include "format/trc_unpack.h"

enum {
	FRAME_MOST = 1 << 28,
	DISCARD = 1024,
	/* Rows of a block that have come before the next is prepared: who wants only a few wants
	 * no other block. */
	AHEAD = 1 << 15,
};

struct container {
	struct trc_source src;
	struct trc_in *in;
	struct trc_block block[2];
	unsigned now;             /* the one that is emptied */
	struct trc_digest digest; /* of what came of it */
	struct trc_helper helper;
	bool ahead; /* the other block is being prepared */
	struct trc_block *preparing;

	/* The helper's while it runs. */
	bool salvage;
	uint64_t memlimit;
	struct trc_frame kept; /* by find_header(), if has_kept */
	bool has_kept;
	bool ended;     /* the last frame was that of the end */
	uint64_t start; /* of this container in the file; UINT64_MAX: its header is lost */
	size_t gaps_before; /* in the containers before this one */
	uint64_t index; /* where its index is; 0: not seen yet */
	uint64_t base;  /* rows of the containers before this one in the file */
	uint64_t rows; /* that have come, or are known to be missing */
	uint64_t skip; /* rows to leave out before the next that comes */
	bool grown;    /* the last frame was a part of the program, */
	size_t slots;  /* which had so many slots before */
	struct trc_blocks shared;
	struct trc_meta meta; /* of the whole trace */
	struct trc_gap *gap;
	size_t gaps, gap_cap;
};

/* ---- frames ---- */

static int
damaged(const struct container *c, const struct trc_frame *f, const char *what, struct trc_err *err)
{
	return trc_fail(
		err, "%s: %s at byte %llu, after %llu good records; --salvage gets the rest",
		c->in->name, what, (unsigned long long)f->offset, (unsigned long long)c->rows);
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
		c->grown = false;
		if (!c->salvage)
			return damaged(c, f,
				       found == TRC_FRAME_CUT ? "the file is cut short in a frame"
							      : "damaged data",
				       err);
		if (trc_frame_search(c->in, &skipped, err))
			return trc_err_in(err, "%s", c->in->name);
	}
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
	if (trc_block_columns(&v, have, err))
		return -1;
	if (!trc_view_num(&v, &rows) || rows == 0 || rows > TRC_BLOCK_MOST ||
	    !trc_view_num(&v, &page_bits) || page_bits > 63 || !trc_view_num(&v, &c->meta.sad))
		return trc_fail(err, "the header is damaged");
	if (!trc_view_num(&v, &len) || len >= sizeof(c->meta.format) ||
	    !(format = trc_view_bytes(&v, (size_t)len)))
		return trc_fail(err, "the header is damaged");
	memcpy(c->meta.format, format, (size_t)len);
	if (!trc_facts_read(&v, &c->meta))
		return trc_fail(err, "the header is damaged");
	c->shared.block_rows = (size_t)rows;
	c->meta.page_bits = (uint32_t)page_bits;
	return 0;
}

/* The index begins and ends with what is known of the whole trace; blocks are between. */
static int
read_index(struct container *c, const struct trc_frame *f, struct trc_err *err)
{
	struct trc_view v = { f->payload, f->payload + f->len };
	struct trc_meta meta = { 0 };
	uint64_t page_bits, totals, place;

	if (!trc_view_num(&v, &page_bits) || page_bits > 63 || !trc_view_num(&v, &meta.sad) ||
	    !trc_view_num(&v, &totals) || !trc_view_num(&v, &meta.refs) ||
	    !trc_view_num(&v, &meta.insns) || !trc_view_num(&v, &meta.last_time))
		return trc_fail(err, "the index is damaged");
	for (uint64_t i = 0; i < f->number; i++)
		if (!trc_view_num(&v, &place) || !trc_view_num(&v, &place) ||
		    !trc_view_num(&v, &place))
			return trc_fail(err, "the index is damaged");
	if (!trc_facts_read(&v, &meta))
		return trc_fail(err, "the index is damaged");
	meta.page_bits = (uint32_t)page_bits;
	meta.totals = totals & 1;
	memcpy(meta.format, c->meta.format, sizeof(meta.format));
	c->meta = meta;
	c->index = f->offset;
	return 0;
}

/* ---- blocks ---- */

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
discard(struct container *c, struct trc_block *b)
{
	const uint64_t n = c->skip < b->rows ? c->skip : b->rows;
	uint8_t type[DISCARD];
	uint64_t addr[DISCARD];

	for (b->at = 0; b->at < n;) {
		uint64_t left = n - b->at < DISCARD ? n - b->at : DISCARD;

		b->at += b->contexts ? trc_block_next(b, type, addr, NULL, (size_t)left) : left;
	}
	c->skip -= n;
}

static int
read_block(struct container *c, struct trc_block *b, const struct trc_frame *f, struct trc_err *err)
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
	if (b->rows == 0 || b->rows > c->shared.block_rows)
		return trc_fail(err, "a block has too many rows");
	if (first != c->rows && (!c->salvage || first < c->rows))
		return trc_fail(err, "a block is missing");
	if (trc_block_columns(&v, &have, err))
		return -1;
	if (have != c->src.have)
		return trc_fail(err, "a block has other columns than the trace");
	digest = trc_view_bytes(&v, 8);
	if (!digest)
		return trc_fail(err, "a block has no fingerprint");
	b->digest = trc_le64(digest);
	if (trc_block_sections(&c->shared, b, &v, err))
		return -1;
	if (first > c->rows && add_gap(c, first - c->rows, err))
		return -1;
	c->rows = first + b->rows;
	b->whole = c->skip == 0;
	discard(c, b);
	return 0;
}

/* ---- preparing ---- */

/* Another container begins; what the one before lacks at its end, nobody knows. */
static int
begin_next(struct container *c, uint64_t start, struct trc_err *err)
{
	if (!c->ended && add_gap(c, TRC_GAP_UNKNOWN, err))
		return -1;
	c->start = start;
	c->gaps_before = c->gaps;
	c->index = 0;
	c->base = c->rows;
	c->ended = false;
	return 0;
}

static int
read_end(struct container *c, const struct trc_frame *f, struct trc_err *err)
{
	const uint64_t rows = c->base + f->number;
	const bool leads = f->len == TRC_END_LEN && c->index &&
			   trc_le64(f->payload) == c->index - c->start;

	c->ended = true;
	if (rows > c->rows && c->salvage) {
		if (add_gap(c, rows - c->rows, err))
			return -1;
		c->rows = rows;
	}
	/* An index at another place: frames are missing, though rows seem to fit. */
	if (c->salvage)
		return c->index && c->start != UINT64_MAX && !leads && c->gaps == c->gaps_before ?
			       add_gap(c, TRC_GAP_UNKNOWN, err) :
			       0;
	if (rows != c->rows)
		return trc_fail(err, "the end tells of %llu records",
				(unsigned long long)f->number);
	if (!leads)
		return trc_fail(err, "the end does not lead to the index");
	return 0;
}

/* Where the frames between two containers are lost, rows count anew without a header. A salvage
 * takes that for the beginning of a container. */
static int
check_border(struct container *c, const struct trc_frame *f, struct trc_err *err)
{
	uint64_t rows; /* that there must have been before */

	switch (f->kind) {
	case TRC_KIND_REFS:
	case TRC_KIND_BLOCK: rows = c->base + (f->number >> TRC_ROW_BITS); break;
	case TRC_KIND_END: rows = c->base + f->number; break;
	case TRC_KIND_PROGRAM:
	case TRC_KIND_INDEX: rows = UINT64_MAX; break;
	default: return 0;
	}
	if (c->ended && !c->salvage)
		return trc_fail(err, "a container does not begin as one");
	if (!c->ended && (!c->salvage || rows >= c->rows))
		return 0;
	if (c->ended)
		c->shared.generation = 0;
	return begin_next(c, UINT64_MAX, err);
}

static int
read_next_header(struct container *c, const struct trc_frame *f, struct trc_err *err)
{
	const size_t room = c->shared.block_rows;
	uint32_t have;

	if (read_header(c, f, &have, err))
		return -1;
	/* There is no room for more. */
	if (c->shared.block_rows > room) {
		c->shared.block_rows = room;
		return trc_fail(err, "is joined of containers with different blocks");
	}
	c->shared.block_rows = room;
	if (have != c->src.have)
		return trc_fail(err, "is joined of containers with different columns");
	if (!c->ended && !c->salvage)
		return trc_fail(err, "the container before this one has no end");
	c->shared.generation = 0;
	return begin_next(c, f->offset, err);
}

static int
read_program(struct container *c, const struct trc_frame *f, struct trc_err *err)
{
	c->grown = true;
	c->slots = f->len > 0 && f->payload[0] & 1 ? 0 : c->shared.program.slots;
	return trc_block_program(&c->shared, f, err);
}

/* Slots are new to the references right behind the part of the program that has them. */
static int
read_refs(struct container *c, struct trc_block *b, const struct trc_frame *f, struct trc_err *err)
{
	const size_t new_slots = c->grown ? c->slots : c->shared.program.slots;

	c->grown = false;
	return trc_block_refs(&c->shared, b, f, c->base + (f->number >> TRC_ROW_BITS), new_slots,
			      err);
}

/* Takes a frame; *ready if that was a block. */
static int
take_frame(struct container *c, struct trc_block *b, const struct trc_frame *f, bool *ready,
	   struct trc_err *err)
{
	if (check_border(c, f, err))
		return -1;
	switch (f->kind) {
	case TRC_KIND_TRACE: return read_next_header(c, f, err);
	case TRC_KIND_PROGRAM: return read_program(c, f, err);
	case TRC_KIND_REFS: return read_refs(c, b, f, err);
	case TRC_KIND_BLOCK:
		c->grown = false;
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
		if (found != TRC_FRAME_GOOD || rows > c->skip ||
		    (f.kind != TRC_KIND_BLOCK && f.kind != TRC_KIND_REFS))
			break;
		if (trc_in_skip(c->in, TRC_FRAME_HEAD + f.len, err))
			return trc_err_in(err, "%s", c->in->name);
		if (f.kind == TRC_KIND_REFS)
			continue;
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
	if (!c->ended && (!c->salvage || add_gap(c, TRC_GAP_REST, err)))
		return TRC_FLOW_FAILED;
	c->meta.gap = c->gap;
	c->meta.gaps = c->gaps;
	return TRC_FLOW_END;
}

/* Reads frames up to the next block and prepares that. */
static enum trc_flow
prepare(struct container *c, struct trc_block *b, struct trc_err *err)
{
	bool ready = false, ended;
	struct trc_frame f;

	b->contexts = 0;
	while (!ready) {
		if (pass_blocks(c, err) || next_frame(c, &f, &ended, err))
			return TRC_FLOW_FAILED;
		if (ended)
			return end(c, &f, err);
		if (take_frame(c, b, &f, &ready, err) == 0)
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

/* Has the other block prepared, beside the caller if there may be several threads. */
static void
start_preparing(struct container *c)
{
	c->preparing = &c->block[c->now ^ 1];
	c->ahead = true;
	trc_helper_start(&c->helper, c->shared.threads > 1, prepare_beside, c);
}

/* ---- the source ---- */

/* Copies the flat columns of the next `n` rows behind those of `b`. */
static void
copy_flat(const struct trc_block *from, struct trc_batch *b, size_t n)
{
	trc_batch_copy(b, &from->column, from->flat, (size_t)from->at, n);
}

/* Compares all rows of a block with its fingerprint. */
static int
check_block(struct container *c, const struct trc_block *block, struct trc_err *err)
{
	if (block->at < block->rows || !block->whole || trc_digest_all(&c->digest) == block->digest)
		return 0;
	return trc_fail(err,
			"%s: a block did not come out as it was packed: the file was made or "
			"read by a faulty trc",
			c->in->name);
}

static enum trc_flow
container_next(struct trc_source *src, struct trc_batch *b, struct trc_err *err)
{
	struct container *c = (struct container *)src;

	while (b->n < b->cap) {
		struct trc_block *block = &c->block[c->now];
		size_t n = b->cap - b->n;

		if (block->at == block->rows) {
			if (block->flow != TRC_FLOW_ROWS)
				break;
			if (!c->ahead)
				start_preparing(c);
			trc_helper_wait(&c->helper);
			c->now ^= 1;
			c->ahead = false;
			trc_digest_reset(&c->digest);
			block = &c->block[c->now];
			if (block->flow != TRC_FLOW_ROWS)
				block->at = block->rows = 0;
			continue;
		}
		if (!c->ahead && block->at >= AHEAD)
			start_preparing(c);
		if (n > block->rows - block->at)
			n = (size_t)(block->rows - block->at);
		if (block->contexts)
			n = trc_block_next(block, b->type + b->n, b->addr + b->n,
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

	/* Nothing is prepared before the first rows are asked for. */
	(void)err;
	c->skip = rows;
	return 0;
}

static void
release(struct container *c)
{
	trc_helper_cancel(&c->helper);
	for (int i = 0; i < 2; i++) {
		trc_batch_release(&c->block[i].column);
		for (size_t k = 0; k < TRC_CONTEXTS_MOST; k++) {
			trc_refs_release(&c->block[i].context[k].refs);
			trc_refs_reader_close(c->block[i].context[k].reader);
		}
	}
	trc_program_release(&c->shared.program);
	trc_digest_release(&c->digest);
	free(c->shared.wide);
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
	need = 2 * (c->shared.block_rows * row + TRC_STREAMS_MOST(c->shared.block_rows)) +
	       8 * c->shared.block_rows;
	need += c->src.have & TRC_HAS_ADDR ? PROGRAM : 0;
	need += c->src.have & TRC_HAS_EVENT ? 4 * TRC_EVENTS_BYTES : 0;
	if (need <= c->memlimit)
		return 0;
	return trc_fail(err,
			"%s: may need %llu MiB to read, more than the limit of %llu; "
			"--memlimit raises it",
			c->in->name, (unsigned long long)(need >> 20),
			(unsigned long long)(c->memlimit >> 20));
}

/* Where the header is damaged, a salvage learns the columns from the first part of the program, or
 * block, that is good; that frame is kept, to be taken first. */
static int
find_header(struct container *c, struct trc_frame *f, struct trc_err *err)
{
	bool ended = false;

	c->shared.block_rows = TRC_BLOCK_MOST;
	while (c->salvage && !ended) {
		struct trc_view v = { f->payload, f->payload + f->len };

		if (f->kind == TRC_KIND_PROGRAM && v.p < v.end)
			v.p++;
		if (f->kind == TRC_KIND_PROGRAM || f->kind == TRC_KIND_BLOCK) {
			c->kept = *f;
			c->has_kept = true;
			return trc_block_columns(&v, &c->src.have, err);
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
	if (f.kind != TRC_KIND_TRACE ? find_header(c, &f, err)
				     : read_header(c, &f, &c->src.have, err))
		return trc_err_in(err, "%s", c->in->name);
	if (check_memory(c, err))
		return -1;
	c->shared.have = c->src.have;
	c->shared.wide = trc_alloc(c->shared.block_rows, sizeof(*c->shared.wide), err);
	return c->shared.wide ? trc_digest_init(&c->digest, c->src.have, err) : -1;
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
	c->shared.threads = from->threads ? (int)from->threads : trc_cores();
	c->memlimit = from->memlimit ? from->memlimit : TRC_MEMORY_MOST;
	c->src = (struct trc_source){ .next = container_next,
				      .skip = container_skip,
				      .close = container_close };
	if (begin(c, err)) {
		release(c);
		return NULL;
	}
	c->src.meta = c->meta;
	/* The block "before" the first is empty. */
	c->block[0].flow = TRC_FLOW_ROWS;
	return &c->src;
}
