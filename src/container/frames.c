/* SPDX-License-Identifier: MIT
 * Reads the frames of containers in order. */
#include "container/frames.h"

#include "base/io/patched.h"
#include "container/container.h"
#include "container/frame/repair.h"

enum {
	/* The most frames of a block and of the preceding blocks that it depends on, with all
	 * contexts. */
	FRAMES_MOST = (TRC_RESET_BLOCKS + 2) * (TRC_CONTEXTS_MOST + 1),
};

static int
make_plan(struct trc_frames *c, size_t rows, struct trc_err *err)
{
	return trc_memory_plan_make(&c->set.plan, c->set.have, rows, err);
}

/* ---- frames ---- */

/* Returns the offset of a frame in the original file, even if a repaired copy is being read. */
static unsigned long long
place_of(const struct trc_frames *c, const struct trc_frame *f)
{
	return c->whole ? trc_patched_place(c->whole, f->offset) : f->offset;
}

/* If `ends`, nothing follows the frame, so a salvage recovers only the rows before it, if any. */
static int
fail_at(const struct trc_frames *c, const struct trc_frame *f, bool ends, const char *what,
        struct trc_err *err)
{
	const char *pipe = trc_in_size(c->in) ? "" : "from a file it may be repaired, or ";
	const bool some = !ends || c->sequence.rows > 0;

	return trc_fail(err, "%s: %s at byte %llu, after %llu good records; %s%s", c->in->name,
	                what, place_of(c, f), (ull)c->sequence.rows, pipe,
	                some && !ends ? "--salvage recovers what is intact" :
	                some          ? "--salvage recovers these" :
	                                "nothing can be recovered");
}

/* Returns the most bytes of a frame, and also of all frames of a block. */
static uint64_t
frame_most(const struct trc_frames *c)
{
	const uint64_t most = c->set.plan.limit / 4;

	return most < TRC_PAYLOAD_MOST ? most : TRC_PAYLOAD_MOST;
}

/* Reports why there is no frame where one should be. */
static int
fail_frame(const struct trc_frames *c, const struct trc_frame *f, enum trc_frame_found found,
           struct trc_err *err)
{
	if (found == TRC_FRAME_CUT)
		return fail_at(c, f, true, "the file is truncated in a frame", err);
	if (found != TRC_FRAME_FAILED)
		return fail_at(c, f, false,
		               f->offset == 0 ? "expected a trc container" : "damaged data", err);
	if (f->len > frame_most(c) && frame_most(c) < TRC_PAYLOAD_MOST)
		return trc_fail(err,
		                "%s: the frame at byte %llu has %llu bytes, but a quarter of "
		                "--memlimit is the limit",
		                c->in->name, place_of(c, f), (ull)f->len);
	return trc_err_in(err, "%s", c->in->name);
}

/* Tries to repair the file, once; all frames up to offset `at` were good. Sets *done if reading can
 * continue there in the repaired file. */
static int
repair(struct trc_frames *c, uint64_t at, bool *done, struct trc_err *err)
{
	struct trc_repaired repaired;

	*done = false;
	if (c->was_repaired)
		return 0;
	c->was_repaired = true;
	if (trc_repair(c->in, at, &repaired, err))
		return trc_err_in(err, "%s", c->in->name);
	c->repaired = repaired.sectors;
	c->whole = repaired.whole;
	c->cut = repaired.cut;
	c->sequence.sound = repaired.sound;
	*done = repaired.sectors > 0;
	return 0;
}

/* Returns true after the index, when only the end frame is still needed. Damage between them that
 * could not be repaired, because it destroyed the parity, is then skipped. */
static bool
is_complete(const struct trc_frames *c)
{
	return c->sequence.in.index && !c->sequence.in.ended;
}

