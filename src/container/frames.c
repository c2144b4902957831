/* SPDX-License-Identifier: MIT
 * Frames of containers, one behind the other, and the borders between containers. */
#include "container/frames.h"

#include <stdlib.h>

#include "container/skip.h"
#include "container/memory_plan.h"

enum {
	FRAME_MOST = 1 << 28,

	/* Frames of a block, and of those before it that it goes on from, for each context. */
	PIECES_MOST = (TRC_ANEW_BLOCKS + 2) * (TRC_CONTEXTS_MOST + 1),
};

static int
make_room(struct trc_frames *c, size_t rows, struct trc_err *err)
{
	return trc_memory_plan_make(&c->room, c->have, c->memlimit, &c->ahead, rows, err);
}

/* ---- frames ---- */

static int
damaged(const struct trc_frames *c, const struct trc_frame *f, const char *what,
        struct trc_err *err)
{
	return trc_fail(err,
	                "%s: %s at byte %llu, after %llu good records; --salvage gets the rest",
	                c->in->name, what, (unsigned long long)f->offset,
	                (unsigned long long)c->rows);
}

/* Bytes of a frame, and of all frames of a block. */
static uint64_t
frame_most(const struct trc_frames *c)
{
	return c->memlimit / 4 < FRAME_MOST ? c->memlimit / 4 : FRAME_MOST;
}

/* Says why there is no frame where one should be. */
static int
fail_frame(const struct trc_frames *c, const struct trc_frame *f, enum trc_frame_found found,
           struct trc_err *err)
{
	if (found != TRC_FRAME_FAILED)
		return damaged(c, f,
		               found == TRC_FRAME_CUT ? "the file is cut short in a frame" :
		               f->offset == 0         ? "no trc container begins" :
		                                        "damaged data",
		               err);
	if (f->len > frame_most(c) && frame_most(c) < FRAME_MOST)
		return trc_fail(err,
		                "%s: the frame at byte %llu has %llu bytes, and a quarter of "
		                "--memlimit is the most",
		                c->in->name, (unsigned long long)f->offset,
		                (unsigned long long)f->len);
	return trc_err_in(err, "%s", c->in->name);
}

/* The next frame. Between frames there is nothing; a salvage searches behind what is damaged. */
static int
next_frame(struct trc_frames *c, struct trc_frame *f, bool *end, struct trc_err *err)
{
	uint64_t skipped;

	if (c->has_kept) {
		*f = c->kept;
		*end = c->has_kept = false;
		return 0;
	}
	for (;;) {
		enum trc_frame_found found;

		f->len = 0;
		found = trc_frame_read(c->in, frame_most(c), f, err);
		*end = found == TRC_FRAME_END;
		if (*end || found == TRC_FRAME_GOOD)
			return 0;
		if (!c->salvage || (found == TRC_FRAME_FAILED && f->len <= frame_most(c)))
			return fail_frame(c, f, found, err);
		c->grown = false;
		c->torn = true;
		if (trc_frame_search(c->in, &skipped, err))
			return trc_err_in(err, "%s", c->in->name);
	}
}

static int
add_gap(struct trc_frames *c, uint64_t rows, struct trc_err *err)
{
	if (trc_grow(&c->gap, &c->gap_cap, c->gaps + 1, sizeof(*c->gap), err))
		return -1;
	c->gap[c->gaps++] = (struct trc_gap){ .first = c->rows, .rows = rows };
	return 0;
}

/* ---- the borders of containers ---- */

/* Another container begins; what the one before lacks at its end, nobody knows if neither its index
 * nor its end was seen. */
static int
begin_next(struct trc_frames *c, uint64_t start, struct trc_err *err)
{
	if (!c->ended && !c->counted && add_gap(c, TRC_GAP_UNKNOWN, err))
		return -1;
	c->start = start;
	c->head_len = 0;
	c->first = false;
	c->gaps_before = c->gaps;
	c->index = 0;
	c->base = c->rows;
	c->ended = c->counted = c->torn = false;
	c->lost = true;
	return 0;
}

