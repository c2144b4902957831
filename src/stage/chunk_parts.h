/* SPDX-License-Identifier: MIT
 *
 * What the files of chunks share: places for what is read, and chunks on their way in them.
 */
#ifndef TRC_STAGE_CHUNK_PARTS_H
#define TRC_STAGE_CHUNK_PARTS_H

#include <pthread.h>
#include <stdatomic.h>

#include "base/cores.h"
#include "stage/chunks.h"

enum { TRC_CHUNK_PLACES_MOST = 2 * TRC_THREADS_MOST };

/* Where work is on its way. */
enum trc_chunk_state {
	TRC_CHUNK_AT_WORK,
	TRC_CHUNK_READY,
	TRC_CHUNK_FAILED,
	TRC_CHUNK_LAST, /* the trace ended before it had rows */
};

/* A chunk that was begun. */
struct trc_chunk_part {
	struct trc_chunk chunk;
	enum trc_chunk_state state; /* under the lock */
	struct trc_err err;
	struct trc_chunk_part *next; /* of the same place; or of those that are free */
};

/* A place for a piece of the trace; the ring has them in order. Most are one chunk. */
struct trc_chunk_place {
	struct trc_chunks *all;
	struct trc_piece piece;
	struct trc_meta meta; /* when it was begun */
	atomic_uint threads;  /* that work on it; changes under the lock */
	pthread_mutex_t rows; /* held by who makes rows of a piece that several may work on, */
	atomic_bool ended;    /* which has no more */

	/* Under the lock: */
	struct trc_chunk_part *part, **part_end; /* its chunks that nobody took, in order */
	bool first;                              /* of all places */
	uint64_t parts;                          /* that it had */
	enum trc_chunk_state state; /* TRC_CHUNK_FAILED, TRC_CHUNK_LAST: behind its chunks */
	struct trc_err err;
};

/* Chunks on their way, begun by the crew, and by the caller, who takes them, while the next is not
 * ready. */
struct trc_chunks {
	struct trc_source *from;
	trc_chunk_fn *work;
	void (*forget)(void *result);
	void *arg;
	struct trc_chunk_sizes sizes;
	struct trc_crew *crew;
	bool pieces; /* threads make the rows of what one takes */
	bool shared; /* and help each other */
	atomic_bool closing;

	pthread_mutex_t lock; /* of all below, but for parts at work */
	pthread_cond_t moved;
	uint64_t begun, taken;       /* places; at most `places` are between the two */
	bool reading;                /* somebody does, for place `begun` */
	bool stop;                   /* no more are begun */
	struct trc_chunk_part *held; /* by the caller */
	uint64_t listed;             /* rows of lists; of who reads */
	uint64_t lines;              /* of the pieces of chunks that were taken */
	size_t places;
	struct trc_chunk_place place[TRC_CHUNK_PLACES_MOST];

	struct trc_chunk_part *free;
	struct trc_batches list[TRC_THREADS_MOST]; /* that are free: the last one is in a cache */
	size_t lists;
};

/* An empty part; and back, with what came of it. Under the lock. */
struct trc_chunk_part *trc_chunk_get_part(struct trc_chunks *p, struct trc_err *err) TRC_MUST_USE;
void trc_chunk_put_part(struct trc_chunks *p, struct trc_chunk_part *part);

/* Has `part` be the next of a place. Under the lock. */
void trc_chunk_add_part(struct trc_chunk_place *place, struct trc_chunk_part *part);

/* Reads batches of the source, or of `piece` if it is not NULL, up to so many. */
enum trc_flow trc_chunk_read_list(struct trc_chunks *p, struct trc_piece *piece,
                                  struct trc_batches *list, size_t batches,
                                  struct trc_err *err) TRC_MUST_USE;

/* True if a place can be begun, by one thread. Under the lock. */
bool trc_chunk_may_begin(const struct trc_chunks *p);

/* Works on a part; called without the lock, and left with it. */
void trc_chunk_work_on(struct trc_chunks *p, struct trc_chunk_part *part);

#endif
