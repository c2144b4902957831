/* SPDX-License-Identifier: MIT */
#include "cmd/job/salvage.h"

#include "stage/wrap.h"

struct salvage {
	struct trc_wrap wrap;
	const struct trc_in *in;
	struct trc_gap gap; /* after the rows that were read */
};

static enum trc_flow
salvage_next(struct trc_source *src, struct trc_batch *b, struct trc_err *err)
{
	struct salvage *s = (struct salvage *)src;
	const size_t n = b->n;
	const enum trc_flow flow = trc_source_next(s->wrap.from, b, err);

	s->gap.first += b->n - n;
	src->meta = s->wrap.from->meta;
	if (flow == TRC_FLOW_END && s->in->lost) {
		src->meta.gap = &s->gap;
		src->meta.gaps = 1;
	}
	return flow;
}

struct trc_source *
trc_job_salvage(struct trc_source *from, const struct trc_in *in, struct trc_err *err)
{
	struct salvage *s = trc_wrap_open(sizeof(*s), from, from->have, salvage_next, err);

	if (!s)
		return NULL;
	s->in = in;
	s->gap.rows = TRC_GAP_REST;
	return &s->wrap.src;
}