static int
read_version(const struct trc_frame *f, struct trc_header *h, struct trc_err *err)
{
	struct trc_view v = { f->payload, f->payload + f->len };

	if (f->number != TRC_VERSION_NUMBER)
		return trc_fail(err, "is a container of version %llu; this trc reads version %d",
		                (unsigned long long)f->number, TRC_VERSION_NUMBER);
	return trc_header_read(&v, h, err);
}

static int
refuse_meta(const char *does, struct trc_err *err)
{
	return trc_fail(err,
	                "the container that %s here has other pages than those before it, or "
	                "was reduced in another way; decode them one by one",
	                does);
}

static int
read_next_header(struct trc_frames *c, const struct trc_frame *f, struct trc_err *err)
{
	char has[128], had[128];
	struct trc_header h;

	if (read_version(f, &h, err))
		return -1;
	if (h.have != c->have)
		return trc_fail(err,
		                "the container that begins here has the columns '%s', those "
		                "before it '%s'; decode them one by one",
		                trc_columns_text(h.have, has, sizeof(has)),
		                trc_columns_text(c->have, had, sizeof(had)));
	if (!trc_meta_alike(&h.meta, &c->head))
		return refuse_meta("begins", err);
	if (!c->ended && !c->salvage)
		return trc_fail(err, "the container before this one has no end");
	/* Between two containers there may have been another. */
	if (c->ended && c->torn && add_gap(c, TRC_GAP_UNKNOWN, err))
		return -1;
	if (make_room(c, h.block_rows, err) || begin_next(c, f->offset, err))
		return -1;
	c->head_len = trc_frame_bytes(f);
	return 0;
}

/* Where the frames between two containers are lost, rows count anew without a header. A salvage
 * takes that for the beginning of a container. */
static int
check_border(struct trc_frames *c, const struct trc_frame *f, struct trc_err *err)
{
	uint64_t rows; /* that there must have been before */

	switch (f->kind) {
	case TRC_KIND_REFS:
	case TRC_KIND_BLOCK: rows = c->base + trc_frame_first(f); break;
	case TRC_KIND_END: rows = c->base + f->number; break;
	case TRC_KIND_PROGRAM:
	case TRC_KIND_INDEX: rows = UINT64_MAX; break;
	default: return 0;
	}
	if (c->ended && !c->salvage)
		return trc_fail(err, "a container does not begin as one");
	if (!c->ended && (!c->salvage || rows >= c->rows))
		return 0;
	return begin_next(c, UINT64_MAX, err);
}

/* The index tells how many rows there were, if it is that of this container: its blocks begin
 * behind the header. */
static int
read_index(struct trc_frames *c, const struct trc_frame *f, struct trc_err *err)
{
	const uint64_t at = c->start == UINT64_MAX ? f->offset : f->offset - c->start;
	const struct trc_parts *parts = &c->told.parts;
	struct trc_view v = { f->payload, f->payload + f->len };
	uint64_t rows;
	bool own;

	if (trc_contents_read(&v, at, f->number, c->have, &c->told, err))
		return -1;
	c->index = f->offset;
	if (c->indexed) {
		/* All was known before. */
	} else if (c->first) {
		memcpy(c->told.meta.format, c->meta.format, sizeof(c->meta.format));
		c->meta = c->told.meta;
	} else if (!trc_meta_alike(&c->meta, &c->told.meta)) {
		/* A trace may tell only at its end how it was reduced: no header shows it. */
		return refuse_meta("ends", err);
	} else {
		trc_meta_join(&c->meta, &c->told.meta);
	}
	rows = c->base + c->told.counts.rows;
	own = (parts->n > 0 ? parts->part[0].at : at) == c->head_len;
	if (!c->salvage)
		return (own || c->head_len == 0) && rows == c->rows ?
		               0 :
		               trc_fail(err, "the index is not that of the blocks before it");
	c->counted = own && rows >= c->rows;
	if (!c->counted || rows == c->rows)
		return 0;
	if (add_gap(c, rows - c->rows, err))
		return -1;
	c->rows = rows;
	return 0;
}

/* True if the index was seen where the end says that it is. */
static bool
leads_to_index(const struct trc_frames *c, const struct trc_frame *f)
{
	const struct trc_view v = { f->payload, f->payload + f->len };
	struct trc_end end;

	return c->index && trc_end_read(v, &end) && end.index == f->offset - c->index &&
	       end.start == f->offset - c->start;
}

