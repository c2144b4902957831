/* SPDX-License-Identifier: MIT
 *
 * Reads the container. While the rows of one block are returned, the next is read, checked and
 * unpacked on other threads. For callers with several threads, each block is a slice.
 */
#include <stdlib.h>

#include "base/cores.h"
#include "container/events.h"
#include "container/schedule.h"

enum {
	/* The rows returned before blocks are read ahead: for a few rows, no other block is
	 * needed. */
	READ_AHEAD = 1 << 15,
};

/* The state of emptying one block, or one block after another. */
struct drain {
	const char *name; /* of the file */
	struct trc_schedule *schedule;
	struct trc_row_block *block;        /* the block being emptied, or NULL */
	struct trc_fingerprint fingerprint; /* of the rows returned from it */
	enum trc_flow flow;                 /* of the last batch */
	struct trc_err err;                 /* if flow is TRC_FLOW_FAILED */
	bool one;                           /* empties only this block: */
	uint64_t number;
};

/* The container as a source, both of all rows in order and of slices. */
struct container {
	struct trc_source src;
	struct trc_frames frames;
	struct drain drain;
	size_t rows;    /* number returned, counted up to READ_AHEAD */
	uint64_t taken; /* number of slices */
	struct trc_sliceable slices;
};

/* ---- emptying blocks ---- */

static int
drain_init(struct drain *d, struct trc_schedule *schedule, const struct trc_frames *frames,
           struct trc_err *err)
{
	d->name = frames->in->name;
	d->schedule = schedule;
	d->flow = TRC_FLOW_ROWS;
	return trc_fingerprint_init(&d->fingerprint, frames->set.have, err);
}

/* Fails if a row from `from` on is one that no trace can hold, or if the rows of a block, once all
 * have been returned, do not match its fingerprint. */
static int
check_rows(const struct drain *d, const struct trc_batch *rows, size_t from, struct trc_err *err)
{
	const struct trc_row_block *b = d->block;

	if (trc_events_check(rows, from, err))
		return trc_err_in(err, "%s", d->name);
	if (b->at < b->end || !b->whole ||
	    trc_fingerprint_all(&d->fingerprint) == b->sections.fingerprint)
		return 0;
	return trc_fail(err,
	                "%s: a block does not match its fingerprint: the trc that wrote or reads "
	                "it has a bug",
	                d->name);
}

/* Returns the previous block and takes the next. */
static enum trc_flow
next_block(struct drain *d)
{
	trc_fingerprint_reset(&d->fingerprint);
	if (!d->one)
		return trc_schedule_next(d->schedule, &d->block, &d->err);
	if (!d->block)
		return trc_schedule_take(d->schedule, d->number, &d->block, &d->err);
	trc_schedule_return(d->schedule, d->block, NULL);
	d->block = NULL;
	return TRC_FLOW_END;
}

/* Fills a batch; fails at a block that differs from what was packed. */
static int
drain_fill(struct drain *d, struct trc_batch *b, struct trc_err *err)
{
	while (b->n < b->cap && d->flow == TRC_FLOW_ROWS) {
		const size_t at = b->n;

		if (!d->block || d->block->at == d->block->end) {
			d->flow = next_block(d);
		} else if (trc_row_block_take(d->block, b, &d->fingerprint) > 0 &&
		           check_rows(d, b, at, err)) {
			return -1;
		}
	}
	return 0;
}

/* Sets the meta of the source after all frames were read, or reading failed. */
static void
end_meta(struct container *c, enum trc_flow flow)
{
	if (flow == TRC_FLOW_END)
		c->src.meta = c->frames.sequence.meta;
	c->src.meta.repaired = c->frames.repaired;
	c->src.meta.cut = c->frames.cut;
}

static enum trc_flow
container_next(struct trc_source *src, struct trc_batch *b, struct trc_err *err)
{
	struct container *c = (struct container *)src;

	if (drain_fill(&c->drain, b, err))
		return TRC_FLOW_FAILED;
	if (c->rows < READ_AHEAD && (c->rows += b->n) >= READ_AHEAD)
		trc_schedule_read_ahead(c->drain.schedule);
	if (b->n > 0)
		return TRC_FLOW_ROWS;
	if (c->drain.flow == TRC_FLOW_FAILED)
		*err = c->drain.err;
	end_meta(c, c->drain.flow);
	return c->drain.flow;
}

/* ---- slices ---- */

static void
release_slice(void *own)
{
	struct drain *d = own;

	trc_schedule_return(d->schedule, d->block, NULL);
	trc_fingerprint_release(&d->fingerprint);
	free(d);
}

/* Returns the state of emptying the block of a slice, which it creates on first use. */
static struct drain *
slice_drain(struct container *c, struct trc_slice *slice, struct trc_err *err)
{
	struct drain *d = slice->own;

	if (d)
		return d;
	d = trc_alloc(1, sizeof(*d), err);
	if (!d)
		return NULL;
	if (drain_init(d, c->drain.schedule, &c->frames, err)) {
		free(d);
		return NULL;
	}
	d->one = true;
	slice->own = d;
	slice->release = release_slice;
	return d;
}

