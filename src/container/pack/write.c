/* SPDX-License-Identifier: MIT
 *
 * Writes the container. Rows are collected into blocks, so that the sizes of batches do not affect
 * the file; a full block is packed while its caller continues.
 */
#include <stdlib.h>

#include "base/cores.h"
#include "base/pool.h"
#include "codec/stream/pack.h"
#include "container/frame/bands.h"
#include "container/frame/end.h"
#include "container/container.h"
#include "container/events.h"
#include "container/header.h"
#include "container/index.h"
#include "container/memory_plan.h"
#include "container/pack/block_packer.h"
#include "container/pack/block_size.h"

enum {
	LEVEL = 6,
	BLOCK_ROWS = 1 << 23,    /* rows of a block with addresses, at levels for size */
	ROW_BYTES = 16,          /* a block has fewer rows if a row has more bytes than this */
	DISTINCT_MOST = 1 << 20, /* pages counted exactly: 32 MiB of memory, 4 GiB of small pages */
	BLOCK_EVERY = 4, /* at fast levels, one in this many steps is examined for the block size */
	PIECE = 1 << 20, /* rows: a multiple of TRC_BLOCK_STEP */
	GROWTH = 16,     /* factor: short traces use little memory, long ones move a few times */
};

/* A range of times, from the lowest to the highest. */
struct range {
	uint64_t first, last;
};

static const struct range nothing = { UINT64_MAX, 0 };

/* A double buffer: one block is filled while the other is packed. With one thread a single block
 * serves for both, which touches half the memory. Where rows may be packed piece by piece, it has
 * pieces of blocks; then one thread packs rows where they are, and fills nothing. */
struct double_buffer {
	struct trc_batch block[2]; /* blocks or pieces, which grow up to */
	size_t most;               /* this many rows */
	size_t rows, packing_rows; /* of the whole block that is filled, and packed */
	bool ends;                 /* the packed piece is the last of its block */
	struct range time[2];      /* of the rows of each */
	bool ended_early[2];       /* because of their packed size */
	unsigned filling, packing;
	struct trc_helper helper; /* packs a block; `err` is its error if it failed */
	struct trc_err err;
	bool failed;
};

/* The container as a sink. */
struct writer {
	struct trc_sink sink;
	struct trc_out *out;
	struct trc_protected_out frames; /* wraps `out` */
	uint64_t start;                  /* offset of the container in the output */
	uint32_t have;
	int threads;

	struct double_buffer buffer;
	size_t block_rows; /* the most in a block */
	bool pieces;       /* blocks are packed piece by piece */
	struct trc_block_size *block_size;
	struct trc_block_packer *packer;
	uint64_t first; /* first row of the block being packed */
	struct trc_tally *tally;
	struct trc_contents contents;
	struct trc_buf payload;
};

static int
pack_block(struct writer *w, struct trc_err *err)
{
	const struct trc_batch *rows = &w->buffer.block[w->buffer.packing];
	const struct range *time = &w->buffer.time[w->buffer.packing];
	const bool early = w->buffer.ended_early[w->buffer.packing];
	const uint64_t start = trc_out_offset(w->out);
	struct trc_part p = { .rows = w->buffer.packing_rows };

	if ((w->pieces ? trc_block_packer_end(w->packer, w->first, early, &p.fresh, err) :
	                 trc_block_packer_pack(w->packer, rows, w->first, early, &p.fresh, err)) ||
	    trc_protected_end(&w->frames, false, err) || trc_out_flush(w->out, err))
		return -1;
	w->first += p.rows;
	if (rows->time) {
		p.time_first = time->first;
		p.time_last = time->last;
	}
	p.bytes = trc_out_offset(w->out) - start;
	return trc_parts_add(&w->contents.parts, &p, err);
}

/* Packs a block, or a piece of one. */
static int
pack_piece(struct writer *w, struct trc_err *err)
{
	const struct trc_batch *rows = &w->buffer.block[w->buffer.packing];

	if (w->pieces && rows->n > 0 && trc_block_packer_add(w->packer, rows, 0, rows->n, err))
		return -1;
	return w->buffer.ends ? pack_block(w, err) : 0;
}

