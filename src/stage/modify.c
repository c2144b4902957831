/* SPDX-License-Identifier: MIT
 * Splits a modify into its load and its store, for formats and simulators that have only those. */
#include "stage/stage.h"
#include "stage/wrap.h"

/* The stage. */
struct modify {
	struct trc_wrap wrap;
	bool stored; /* the load of row `at` has been written, its store has not */
};

static size_t
run_without_modify(const struct trc_batch *in, size_t at, size_t most)
{
	size_t n = 0;

	while (n < most && (in->type[at + n] & TRC_TYPE_MASK) != TRC_MODIFY)
		n++;
	return n;
}

static enum trc_flow
modify_next(struct trc_source *src, struct trc_batch *b, struct trc_err *err)
{
	struct modify *s = (struct modify *)src;
	struct trc_wrap *w = &s->wrap;
	enum trc_flow flow = trc_wrap_pull(w, err);

	if (flow != TRC_FLOW_ROWS)
		return flow;
	while (w->at < w->in.n && b->n < b->cap) {
		size_t left = w->in.n - w->at, room = b->cap - b->n;
		size_t n = run_without_modify(&w->in, w->at, left < room ? left : room);
		uint8_t *type;

		if (n > 0) {
			trc_batch_append(b, &w->in, w->at, n);
			w->at += n;
			continue;
		}
		trc_batch_append(b, &w->in, w->at, 1);
		type = &b->type[b->n - 1];
		*type = (uint8_t)((*type & TRC_KERNEL) | (s->stored ? TRC_WRITE : TRC_READ));
		w->at += s->stored;
		s->stored = !s->stored;
	}
	return TRC_FLOW_ROWS;
}

struct trc_source *
trc_stage_split_modify(struct trc_source *from, struct trc_err *err)
{
	struct modify *s;

	if (!(from->have & TRC_HAS_TYPE))
		return from;
	s = trc_wrap_open(sizeof(*s), from, from->have, modify_next, err);
	return s ? &s->wrap.src : NULL;
}

static struct trc_source *
wrap(struct trc_source *from, const void *settings, struct trc_err *err)
{
	(void)settings; /* being given is all there is to this option */
	return trc_stage_split_modify(from, err);
}

const struct trc_stage_row trc_stage_row_modify = {
	.opts = TRC_OPTS_FLAG("split-modify", "write each modify as a load and a store"),
	.wrap = wrap,
};
