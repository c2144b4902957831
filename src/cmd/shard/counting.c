/* SPDX-License-Identifier: MIT */
#include "cmd/shard/counting.h"

#include <stdlib.h>

struct counting {
	struct trc_sink sink;
	const struct trc_query_ops *ops;
	struct trc_query *query;
	bool finished;
};

static struct trc_census *
counters(const struct trc_query_ops *q, struct trc_query *query)
{
	return (struct trc_census *)((char *)query + q->counters.at);
}

static int
counting_put(struct trc_sink *sink, const struct trc_batch *b, struct trc_err *err)
{
	struct counting *s = (struct counting *)sink;

	for (size_t i = 0; i < b->n; i++) {
		const uint8_t type = trc_batch_type(b, i);

		if (!trc_batch_is_event(b, i) && trc_type_refs(type) > 0 &&
		    s->ops->reference(s->query, b, i, type, err))
			return -1;
	}
	return 0;
}

static int
counting_finish(struct trc_sink *sink, const struct trc_meta *meta, struct trc_err *err)
{
	(void)meta, (void)err;
	((struct counting *)sink)->finished = true;
	return 0;
}

static void
counting_state(struct trc_sink *sink, struct trc_state *t)
{
	struct counting *s = (struct counting *)sink;
	struct trc_census *counter = counters(s->ops, s->query);

	for (size_t i = 0; i < s->ops->counters.n; i++)
		trc_census_state(&counter[i], t, i + 1 == s->ops->counters.n ? s->ops->seam : NULL,
		                 s->query);
}

/* Counters of a run that was saved or failed have no answer to be kept for. */
static void
counting_close(struct trc_sink *sink)
{
	struct counting *s = (struct counting *)sink;

	if (!s->finished)
		trc_counting_release(s->ops, s->query);
	free(s);
}

struct trc_sink *
trc_counting_sink(const struct trc_query_ops *q, struct trc_query *query, struct trc_err *err)
{
	struct counting *s = trc_alloc(1, sizeof(*s), err);

	if (!s)
		return NULL;
	s->sink = (struct trc_sink){ .put = counting_put,
		                     .finish = counting_finish,
		                     .state = counting_state,
		                     .close = counting_close };
	s->ops = q;
	s->query = query;
	return &s->sink;
}

void
trc_counting_subtract(const struct trc_query_ops *q, struct trc_query *all, struct trc_query *first)
{
	for (size_t i = 0; i < q->counters.n; i++)
		trc_census_subtract(&counters(q, all)[i], &counters(q, first)[i]);
}

void
trc_counting_release(const struct trc_query_ops *q, struct trc_query *query)
{
	for (size_t i = 0; i < q->counters.n; i++)
		trc_census_release(&counters(q, query)[i]);
}