/* Returns true if there is a frame, or if the file ends where it may. */
static bool
is_found(const struct trc_frames *c, enum trc_frame_found found)
{
	const bool may_end = c->set.salvage || c->sequence.in.ended;

	return found == TRC_FRAME_GOOD || (found == TRC_FRAME_END && may_end);
}

/* Reads the next frame. Frames are contiguous; after corrupt data a salvage searches for the next
 * one. */
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
		bool repaired = false;

		f->len = 0;
		found = c->set.salvage ? trc_frame_try(c->in, frame_most(c), &c->vain, f, err) :
		                         trc_frame_read(c->in, frame_most(c), f, err);
		*end = found == TRC_FRAME_END;
		if (is_found(c, found))
			return 0;
		if (found != TRC_FRAME_FAILED && repair(c, f->offset, &repaired, err))
			return -1;
		if (repaired)
			continue;
		if (*end)
			return 0;
		if ((!c->set.salvage && !is_complete(c)) ||
		    (found == TRC_FRAME_FAILED && f->len <= frame_most(c)))
			return fail_frame(c, f, found, err);
		c->grown = false;
		c->sequence.in.torn = true;
		c->repaired += is_complete(c) && !c->set.salvage;
		if (trc_frame_search(c->in, &skipped, err))
			return trc_err_in(err, "%s", c->in->name);
	}
}

/* ---- skipping blocks that are not selected ---- */

/* Returns the next block in the directory, or NULL if there is no directory. */
static const struct trc_part *
next_part(const struct trc_frames *c)
{
	const struct trc_parts *parts = &c->directory.parts;

	return c->sequence.indexed && c->part < parts->n ? &parts->part[c->part] : NULL;
}

/* Returns true if a frame belongs to the next block, both by its row numbers and by the
 * directory. */
static bool
is_next(const struct trc_frames *c, const struct trc_frame *f)
{
	const struct trc_sequence *s = &c->sequence;
	const struct trc_part *p = next_part(c);

	if (s->in.base + trc_frame_first(f) != s->rows || trc_frame_rows(f) == 0)
		return false;
	return !s->indexed || (p && p->first == s->rows && p->rows == trc_frame_rows(f));
}

/* Jumps to the beginning of part `to`, or to the end of the file after the last part. */
static int
jump(struct trc_frames *c, size_t to, struct trc_err *err)
{
	const struct trc_directory *d = &c->directory;
	const bool end = to == d->parts.n;
	const uint64_t here = trc_in_offset(c->in);
	const uint64_t at = end ? trc_in_size(c->in) : d->parts.part[to].at;
	const struct trc_joined *joined;

	if (at < here)
		return trc_fail(err, "%s: the index leads back", c->in->name);
	if (trc_in_skip(c->in, at - here, err))
		return trc_err_in(err, "%s", c->in->name);
	while (c->joined + 1 < d->n && d->joined[c->joined + 1].start <= at)
		c->joined++;
	joined = &d->joined[c->joined];
	c->part = to;
	c->grown = false;
	trc_sequence_seek(&c->sequence, end ? d->index.counts.rows : d->parts.part[to].first,
	                  joined->start, joined->first, end);
	return make_plan(c, joined->block_rows, err);
}

/* Skips the next frame if it belongs to a block that is not selected. */
static int
skip_frame(struct trc_frames *c, bool *skipped, struct trc_err *err)
{
	struct trc_sequence *s = &c->sequence;
	struct trc_frame f;
	const enum trc_frame_found found = trc_frame_peek(c->in, &f, err);

	*skipped = false;
	if (found == TRC_FRAME_FAILED)
		return trc_err_in(err, "%s", c->in->name);
	if (found != TRC_FRAME_GOOD || s->in.ended ||
	    (f.kind != TRC_KIND_BLOCK && f.kind != TRC_KIND_REFS) || !is_next(c, &f) ||
	    trc_selection_meets(&c->selection, s->rows, trc_frame_rows(&f), next_part(c)))
		return 0;
	if (trc_in_skip(c->in, trc_frame_bytes(&f), err))
		return trc_err_in(err, "%s", c->in->name);
	*skipped = true;
	c->grown = false;
	if (f.kind == TRC_KIND_BLOCK) {
		s->rows += trc_frame_rows(&f);
		c->part++;
	}
	return 0;
}