static void
pack_beside(void *arg)
{
	struct writer *w = arg;

	w->buffer.failed = pack_piece(w, &w->buffer.err) != 0;
}

/* Waits until the current block is packed; fails if packing failed. */
static int
wait_packed(struct writer *w, struct trc_err *err)
{
	trc_helper_wait(&w->buffer.helper);
	if (w->buffer.failed)
		*err = w->buffer.err;
	return w->buffer.failed ? -1 : 0;
}

/* Packs a piece, which `ends` a block or not. */
static int
flush_piece(struct writer *w, bool ends, struct trc_err *err)
{
	if (wait_packed(w, err))
		return -1;
	w->buffer.packing = w->buffer.filling;
	w->buffer.packing_rows = w->buffer.rows;
	w->buffer.ends = ends;
	trc_helper_start(&w->buffer.helper, w->threads > 1, pack_beside, w);
	if (w->threads > 1)
		w->buffer.filling ^= 1;
	else if (wait_packed(w, err))
		return -1;
	trc_batch_clear(&w->buffer.block[w->buffer.filling]);
	w->buffer.time[w->buffer.filling] = nothing;
	w->buffer.ended_early[w->buffer.filling] = false;
	return 0;
}

static int
flush_block(struct writer *w, struct trc_err *err)
{
	const struct trc_parts *parts = &w->contents.parts;

	if (wait_packed(w, err))
		return -1;
	trc_block_size_next(w->block_size, parts->n ? parts->part[parts->n - 1].bytes : 0);
	if (flush_piece(w, true, err))
		return -1;
	w->buffer.rows = 0;
	return 0;
}

/* Packs the last block, while no other is filled. */
static int
flush_last(struct writer *w, struct trc_err *err)
{
	if (wait_packed(w, err))
		return -1;
	w->buffer.packing = w->buffer.filling;
	w->buffer.packing_rows = w->buffer.rows;
	w->buffer.ends = true;
	return w->buffer.rows > 0 ? pack_piece(w, err) : 0;
}

/* ---- the sink ---- */

/* Returns true if rows are packed where they are. */
static bool
in_place(const struct writer *w)
{
	return w->pieces && w->threads == 1;
}

/* Reduces *n to the number of rows that fit before the size of the block is checked again; makes
 * room for at least one. */
static int
make_room(struct writer *w, size_t *n, struct trc_err *err)
{
	struct double_buffer *d = &w->buffer;
	struct trc_batch *block = &d->block[d->filling];
	const size_t cap = block->cap > 0 ? block->cap * GROWTH : TRC_BATCH_ROWS;

	if (!in_place(w) && block->n == block->cap &&
	    trc_batch_grow(block, cap < d->most ? cap : d->most, err))
		return -1;
	if (!in_place(w) && *n > block->cap - block->n)
		*n = block->cap - block->n;
	if (*n > w->block_rows - d->rows)
		*n = w->block_rows - d->rows;
	if (*n > TRC_BLOCK_STEP - d->rows % TRC_BLOCK_STEP)
		*n = TRC_BLOCK_STEP - d->rows % TRC_BLOCK_STEP;
	return 0;
}

/* Adds to the block rows that fit, and updates its range of times and its size estimate while they
 * are in the cache. */
static int
fill_block(struct writer *w, const struct trc_batch *b, size_t at, size_t n, struct trc_err *err)
{
	struct double_buffer *d = &w->buffer;
	struct range *time = &d->time[d->filling], of;

	if (in_place(w) && trc_block_packer_add(w->packer, b, at, n, err))
		return -1;
	if (!in_place(w))
		trc_batch_append(&d->block[d->filling], b, at, n);
	d->rows += n;
	d->ended_early[d->filling] = trc_block_size_add(w->block_size, b, at, n);
	if (!b->time)
		return 0;
	trc_times_range(b->time + at, n, &of.first, &of.last);
	time->first = of.first < time->first ? of.first : time->first;
	time->last = of.last > time->last ? of.last : time->last;
	return 0;
}

