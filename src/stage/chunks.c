/* SPDX-License-Identifier: MIT */
#include "stage/chunks.h"

#include <pthread.h>
#include <stdlib.h>

#include "base/cores.h"
#include "base/pool.h"

enum {
	CHUNKS_MOST = 2 * TRC_THREADS_MOST,
	LEAST = 16,        /* batches of a chunk */
	COPYING_LEAST = 3, /* threads: two are not slowed down by one of them that parses, but by
	                    * bytes that one of them copies, and that leave its cache */
};

/* Where a chunk is on its way. */
enum state {
	FREE,
	AT_WORK,
	READY,
	FAILED,
	LAST, /* the trace ended before it had rows */
};

/* A place for a chunk; the ring has them in order of chunks. */
struct place {
	struct trc_chunk chunk;
	enum state state; /* under the lock */
	struct trc_err err;
};

/* Chunks on their way, begun by the crew, and by the caller, who takes them, while the next is not
 * ready. */
struct trc_chunks {
	struct trc_source *from;
	trc_chunk_fn *work;
	void (*forget)(void *result);
	void *arg;
	struct trc_crew *crew;

	pthread_mutex_t lock; /* of all below, but for places at work */
	pthread_cond_t moved;
	uint64_t begun, taken; /* chunks; at most `places` are between the two */
	bool reading;          /* somebody does, the rows of chunk `begun` */
	bool stop;             /* no more are begun */

	bool pieces;    /* threads make the rows of what one takes */
	bool holding;   /* the caller has chunk taken - 1 */
	uint64_t lines; /* of the pieces of chunks that were taken */
	size_t places;
	struct trc_chunk_sizes sizes;
	struct place place[CHUNKS_MOST];
};

/* Rows that the next chunk is to have: each thread has another two of these behind it, if as much
 * is left. */
static size_t
rows_wanted(const struct trc_chunks *p)
{
	const uint64_t left = p->from->left ? p->from->left(p->from) / TRC_BATCH_ROWS : 0;
	const uint64_t share = left / p->places > LEAST ? left / p->places : LEAST;
	const size_t most = left ? p->sizes.most : p->sizes.read;

	return (left && share < most ? (size_t)share : most) * TRC_BATCH_ROWS;
}

/* Takes the piece of a chunk: true if there is any. */
static bool
take_chunk(struct trc_chunks *p, struct place *place)
{
	struct trc_chunk *chunk = &place->chunk;
	const enum trc_flow flow = trc_source_take(p->from, rows_wanted(p), &chunk->piece,
	                                           &place->err);

	chunk->rows = 0;
	chunk->meta = p->from->meta;
	chunk->from = p->from;
	place->state = flow == TRC_FLOW_FAILED ? FAILED : flow == TRC_FLOW_ROWS ? AT_WORK : LAST;
	return place->state == AT_WORK;
}

/* Reads the rows of a chunk: true if there is at least one. In front of pieces it is of one batch,
 * as nobody else has work before it is read. */
static bool
read_chunk(struct trc_chunks *p, struct place *place)
{
	const size_t batches = p->pieces ? 1 : p->sizes.read;
	struct trc_chunk *chunk = &place->chunk;
	enum trc_flow flow = TRC_FLOW_ROWS;

	chunk->list.n = 0;
	chunk->rows = 0;
	while (chunk->list.n < batches) {
		struct trc_batch *b = trc_batches_next(&chunk->list, p->from->have, &place->err);

		flow = b ? trc_source_next(p->from, b, &place->err) : TRC_FLOW_FAILED;
		if (flow != TRC_FLOW_ROWS)
			break;
		chunk->list.n++;
	}
	chunk->meta = p->from->meta;
	chunk->from = NULL;
	place->state = flow == TRC_FLOW_FAILED ? FAILED : chunk->list.n ? AT_WORK : LAST;
	return place->state == AT_WORK;
}

/* True if a chunk can be begun, by one thread. */
static bool
may_begin(const struct trc_chunks *p)
{
	return !p->stop && !p->reading && p->begun - p->taken < p->places - p->holding;
}

/* Takes or reads the next chunk, the first one in any case as rows, and works on it. Called and
 * left under the lock, when one may begin. */
