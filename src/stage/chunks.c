/* SPDX-License-Identifier: MIT */
#include "stage/chunks.h"

#include <stdlib.h>

#include "base/pool.h"
#include "stage/chunk_shares.h"

enum {
	LEAST = 16,        /* batches in a chunk */
	COPYING_LEAST = 3, /* threads: two are slowed down less by one that parses than by bytes
	                    * that one copies and that leave its cache */
};

/* ---- rows ---- */

/* Returns the number of rows for the next chunk: if enough rows are left, each thread can have two
 * more chunks of this size after it. The first chunks are smaller, because the caller may need no
 * more than their results. */
static size_t
rows_wanted(const struct trc_chunks *p)
{
	const uint64_t left = p->from->slices ? trc_source_left(p->from) / TRC_BATCH_ROWS : 0;
	const uint64_t share = left / p->places > LEAST ? left / p->places : LEAST;
	const size_t most = left && p->begun > p->places ? p->sizes.most : p->sizes.read;

	return (left && share < most ? (size_t)share : most) * TRC_BATCH_ROWS;
}

/* Takes the next slice, or reads a list. If slices of lines follow, the first list has a single
 * batch, because no other thread has work before it is read. */
static enum trc_flow
take_rows(struct trc_chunks *p, struct trc_chunk_place *place, struct trc_chunk_part *part)
{
	const size_t batches = p->slices && p->begun == 0 ? 1 : p->sizes.read;
	struct trc_batches *list;
	enum trc_flow flow;

	if (part)
		part->chunk.before = p->listed;
	if (p->shared || (p->slices && p->begun > 0 && p->listed >= p->sizes.numbered)) {
		if (part)
			part->chunk.place = place;
		return trc_source_take(p->from, rows_wanted(p), &place->slice, &place->err);
	}
	list = &part->chunk.list;
	flow = trc_chunk_read_list(p, NULL, list, batches, &place->err);
	for (size_t i = 0; i < list->n; i++)
		p->listed += list->batch[i].n;
	/* Deliver the rows before the end, or before an error, first. */
	if (list->n == 0)
		return flow;
	if (flow == TRC_FLOW_FAILED)
		place->state = TRC_CHUNK_FAILED;
	return TRC_FLOW_ROWS;
}

/* Takes the rows of the next place and adds its chunk, which must then be worked on; there is no
 * chunk if threads share slices. The lock is held on entry and on return. */
static enum trc_flow
begin(struct trc_chunks *p, struct trc_chunk_place *place, struct trc_chunk_part **part)
{
	enum trc_flow flow = TRC_FLOW_FAILED;

	*part = p->shared ? NULL : trc_chunk_get_part(p, &place->err);
	p->reading = true;
	pthread_mutex_unlock(&p->lock);
	if (p->shared || *part)
		flow = take_rows(p, place, *part);
	pthread_mutex_lock(&p->lock);
	place->meta = p->from->meta;
	p->reading = false;
	p->begun++;
	pthread_cond_broadcast(&p->moved);
	if (flow == TRC_FLOW_ROWS) {
		p->stop = p->stop || place->state == TRC_CHUNK_FAILED;
		if (*part)
			trc_chunk_add_part(place, *part);
		return flow;
	}
	p->stop = true;
	place->state = flow == TRC_FLOW_END ? TRC_CHUNK_LAST : TRC_CHUNK_FAILED;
	if (*part)
		trc_chunk_put_part(p, *part);
	return flow;
}

/* ---- threads ---- */

/* Begins a chunk and works on it, if trc_chunk_may_begin(). The lock is held on entry and on
 * return. */
static void
do_chunk(struct trc_chunks *p, bool caller)
{
	struct trc_chunk_place *place = &p->place[p->begun % p->places];
	struct trc_chunk_part *part;

	place->first = p->begun == 0;
	place->parts = 0;
	place->part = NULL;
	place->part_end = &place->part;
	place->state = TRC_CHUNK_AT_WORK;
	place->ended = false;
	if (begin(p, place, &part) != TRC_FLOW_ROWS)
		return;
	if (p->shared) {
		trc_chunk_share(p, place, caller);
		return;
	}
	pthread_mutex_unlock(&p->lock);
	trc_chunk_work_on(p, part);
}

/* Does some work and returns true, or returns false if there is none. The lock is held on entry and
 * on return. */
static bool
do_something(struct trc_chunks *p, bool caller)
{
	struct trc_chunk_place *place;

	if (trc_chunk_may_begin(p)) {
		do_chunk(p, caller);
		return true;
	}
	place = trc_chunk_shared(p);
	if (place)
		trc_chunk_share(p, place, caller);
	return place != NULL;
}

static void
run(void *arg)
{
	struct trc_chunks *p = arg;

	pthread_mutex_lock(&p->lock);
	while (!p->closing && (!p->stop || trc_chunk_shared(p)))
		if (!do_something(p, false))
			pthread_cond_wait(&p->moved, &p->lock);
	pthread_mutex_unlock(&p->lock);
}

/* ---- taking chunks ---- */

