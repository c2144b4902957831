/* SPDX-License-Identifier: MIT */
#include "cmd/job/pump_chunks.h"

#include <assert.h>
#include <stdatomic.h>
#include <stdlib.h>

#include "base/cores.h"
#include "stage/chunks.h"

enum {
	FIRST = 16, /* batches that one thread pumps: fewer are not worth others */
	SPARE = 2 * TRC_THREADS_MOST,
};

/* What is printed waits in memory: of 2^15 rows, some 20 to 100 bytes each. */
static const struct trc_chunk_sizes printed_sizes = { .read = 8, .most = 8 };

/* What is put into sinks does not: 2^18 rows, 2^20. */
static const struct trc_chunk_sizes put_sizes = { .read = 64, .most = 256, .any = true };

/* What all threads know. */
struct common {
	struct trc_sink *sink;
	uint32_t have;
	/* What a thread can take for its chunk: what bytes were printed with that are written, or a
	 * clone; or NULL. */
	_Atomic(void *) spare[SPARE];
};

static void *
take_spare(struct common *c)
{
	void *p = NULL;

	for (size_t i = 0; i < SPARE && !p; i++)
		p = atomic_load(&c->spare[i]) ? atomic_exchange(&c->spare[i], NULL) : NULL;
	return p;
}

/* Returns it if there is no room. */
static void *
put_spare(struct common *c, void *p)
{
	for (size_t i = 0; i < SPARE && p; i++) {
		void *none = NULL;

		if (atomic_compare_exchange_strong(&c->spare[i], &none, p))
			p = NULL;
	}
	return p;
}

/* ---- rows that are printed, in order ---- */

/* What a chunk is printed with. */
struct printing {
	struct trc_batch b;
	struct trc_printed printed;
};

static void
forget(void *result)
{
	struct printing *p = result;

	if (!p)
		return;
	trc_batch_release(&p->b);
	trc_buf_release(&p->printed.bytes);
	free(p);
}

/* One that has nothing in it. */
static struct printing *
begin(struct common *c, struct trc_err *err)
{
	struct printing *p = take_spare(c);

	if (p)
		return p;
	p = trc_alloc(1, sizeof(*p), err);
	if (p && trc_batch_init(&p->b, c->have, TRC_BATCH_ROWS, err)) {
		free(p);
		return NULL;
	}
	return p;
}

/* Keeps one that was written, with its room, for the next chunk. */
static void
keep(struct common *c, struct printing *p)
{
	p->printed.bytes.n = 0;
	p->printed.rows = 0;
	forget(put_spare(c, p));
}

/* Prints the rows of a chunk, up to one that cannot be: which one that is, is known to who writes
 * those in front. */
static int
print_chunk(void *arg, struct trc_chunk *chunk, struct trc_err *err)
{
	struct common *c = arg;
	struct printing *p = begin(c, err);
	enum trc_flow flow = TRC_FLOW_ROWS;
	struct trc_source *src;

	chunk->result = p;
	src = p ? trc_chunk_source(chunk, c->have, err) : NULL;
	if (!src)
		return -1;
	while (flow == TRC_FLOW_ROWS) {
		flow = trc_source_next(src, &p->b, err);
		if (flow == TRC_FLOW_ROWS && trc_sink_print(c->sink, &p->b, &p->printed))
			flow = TRC_FLOW_END;
	}
	trc_source_close(src);
	return flow == TRC_FLOW_END ? 0 : -1;
}

static int
write_chunks(struct common *c, struct trc_chunks *chunks, struct trc_sink *sink,
             struct trc_watch *watch, struct trc_err *err)
{
	struct trc_chunk *chunk;

	while (trc_chunks_next(chunks, &chunk, err) == 0) {
		struct printing *p;

		if (!chunk)
			return 0;
		p = chunk->result;
		if (trc_sink_printed(sink, &p->printed, err) ||
		    watch->batch(watch, p->printed.rows, err))
			return -1;
		chunk->result = NULL;
		keep(c, p);
	}
	return -1;
}

