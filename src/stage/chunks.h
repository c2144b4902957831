/* SPDX-License-Identifier: MIT
 *
 * A trace worked on in chunks, side by side: a thread that has nothing else to do takes the next
 * one and works on it; what came of chunks is taken in order. So what comes out does not depend on
 * the number of threads.
 *
 * A chunk is a source, which the thread that works on it pulls from. Where its rows can be taken as
 * a piece (trc_source_take() of batch/flow.h), they are made then, a batch at a time, in the cache
 * of that thread: nothing but the taking is done by one thread at a time. The rows of other sources
 * are read as a list of batches, by turns.
 *
 * Where an input consists of pieces, such as blocks of millions of rows, each thread takes one, and
 * it is a chunk. When there are no more, those with nothing to do help the others: a piece that
 * several threads work on is read as lists, each a chunk, by turns.
 */
#ifndef TRC_STAGE_CHUNKS_H
#define TRC_STAGE_CHUNKS_H

#include "batch/batches.h"
#include "batch/flow.h"

/* A chunk: its rows, and what came of it. */
struct trc_chunk {
	bool first;      /* nothing is in front of it */
	uint64_t before; /* rows that are, if fewer than sizes.numbered; else as many or more */
	uint64_t rows;   /* that were pulled: all, when the work is done */
	struct trc_meta meta; /* of the source, when the chunk was begun */
	void *result;         /* of the work; taken over by who takes the chunk */

	/* Private: its rows are those of the piece that has this place, or NULL: of the list. */
	struct trc_chunk_place *place;
	struct trc_batches list;
	bool bad; /* the piece has a bad record */
};

/* Works on a chunk, on any thread: pulls all its rows from a trc_chunk_source(), or fails. */
typedef int trc_chunk_fn(void *arg, struct trc_chunk *chunk, struct trc_err *err);

struct trc_chunks;

/* Batches of a chunk, about: `most` where it is known that as much is left for all threads, and
 * fewer toward the end, so that no thread waits long for another; `read`: of one that is read as a
 * list; `any`: or any number, of inputs that consist of pieces. The first `numbered` rows are read
 * as lists, and all of such an input, as nobody knows of how many rows a piece is. */
struct trc_chunk_sizes {
	size_t read, most;
	bool any;
	uint64_t numbered;
};

/* Begins to read `from`, which must outlive it and is not to be touched until it is closed, in
 * chunks of these sizes. `forget` frees a result that nobody took. */
struct trc_chunks *trc_chunks_open(struct trc_source *from, struct trc_chunk_sizes sizes,
                                   int threads, trc_chunk_fn *work, void (*forget)(void *result),
                                   void *arg, struct trc_err *err) TRC_MUST_USE;

/* The next chunk, which is valid until the next call; *chunk = NULL at the end. Fails as reading it
 * or working on it did, when all before it were taken: *chunk is what there is of it, or NULL. */
int trc_chunks_next(struct trc_chunks *p, struct trc_chunk **chunk,
                    struct trc_err *err) TRC_MUST_USE;

/* Waits for what runs. */
void trc_chunks_close(struct trc_chunks *p);

/* A source of the rows of a chunk, which must outlive it; there is one, as it takes them out. */
struct trc_source *trc_chunk_source(struct trc_chunk *chunk, uint32_t have,
                                    struct trc_err *err) TRC_MUST_USE;

#endif
