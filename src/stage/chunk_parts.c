/* SPDX-License-Identifier: MIT
 * Chunks in progress, and the rows of a chunk. */
#include "stage/chunk_parts.h"

#include <stdlib.h>

struct trc_chunk_part *
trc_chunk_get_part(struct trc_chunks *p, struct trc_err *err)
{
	struct trc_chunk_part *part = p->free;

	if (part)
		p->free = part->next;
	else
		part = trc_alloc(1, sizeof(*part), err);
	if (!part)
		return NULL;
	*part = (struct trc_chunk_part){ .state = TRC_CHUNK_AT_WORK };
	if (p->lists > 0)
		part->chunk.list = p->list[--p->lists];
	return part;
}

static void
free_list(struct trc_chunks *p, struct trc_chunk_part *part)
{
	if (part->chunk.list.batch && p->lists < TRC_THREADS_MOST)
		p->list[p->lists++] = part->chunk.list;
	else
		trc_batches_release(&part->chunk.list);
	part->chunk.list = (struct trc_batches){ 0 };
}

void
trc_chunk_put_part(struct trc_chunks *p, struct trc_chunk_part *part)
{
	free_list(p, part);
	if (part->chunk.result)
		p->forget(part->chunk.result);
	part->chunk.result = NULL;
	part->next = p->free;
	p->free = part;
}

void
trc_chunk_add_part(struct trc_chunk_place *place, struct trc_chunk_part *part)
{
	part->chunk.first = place->first && place->parts++ == 0;
	part->chunk.meta = place->meta;
	*place->part_end = part;
	place->part_end = &part->next;
}

void
trc_chunk_work_on(struct trc_chunks *p, struct trc_chunk_part *part)
{
	const bool good = p->work(p->arg, &part->chunk, &part->err) == 0;

	pthread_mutex_lock(&p->lock);
	part->state = good ? TRC_CHUNK_READY : TRC_CHUNK_FAILED;
	p->stop = p->stop || !good;
	if (good)
		free_list(p, part);
	else if (part->chunk.place)
		part->chunk.place->ended = true;
	pthread_cond_broadcast(&p->moved);
}

bool
trc_chunk_may_begin(const struct trc_chunks *p)
{
	const size_t at_once = p->shared ? p->from->slices->at_once : 0;
	uint64_t first = p->begun;
	size_t at_work = 0;

	if (p->stop || p->reading || p->begun - p->taken == p->places)
		return false;
	for (uint64_t i = p->begun; p->shared && i-- > p->taken;)
		if (p->place[i % p->places].threads > 0) {
			at_work++;
			first = i;
		}
	return !p->shared || (at_work < at_once && p->begun - first <= at_once);
}

enum trc_flow
trc_chunk_read_list(struct trc_chunks *p, struct trc_slice *slice, struct trc_batches *list,
                    size_t batches, struct trc_err *err)
{
	enum trc_flow flow = TRC_FLOW_ROWS;

	list->n = 0;
	while (list->n < batches && flow == TRC_FLOW_ROWS && !p->closing) {
		struct trc_batch *b = trc_batches_next(list, p->from->have, err);

		if (!b)
			flow = TRC_FLOW_FAILED;
		else if (slice)
			flow = trc_source_parse(p->from, slice, b, err);
		else
			flow = trc_source_next(p->from, b, err);
		list->n += flow == TRC_FLOW_ROWS;
	}
	return flow;
}

/* ---- the rows of a chunk ---- */

struct rows {
	struct trc_source src;
	struct trc_chunk *chunk;
	struct trc_batches_at at; /* the next row */
};

/* Makes rows of the slice. When other threads join the work on it, the chunk ends. */
static enum trc_flow
slice_next(struct trc_source *src, struct trc_batch *b, struct trc_err *err)
{
	struct trc_chunk *chunk = ((struct rows *)src)->chunk;
	struct trc_chunk_place *place = chunk->place;
	const struct trc_chunks *p = place->all;
	enum trc_flow flow;

	if (p->shared && (place->threads > 1 || p->closing))
		return TRC_FLOW_END;
	flow = p->from->slices->parse(p->from, &place->slice, b, err);
	chunk->bad = flow == TRC_FLOW_FAILED;
	place->ended = flow != TRC_FLOW_ROWS;
	chunk->rows += b->n;
	return flow;
}

static enum trc_flow
list_next(struct trc_source *src, struct trc_batch *b, struct trc_err *err)
{
	struct rows *s = (struct rows *)src;
	struct trc_batches *l = &s->chunk->list;

	(void)err;
	if (s->at.i < l->n && s->at.at == 0 && b->cap == l->batch[s->at.i].cap) {
		/* Swap the batch itself for an empty one of the same kind. */
		const struct trc_batch empty = *b;

		*b = l->batch[s->at.i];
		l->batch[s->at.i++] = empty;
	} else {
		trc_batches_copy(l, &s->at, b);
	}
	s->chunk->rows += b->n;
	return b->n ? TRC_FLOW_ROWS : TRC_FLOW_END;
}

static void
rows_close(struct trc_source *src)
{
	free(src);
}

struct trc_source *
trc_chunk_source(struct trc_chunk *chunk, uint32_t have, struct trc_err *err)
{
	struct rows *s = trc_alloc(1, sizeof(*s), err);

	if (!s)
		return NULL;
	s->src = (struct trc_source){ .have = have, .meta = chunk->meta, .close = rows_close };
	s->src.next = chunk->place ? slice_next : list_next;
	s->chunk = chunk;
	return &s->src;
}
