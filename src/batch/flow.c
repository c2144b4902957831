/* SPDX-License-Identifier: MIT
 * The funnels that every call to a source or sink passes, and the loop that joins the two. */
#include "batch/flow.h"

#include <assert.h>

#include "base/interrupt.h"

enum trc_flow
trc_source_next(struct trc_source *src, struct trc_batch *b, struct trc_err *err)
{
	enum trc_flow flow;

	assert(b->have == src->have && b->cap > 0);
	trc_batch_clear(b);
	if (trc_interrupted(err))
		return TRC_FLOW_FAILED;
	flow = src->next(src, b, err);
	assert((flow == TRC_FLOW_ROWS) == (flow != TRC_FLOW_FAILED && b->n > 0) && b->n <= b->cap);
	return trc_batch_check(b, err) ? TRC_FLOW_FAILED : flow;
}

void
trc_source_close(struct trc_source *src)
{
	if (src)
		src->close(src);
}

int
trc_sink_put(struct trc_sink *sink, const struct trc_batch *b, struct trc_err *err)
{
	assert(b->n <= b->cap);
	if (trc_batch_check(b, err))
		return -1;
	return b->n ? sink->put(sink, b, err) : 0;
}

int
trc_sink_finish(struct trc_sink *sink, const struct trc_meta *meta, struct trc_err *err)
{
	return sink->finish(sink, meta, err);
}

void
trc_sink_close(struct trc_sink *sink)
{
	if (sink)
		sink->close(sink);
}

int
trc_pump(struct trc_source *src, struct trc_sink *sink, size_t rows, struct trc_watch *watch,
         struct trc_err *err)
{
	enum trc_flow flow;
	struct trc_batch b;
	int ret = -1;

	if (trc_batch_init(&b, src->have, rows, err))
		return -1;
	while ((flow = trc_source_next(src, &b, err)) == TRC_FLOW_ROWS) {
		if (trc_sink_put(sink, &b, err))
			goto out;
		if (watch && watch->batch(watch, b.n, err))
			goto out;
	}
	if (flow == TRC_FLOW_END)
		ret = trc_sink_finish(sink, &src->meta, err);
out:
	trc_batch_release(&b);
	return ret;
}