static int
writer_put(struct trc_sink *sink, const struct trc_batch *b, struct trc_err *err)
{
	struct writer *w = (struct writer *)sink;

	if (trc_tally_add(w->tally, b, err))
		return -1;
	for (size_t at = 0; at < b->n;) {
		struct trc_batch *block = &w->buffer.block[w->buffer.filling];
		size_t most = b->n - at, n;
		bool ends;

		if (make_room(w, &most, err))
			return -1;
		n = trc_events_fit(block, b, at, most);
		if (fill_block(w, b, at, n, err) || trc_batch_check(block, err))
			return -1;
		at += n;
		ends = n < most || w->buffer.rows == w->block_rows ||
		       w->buffer.ended_early[w->buffer.filling];
		if (ends ? flush_block(w, err) :
		           w->pieces && block->n == w->buffer.most && flush_piece(w, false, err))
			return -1;
	}
	return 0;
}

static int
put_index(struct writer *w, const struct trc_meta *meta, struct trc_err *err)
{
	w->contents.meta = *meta;
	w->contents.counts = trc_tally_counts(w->tally);
	w->payload.n = 0;
	if (trc_contents_write(&w->payload, &w->contents, w->have, err))
		return -1;
	return trc_protected_frame(&w->frames, TRC_KIND_INDEX, w->contents.parts.n, &w->payload,
	                           err);
}

/* Writes the frames of the input that may be copied. They count as part of the last block. */
static int
put_copied(struct writer *w, struct trc_view v, struct trc_err *err)
{
	const uint64_t start = trc_out_offset(w->out);
	struct trc_parts *parts = &w->contents.parts;

	while (parts->n > 0 && v.p < v.end) {
		const uint8_t kind = *v.p++;
		uint64_t number, len;

		if (!trc_view_num(&v, &number) || !trc_view_num(&v, &len) ||
		    len > (size_t)(v.end - v.p))
			return trc_fail(err, "frames to be copied are damaged");
		w->payload.n = 0;
		if (trc_buf_put(&w->payload, v.p, (size_t)len, err) ||
		    trc_protected_frame(&w->frames, kind, number, &w->payload, err))
			return -1;
		v.p += len;
	}
	if (parts->n > 0)
		parts->part[parts->n - 1].bytes += trc_out_offset(w->out) - start;
	return 0;
}

/* Writes the end frame. From the end of a file it leads to the index and to the start of the
 * container. */
static int
put_end(struct writer *w, uint64_t index, struct trc_err *err)
{
	const uint64_t at = trc_out_offset(w->out);
	const struct trc_end end = { .index = at - index,
		                     .start = at - w->start,
		                     .rows = w->first };

	w->payload.n = 0;
	if (trc_end_write(&w->payload, &end, err))
		return -1;
	return trc_frame_write(w->out, TRC_KIND_END, w->first, &w->payload, err);
}

static int
writer_finish(struct trc_sink *sink, const struct trc_meta *meta, struct trc_err *err)
{
	struct writer *w = (struct writer *)sink;
	uint64_t index;

	if (flush_last(w, err) || put_copied(w, meta->copied, err))
		return -1;
	index = trc_out_offset(w->out);
	if (put_index(w, meta, err) || trc_protected_end(&w->frames, true, err) ||
	    put_end(w, index, err))
		return -1;
	return trc_out_commit(w->out, err);
}

static void
writer_close(struct trc_sink *sink)
{
	struct writer *w = (struct writer *)sink;

	trc_helper_cancel(&w->buffer.helper);
	trc_out_close(w->out);
	trc_batch_release(&w->buffer.block[0]);
	trc_batch_release(&w->buffer.block[1]);
	trc_block_size_close(w->block_size);
	trc_block_packer_close(w->packer);
	trc_tally_close(w->tally);
	trc_parts_release(&w->contents.parts);
	trc_buf_release(&w->payload);
	trc_protected_release(&w->frames);
	free(w);
}

