/* SPDX-License-Identifier: MIT */
#include "stage/profile/warmup.h"

#include <stdlib.h>

#include "batch/extent.h"
#include "stage/wrap.h"

/* ---- the source ---- */

struct warmup_source {
	struct trc_wrap wrap;
	struct trc_warmup *warmup;
};

static enum trc_flow
warmup_next(struct trc_source *src, struct trc_batch *b, struct trc_err *err)
{
	struct warmup_source *s = (struct warmup_source *)src;
	struct trc_warmup *m = s->warmup;
	struct trc_wrap *w = &s->wrap;
	uint64_t left = m->records - m->seen;
	const enum trc_flow flow = trc_wrap_pull(w, err);
	size_t n = w->in.n - w->at;

	if (flow != TRC_FLOW_ROWS)
		return flow;
	n = n < b->cap ? n : b->cap;
	if (!m->over) {
		const size_t first = trc_extent_rows(&w->in, w->at, n, &left, m->insns);

		m->over = first == 0;
		m->seen = m->records - left;
		n = m->over ? n : first;
	}
	trc_batch_append(b, &w->in, w->at, n);
	w->at += n;
	return TRC_FLOW_ROWS;
}

struct trc_source *
trc_warmup_source(struct trc_source *from, struct trc_warmup *w, struct trc_err *err)
{
	struct warmup_source *s = trc_wrap_open(sizeof(*s), from, from->have, warmup_next, err);

	if (!s)
		return NULL;
	s->warmup = w;
	return &s->wrap.src;
}

/* ---- the sink ---- */

struct warmup_sink {
	struct trc_sink sink;
	struct trc_sink *all, *first; /* `first` is NULL after it has finished */
	struct trc_warmup *warmup;
};

int
trc_warmup_check(uint64_t records, bool insns, uint64_t seen, const struct trc_meta *meta,
                 struct trc_err *err)
{
	const struct trc_guarantee *g = &meta->guarantee;

	if (g->sad || g->window || g->sets || g->sample > 1 || g->reduced)
		return trc_fail(err, "--warmup: the first records of a reduced trace are not "
		                     "those of the original; use the original");
	return seen < records ? trc_fail(err, "--warmup: the trace has fewer than %llu %s",
	                                 (ull)records, insns ? "instructions" : "records") :
	                        0;
}

/* Ends the warm-up. The meta of the trace does not apply to it. */
static int
end_first(struct warmup_sink *s, struct trc_err *err)
{
	const struct trc_meta none = { .rows = 0 };

	if (trc_sink_finish(s->first, &none, err))
		return trc_err_in(err, "in the warm-up");
	trc_sink_close(s->first);
	s->first = NULL;
	return 0;
}

/* Passes the settings of this sink on to both inner ones. */
static void
pass_on(struct warmup_sink *s)
{
	trc_sink_inherit(&s->sink, s->all);
	if (s->first)
		trc_sink_inherit(&s->sink, s->first);
}

static int
warmup_put(struct trc_sink *sink, const struct trc_batch *b, struct trc_err *err)
{
	struct warmup_sink *s = (struct warmup_sink *)sink;

	pass_on(s);
	if (s->first && !s->warmup->over && trc_sink_put(s->first, b, err))
		return -1;
	/* A sink whose state will be saved stays open. */
	if (s->first && s->warmup->over && !sink->partial && end_first(s, err))
		return -1;
	return trc_sink_put(s->all, b, err);
}

static int
warmup_finish(struct trc_sink *sink, const struct trc_meta *meta, struct trc_err *err)
{
	struct warmup_sink *s = (struct warmup_sink *)sink;

	pass_on(s);
	if (trc_warmup_check(s->warmup->records, s->warmup->insns, s->warmup->seen, meta, err) ||
	    (s->first && end_first(s, err)) || trc_sink_finish(s->all, meta, err))
		return -1;
	return s->warmup->subtract ? s->warmup->subtract(s->warmup, err) : 0;
}

static void
warmup_state(struct trc_sink *sink, struct trc_state *t)
{
	struct warmup_sink *s = (struct warmup_sink *)sink;
	uint64_t seen = s->warmup->seen;

	pass_on(s);
	trc_state_most(t, &seen, s->warmup->records);
	s->warmup->seen = seen > s->warmup->seen ? seen : s->warmup->seen;
	s->all->state(s->all, t);
	s->first->state(s->first, t);
}

static void
warmup_close(struct trc_sink *sink)
{
	struct warmup_sink *s = (struct warmup_sink *)sink;

	trc_sink_close(s->first);
	trc_sink_close(s->all);
	free(s);
}

struct trc_sink *
trc_warmup_sink(struct trc_sink *all, struct trc_sink *first, struct trc_warmup *w,
                struct trc_err *err)
{
	struct warmup_sink *s = all && first ? trc_alloc(1, sizeof(*s), err) : NULL;

	if (!s) {
		trc_sink_close(first);
		trc_sink_close(all);
		return NULL;
	}
	*s = (struct warmup_sink){
		.sink = { .put = warmup_put, .finish = warmup_finish, .close = warmup_close },
		.all = all,
		.first = first,
		.warmup = w,
	};
	s->sink.state = all->state && !w->insns ? warmup_state : NULL;
	return &s->sink;
}
