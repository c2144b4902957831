/* SPDX-License-Identifier: MIT
 * Frames of containers, one behind the other, and the way around those that nobody wants. */
#include "format/trc_frames.h"

#include <stdlib.h>

#include "codec/rows.h"
#include "format/trc_events.h"

enum {
	FRAME_MOST = 1 << 28,

	/* Bytes that may be taken: by the tables of all that is unpacked at a time, by the program,
	 * and at least by what reads references with it. */
	TABLES = 128 << 20,
	PROGRAM = 144 << 20,
	READER_LEAST = 1 << 20,
};

static uint64_t
least(uint64_t a, uint64_t b)
{
	return a < b ? a : b;
}

/* ---- frames ---- */

static int
damaged(const struct trc_frames *c, const struct trc_frame *f, const char *what,
	struct trc_err *err)
{
	return trc_fail(
		err, "%s: %s at byte %llu, after %llu good records; --salvage gets the rest",
		c->in->name, what, (unsigned long long)f->offset, (unsigned long long)c->rows);
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
		const enum trc_frame_found found = trc_frame_read(
			c->in, least(FRAME_MOST, c->memlimit / 4), f, err);

		*end = found == TRC_FRAME_END;
		if (found == TRC_FRAME_FAILED)
			return trc_err_in(err, "%s", c->in->name);
		if (*end || found == TRC_FRAME_GOOD)
			return 0;
		c->grown = false;
		c->torn = true;
		if (!c->salvage)
			return damaged(c, f,
				       found == TRC_FRAME_CUT ? "the file is cut short in a frame"
							      : "damaged data",
				       err);
		if (trc_frame_search(c->in, &skipped, err))
			return trc_err_in(err, "%s", c->in->name);
	}
}

static uint64_t
first_row(const struct trc_frame *f)
{
	return f->number >> TRC_ROW_BITS;
}

static uint64_t
rows_of(const struct trc_frame *f)
{
	return f->number & ((1u << TRC_ROW_BITS) - 1);
}

static int
add_gap(struct trc_frames *c, uint64_t rows, struct trc_err *err)
{
	if (trc_grow(&c->gap, &c->gap_cap, c->gaps + 1, sizeof(*c->gap), err))
		return -1;
	c->gap[c->gaps++] = (struct trc_gap){ c->rows, rows };
	return 0;
}

/* ---- room ---- */

/* What reading blocks of `rows` rows may take at most, but for the programs of their references. */
static uint64_t
memory_of(const struct trc_frames *c, size_t rows)
{
	const uint32_t have = c->shared.have;
	uint64_t row = 0, refs = 0, need;

	for (int i = 0; i < TRC_COLUMNS; i++) {
		row += have >> i & 1 ? trc_column[i].width : 0;
		refs += (have & TRC_REFS_COLUMNS) >> i & 1 ? trc_column[i].width : 0;
	}
	/* Two blocks, in columns; one column as numbers; what unpacks them. */
	need = (2 * row + 8) * rows + least(TABLES, 32 * (uint64_t)rows);
	if (have & TRC_HAS_ADDR)
		need += 2 * TRC_STREAMS_MOST(rows) + least(PROGRAM, 1024 * (uint64_t)rows);
	if (have & TRC_HAS_VPN)
		need += trc_pages_memory(rows);
	if (have & (TRC_HAS_VPN | TRC_HAS_CPN) && have & (TRC_HAS_RTIME | TRC_HAS_TIME))
		need += trc_rows_memory(rows);
	if (have & TRC_HAS_ADDR && have & (TRC_HAS_TASK | TRC_HAS_ASID))
		need += 2 * refs * rows;
	return need + (have & TRC_HAS_EVENT ? 4 * TRC_EVENTS_BYTES : 0);
}

/* Refuses what may need more memory than there may be, and deals out what is left. */
static int
check_memory(struct trc_frames *c, size_t rows, struct trc_err *err)
{
	const uint64_t need = memory_of(c, rows), left = c->memlimit - need;

	if (need > c->memlimit)
		return trc_fail(err,
				"may need %llu MiB to read, more than the limit of %llu; "
				"--memlimit raises it",
				(unsigned long long)(need >> 20),
				(unsigned long long)(c->memlimit >> 20));
	c->shared.reader = (size_t)least(left / 2 + READER_LEAST, SIZE_MAX / 2);
	c->shared.tables = (size_t)least(TABLES, 32 * (uint64_t)rows);
	return 0;
}