static int
read_end(struct trc_frames *c, const struct trc_frame *f, struct trc_err *err)
{
	const uint64_t rows = c->base + f->number;

	c->ended = true;
	if (rows > c->rows && c->salvage) {
		if (add_gap(c, rows - c->rows, err))
			return -1;
		c->rows = rows;
	}
	/* An index at another place: frames are missing, though rows seem to fit. */
	if (c->salvage)
		return c->index && c->start != UINT64_MAX && !leads_to_index(c, f) &&
		                       c->gaps == c->gaps_before ?
		               add_gap(c, TRC_GAP_UNKNOWN, err) :
		               0;
	if (rows != c->rows)
		return trc_fail(err, "the end tells of %llu records",
		                (unsigned long long)f->number);
	if (!leads_to_index(c, f))
		return trc_fail(err, "the end does not lead to the index");
	return 0;
}

/* ---- blocks ---- */

/* Adds a frame to those of the block that comes. */
static int
add_frame(struct trc_frames *c, struct trc_raw *r, const struct trc_frame *f, bool grown,
          struct trc_err *err)
{
	if (r->pieces >= PIECES_MOST || f->len > frame_most(c) - r->bytes.n) {
		trc_raw_clear(r);
		c->lost = true;
		if (!c->salvage)
			return trc_fail(err, "a block has too many frames");
	}
	if (c->lost && trc_raw_add(r, NULL, 0, false, err))
		return -1;
	c->lost = false;
	return trc_raw_add(r, f, c->base, grown, err);
}

static int
read_refs(struct trc_frames *c, struct trc_raw *r, const struct trc_frame *f, bool grown,
          struct trc_err *err)
{
	if (!c->salvage && c->base + trc_frame_first(f) != c->rows)
		return trc_fail(err, "references of another block");
	return add_frame(c, r, f, grown, err);
}

/* Rows of a block came: the next ones or, in a salvage, some behind what is missing. */
static int
count_rows(struct trc_frames *c, uint64_t first, uint64_t rows, struct trc_err *err)
{
	if (first > c->rows && add_gap(c, first - c->rows, err))
		return -1;
	c->rows = first + rows;
	c->part++;
	return 0;
}

int
trc_frames_good(struct trc_frames *c, const struct trc_raw *r, struct trc_err *err)
{
	const struct trc_piece *block = &r->piece[r->pieces - 1];

	return count_rows(c, block->first, block->rows, err);
}

static int
read_block(struct trc_frames *c, struct trc_raw *r, const struct trc_frame *f, struct trc_err *err)
{
	const uint64_t first = c->base + trc_frame_first(f), end = first + trc_frame_rows(f);
	const uint64_t from = c->wanted.from, to = c->wanted.to > first ? c->wanted.to : first;

	if (trc_frame_rows(f) == 0 || trc_frame_rows(f) > c->room.block_rows)
		return trc_fail(err, "a block has too many rows");
	if (first != c->rows && (!c->salvage || first < c->rows))
		return trc_fail(err, "a block is missing");
	if (c->indexed && !trc_skip_is_next(c, f))
		return trc_fail(err, "the index is not that of this block");
	if (add_frame(c, r, f, false, err))
		return -1;
	r->name = c->in->name;
	r->have = c->have;
	r->threads = c->threads;
	r->salvage = c->salvage;
	r->room = c->room;
	r->good = c->rows;
	r->skip = from > first ? from - first : 0;
	r->drop = to < end && !c->salvage ? end - to : 0;
	r->timed = c->indexed && !c->salvage;
	if (r->timed) {
		r->time_first = c->file.parts.part[c->part].time_first;
		r->time_last = c->file.parts.part[c->part].time_last;
	}
	return c->salvage ? 0 : count_rows(c, first, trc_frame_rows(f), err);
}

/* Takes a frame; *ready if that was a block, and it is whole. */
static int
take_frame(struct trc_frames *c, struct trc_raw *r, const struct trc_frame *f, bool *ready,
           struct trc_err *err)
{
	const bool grown = c->grown;

