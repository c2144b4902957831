/* SPDX-License-Identifier: MIT
 *
 * Shared by the files of chunks: the ring of places for rows that are read, and the chunks in
 * progress in them.
 */
#ifndef TRC_STAGE_CHUNK_PARTS_H
#define TRC_STAGE_CHUNK_PARTS_H

#include <pthread.h>
#include <stdatomic.h>

#include "base/cores.h"
#include "stage/chunks.h"

enum { TRC_CHUNK_PLACES_MOST = 2 * TRC_THREADS_MOST };

/* The state of a chunk or a place. */
enum trc_chunk_state {
	TRC_CHUNK_AT_WORK,
	TRC_CHUNK_READY,
	TRC_CHUNK_FAILED,
	TRC_CHUNK_LAST, /* the trace ended before it got any rows */
};

/* A chunk that has begun. */
struct trc_chunk_part {
	struct trc_chunk chunk;
	enum trc_chunk_state state; /* under the lock */
	struct trc_err err;
	struct trc_chunk_part *next; /* in the same place, or in the free list */
};

/* A place for a slice of the trace, in a ring that keeps them in order. Most places hold one
 * chunk. */
struct trc_chunk_place {
	struct trc_chunks *all;
	struct trc_slice slice;
	struct trc_meta meta; /* of the source when the place was begun */
	atomic_uint threads;  /* working on it; changed under the lock */
	pthread_mutex_t rows; /* held while making rows of a slice of several threads */
	atomic_bool ended;    /* there are no more rows */

	/* Protected by the lock: */
	struct trc_chunk_part *part, **part_end; /* its chunks that were not taken yet, in order */
	bool first;                              /* the first of all places */
	uint64_t parts;                          /* number of chunks it has had */
	enum trc_chunk_state state; /* TRC_CHUNK_FAILED, TRC_CHUNK_LAST: what follows its chunks */
	struct trc_err err;
};

/* Chunks in progress. The crew begins them, and so does the caller, who takes them, while the next
 * chunk is not ready. */
struct trc_chunks {
	struct trc_source *from;
	trc_chunk_fn *work;
	void (*forget)(void *result);
	void *arg;
	struct trc_chunk_sizes sizes;
	struct trc_crew *crew;
	bool slices; /* threads make rows from slices */
	bool shared; /* several threads may work on one slice */
	atomic_bool closing;

	pthread_mutex_t lock; /* protects all members below, except parts being worked on */
	pthread_cond_t moved;
	uint64_t begun, taken;       /* numbers of places; at most `places` are in progress */
	bool reading;                /* a thread is reading for place `begun` */
	bool stop;                   /* begin no more places */
	struct trc_chunk_part *held; /* the part that the caller has */
	uint64_t listed;             /* rows read into lists; used by the thread that is reading */
	uint64_t lines;              /* in the slices of chunks that were taken */
	size_t places;
	struct trc_chunk_place place[TRC_CHUNK_PLACES_MOST];

	struct trc_chunk_part *free;
	struct trc_batches list[TRC_THREADS_MOST]; /* free; the last one is still in a cache */
	size_t lists;
};

/* Return an empty part, and free a part with its result. The lock is held. */
struct trc_chunk_part *trc_chunk_get_part(struct trc_chunks *p, struct trc_err *err) TRC_MUST_USE;
void trc_chunk_put_part(struct trc_chunks *p, struct trc_chunk_part *part);

/* Appends `part` to the parts of a place. The lock is held. */
void trc_chunk_add_part(struct trc_chunk_place *place, struct trc_chunk_part *part);

/* Reads up to `batches` batches from the source or, if it is not NULL, from `slice`. */
enum trc_flow trc_chunk_read_list(struct trc_chunks *p, struct trc_slice *slice,
                                  struct trc_batches *list, size_t batches,
                                  struct trc_err *err) TRC_MUST_USE;

/* Returns true if a thread may begin a place. The lock is held. */
bool trc_chunk_may_begin(const struct trc_chunks *p);

/* Works on a part. The lock is not held on entry, but is held on return. */
void trc_chunk_work_on(struct trc_chunks *p, struct trc_chunk_part *part);

#endif