static enum trc_flow
container_take(struct trc_source *src, size_t want, struct trc_slice *slice, struct trc_err *err)
{
	struct container *c = (struct container *)src;
	struct drain *d = slice_drain(c, slice, err);
	enum trc_flow flow;

	(void)want;
	if (!d)
		return TRC_FLOW_FAILED;
	if (c->taken == 0)
		trc_schedule_share(c->drain.schedule);
	d->number = c->taken++;
	d->flow = TRC_FLOW_ROWS;
	flow = trc_schedule_find(c->drain.schedule, d->number);
	if (flow == TRC_FLOW_END)
		end_meta(c, flow);
	return flow;
}

static enum trc_flow
container_parse(struct trc_source *src, struct trc_slice *slice, struct trc_batch *b,
                struct trc_err *err)
{
	struct drain *d = slice->own;

	(void)src;
	if (drain_fill(d, b, err))
		return TRC_FLOW_FAILED;
	if (b->n > 0)
		return TRC_FLOW_ROWS;
	if (d->flow == TRC_FLOW_FAILED)
		*err = d->err;
	return d->flow;
}

static void
container_prepare(struct trc_source *src, const struct trc_slice *slice)
{
	const struct drain *d = slice->own;

	(void)src;
	trc_schedule_prepare(d->schedule, d->number);
}

/* ---- settings before the first row ---- */

static int
container_skip(struct trc_source *src, uint64_t rows, struct trc_err *err)
{
	struct container *c = (struct container *)src;

	c->frames.selection.some = true;
	c->frames.selection.from = rows;
	return trc_frames_index(&c->frames, err);
}

static void
container_limit(struct trc_source *src, uint64_t rows)
{
	struct trc_selection *s = &((struct container *)src)->frames.selection;

	s->some = true;
	s->to = rows < UINT64_MAX - s->from ? s->from + rows : UINT64_MAX;
}

static int
container_within(struct trc_source *src, uint64_t first, uint64_t last, struct trc_err *err)
{
	struct container *c = (struct container *)src;

	c->frames.selection.some = true;
	c->frames.selection.time_first = first;
	c->frames.selection.time_last = last;
	return trc_frames_index(&c->frames, err);
}

static void
container_give_cut(struct trc_source *src)
{
	((struct container *)src)->frames.set.give_cut = true;
}

static int
container_index(struct trc_source *src, const struct trc_index **index, struct trc_err *err)
{
	struct container *c = (struct container *)src;

	*index = NULL;
	if (trc_frames_index(&c->frames, err))
		return -1;
	if (c->frames.sequence.indexed)
		*index = &c->frames.directory.index;
	return 0;
}

static const struct trc_seekable seek = { .skip = container_skip,
	                                  .limit = container_limit,
	                                  .within = container_within,
	                                  .give_cut = container_give_cut,
	                                  .index = container_index };

static void
release(struct container *c)
{
	trc_schedule_close(c->drain.schedule);
	trc_fingerprint_release(&c->drain.fingerprint);
	trc_frames_release(&c->frames);
	free(c);
}

static void
container_close(struct trc_source *src)
{
	struct container *c = (struct container *)src;
	struct trc_in *in = c->frames.in;

	release(c);
	trc_in_close(in);
}

struct trc_source *
trc_container_source(struct trc_in *in, const void *settings, struct trc_err *err)
{
	const struct trc_container_from *from = settings;
	struct container *c = trc_alloc(1, sizeof(*c), err);
	struct trc_schedule *schedule;

	if (!c)
		return NULL;
	c->src = (struct trc_source){ .next = container_next,
		                      .seek = &seek,
		                      .close = container_close };
	c->frames.in = in;
	c->frames.set.salvage = from->salvage;
	c->frames.set.plan.limit = from->memlimit ? from->memlimit : TRC_MEMORY_MOST;
	c->frames.set.threads = trc_threads(from->threads);
	if (trc_frames_begin(&c->frames, err) || !(schedule = trc_schedule_open(&c->frames, err)) ||
	    drain_init(&c->drain, schedule, &c->frames, err)) {
		release(c);
		return NULL;
	}
	c->slices = (struct trc_sliceable){ .take = container_take,
		                            .parse = container_parse,
		                            .at_once = (size_t)c->frames.set.plan.in_flight,
		                            .prepare = container_prepare };
	if (!from->salvage)
		c->src.slices = &c->slices;
	c->src.have = c->frames.set.have;
	/* Only the index shows how such a trace was reduced. Traces of addresses are rarely
	 * reduced, and too long to be read to the end for that. */
	c->src.meta_at_end = c->src.have & TRC_HAS_VPN;
	c->src.meta = c->frames.sequence.meta;
	return &c->src;
}