static void
free_parts(struct trc_chunks *p, struct trc_chunk_part *part)
{
	for (struct trc_chunk_part *next; part; part = next) {
		next = part->next;
		trc_batches_release(&part->chunk.list);
		if (part->chunk.result)
			p->forget(part->chunk.result);
		free(part);
	}
}

static void
release(struct trc_chunks *p)
{
	for (size_t i = 0; i < p->places; i++) {
		free_parts(p, p->place[i].part);
		trc_slice_release(&p->place[i].slice);
		pthread_mutex_destroy(&p->place[i].rows);
	}
	free_parts(p, p->held);
	free_parts(p, p->free);
	while (p->lists > 0)
		trc_batches_release(&p->list[--p->lists]);
	pthread_cond_destroy(&p->moved);
	pthread_mutex_destroy(&p->lock);
	free(p);
}

struct trc_chunks *
trc_chunks_open(struct trc_source *from, struct trc_chunk_sizes sizes, int threads,
                trc_chunk_fn *work, void (*forget)(void *result), void *arg, struct trc_err *err)
{
	struct trc_chunks *p = trc_alloc(1, sizeof(*p), err);

	if (!p)
		return NULL;
	p->from = from;
	p->work = work;
	p->forget = forget;
	p->arg = arg;
	p->places = 2 * (size_t)threads;
	p->sizes = sizes;
	p->shared = from->slices && from->slices->at_once > 0 && sizes.any && sizes.numbered == 0;
	p->slices = from->slices && from->slices->at_once == 0 &&
	            (threads >= COPYING_LEAST || !from->slices->copies);
	pthread_mutex_init(&p->lock, NULL);
	pthread_cond_init(&p->moved, NULL);
	for (size_t i = 0; i < p->places; i++) {
		p->place[i].all = p;
		pthread_mutex_init(&p->place[i].rows, NULL);
	}
	p->crew = trc_crew_start(threads - 1, run, p);
	if (!p->crew) {
		trc_fail(err, "cannot start a thread");
		release(p);
		return NULL;
	}
	return p;
}

/* Makes the rows of a slice with a bad record again, once the number of lines before it is known,
 * so that the message has the right line. */
static void
number_lines(struct trc_chunks *p, struct trc_chunk_part *part)
{
	struct trc_chunk *chunk = &part->chunk;
	enum trc_flow flow = TRC_FLOW_ROWS;
	struct trc_slice *slice;
	struct trc_batch *b;

	if (!chunk->bad || p->shared || part->err.code != TRC_FAILED)
		return;
	slice = &chunk->place->slice;
	slice->before += p->lines;
	slice->again = true;
	chunk->list.n = 0;
	b = trc_batches_next(&chunk->list, p->from->have, &part->err);
	while (b && flow == TRC_FLOW_ROWS)
		flow = trc_source_parse(p->from, slice, b, &part->err);
}

/* Gives the next part to the caller; fails if the work on it failed. */
static int
next_chunk(struct trc_chunks *p, struct trc_chunk_place *place, struct trc_chunk **chunk,
           struct trc_err *err)
{
	struct trc_chunk_part *part = place->part;

	if (part->state == TRC_CHUNK_FAILED) {
		number_lines(p, part);
		*err = part->err;
		*chunk = &part->chunk;
		return -1;
	}
	p->lines += part->chunk.place ? place->slice.lines : 0;
	place->part = part->next;
	if (!place->part)
		place->part_end = &place->part;
	part->next = NULL;
	p->held = part;
	*chunk = &part->chunk;
	return 0;
}

/* Returns the next place if its next result is known: a part that is ready, or the reason why there
 * is none. Returns NULL if it is in progress. Skips places with no more parts. */
static struct trc_chunk_place *
next_place(struct trc_chunks *p)
{
	for (; p->taken < p->begun; p->taken++) {
		struct trc_chunk_place *place = &p->place[p->taken % p->places];

		if (place->part)
			return place->part->state == TRC_CHUNK_AT_WORK ? NULL : place;
		if (place->threads > 0)
			return NULL;
		if (place->state != TRC_CHUNK_AT_WORK)
			return place;
		pthread_cond_broadcast(&p->moved);
	}
	return NULL;
}

int
trc_chunks_next(struct trc_chunks *p, struct trc_chunk **chunk, struct trc_err *err)
{
	struct trc_chunk_place *place;
	int ret = 0;

	*chunk = NULL;
	pthread_mutex_lock(&p->lock);
	if (p->held)
		trc_chunk_put_part(p, p->held);
	p->held = NULL;
	while (!(place = next_place(p)))
		if (!do_something(p, true))
			pthread_cond_wait(&p->moved, &p->lock);
	if (place->part) {
		ret = next_chunk(p, place, chunk, err);
	} else if (place->state == TRC_CHUNK_FAILED) {
		*err = place->err;
		ret = -1;
	} /* Otherwise the end was reached, for good. */
	pthread_mutex_unlock(&p->lock);
	return ret;
}

void
trc_chunks_close(struct trc_chunks *p)
{
	if (!p)
		return;
	pthread_mutex_lock(&p->lock);
	p->closing = true;
	p->stop = true;
	pthread_cond_broadcast(&p->moved);
	pthread_mutex_unlock(&p->lock);
	trc_crew_wait(p->crew);
	release(p);
}