/* Makes room for blocks of `rows` rows, where there was less. */
static int
make_room(struct trc_frames *c, size_t rows, struct trc_err *err)
{
	uint64_t *wide;

	if (rows <= c->shared.block_rows)
		return 0;
	if (check_memory(c, rows, err))
		return -1;
	wide = trc_alloc(rows, sizeof(*wide), err);
	if (!wide)
		return -1;
	free(c->shared.wide);
	c->shared.wide = wide;
	c->shared.block_rows = rows;
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
	c->shared.generation = 0;
	trc_block_pages_forget(&c->shared);
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
read_next_header(struct trc_frames *c, const struct trc_frame *f, struct trc_err *err)
{
	char has[128], had[128];
	struct trc_header h;

	if (read_version(f, &h, err))
		return -1;
	if (h.have != c->shared.have)
		return trc_fail(err, "the container that begins here has the columns '%s', those "
				     "before it '%s'; decode them one by one",
				trc_columns_text(h.have, has, sizeof(has)),
				trc_columns_text(c->shared.have, had, sizeof(had)));
	if (!trc_meta_alike(&h.meta, &c->head))
		return trc_fail(err, "the container that begins here has other pages than those "
				     "before it, or was reduced in another way; decode them one by "
				     "one");
	if (!c->ended && !c->salvage)
		return trc_fail(err, "the container before this one has no end");
	/* Between two containers there may have been another. */
	if (c->ended && c->torn && add_gap(c, TRC_GAP_UNKNOWN, err))
		return -1;
	if (make_room(c, h.block_rows, err) || begin_next(c, f->offset, err))
		return -1;
	c->head_len = TRC_FRAME_HEAD + f->len;
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
	case TRC_KIND_PAGES:
	case TRC_KIND_BLOCK: rows = c->base + first_row(f); break;
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

	if (trc_contents_read(&v, at, f->number, c->shared.have, &c->told, err))
		return -1;
	c->index = f->offset;
	if (c->indexed) {
		/* All was known before. */
	} else if (c->first) {
		memcpy(c->told.meta.format, c->meta.format, sizeof(c->meta.format));
		c->meta = c->told.meta;
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
	return f->len == TRC_END_LEN && c->index &&
	       trc_le64(f->payload) == c->index - c->start &&
	       trc_le64(f->payload + 8) == f->offset - c->start;
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

static int
read_program(struct trc_frames *c, const struct trc_frame *f, struct trc_err *err)
{
	c->grown = true;
	c->slots = f->len > 0 && f->payload[0] & 1 ? 0 : c->shared.program.slots;
	return trc_block_program(&c->shared, f, err);
}

/* Slots are new to the references right behind the part of the program that has them. */
static int
read_refs(struct trc_frames *c, struct trc_block *b, const struct trc_frame *f, struct trc_err *err)
{
	const size_t new_slots = c->grown ? c->slots : c->shared.program.slots;

	c->grown = false;
	if (!c->salvage && c->base + first_row(f) != c->rows)
		return trc_fail(err, "references of another block");
	return trc_block_refs(&c->shared, b, f, c->base + first_row(f), new_slots, err);
}

static int
read_pages(struct trc_frames *c, struct trc_block *b, const struct trc_frame *f,
	   struct trc_err *err)
{
	if (!c->salvage && c->base + first_row(f) != c->rows)
		return trc_fail(err, "pages of another block");
	return trc_block_pages(&c->shared, b, f, c->base + first_row(f), err);
}

/* Leaves out rows at the start of a block. */
static void
discard(const struct trc_frames *c, struct trc_block *b)
{
	enum { DISCARD = 1024 };
	const uint64_t from = c->wanted.from > b->first ? c->wanted.from - b->first : 0;
	const uint64_t n = from < b->rows ? from : b->rows;
	uint8_t type[DISCARD];
	uint64_t addr[DISCARD];

	for (b->at = 0; b->at < n;) {
		uint64_t left = n - b->at < DISCARD ? n - b->at : DISCARD;

		b->at += b->contexts ? trc_block_next(b, type, addr, NULL, (size_t)left) : left;
	}
	b->whole = n == 0;
}

/* True if a frame is of the block that comes next, also by the index. */
static bool
is_next(const struct trc_frames *c, const struct trc_frame *f)
{
	const struct trc_parts *parts = &c->file.parts;

	if (c->base + first_row(f) != c->rows || rows_of(f) == 0)
		return false;
	return !c->indexed || (c->part < parts->n && parts->part[c->part].first == c->rows &&
			       parts->part[c->part].rows == rows_of(f));
}

/* An index that tells of other times than a block has may have hidden rows of other blocks, too. */
static int
check_times(const struct trc_frames *c, const struct trc_block *b, struct trc_err *err)
{
	const struct trc_part *p;

	if (!c->indexed || c->salvage)
		return 0;
	p = &c->file.parts.part[c->part];
	return trc_block_has_times(b, p->time_first, p->time_last) ?
		       0 :
		       trc_fail(err, "the index tells of other times than a block has");
}

static int
read_block(struct trc_frames *c, struct trc_block *b, const struct trc_frame *f,
	   struct trc_err *err)
{
	struct trc_view v = { f->payload, f->payload + f->len };
	const uint64_t first = c->base + first_row(f);
	const uint8_t *digest;
	uint32_t have;

	if (b->first != first)
		b->contexts = 0;
	b->first = first;
	b->rows = rows_of(f);
	if (b->rows == 0 || b->rows > c->shared.block_rows)
		return trc_fail(err, "a block has too many rows");
	if (first != c->rows && (!c->salvage || first < c->rows))
		return trc_fail(err, "a block is missing");
	if (c->indexed && !is_next(c, f))
		return trc_fail(err, "the index is not that of this block");
	if (trc_block_columns(&v, &have, err))
		return -1;
	if (have != c->shared.have)
		return trc_fail(err, "a block has other columns than the trace");
	digest = trc_view_bytes(&v, 8);
	if (!digest)
		return trc_fail(err, "a block has no fingerprint");
	b->digest = trc_le64(digest);
	if (trc_block_sections(&c->shared, b, &v, err) || check_times(c, b, err))
		return -1;
	if (first > c->rows && add_gap(c, first - c->rows, err))
		return -1;
	c->rows = first + b->rows;
	c->part++;
	discard(c, b);
	return 0;
}

/* Takes a frame; *ready if that was a block with rows that are wanted. */
static int
take_frame(struct trc_frames *c, struct trc_block *b, const struct trc_frame *f, bool *ready,
	   struct trc_err *err)
{
	if (check_border(c, f, err))
		return -1;
	if (f->kind != TRC_KIND_TRACE)
		c->torn = false;
	switch (f->kind) {
	case TRC_KIND_TRACE: return read_next_header(c, f, err);
	case TRC_KIND_PROGRAM: return read_program(c, f, err);
	case TRC_KIND_REFS: return read_refs(c, b, f, err);
	case TRC_KIND_PAGES: return read_pages(c, b, f, err);
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

/* ---- what nobody wants ---- */

/* True if a block has rows that are wanted. Its times are known if there is an index. */
static bool
is_wanted(const struct trc_frames *c, uint64_t first, uint64_t rows)
{
	const struct trc_part *p = c->indexed && c->part < c->file.parts.n ?
					   &c->file.parts.part[c->part] :
					   NULL;

	if (first + rows <= c->wanted.from)
		return false;
	return !p || !(c->shared.have & TRC_HAS_TIME) ||
	       (p->time_first <= c->wanted.time_last && p->time_last >= c->wanted.time_first);
}

/* Goes to where part `to` begins, or to the end of the file behind the last. */
static int
go_to(struct trc_frames *c, size_t to, struct trc_err *err)
{
	const struct trc_file_index *file = &c->file;
	const bool end = to == file->parts.n;
	const uint64_t here = trc_in_offset(c->in);
	const uint64_t at = end ? trc_in_size(c->in) : file->parts.part[to].at;

	if (at < here)
		return trc_fail(err, "%s: the index leads back", c->in->name);
	if (trc_in_skip(c->in, at - here, err))
		return trc_err_in(err, "%s", c->in->name);
	while (c->joined + 1 < file->n && file->joined[c->joined + 1].start <= at)
		c->joined++;
	c->part = to;
	c->rows = end ? file->index.counts.rows : file->parts.part[to].first;
	c->base = file->joined[c->joined].first;
	c->start = file->joined[c->joined].start;
	c->head_len = 0;
	c->first = c->joined == 0;
	c->ended = end;
	c->shared.generation = 0;
	trc_block_pages_forget(&c->shared);
	c->grown = false;
	return make_room(c, file->joined[c->joined].block_rows, err);
}

/* Jumps to where the program begins anew for the next block that is wanted. */
static int
jump(struct trc_frames *c, struct trc_err *err)
{
	const struct trc_parts *parts = &c->file.parts;
	const size_t here = c->part;
	size_t to;

	for (; c->part < parts->n; c->part++)
		if (is_wanted(c, parts->part[c->part].first, parts->part[c->part].rows))
			break;
	to = c->part;
	c->part = here;
	if (to == here)
		return 0;
	while (to < parts->n && to > here && !parts->part[to].fresh)
		to--;
	return to > here ? go_to(c, to, err) : 0;
}

/* Passes over blocks that are not wanted, without reading them. */
static int
pass_blocks(struct trc_frames *c, struct trc_err *err)
{
	struct trc_frame f;

	while (!c->salvage && !c->has_kept && c->wanted.some) {
		enum trc_frame_found found;

		if (c->indexed && jump(c, err))
			return -1;
		found = trc_frame_peek(c->in, &f, err);
		if (found == TRC_FRAME_FAILED)
			return trc_err_in(err, "%s", c->in->name);
		if (found != TRC_FRAME_GOOD || c->ended ||
		    (f.kind != TRC_KIND_BLOCK && f.kind != TRC_KIND_REFS) ||
		    !is_next(c, &f) || is_wanted(c, c->rows, rows_of(&f)))
			break;
		if (trc_in_skip(c->in, TRC_FRAME_HEAD + f.len, err))
			return trc_err_in(err, "%s", c->in->name);
		c->grown = false;
		if (f.kind == TRC_KIND_REFS)
			continue;
		c->rows += rows_of(&f);
		c->part++;
	}
	return 0;
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
trc_frames_next(struct trc_frames *c, struct trc_block *b, struct trc_err *err)
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
		if (f->kind == TRC_KIND_PROGRAM || f->kind == TRC_KIND_PAGES ||
		    f->kind == TRC_KIND_BLOCK) {
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
	c->wanted.time_last = UINT64_MAX;
	if (next_frame(c, &f, &ended, err))
		return -1;
	if (ended)
		return trc_fail(err, "%s: holds no frame of a trc container", c->in->name);
	if (f.kind == TRC_KIND_TRACE)
		c->head_len = TRC_FRAME_HEAD + f.len;
	if (f.kind == TRC_KIND_TRACE ? read_version(&f, &h, err) : find_header(c, &f, &h, err))
		return trc_err_in(err, "%s", c->in->name);
	c->shared.have = h.have;
	c->meta = c->head = h.meta;
	return make_room(c, h.block_rows, err) ? trc_err_in(err, "%s", c->in->name) : 0;
}

int
trc_frames_index(struct trc_frames *c, struct trc_err *err)
{
	if (c->indexed || c->salvage)
		return 0;
	if (trc_file_index_read(&c->file, c->in, c->shared.have, &c->indexed, err))
		return -1;
	if (c->indexed)
		c->meta = c->file.index.meta;
	return 0;
}

void
trc_frames_release(struct trc_frames *c)
{
	trc_program_release(&c->shared.program);
	trc_block_pages_forget(&c->shared);
	trc_file_index_release(&c->file);
	trc_parts_release(&c->told.parts);
	free(c->shared.wide);
	free(c->gap);
}
