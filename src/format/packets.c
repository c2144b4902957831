/* SPDX-License-Identifier: MIT
 *
 * Reads binary records of several lengths or with several rows: a batch at a time, and reports the
 * position of an invalid one.
 */
#include "format/packets.h"

#include <stdlib.h>

/* A source of rows from packets. */
struct packets_source {
	struct trc_source src;
	const struct trc_packet_format *row;
	struct trc_in *in;
	void *state;
	struct trc_batch held; /* rows of a record that did not fit into the batch, from `at` on */
	size_t at;
};

static int
fail_here(const struct packets_source *s, struct trc_err *err)
{
	return trc_err_in(err, "%s: byte %llu", s->in->name,
	                  (unsigned long long)trc_in_offset(s->in));
}

/* Called if nothing could be parsed: the data has ended, or ends inside a record. */
static int
end(struct packets_source *s, struct trc_err *err)
{
	const size_t left = (size_t)(s->in->end - s->in->p);

	if (left > 0) {
		trc_fail(err,
		         "the record that begins here is truncated: the data ends %zu bytes "
		         "later; --salvage recovers the records before it",
		         left);
		fail_here(s, err);
		return trc_in_lose(s->in, err);
	}
	if (s->row->end && !s->in->lost && s->row->end(s->state, err))
		return fail_here(s, err);
	return 0;
}

/* Parses the contents of the window while `b` has room; sets *stuck if nothing could be parsed. */
static int
parse(struct packets_source *s, struct trc_batch *b, bool *stuck, struct trc_err *err)
{
	struct trc_in *in = s->in;
	const size_t n = b->n;
	const uint8_t *p;

	if (trc_in_fill(in, s->row->longest, err))
		return trc_err_in(err, "%s", in->name);
	p = in->p;
	if (s->row->parse(s->state, &in->p, in->end, b, err))
		return fail_here(s, err);
	*stuck = in->p == p && b->n == n;
	return 0;
}

static enum trc_flow
packets_next(struct trc_source *src, struct trc_batch *b, struct trc_err *err)
{
	struct packets_source *s = (struct packets_source *)src;
	bool stuck = false;

	while (b->n < b->cap && !stuck) {
		const size_t room = b->cap - b->n;

		if (s->at < s->held.n) {
			const size_t left = s->held.n - s->at, n = left < room ? left : room;

			trc_batch_append(b, &s->held, s->at, n);
			s->at += n;
			continue;
		}
		trc_batch_clear(&s->held);
		s->at = 0;
		if (parse(s, room < s->row->rows ? &s->held : b, &stuck, err))
			return TRC_FLOW_FAILED;
	}
	if (stuck && end(s, err))
		return TRC_FLOW_FAILED;
	return b->n ? TRC_FLOW_ROWS : TRC_FLOW_END;
}

static void
packets_close(struct trc_source *src)
{
	struct packets_source *s = (struct packets_source *)src;

	trc_in_close(s->in);
	if (s->row->release && s->state)
		s->row->release(s->state);
	trc_batch_release(&s->held);
	free(s->state);
	free(s);
}

struct trc_source *
trc_packets_source(const struct trc_format *f, struct trc_in *in, const void *settings,
                   struct trc_err *err)
{
	struct packets_source *s = trc_alloc(1, sizeof(*s), err);
	const struct trc_packet_format *row = f->packet;

	if (!s)
		return NULL;
	s->src = (struct trc_source){ .have = f->holds,
		                      .next = packets_next,
		                      .close = packets_close };
	s->row = row;
	s->in = in;
	s->state = trc_alloc(1, row->state ? row->state : 1, err);
	if (!s->state || (row->begin && row->begin(s->state, in, settings, &s->src, err)) ||
	    trc_batch_init(&s->held, s->src.have, row->rows, err)) {
		s->in = NULL; /* stays the caller's */
		packets_close(&s->src);
		return NULL;
	}
	return &s->src;
}
