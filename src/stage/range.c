/* SPDX-License-Identifier: MIT
 * A window of a trace by row number. */
#include "stage/stage.h"
#include "stage/wrap.h"

struct range {
	struct trc_wrap wrap;
	uint64_t skip, left;
};

static enum trc_flow
range_next(struct trc_source *src, struct trc_batch *b, struct trc_err *err)
{
	struct range *s = (struct range *)src;
	struct trc_wrap *w = &s->wrap;
	size_t n;

	if (s->left == 0)
		return TRC_FLOW_END;
	if (s->skip > 0 && w->from->skip) {
		if (w->from->skip(w->from, s->skip, err))
			return TRC_FLOW_FAILED;
		s->skip = 0;
	}
	for (;;) {
		enum trc_flow flow = trc_wrap_pull(w, err);

		if (flow != TRC_FLOW_ROWS)
			return flow;
		n = w->in.n - w->at;
		if (n > s->skip)
			break;
		s->skip -= n;
		w->at = w->in.n;
	}
	w->at += (size_t)s->skip;
	n -= (size_t)s->skip;
	s->skip = 0;
	n = n < b->cap ? n : b->cap;
	n = n < s->left ? n : (size_t)s->left;
	trc_batch_append(b, &w->in, w->at, n);
	w->at += n;
	s->left -= n;
	return TRC_FLOW_ROWS;
}

struct trc_source *
trc_stage_range(struct trc_source *from, uint64_t skip, uint64_t limit, struct trc_err *err)
{
	struct range *s = trc_wrap_open(sizeof(*s), from, from->have, range_next, err);

	if (!s)
		return NULL;
	s->skip = skip;
	s->left = limit;
	return &s->wrap.src;
}