	if (check_border(c, f, err))
		return -1;
	if (f->kind != TRC_KIND_TRACE)
		c->torn = false;
	switch (f->kind) {
	case TRC_KIND_TRACE: return read_next_header(c, f, err);
	case TRC_KIND_PROGRAM: c->grown = true; return add_frame(c, r, f, false, err);
	case TRC_KIND_REFS: c->grown = false; return read_refs(c, r, f, grown, err);
	case TRC_KIND_BLOCK:
		c->grown = false;
		*ready = read_block(c, r, f, err) == 0;
		return *ready ? 0 : -1;
	case TRC_KIND_INDEX: return read_index(c, f, err);
	case TRC_KIND_END: return read_end(c, f, err);
	default: return 0; /* what later versions add */
	}
}

/* ---- the whole ---- */

/* The file has ended. */
static enum trc_flow
end(struct trc_frames *c, const struct trc_frame *f, struct trc_err *err)
{
	if (!c->ended && !c->salvage)
		damaged(c, f, "the file ends without its end frame", err);
	if (!c->ended && !c->salvage)
		return TRC_FLOW_FAILED;
	if ((c->ended ? c->torn : !c->counted) && add_gap(c, TRC_GAP_REST, err))
		return TRC_FLOW_FAILED;
	c->meta.gap = c->gap;
	c->meta.gaps = c->gaps;
	return TRC_FLOW_END;
}

enum trc_flow
trc_frames_next(struct trc_frames *c, struct trc_raw *r, struct trc_err *err)
{
	bool ready = false, ended;
	struct trc_frame f;

	trc_raw_clear(r);
	while (!ready) {
		if (trc_skip_blocks(c, err) || next_frame(c, &f, &ended, err))
			return TRC_FLOW_FAILED;
		if (ended)
			return end(c, &f, err);
		if (take_frame(c, r, &f, &ready, err) == 0)
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

/* Where the header is damaged, a salvage learns the columns from the first part of the program, or
 * block, that is good; that frame is kept, to be taken first. */
static int
find_header(struct trc_frames *c, struct trc_frame *f, struct trc_header *h, struct trc_err *err)
{
	bool ended = false;

	*h = (struct trc_header){ .block_rows = TRC_BLOCK_MOST };
	while (c->salvage && !ended) {
		struct trc_view v = { f->payload, f->payload + f->len };

		if (f->kind == TRC_KIND_PROGRAM && v.p < v.end)
			v.p++;
		if (f->kind == TRC_KIND_PROGRAM || f->kind == TRC_KIND_BLOCK) {
			c->kept = *f;
			c->has_kept = true;
			return trc_block_columns(&v, &h->have, err);
		}
		if (next_frame(c, f, &ended, err))
			return -1;
	}
	return trc_fail(err, "does not begin as a trc container");
}

int
trc_frames_begin(struct trc_frames *c, struct trc_err *err)
{
	struct trc_header h;
	struct trc_frame f;
	bool ended;

	c->first = true;
	c->ahead = c->threads < TRC_SCHEDULE_MOST ? c->threads : TRC_SCHEDULE_MOST;
	c->wanted.to = c->wanted.time_last = UINT64_MAX;
	if (next_frame(c, &f, &ended, err))
		return -1;
	if (ended)
		return trc_fail(err, "%s: holds no frame of a trc container", c->in->name);
	if (f.kind == TRC_KIND_TRACE)
		c->head_len = trc_frame_bytes(&f);
	if (f.kind == TRC_KIND_TRACE ? read_version(&f, &h, err) : find_header(c, &f, &h, err))
		return trc_err_in(err, "%s", c->in->name);
	c->have = h.have;
	c->meta = c->head = h.meta;
	return make_room(c, h.block_rows, err) ? trc_err_in(err, "%s", c->in->name) : 0;
}

int
trc_frames_index(struct trc_frames *c, struct trc_err *err)
{
	if (c->indexed || c->salvage)
		return 0;
	if (trc_file_index_read(&c->file, c->in, c->have, (size_t)frame_most(c), &c->indexed, err))
		return -1;
	if (c->indexed)
		c->meta = c->file.index.meta;
	return 0;
}

void
trc_frames_release(struct trc_frames *c)
{
	trc_file_index_release(&c->file);
	trc_parts_release(&c->told.parts);
	free(c->gap);
}
