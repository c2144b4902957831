/* SPDX-License-Identifier: MIT
 *
 * Reading the container. While the rows of one block come out, the next is read, checked and
 * unpacked beside it. Where nobody minds their order, rows of several blocks come out at a time,
 * each block in a lane.
 */
#include <stdlib.h>

#include "base/cores.h"
#include "batch/fingerprint.h"
#include "container/schedule.h"

enum {
	/* Rows that have come before blocks are begun that nobody has asked for: who wants only a
	 * few wants no other block. */
	GOING = 1 << 15,
};

struct container {
	struct trc_source src;
	struct trc_frames frames;
	struct trc_schedule *ahead;
	struct trc_block *block; /* that is emptied; NULL: none yet */
	enum trc_flow flow;      /* of the last that was asked for */
	struct trc_err err;
	size_t rows;                   /* that came, up to GOING */
	struct trc_fingerprint digest; /* of what came of it */
};

struct lane {
	struct trc_source src;
	struct container *c;
	struct trc_block *block; /* that is emptied; NULL: none */
	struct trc_fingerprint digest;
};

/* Compares all rows of a block with its fingerprint, which `digest` has of what came of it. */
static int
check_block(const struct container *c, const struct trc_block *block,
            const struct trc_fingerprint *digest, struct trc_err *err)
{
	if (block->at < block->end || !block->whole || trc_fingerprint_all(digest) == block->digest)
		return 0;
	return trc_fail(err,
	                "%s: a block did not come out as it was packed: the file was made or "
	                "read by a faulty trc",
	                c->frames.in->name);
}

static void
take_next_block(struct container *c)
{
	c->flow = trc_schedule_next(c->ahead, &c->block, &c->err);
	trc_fingerprint_reset(&c->digest);
}

static enum trc_flow
container_next(struct trc_source *src, struct trc_batch *b, struct trc_err *err)
{
	struct container *c = (struct container *)src;

	while (b->n < b->cap && c->flow == TRC_FLOW_ROWS) {
		if (!c->block || c->block->at == c->block->end)
			take_next_block(c);
		else if (trc_block_take(c->block, b, &c->digest) > 0 &&
		         check_block(c, c->block, &c->digest, err))
			return TRC_FLOW_FAILED;
	}
	if (c->rows < GOING && (c->rows += b->n) >= GOING)
		trc_schedule_go(c->ahead);
	if (b->n > 0)
		return TRC_FLOW_ROWS;
	if (c->flow == TRC_FLOW_FAILED)
		*err = c->err;
	else
		src->meta = c->frames.meta;
	return c->flow;
}

/* ---- lanes ---- */

static enum trc_flow
lane_next(struct trc_source *src, struct trc_batch *b, struct trc_err *err)
{
	struct lane *l = (struct lane *)src;
	struct trc_schedule *a = l->c->ahead;

	while (b->n < b->cap) {
		if (!l->block || l->block->at == l->block->end) {
			/* Why there is no other, the container says. */
			if (trc_schedule_next(a, &l->block, err) != TRC_FLOW_ROWS)
				break;
			trc_fingerprint_reset(&l->digest);
		} else if (trc_block_take(l->block, b, &l->digest) > 0 &&
		           check_block(l->c, l->block, &l->digest, err)) {
			trc_schedule_return(a, l->block, err);
			l->block = NULL;
			break;
		}
	}
	return b->n > 0 ? TRC_FLOW_ROWS : TRC_FLOW_END;
}

static void
lane_close(struct trc_source *src)
{
	struct lane *l = (struct lane *)src;

	trc_schedule_return(l->c->ahead, l->block, NULL);
	trc_fingerprint_release(&l->digest);
	free(l);
}

static struct trc_source *
container_lane(struct trc_source *src, struct trc_err *err)
{
	struct container *c = (struct container *)src;
	struct lane *l = trc_alloc(1, sizeof(*l), err);

	if (!l)
		return NULL;
	l->src = (struct trc_source){ .have = src->have, .next = lane_next, .close = lane_close };
	l->c = c;
	if (trc_fingerprint_init(&l->digest, src->have, err)) {
		free(l);
		return NULL;
	}
	trc_schedule_share(c->ahead);
	return &l->src;
}

/* ---- before the first row ---- */

static int
container_skip(struct trc_source *src, uint64_t rows, struct trc_err *err)
{
	struct container *c = (struct container *)src;

	c->frames.wanted.some = true;
	c->frames.wanted.from = rows;
	return trc_frames_index(&c->frames, err);
}

static void
container_limit(struct trc_source *src, uint64_t rows)
{
	struct trc_wanted *w = &((struct container *)src)->frames.wanted;

	w->some = true;
	w->to = rows < UINT64_MAX - w->from ? w->from + rows : UINT64_MAX;
}

static int
container_within(struct trc_source *src, uint64_t first, uint64_t last, struct trc_err *err)
{
	struct container *c = (struct container *)src;

	c->frames.wanted.some = true;
	c->frames.wanted.time_first = first;
	c->frames.wanted.time_last = last;
	return trc_frames_index(&c->frames, err);
}

static int
container_index(struct trc_source *src, const struct trc_index **index, struct trc_err *err)
{
	struct container *c = (struct container *)src;

	*index = NULL;
	if (trc_frames_index(&c->frames, err))
		return -1;
	if (c->frames.indexed)
		*index = &c->frames.file.index;
	return 0;
}

static void
release(struct container *c)
{
	trc_schedule_close(c->ahead);
	trc_fingerprint_release(&c->digest);
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

	if (!c)
		return NULL;
	c->src = (struct trc_source){ .next = container_next,
		                      .skip = container_skip,
		                      .limit = container_limit,
		                      .within = container_within,
		                      .index = container_index,
		                      .lane = container_lane,
		                      .close = container_close };
	c->frames.in = in;
	c->frames.salvage = from->salvage;
	c->frames.memlimit = from->memlimit ? from->memlimit : TRC_MEMORY_MOST;
	c->frames.threads = trc_threads(from->threads);
	if (trc_frames_begin(&c->frames, err) ||
	    trc_fingerprint_init(&c->digest, c->frames.have, err) ||
	    !(c->ahead = trc_schedule_open(&c->frames, err))) {
		release(c);
		return NULL;
	}
	c->src.lanes = from->salvage ? 0 : (size_t)c->frames.threads;
	c->src.have = c->frames.have;
	/* Traces of addresses are rarely reduced, and too long to be read for that. */
	c->src.meta_at_end = c->frames.have & TRC_HAS_VPN;
	c->src.meta = c->frames.meta;
	c->flow = TRC_FLOW_ROWS;
	return &c->src;
}