static int
put_header(struct writer *w, const struct trc_meta *meta, size_t rows, struct trc_err *err)
{
	const struct trc_header h = { .have = w->have, .block_rows = rows, .meta = *meta };

	if (trc_header_write(&w->payload, &h, err))
		return -1;
	return trc_protected_frame(&w->frames, TRC_KIND_TRACE, TRC_VERSION_NUMBER, &w->payload,
	                           err);
}

/* Returns true if blocks of `rows` rows can be read without --memlimit. */
static bool
can_be_read(uint32_t have, size_t rows)
{
	struct trc_memory_plan plan = { .limit = TRC_MEMORY_MOST, .in_flight = 1 };
	struct trc_err err;

	return trc_memory_plan_make(&plan, have, rows, &err) == 0;
}

/* Chooses the number of rows in a block. Repetition is stored once per block, but seeking has to
 * read whole blocks; so levels for size have more rows, and --extreme at such a level has as many
 * as a block may have. Rows without addresses repeat less, and pages take long to read. The number
 * is halved while rows are long or reading would need too much memory. Columns that ops explain do
 * not count as part of the row: they are stored with the program, which shorter blocks would have
 * to learn again. */
static size_t
rows_of_block(uint32_t have, int level)
{
	const bool small = trc_pack_level(level) >= TRC_PACK_SMALL;
	const size_t most = small && level >= TRC_PACK_EXTREME ? TRC_BLOCK_MOST :
	                    !(have & TRC_HAS_ADDR)             ? BLOCK_ROWS / 2 :
	                    small                              ? BLOCK_ROWS :
	                                                         BLOCK_ROWS / 4 * 3;
	size_t bytes = 1, rows = most;

	for (int c = 0; c < TRC_COLUMNS; c++)
		bytes += (have & ~TRC_BY_OP_COLUMNS) >> c & 1 ? trc_column[c].width : 0;
	while (rows * bytes > most * ROW_BYTES || !can_be_read(have, rows))
		rows /= 2;
	return rows;
}

struct trc_sink *
trc_container_sink(struct trc_out *out, uint32_t have, const struct trc_meta *meta,
                   const void *settings, struct trc_err *err)
{
	const struct trc_container_to *to = settings;
	const int level = (to->level ? (int)to->level - 1 : LEVEL) |
	                  (to->extreme ? TRC_PACK_EXTREME : 0);
	const size_t rows = to->block_rows ? to->block_rows : rows_of_block(have, level);
	const struct trc_block_packer_settings pack = {
		.level = level,
		.threads = trc_threads(to->threads),
		.verify = !to->no_verify,
		.block_rows = rows,
	};
	struct writer *w;

	if (to->parity > 1 + TRC_BANDS_PERCENT_MOST) {
		trc_fail_as(err, TRC_USAGE,
		            "--parity: at most 50 %% of a container can be repaired");
		return NULL;
	}
	w = trc_alloc(1, sizeof(*w), err);
	if (!w)
		return NULL;
	w->sink = (struct trc_sink){ .put = writer_put,
		                     .finish = writer_finish,
		                     .close = writer_close };
	w->out = out;
	w->frames.out = out;
	w->frames.percent = to->parity ? (unsigned)to->parity - 1 : TRC_BANDS_PERCENT;
	w->start = trc_out_offset(out);
	w->have = have;
	w->threads = pack.threads;
	w->buffer.block[0].have = w->buffer.block[1].have = have;
	w->block_rows = rows;
	w->pieces = !(have & ~TRC_REFS_COLUMNS);
	w->buffer.most = w->pieces && rows > PIECE ? PIECE : rows;
	w->buffer.time[0] = w->buffer.time[1] = nothing;
	w->block_size = trc_block_size_open(
	        to->block_size, trc_pack_level(level) <= TRC_PACK_FAST ? BLOCK_EVERY : 1, err);
	w->packer = trc_block_packer_open(&w->frames, have, &pack, err);
	w->tally = trc_tally_open(TRC_COUNTS_PAGE_BITS, DISTINCT_MOST, err);
	if (!w->block_size || !w->packer || !w->tally || put_header(w, meta, rows, err)) {
		w->out = NULL; /* stays the caller's */
		writer_close(&w->sink);
		return NULL;
	}
	return &w->sink;
}
