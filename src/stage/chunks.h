/* SPDX-License-Identifier: MIT
 *
 * Processes a trace in chunks in parallel: an idle thread takes the next chunk and works on it, and
 * the results are taken in order. So the output does not depend on the number of threads.
 *
 * A chunk is a source from which the thread that works on it pulls. If its rows can be taken as a
 * slice (trc_source_take() of batch/flow.h), they are made during the work, one batch at a time, in
 * the cache of that thread, and only the taking is serial. The rows of other sources are read into
 * lists of batches, by one thread at a time.
 *
 * If an input consists of large slices, such as blocks of millions of rows, each thread takes one
 * slice, which is a chunk. When no slices are left, idle threads help the others: a slice that
 * several threads work on is read by turns into lists, each of which is a chunk.
 */
#ifndef TRC_STAGE_CHUNKS_H
#define TRC_STAGE_CHUNKS_H

#include "batch/batches.h"
#include "batch/flow.h"

/* A chunk: its rows, and the result of the work on it. */
struct trc_chunk {
	bool first;           /* it is the first of the trace */
	uint64_t before;      /* rows before it, if less than sizes.numbered; otherwise at least
	                       * that */
	uint64_t rows;        /* pulled so far; all of them when the work is done */
	struct trc_meta meta; /* of the source, when the chunk was begun */
	void *result;         /* of the work; belongs to the caller that takes the chunk */

	/* Private. The chunk has the rows of the slice in this place or, if NULL, those of the
	 * list. */
	struct trc_chunk_place *place;
	struct trc_batches list;
	bool bad; /* the slice has a bad record */
};

/* Works on a chunk, on any thread: pulls all its rows from a trc_chunk_source(), or fails. */
typedef int trc_chunk_fn(void *arg, struct trc_chunk *chunk, struct trc_err *err);

struct trc_chunks;

/* Approximate sizes of chunks, in batches. `most` applies while enough rows are known to be left
 * for all threads; toward the end chunks are smaller, so that no thread waits long for another.
 * `read` applies to chunks that are read as a list. `any`: for an input that consists of slices,
 * chunks may have any size. The first `numbered` rows are read as lists, and all rows of an input
 * that consists of slices, because the number of rows in a slice is unknown. */
struct trc_chunk_sizes {
	size_t read, most;
	bool any;
	uint64_t numbered;
};

/* Starts reading `from` in chunks of these sizes; `from` must outlive the chunks and may not be
 * used until they are closed. `forget` frees a result that was not taken. */
struct trc_chunks *trc_chunks_open(struct trc_source *from, struct trc_chunk_sizes sizes,
                                   int threads, trc_chunk_fn *work, void (*forget)(void *result),
                                   void *arg, struct trc_err *err) TRC_MUST_USE;

/* Returns the next chunk, which is valid until the next call; *chunk is NULL at the end. If reading
 * it or working on it failed, fails in the same way after all earlier chunks were taken; *chunk is
 * then what there is of it, or NULL. */
int trc_chunks_next(struct trc_chunks *p, struct trc_chunk **chunk,
                    struct trc_err *err) TRC_MUST_USE;

/* Waits for running work, and frees everything. */
void trc_chunks_close(struct trc_chunks *p);

/* Opens a source of the rows of a chunk, which must outlive it. Only one can be opened, because it
 * removes the rows from the chunk. */
struct trc_source *trc_chunk_source(struct trc_chunk *chunk, uint32_t have,
                                    struct trc_err *err) TRC_MUST_USE;

#endif
