/* SPDX-License-Identifier: MIT
 * A window of a trace by time. Times may run backwards: what counts is each row's own. */
#include "stage/stage.h"
#include "stage/wrap.h"

/* The stage. */
struct times {
	struct trc_wrap wrap;
	uint64_t first, last;
	bool limited; /* the source was given the bounds */
	uint32_t row[TRC_BATCH_ROWS];
};

static enum trc_flow
times_next(struct trc_source *src, struct trc_batch *b, struct trc_err *err)
{
	struct times *s = (struct times *)src;
	struct trc_wrap *w = &s->wrap;

	if (!s->limited && w->from->within && w->from->within(w->from, s->first, s->last, err))
		return TRC_FLOW_FAILED;
	s->limited = true;
	while (b->n == 0) {
		const enum trc_flow flow = trc_wrap_pull(w, err);
		size_t n = 0;

		if (flow != TRC_FLOW_ROWS) {
			trc_meta_part(&w->src.meta);
			return flow;
		}
		for (; w->at < w->in.n && n < b->cap; w->at++) {
			s->row[n] = (uint32_t)w->at;
			n += w->in.time[w->at] - s->first <= s->last - s->first;
		}
		trc_batch_pick(b, &w->in, s->row, n);
	}
	return TRC_FLOW_ROWS;
}

struct trc_source *
trc_stage_times(struct trc_source *from, uint64_t first, uint64_t last, struct trc_err *err)
{
	struct times *s;

	if (!(from->have & TRC_HAS_TIME)) {
		trc_fail(err,
		         "the trace has no times in cycles, which --from-time and --to-time need");
		return NULL;
	}
	s = trc_wrap_open(sizeof(*s), from, from->have, times_next, err);
	if (!s)
		return NULL;
	s->first = first;
	s->last = last;
	return &s->wrap.src;
}