static void
do_chunk(struct trc_chunks *p)
{
	struct place *place = &p->place[p->begun % p->places];
	bool good;

	p->reading = true;
	place->chunk.number = p->begun;
	pthread_mutex_unlock(&p->lock);
	good = p->pieces && p->begun > 0 ? take_chunk(p, place) : read_chunk(p, place);
	pthread_mutex_lock(&p->lock);
	p->reading = false;
	p->begun++;
	p->stop = p->stop || !good;
	pthread_cond_broadcast(&p->moved);
	if (!good)
		return;
	pthread_mutex_unlock(&p->lock);
	good = p->work(p->arg, &place->chunk, &place->err) == 0;
	pthread_mutex_lock(&p->lock);
	place->state = good ? READY : FAILED;
	p->stop = p->stop || !good;
	pthread_cond_broadcast(&p->moved);
}

static void
run(void *arg)
{
	struct trc_chunks *p = arg;

	pthread_mutex_lock(&p->lock);
	while (!p->stop) {
		if (may_begin(p))
			do_chunk(p);
		else
			pthread_cond_wait(&p->moved, &p->lock);
	}
	pthread_mutex_unlock(&p->lock);
}

static void
release(struct trc_chunks *p)
{
	for (size_t i = 0; i < p->places; i++) {
		struct trc_chunk *chunk = &p->place[i].chunk;

		trc_batches_release(&chunk->list);
		if (chunk->result)
			p->forget(chunk->result);
		trc_piece_release(&chunk->piece);
	}
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
	p->pieces = from->take && (threads >= COPYING_LEAST || !from->take_copies);
	pthread_mutex_init(&p->lock, NULL);
	pthread_cond_init(&p->moved, NULL);
	p->crew = trc_crew_start(threads - 1, run, p);
	if (!p->crew) {
		trc_fail(err, "cannot start a thread");
		release(p);
		return NULL;
	}
	return p;
}

/* Makes the rows of a piece with a bad one again, now that it is known how many lines are in front
 * of it. */
static void
number_lines(struct trc_chunks *p, struct place *place)
{
	struct trc_chunk *chunk = &place->chunk;
	enum trc_flow flow = TRC_FLOW_ROWS;
	struct trc_batch *b;

	if (!chunk->from || !chunk->bad || place->err.code != TRC_FAILED)
		return;
	chunk->piece.before += p->lines;
	chunk->piece.again = true;
	chunk->list.n = 0;
	b = trc_batches_next(&chunk->list, p->from->have, &place->err);
	while (b && flow == TRC_FLOW_ROWS)
		flow = trc_source_parse(p->from, &chunk->piece, b, &place->err);
}

int
trc_chunks_next(struct trc_chunks *p, struct trc_chunk **chunk, struct trc_err *err)
{
	struct place *place;
	int ret = 0;

	*chunk = NULL;
	pthread_mutex_lock(&p->lock);
	p->holding = false;
	pthread_cond_broadcast(&p->moved);
	place = &p->place[p->taken % p->places];
	while (p->begun == p->taken ? !p->stop || p->reading : place->state == AT_WORK) {
		if (may_begin(p))
			do_chunk(p);
		else
			pthread_cond_wait(&p->moved, &p->lock);
	}
	if (p->begun == p->taken || place->state == LAST) {
		/* The end, which stays. */
	} else if (place->state == FAILED) {
		number_lines(p, place);
		*err = place->err;
		ret = -1;
	} else {
		*chunk = &place->chunk;
		p->lines += place->chunk.from ? place->chunk.piece.lines : 0;
		p->holding = true;
		p->taken++;
	}
	pthread_mutex_unlock(&p->lock);
	return ret;
}

void
trc_chunks_close(struct trc_chunks *p)
{
	if (!p)
		return;
	pthread_mutex_lock(&p->lock);
	p->stop = true;
	pthread_cond_broadcast(&p->moved);
	pthread_mutex_unlock(&p->lock);
	trc_crew_wait(p->crew);
	release(p);
}

/* ---- the rows of a chunk ---- */

struct rows {
	struct trc_source src;
	struct trc_chunk *chunk;
	struct trc_batches_at at; /* the next row */
};

static enum trc_flow
piece_next(struct trc_source *src, struct trc_batch *b, struct trc_err *err)
{
	struct trc_chunk *chunk = ((struct rows *)src)->chunk;
	const enum trc_flow flow = chunk->from->parse(chunk->from, &chunk->piece, b, err);

	chunk->bad = flow == TRC_FLOW_FAILED;
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
		/* The batch itself, for an empty one of the same kind. */
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
	s->src.next = chunk->from ? piece_next : list_next;
	s->chunk = chunk;
	return &s->src;
}
