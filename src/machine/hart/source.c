/* SPDX-License-Identifier: MIT
 *
 * A source of the rows of a hart. If a batch is too small for a block, its rows go through a larger
 * spare one.
 */
#include <assert.h>
#include <stdlib.h>

#include "machine/hart/hart.h"

/* A source of the rows of a hart under a driver. */
struct source {
	struct trc_source src;
	struct trc_hart *h;
	struct trc_driver *driver;
	uint64_t until;
	bool ended;
	struct trc_batch spare;
	size_t at; /* rows of `spare` that were returned */
};

/* Appends rows to `b` until it is nearly full or the trace ends. */
static enum trc_flow
fill(struct source *s, struct trc_batch *b, struct trc_err *err)
{
	while (!s->ended) {
		const size_t from = b->n;
		const enum trc_run_end why = trc_hart_run(s->h, b, s->until, err);
		enum trc_flow flow;

		if (s->driver->ran)
			s->driver->ran(s->driver, s->h, why, b, from, err);
		if (why == TRC_RUN_FAILED)
			return TRC_FLOW_FAILED;
		if (why == TRC_RUN_ROOM && b->n > 0)
			break;
		if (why == TRC_RUN_ROOM)
			continue;
		flow = s->driver->due(s->driver, s->h, why, &s->until, err);
		if (flow == TRC_FLOW_FAILED)
			return flow;
		s->ended = flow == TRC_FLOW_END;
	}
	return b->n ? TRC_FLOW_ROWS : TRC_FLOW_END;
}

/* Fills the spare batch, once all of its rows were returned. */
static enum trc_flow
refill(struct source *s, struct trc_err *err)
{
	s->spare.n = s->at = 0;
	return fill(s, &s->spare, err);
}

static enum trc_flow
next(struct trc_source *src, struct trc_batch *b, struct trc_err *err)
{
	struct source *s = (struct source *)src;
	size_t n;

	if (s->at == s->spare.n) {
		enum trc_flow flow;

		if (b->cap >= TRC_HART_ROOM)
			return fill(s, b, err);
		flow = refill(s, err);
		if (flow != TRC_FLOW_ROWS)
			return flow;
	}
	n = s->spare.n - s->at;
	n = n < b->cap ? n : b->cap;
	trc_batch_append(b, &s->spare, s->at, n);
	s->at += n;
	return TRC_FLOW_ROWS;
}

static int
skip(struct trc_source *src, uint64_t rows, struct trc_err *err)
{
	struct source *s = (struct source *)src;

	for (;;) {
		const size_t left = s->spare.n - s->at;
		enum trc_flow flow;

		if (rows <= left) {
			s->at += (size_t)rows;
			return 0;
		}
		rows -= left;
		flow = refill(s, err);
		if (flow != TRC_FLOW_ROWS)
			return flow == TRC_FLOW_END ? 0 : -1;
	}
}

static const struct trc_seekable seek = { .skip = skip };

static void
close_source(struct trc_source *src)
{
	struct source *s = (struct source *)src;

	s->driver->close(s->driver);
	trc_batch_release(&s->spare);
	free(s);
}

struct trc_source *
trc_hart_source(struct trc_hart *h, uint32_t have, struct trc_driver *d, struct trc_err *err)
{
	struct source *s = trc_alloc(1, sizeof(*s), err);

	assert((have & TRC_HART_HAS) == TRC_HART_HAS && !(have & ~(uint32_t)TRC_HART_MAY_HAVE));
	if (!s)
		return NULL;
	if (trc_batch_init(&s->spare, have, TRC_BATCH_ROWS, err)) {
		free(s);
		return NULL;
	}
	s->src.have = have;
	s->src.next = next;
	s->src.seek = &seek;
	s->src.close = close_source;
	s->h = h;
	s->driver = d;
	return &s->src;
}
