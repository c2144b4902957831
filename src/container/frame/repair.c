/* SPDX-License-Identifier: MIT
 * Rebuilds the repaired file group by group. */
#include "container/frame/repair.h"

#include "container/frame/end.h"
#include "container/frame/kinds.h"
#include "container/frame/repair_group.h"

static const uint64_t work_most = 1ull << 36; /* products in total, which take a minute or two */

/* ---- the end of a container ---- */

/* Reads the header of the frame at `at` of the repaired file; returns false after the last
 * frame. */
static bool
step(const struct trc_repair *r, uint64_t at, struct trc_frame *f)
{
	const uint64_t left = trc_patched_size(r->whole) - at;
	uint8_t head[TRC_FRAME_HEAD_MOST];
	const size_t n = left < sizeof(head) ? (size_t)left : sizeof(head);

	f->offset = at;
	return n > 0 && trc_patched_read_at(r->whole, at, head, n) && trc_frame_head(head, n, f);
}

/* Computes the end frame of a container from its frames. */
static int
compute_end(const struct trc_repair *r, struct trc_buf *frame, struct trc_err *err)
{
	const uint64_t here = trc_patched_size(r->whole);
	struct trc_end end = { .start = here - r->container };
	struct trc_buf payload = { 0 };
	struct trc_frame f;
	int ret;

	for (uint64_t at = r->container; step(r, at, &f); at += trc_frame_bytes(&f)) {
		if (f.kind == TRC_KIND_BLOCK)
			end.rows += trc_frame_rows(&f);
		if (f.kind == TRC_KIND_INDEX)
			end.index = here - at;
	}
	ret = trc_end_write(&payload, &end, err);
	frame->n = 0;
	if (ret == 0)
		ret = trc_frame_put(frame, TRC_KIND_END, end.rows, &payload, err);
	trc_buf_release(&payload);
	return ret;
}

/* Returns true if the end frame found equals the computed one, so that it is not that of a later
 * container. */
static bool
is_end(const struct trc_repair *r, const struct trc_span *close, const struct trc_buf *frame)
{
	uint8_t found[TRC_FRAME_HEAD_MOST + TRC_END_MOST];

	return close->at != TRC_NOWHERE && close->n == frame->n && frame->n <= sizeof(found) &&
	       r->file->read_at(r->file, close->at, found, close->n) &&
	       memcmp(found, frame->p, frame->n) == 0;
}

/* Returns the offset from which to copy up to the end frame that was found. The bytes before it are
 * included, because they may be the rest of another container, unless they are so few that they
 * were inserted into the parity. */
static uint64_t
end_from(const struct trc_repair *r, const struct trc_parity_group *g)
{
	const uint64_t added = g->close.at - r->at;

	return g->close.at < r->at || added <= g->reach ? g->close.at : r->at;
}

/* Writes the end frame of a container whose last group was written. Recomputes it only if nothing
 * but its own bytes precedes group `next`, or the end of the file, where some may be missing. */
static int
put_end(struct trc_repair *r, const struct trc_parity_group *g, const struct trc_parity_group *next,
        const struct trc_buf *frame, struct trc_err *err)
{
	const uint64_t there = (next ? next->end - next->bytes : r->file->size) - r->at;

	if (is_end(r, &g->close, frame)) {
		const uint64_t from = end_from(r, g);

		r->at = g->close.at + g->close.n;
		return trc_patched_add_range(r->whole, from, r->at - from, err);
	}
	if (there != frame->n && (next || there > frame->n))
		return 0;
	trc_repair_note(r, r->at);
	r->repaired->cut |= there < frame->n;
	r->at += there;
	return trc_patched_add_bytes(r->whole, frame->p, frame->n, err);
}

static int
add_end(struct trc_repair *r, const struct trc_parity_group *g, const struct trc_parity_group *next,
        struct trc_err *err)
{
	struct trc_buf frame = { 0 };
	int ret;

	if (r->within)
		return 0;
	ret = compute_end(r, &frame, err) || put_end(r, g, next, &frame, err) ? -1 : 0;
	trc_buf_release(&frame);
	return ret;
}

/* ---- the whole file ---- */

/* Returns true if a group can have as many bytes as it claims. Other claims are not examined, so
 * that the time is linear in the size of the file, whatever its frames contain. */
