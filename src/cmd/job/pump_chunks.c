/* SPDX-License-Identifier: MIT */
#include "cmd/job/pump_chunks.h"

#include <stdatomic.h>

#include "base/cores.h"
#include "stage/chunks.h"

enum {
	FIRST = 16, /* batches pumped by one thread; shorter inputs are not worth more threads */
	SPARE = 2 * TRC_THREADS_MOST,
};

/* Printed output waits in memory, so a chunk has 2^15 rows of about 20 to 100 bytes each. */
static const struct trc_chunk_sizes printed_sizes = { .read = 8, .most = 8 };

/* Rows that go into clones of a sink do not wait, so a chunk has 2^18 to 2^20 rows. */
static const struct trc_chunk_sizes put_sizes = { .read = 64, .most = 256, .any = true };

/* State shared by all threads. */
struct common {
	struct trc_sink *sink;
	uint32_t have;
	_Atomic(struct trc_sink *) spare[SPARE]; /* clones not in use, or NULL */
};

static struct trc_sink *
take_clone(struct common *c, struct trc_err *err)
{
	struct trc_sink *clone = NULL;

	for (size_t i = 0; i < SPARE && !clone; i++)
		clone = atomic_load(&c->spare[i]) ? atomic_exchange(&c->spare[i], NULL) : NULL;
	if (clone)
		return clone;
	clone = c->sink->apart->clone(c->sink, err);
	if (clone)
		clone->partial = true;
	return clone;
}

/* Returns a clone to the spare ones. There is room for twice as many clones as threads. */
static void
put_clone(struct common *c, struct trc_sink *clone)
{
	for (size_t i = 0; i < SPARE && clone; i++) {
		struct trc_sink *none = NULL;

		if (atomic_compare_exchange_strong(&c->spare[i], &none, clone))
			clone = NULL;
	}
	trc_sink_close(clone);
}

static void
forget(void *clone)
{
	trc_sink_close(clone);
}

/* Puts the rows of a chunk into a clone that no other thread has. If order matters, the clone
 * becomes the result of the chunk; otherwise it goes back to the spare ones. */
static int
put_chunk(void *arg, struct trc_chunk *chunk, struct trc_err *err)
{
	struct common *c = arg;
	struct trc_source *src = trc_chunk_source(chunk, c->have, err);
	struct trc_sink *clone = src ? take_clone(c, err) : NULL;
	const int ret = clone ? trc_pump(src, clone, TRC_BATCH_ROWS, NULL, err) : -1;

	trc_source_close(src);
	if (c->sink->apart->in_order)
		chunk->result = clone;
	else
		put_clone(c, clone);
	return ret;
}

/* Absorbs the results of chunks in order. If reading fails, the rows before the failure are written
 * all the same. */
static int
absorb_chunks(struct common *c, struct trc_chunks *chunks, struct trc_watch *watch,
              struct trc_err *err)
{
	struct trc_chunk *chunk;
	int ret;

	do {
		ret = trc_chunks_next(chunks, &chunk, err);
		if (chunk && chunk->result) {
			if (c->sink->apart->absorb(c->sink, chunk->result, err))
				return -1;
			put_clone(c, chunk->result);
			chunk->result = NULL;
		}
		if (ret == 0 && chunk)
			ret = watch->batch(watch, chunk->rows, err);
	} while (ret == 0 && chunk);
	return ret;
}

static int
pump_rest(struct trc_source *src, struct trc_sink *sink, int threads, struct trc_watch *watch,
          struct trc_err *err)
{
	struct common c = { .sink = sink, .have = src->have };
	const bool in_order = sink->apart->in_order;
	struct trc_chunks *chunks = trc_chunks_open(src, in_order ? printed_sizes : put_sizes,
	                                            threads, put_chunk, forget, &c, err);
	int ret;

	if (!chunks)
		return -1;
	ret = absorb_chunks(&c, chunks, watch, err);
	trc_chunks_close(chunks);
	for (size_t i = 0; i < SPARE; i++) {
		if (ret == 0 && c.spare[i] && !in_order)
			ret = sink->apart->absorb(sink, c.spare[i], err);
		trc_sink_close(c.spare[i]);
	}
	return ret;
}

bool
trc_pump_has_chunks(const struct trc_source *src, const struct trc_sink *sink)
{
	return sink->apart && (sink->apart->in_order || (src->slices && src->slices->at_once > 0));
}

int
trc_pump_chunks(struct trc_source *src, struct trc_sink *sink, int threads, struct trc_watch *watch,
                struct trc_err *err)
{
	enum trc_flow flow = TRC_FLOW_ROWS;

	if (sink->apart->in_order)
		flow = trc_pump_some(src, sink, TRC_BATCH_ROWS, FIRST, watch, err);
	if (flow == TRC_FLOW_FAILED ||
	    (flow == TRC_FLOW_ROWS && pump_rest(src, sink, threads, watch, err)))
		return -1;
	return trc_sink_finish(sink, &src->meta, err);
}