static int
pump_rest(struct trc_source *src, struct trc_sink *sink, int threads, struct trc_watch *watch,
          struct trc_err *err)
{
	struct common c = { .sink = sink, .have = src->have };
	struct trc_chunks *chunks = trc_chunks_open(src, printed_sizes, threads, print_chunk,
	                                            forget, &c, err);
	int ret;

	if (!chunks)
		return -1;
	ret = write_chunks(&c, chunks, sink, watch, err);
	trc_chunks_close(chunks);
	for (size_t i = 0; i < SPARE; i++)
		forget(c.spare[i]);
	return ret;
}

/* Returns TRC_FLOW_ROWS if there may be more. */
static enum trc_flow
pump_first(struct trc_source *src, struct trc_sink *sink, struct trc_watch *watch,
           struct trc_err *err)
{
	enum trc_flow flow = TRC_FLOW_ROWS;
	struct trc_batch b;

	if (trc_batch_init(&b, src->have, TRC_BATCH_ROWS, err))
		return TRC_FLOW_FAILED;
	for (int i = 0; i < FIRST && flow == TRC_FLOW_ROWS; i++) {
		flow = trc_source_next(src, &b, err);
		if (flow == TRC_FLOW_ROWS &&
		    (trc_sink_put(sink, &b, err) || watch->batch(watch, b.n, err)))
			flow = TRC_FLOW_FAILED;
	}
	trc_batch_release(&b);
	return flow;
}

static int
pump_printed(struct trc_source *src, struct trc_sink *sink, int threads, struct trc_watch *watch,
             struct trc_err *err)
{
	const enum trc_flow flow = pump_first(src, sink, watch, err);

	return flow == TRC_FLOW_FAILED ? -1 :
	       flow == TRC_FLOW_END    ? 0 :
	                                 pump_rest(src, sink, threads, watch, err);
}

/* ---- rows in any order ---- */

/* Puts the rows of a chunk into a clone that no other thread has. */
static int
put_chunk(void *arg, struct trc_chunk *chunk, struct trc_err *err)
{
	struct common *c = arg;
	struct trc_source *src = trc_chunk_source(chunk, c->have, err);
	struct trc_sink *clone = src ? take_spare(c) : NULL;
	int ret = -1;

	if (src && !clone)
		clone = c->sink->clone(c->sink, err);
	if (clone) {
		clone->kept = true;
		ret = trc_pump(src, clone, TRC_BATCH_ROWS, NULL, err);
	}
	trc_source_close(src);
	/* There is room for twice as many as there are threads. */
	clone = put_spare(c, clone);
	assert(!clone);
	return ret;
}

static int
watch_chunks(struct trc_chunks *chunks, struct trc_watch *watch, struct trc_err *err)
{
	struct trc_chunk *chunk;

	while (trc_chunks_next(chunks, &chunk, err) == 0)
		if (!chunk)
			return 0;
		else if (watch->batch(watch, chunk->rows, err))
			return -1;
	return -1;
}

static int
pump_clones(struct trc_source *src, struct trc_sink *sink, int threads, struct trc_watch *watch,
            struct trc_err *err)
{
	struct common c = { .sink = sink, .have = src->have };
	struct trc_chunks *chunks = trc_chunks_open(src, put_sizes, threads, put_chunk, free, &c,
	                                            err);
	struct trc_sink *clone;
	int ret;

	if (!chunks)
		return -1;
	ret = watch_chunks(chunks, watch, err);
	trc_chunks_close(chunks);
	while ((clone = take_spare(&c))) {
		ret = ret || sink->absorb(sink, clone, err) ? -1 : 0;
		trc_sink_close(clone);
	}
	return ret;
}

bool
trc_pump_has_chunks(const struct trc_source *src, const struct trc_sink *sink)
{
	return sink->print || (sink->clone && src->slices && src->slices->at_once > 0);
}

int
trc_pump_chunks(struct trc_source *src, struct trc_sink *sink, int threads, struct trc_watch *watch,
                struct trc_err *err)
{
	if ((sink->print ? pump_printed : pump_clones)(src, sink, threads, watch, err))
		return -1;
	return trc_sink_finish(sink, &src->meta, err);
}