/* Skips blocks up to a frame that must be read. With a directory it jumps to the last reset of the
 * program before the next selected block; in a pipe it goes by the headers of frames. */
static int
skip_blocks(struct trc_frames *c, struct trc_err *err)
{
	bool skipped = !c->set.salvage && !c->has_kept && c->selection.some;

	while (skipped) {
		size_t to = c->part;

		if (c->sequence.indexed)
			to = trc_selection_seek(&c->selection, &c->directory.parts, c->part);
		if (to > c->part && jump(c, to, err))
			return -1;
		if (skip_frame(c, &skipped, err))
			return -1;
	}
	return 0;
}

/* ---- blocks ---- */

static int
read_version(const struct trc_frame *f, struct trc_header *h, struct trc_err *err)
{
	struct trc_view v = { f->payload, f->payload + f->len };

	if (f->number > TRC_VERSION_NUMBER)
		return trc_fail_unknown("a container of version", f->number, f->number << 16, err);
	if (f->number < TRC_VERSION_NUMBER)
		return trc_fail(err, "is a container of version %llu; this trc reads version %d",
		                (ull)f->number, TRC_VERSION_NUMBER);
	return trc_header_read(&v, h, err);
}

static int
read_header(struct trc_frames *c, const struct trc_frame *f, struct trc_err *err)
{
	struct trc_header h;

	if (read_version(f, &h, err) || trc_sequence_header(&c->sequence, &h, err) ||
	    make_plan(c, h.block_rows, err))
		return -1;
	c->set.needs = h.needs;
	return trc_sequence_next(&c->sequence, f->offset, trc_frame_bytes(f), err);
}

/* Handles a frame of an unknown kind. */
static int
read_unknown(struct trc_frames *c, const struct trc_frame *f, struct trc_err *err)
{
	if (!trc_may_pass(f->kind))
		return trc_fail_unknown("a frame of kind", f->kind, c->set.needs, err);
	/* The directory has these frames already, including those of skipped blocks. */
	return trc_may_copy(f->kind) && !c->sequence.indexed ?
	               trc_copied_add(&c->sequence.copied, f, err) :
	               0;
}

/* Adds a frame to the block that is being collected. */
static int
add_frame(struct trc_frames *c, struct trc_packed_block *b, const struct trc_frame *f, bool grown,
          struct trc_err *err)
{
	struct trc_sequence *s = &c->sequence;

	if (b->frames >= FRAMES_MOST || f->len > frame_most(c) - b->bytes.n) {
		trc_packed_block_clear(b);
		s->lost = true;
		if (!c->set.salvage)
			return trc_fail(err, "a block has too many frames");
	}
	if (s->lost && trc_packed_block_add(b, NULL, 0, false, err))
		return -1;
	s->lost = false;
	return trc_packed_block_add(b, f, s->in.base, grown, err);
}

static int
read_refs(struct trc_frames *c, struct trc_packed_block *b, const struct trc_frame *f, bool grown,
          struct trc_err *err)
{
	if (!c->set.salvage && c->sequence.in.base + trc_frame_first(f) != c->sequence.rows)
		return trc_fail(err, "references of another block");
	return add_frame(c, b, f, grown, err);
}

/* Returns the selection within the block of rows [first, end). */
static struct trc_block_range
range_of(const struct trc_frames *c, uint64_t first, uint64_t end)
{
	const uint64_t from = c->selection.from;
	const uint64_t to = c->selection.to > first ? c->selection.to : first;
	const struct trc_part *p = c->set.salvage ? NULL : next_part(c);

	return (struct trc_block_range){ .before = c->sequence.rows,
		                         .skip = from > first ? from - first : 0,
		                         .drop = to < end && !c->set.salvage ? end - to : 0,
		                         .timed = p,
		                         .time_first = p ? p->time_first : 0,
		                         .time_last = p ? p->time_last : 0 };
}

