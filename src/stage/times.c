/* SPDX-License-Identifier: MIT
 * Selects a range of times of a trace. Times may run backwards; each row is judged by its own. */
#include "stage/stage.h"
#include "stage/wrap.h"

/* The stage. */
struct times {
	struct trc_wrap wrap;
	uint64_t first, last;
	bool limited; /* the source was given the range */
	uint32_t row[TRC_BATCH_ROWS];
};

static int
times_meta(struct trc_wrap *w, bool ended, struct trc_err *err)
{
	(void)err;
	if (ended)
		trc_meta_excerpt(&w->src.meta);
	return 0;
}

/* Lets the source leave out what it can, before any row is read. */
static int
begin(struct times *s, struct trc_err *err)
{
	struct trc_source *from = s->wrap.from;
	const struct trc_seekable *seek = from->seek;

	if (!s->limited && seek && seek->within && seek->within(from, s->first, s->last, err))
		return -1;
	s->limited = true;
	return 0;
}

static enum trc_flow
times_next(struct trc_source *src, struct trc_batch *b, struct trc_err *err)
{
	struct times *s = (struct times *)src;
	struct trc_wrap *w = &s->wrap;

	if (begin(s, err))
		return TRC_FLOW_FAILED;
	while (b->n == 0) {
		const enum trc_flow flow = trc_wrap_pull_for(w, b, err);
		size_t n = 0;

		if (flow != TRC_FLOW_ROWS)
			return flow;
		for (size_t i = 0; i < w->in.n; i++) {
			s->row[n] = (uint32_t)i;
			n += w->in.time[i] - s->first <= s->last - s->first;
		}
		trc_batch_pick(b, &w->in, s->row, n);
	}
	return TRC_FLOW_ROWS;
}

static enum trc_flow
times_take(struct trc_source *src, size_t want, struct trc_slice *slice, struct trc_err *err)
{
	return begin((struct times *)src, err) ? TRC_FLOW_FAILED :
	                                         trc_wrap_take(src, want, slice, err);
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
	s->wrap.take_meta = times_meta;
	trc_wrap_pieces(&s->wrap);
	s->wrap.slices.take = times_take;
	return &s->wrap.src;
}