static bool
is_possible(const struct trc_repair *r, const struct trc_parity_group *g)
{
	const uint64_t there = g->end > r->at ? g->end - r->at : 0;

	return g->bytes <= there + g->reach;
}

static int
add_group(struct trc_repair *r, const struct trc_parity_group *g,
          const struct trc_parity_group *next, struct trc_err *err)
{
	enum trc_repair_done done = TRC_REPAIR_NONE;
	const uint64_t from = r->at;

	if (is_possible(r, g) &&
	    (g->banded ? trc_repair_bands(r, g, &done, err) : trc_repair_sectors(r, g, &done, err)))
		return -1;
	if (done == TRC_REPAIR_NONE) {
		r->at = g->tail;
		return trc_patched_add_range(r->whole, from, g->tail - from, err);
	}
	r->at = r->at < r->file->size ? r->at : r->file->size;
	r->within = !g->last;
	return done == TRC_REPAIR_WHOLE ? add_end(r, g, next, err) : 0;
}

static int
repair(struct trc_repair *r, struct trc_err *err)
{
	struct trc_groups groups = { 0 };
	int ret = trc_groups_find(&groups, r->file, err);

	r->groups = &groups;
	for (size_t i = 0; ret == 0 && i < groups.n; i++)
		ret = add_group(r, &groups.group[i], i + 1 < groups.n ? &groups.group[i + 1] : NULL,
		                err);
	if (ret == 0)
		ret = trc_patched_add_range(r->whole, r->at, r->file->size - r->at, err);
	/* The file may just have had too many bytes. */
	if (ret == 0 && r->repaired->sectors == 0 && trc_patched_size(r->whole) != r->file->size)
		trc_repair_note(r, 0);
	trc_groups_release(&groups);
	return ret;
}

/* Returns true if frame `f`, after one of kind `before`, is where it belongs. */
static bool
is_in_place(const struct trc_frame *f, unsigned before, struct trc_view payload, uint64_t container,
            uint64_t index)
{
	const bool begins = before == 0 || before == TRC_KIND_END;
	struct trc_end end;

	if (begins != (f->kind == TRC_KIND_TRACE))
		return false;
	return f->kind != TRC_KIND_END || (trc_end_read(payload, f->number, &end) &&
	                                   end.start - end.index == index - container);
}

/* Sets *sound if all frames have correct checksums and all containers have matching end frames;
 * what is between index and end frame is not compared, as readers ignore it. A repair of such a
 * file would only be a mistake: its parity was wrong when it was written, although the checksums of
 * the parity are right. */
static int
look_through(struct trc_in *in, bool *sound, struct trc_err *err)
{
	const uint64_t size = trc_in_size(in);
	uint64_t container = 0, index = 0;
	struct trc_buf payload = { 0 };
	struct trc_frame f = { 0 };
	unsigned before = 0;
	int ret = 0;

	*sound = true;
	for (uint64_t at = 0; ret == 0 && *sound && at < size; at += trc_frame_bytes(&f)) {
		ret = trc_frame_read_at(in, at, TRC_PAYLOAD_MOST, &payload, &f, sound, err);
		if (ret || !*sound)
			break;
		container = f.kind == TRC_KIND_TRACE ? at : container;
		index = f.kind == TRC_KIND_INDEX ? at : index;
		*sound = is_in_place(&f, before, trc_buf_view(&payload), container, index);
		before = f.kind;
	}
	*sound = *sound && before == TRC_KIND_END;
	trc_buf_release(&payload);
	return ret;
}

int
trc_repair(struct trc_in *in, uint64_t at, struct trc_repaired *repaired, struct trc_err *err)
{
	struct trc_repair r = { .file = trc_in_inner(in), .repaired = repaired, .work = work_most };
	int ret;

	*repaired = (struct trc_repaired){ 0 };
	if (trc_in_size(in) == 0)
		return 0;
	if (look_through(in, &repaired->sound, err))
		return -1;
	if (repaired->sound)
		return 0;
	r.whole = trc_patched_open(r.file, err);
	if (!r.whole)
		return -1;
	ret = repair(&r, err);
	if (ret || repaired->sectors == 0) {
		trc_patched_close(r.whole);
		return ret;
	}
	repaired->whole = r.whole;
	trc_in_replace(in, trc_patched_stream(r.whole, at, true), at);
	return 0;
}