int
trc_frames_good(struct trc_frames *c, const struct trc_packed_block *b, struct trc_err *err)
{
	const struct trc_block_frame *f = trc_packed_block_last(b);

	c->part++;
	return trc_sequence_rows(&c->sequence, f->first, f->rows, err);
}

static int
read_block(struct trc_frames *c, struct trc_packed_block *b, const struct trc_frame *f,
           struct trc_err *err)
{
	const struct trc_sequence *s = &c->sequence;
	const uint64_t first = s->in.base + trc_frame_first(f), rows = trc_frame_rows(f);

	if (rows == 0 || rows > c->set.plan.block_rows)
		return trc_fail(err, "a block has too many rows");
	if (first != s->rows && (!c->set.salvage || first < s->rows))
		return trc_fail(err, "a block is missing");
	if (s->indexed && !is_next(c, f))
		return trc_fail(err, "the index is not that of this block");
	if (add_frame(c, b, f, false, err))
		return -1;
	b->set = c->set;
	b->range = range_of(c, first, first + rows);
	return c->set.salvage ? 0 : trc_frames_good(c, b, err);
}

/* Handles a frame; sets *ready if it completes a block. */
static int
take_frame(struct trc_frames *c, struct trc_packed_block *b, const struct trc_frame *f, bool *ready,
           struct trc_err *err)
{
	const bool grown = c->grown;

	if (trc_sequence_frame(&c->sequence, f, err))
		return -1;
	if (f->kind == TRC_KIND_REFS || f->kind == TRC_KIND_BLOCK)
		c->grown = false;
	switch (f->kind) {
	case TRC_KIND_TRACE: return read_header(c, f, err);
	case TRC_KIND_PROGRAM: c->grown = true; return add_frame(c, b, f, false, err);
	case TRC_KIND_REFS: return read_refs(c, b, f, grown, err);
	case TRC_KIND_BLOCK: *ready = read_block(c, b, f, err) == 0; return *ready ? 0 : -1;
	case TRC_KIND_INDEX: return trc_sequence_index(&c->sequence, f, err);
	case TRC_KIND_END: return trc_sequence_end(&c->sequence, f, err);
	case TRC_KIND_BANDS:
	case TRC_KIND_PARITY: return 0;
	default: return read_unknown(c, f, err);
	}
}

/* ---- all frames ---- */

static enum trc_flow
finish(struct trc_frames *c, const struct trc_frame *f, struct trc_err *err)
{
	c->cut |= is_complete(c) && !c->set.salvage;
	if (!c->sequence.in.ended && !c->cut && !c->set.salvage) {
		fail_at(c, f, true, "the file ends without its end frame", err);
		return TRC_FLOW_FAILED;
	}
	if (trc_sequence_finish(&c->sequence, trc_in_offset(c->in), &c->cut, err))
		return TRC_FLOW_FAILED;
	if (!c->cut || c->set.salvage || c->set.give_cut)
		return TRC_FLOW_END;
	trc_meta_fail_cut(c->in->name, c->sequence.rows, err);
	return TRC_FLOW_FAILED;
}

