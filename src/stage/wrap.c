/* SPDX-License-Identifier: MIT */
#include "stage/wrap.h"

#include <stdlib.h>
#include <string.h>

void *
trc_wrap_pass(size_t size, struct trc_source *from, trc_next_fn next, struct trc_err *err)
{
	struct trc_wrap *w = trc_alloc(1, size, err);

	if (!w)
		return NULL;
	w->src = (struct trc_source){ .have = from->have,
		                      .spare = from->spare,
		                      .meta_at_end = from->meta_at_end,
		                      .fetched = from->fetched,
		                      .meta = from->meta,
		                      .next = next,
		                      .close = trc_wrap_close };
	w->from = from;
	w->size = size;
	return w;
}

void *
trc_wrap_open(size_t size, struct trc_source *from, uint32_t have, trc_next_fn next,
              struct trc_err *err)
{
	struct trc_wrap *w = trc_wrap_pass(size, from, next, err);

	if (w && trc_batch_init(&w->in, from->have, TRC_BATCH_ROWS, err)) {
		free(w);
		return NULL;
	}
	if (w) {
		w->src.have = have;
		w->src.spare &= have;
	}
	return w;
}

/* Updates the meta from `from` after it returned `flow`. */
static enum trc_flow
take_meta(struct trc_wrap *w, enum trc_flow flow, struct trc_err *err)
{
	w->src.meta = w->from->meta;
	if (w->take_meta && flow != TRC_FLOW_FAILED && w->take_meta(w, flow == TRC_FLOW_END, err))
		return TRC_FLOW_FAILED;
	return flow;
}

enum trc_flow
trc_wrap_next(struct trc_wrap *w, struct trc_batch *b, struct trc_err *err)
{
	return take_meta(w, trc_source_next(w->from, b, err), err);
}

enum trc_flow
trc_wrap_pull(struct trc_wrap *w, struct trc_err *err)
{
	enum trc_flow flow = TRC_FLOW_ROWS;

	if (w->at == w->in.n) {
		w->at = 0;
		flow = trc_wrap_next(w, &w->in, err);
	}
	return flow;
}

enum trc_flow
trc_wrap_pull_for(struct trc_wrap *w, const struct trc_batch *b, struct trc_err *err)
{
	enum trc_flow flow;

	w->in.cap = b->cap < TRC_BATCH_ROWS ? b->cap : TRC_BATCH_ROWS;
	flow = trc_wrap_pull(w, err);
	w->at = w->in.n;
	return flow;
}

void
trc_wrap_close(struct trc_source *src)
{
	struct trc_wrap *w = (struct trc_wrap *)src;

	trc_source_close(w->from);
	trc_batch_release(&w->in);
	free(w);
}

void *
trc_wrap_fail(struct trc_source *src)
{
	((struct trc_wrap *)src)->from = NULL;
	src->close(src);
	return NULL;
}

/* ---- slices ---- */

/* A slice of the stage: a copy of the stage around a slice of `from`. */
struct wrapped {
	struct trc_source src;
	struct trc_source *from;
	struct trc_slice slice;
	struct trc_wrap *stage;
};

static enum trc_flow
wrapped_next(struct trc_source *src, struct trc_batch *b, struct trc_err *err)
{
	struct wrapped *own = (struct wrapped *)src;

	return trc_source_parse(own->from, &own->slice, b, err);
}

static void
release_slice(void *slice)
{
	struct wrapped *own = slice;

	trc_slice_release(&own->slice);
	if (own->stage)
		trc_batch_release(&own->stage->in);
	free(own->stage);
	free(own);
}

/* Copies the stage, as it is before its first row, around the rows of a slice. */
static struct wrapped *
open_slice(const struct trc_wrap *w, struct trc_err *err)
{
	struct wrapped *own = trc_alloc(1, sizeof(*own), err);
	struct trc_wrap *stage = own ? trc_alloc(1, w->size, err) : NULL;

	if (!stage) {
		free(own);
		return NULL;
	}
	memcpy(stage, w, w->size);
	own->src = (struct trc_source){ .have = w->from->have, .next = wrapped_next };
	own->from = w->from;
	own->stage = stage;
	stage->from = &own->src;
	stage->take_meta = NULL; /* the meta is updated only by the stage itself */
	stage->at = 0;
	if (w->in.cap && trc_batch_init(&stage->in, w->from->have, TRC_BATCH_ROWS, err)) {
		release_slice(own);
		return NULL;
	}
	return own;
}

enum trc_flow
trc_wrap_take(struct trc_source *src, size_t want, struct trc_slice *slice, struct trc_err *err)
{
	struct trc_wrap *w = (struct trc_wrap *)src;
	struct wrapped *own = slice->own ? slice->own : open_slice(w, err);
	enum trc_flow flow;

	if (!own)
		return TRC_FLOW_FAILED;
	slice->own = own;
	slice->release = release_slice;
	if (w->at != w->in.n) {
		trc_fail(err, "this trc is faulty: rows wait in a stage that passes on pieces");
		return TRC_FLOW_FAILED;
	}
	flow = trc_source_take(w->from, want, &own->slice, err);
	slice->before = own->slice.before;
	return take_meta(w, flow, err);
}

static enum trc_flow
wrap_parse(struct trc_source *src, struct trc_slice *slice, struct trc_batch *b,
           struct trc_err *err)
{
	struct wrapped *own = slice->own;
	enum trc_flow flow;

	(void)src;
	own->slice.before = slice->before;
	own->slice.again |= slice->again;
	slice->again = false;
	flow = own->stage->src.next(&own->stage->src, b, err);
	slice->lines = own->slice.lines;
	return flow;
}

static uint64_t
wrap_left(const struct trc_source *src)
{
	return trc_source_left(((const struct trc_wrap *)src)->from);
}

static void
wrap_prepare(struct trc_source *src, const struct trc_slice *slice)
{
	const struct wrapped *own = slice->own;

	(void)src;
	own->from->slices->prepare(own->from, &own->slice);
}

void
trc_wrap_pieces(struct trc_wrap *w)
{
	const struct trc_sliceable *from = w->from->slices;

	if (!from)
		return;
	w->slices = (struct trc_sliceable){ .take = trc_wrap_take,
		                            .parse = wrap_parse,
		                            .left = wrap_left,
		                            .copies = from->copies,
		                            .at_once = from->at_once,
		                            .prepare = wrap_prepare };
	w->src.slices = &w->slices;
}
