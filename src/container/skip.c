/* SPDX-License-Identifier: MIT
 * The way around blocks that nobody wants: frame by frame, or by the index at once. */
#include "container/skip.h"

#include "container/frames.h"
#include "container/memory_plan.h"

bool
trc_skip_is_next(const struct trc_frames *c, const struct trc_frame *f)
{
	const struct trc_parts *parts = &c->file.parts;

	if (c->base + trc_frame_first(f) != c->rows || trc_frame_rows(f) == 0)
		return false;
	return !c->indexed || (c->part < parts->n && parts->part[c->part].first == c->rows &&
	                       parts->part[c->part].rows == trc_frame_rows(f));
}

/* True if a block has rows that are wanted. Its times are known if there is an index. */
static bool
is_wanted(const struct trc_frames *c, uint64_t first, uint64_t rows)
{
	const struct trc_part *p = c->indexed && c->part < c->file.parts.n ?
	                                   &c->file.parts.part[c->part] :
	                                   NULL;

	if (first + rows <= c->wanted.from || first >= c->wanted.to)
		return false;
	return !p || !(c->have & TRC_HAS_TIME) ||
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
	c->lost = true;
	c->grown = false;
	return trc_memory_plan_make(&c->room, c->have, c->memlimit, &c->ahead,
	                            file->joined[c->joined].block_rows, err);
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

int
trc_skip_blocks(struct trc_frames *c, struct trc_err *err)
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
		    !trc_skip_is_next(c, &f) || is_wanted(c, c->rows, trc_frame_rows(&f)))
			break;
		if (trc_in_skip(c->in, trc_frame_bytes(&f), err))
			return trc_err_in(err, "%s", c->in->name);
		c->grown = false;
		if (f.kind == TRC_KIND_REFS)
			continue;
		c->rows += trc_frame_rows(&f);
		c->part++;
	}
	return 0;
}