enum trc_flow
trc_frames_next(struct trc_frames *c, struct trc_packed_block *b, struct trc_err *err)
{
	bool ready = false, ended, again;
	struct trc_frame f;

	trc_packed_block_clear(b);
	while (!ready) {
		if (skip_blocks(c, err) || next_frame(c, &f, &ended, err))
			return TRC_FLOW_FAILED;
		if (ended)
			return finish(c, &f, err);
		if (take_frame(c, b, &f, &ready, err) == 0)
			continue;
		/* Frames may be missing as a whole before this one. */
		if (err->code == TRC_FAILED) {
			if (repair(c, f.offset, &again, err))
				return TRC_FLOW_FAILED;
			if (again)
				continue;
		}
		/* A salvage skips what is corrupt; the next block shows which rows are missing. */
		if (c->set.salvage && err->code == TRC_FAILED)
			continue;
		trc_err_needs(err, c->set.needs);
		trc_err_in(err, "%s: at byte %llu, after %llu good records", c->in->name,
		           place_of(c, &f), (ull)c->sequence.rows);
		return TRC_FLOW_FAILED;
	}
	return TRC_FLOW_ROWS;
}

/* If the header is corrupt, a salvage takes the columns from the first intact part of the program
 * or block, and assumes that blocks are as large as memory allows; or it uses the header of the
 * next container. The frame is kept and returned first. */
static int
find_header(struct trc_frames *c, struct trc_frame *f, struct trc_header *h, struct trc_err *err)
{
	bool ended = false;

	*h = (struct trc_header){ .block_rows = TRC_BLOCK_MOST };
	while (c->set.salvage && !ended) {
		struct trc_view v = { f->payload, f->payload + f->len };

		if (f->kind == TRC_KIND_TRACE) {
			c->kept = *f;
			c->has_kept = true;
			return read_version(f, h, err);
		}
		if (f->kind == TRC_KIND_PROGRAM && v.p < v.end)
			v.p++;
		if (f->kind == TRC_KIND_PROGRAM || f->kind == TRC_KIND_BLOCK) {
			c->kept = *f;
			c->has_kept = true;
			return trc_columns_read(&v, 0, &h->have, err);
		}
		if (next_frame(c, f, &ended, err))
			return -1;
	}
	return trc_fail(err, "does not begin as a trc container");
}

int
trc_frames_begin(struct trc_frames *c, struct trc_err *err)
{
	const int threads = c->set.threads;
	struct trc_header h;
	struct trc_frame f;
	uint64_t len;
	bool ended;

	c->set.name = c->in->name;
	c->set.plan.in_flight = threads < TRC_IN_FLIGHT_MOST ? threads : TRC_IN_FLIGHT_MOST;
	c->sequence.salvage = c->set.salvage;
	if (c->set.salvage && repair(c, 0, &ended, err))
		return -1;
	if (next_frame(c, &f, &ended, err))
		return -1;
	if (ended)
		return trc_fail(err, "%s: has no frames of a trc container", c->in->name);
	len = f.kind == TRC_KIND_TRACE ? trc_frame_bytes(&f) : 0;
	if (len ? read_version(&f, &h, err) : find_header(c, &f, &h, err))
		return trc_err_in(err, "%s", c->in->name);
	c->set.have = h.have;
	c->set.needs = h.needs;
	c->selection = (struct trc_selection){ .timed = h.have & TRC_HAS_TIME,
		                               .to = UINT64_MAX,
		                               .time_last = UINT64_MAX };
	trc_sequence_begin(&c->sequence, &h, len);
	/* Without a header, assume the largest blocks for which there is memory. */
	while (make_plan(c, h.block_rows, err)) {
		if (len || c->kept.kind == TRC_KIND_TRACE || h.block_rows < 2)
			return trc_err_in(err, "%s", c->in->name);
		h.block_rows /= 2;
	}
	return 0;
}

int
trc_frames_index(struct trc_frames *c, struct trc_err *err)
{
	struct trc_sequence *s = &c->sequence;

	if (s->indexed || c->set.salvage)
		return 0;
	if (trc_directory_read(&c->directory, c->in, c->set.have, (size_t)frame_most(c),
	                       &s->indexed, err))
		return -1;
	if (s->indexed)
		s->meta = c->directory.index.meta;
	return 0;
}

void
trc_frames_release(struct trc_frames *c)
{
	trc_directory_release(&c->directory);
	trc_sequence_release(&c->sequence);
}
