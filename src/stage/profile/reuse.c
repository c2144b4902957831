/* SPDX-License-Identifier: MIT */
#include "stage/profile/reuse.h"

#include <assert.h>
#include <stdlib.h>

/* The sink; all rows go to both inner sinks. */
struct reuse_sink {
	struct trc_sink sink;
	struct trc_sink *both[2]; /* for distances, then for times */
	struct trc_reuse *reuse;
};

static const struct trc_ws_pages *
pages_of(const struct trc_ws *ws, uint32_t space)
{
	for (size_t i = 0; i < ws->n; i++)
		if (ws->of[i].space == space)
			return &ws->of[i];
	return NULL;
}

/* Returns true if both found the same pages, which only a forged state can prevent. */
static bool
agree(const struct trc_reuse *reuse)
{
	for (size_t i = 0; i < reuse->mrc.n; i++) {
		const struct trc_mrc_curve *c = &reuse->mrc.curve[i];
		const struct trc_ws_pages *of = pages_of(&reuse->ws, c->space);

		if (of && of->pages != c->pages)
			return false;
	}
	return true;
}

/* Passes the settings of this sink on to an inner one, and returns that. */
static struct trc_sink *
inner(struct reuse_sink *s, size_t i)
{
	s->both[i]->partial = s->sink.partial;
	s->both[i]->counted = s->sink.counted;
	return s->both[i];
}

static int
reuse_put(struct trc_sink *sink, const struct trc_batch *b, struct trc_err *err)
{
	struct reuse_sink *s = (struct reuse_sink *)sink;

	return trc_sink_put(inner(s, 0), b, err) ? -1 : trc_sink_put(inner(s, 1), b, err);
}

static int
reuse_finish(struct trc_sink *sink, const struct trc_meta *meta, struct trc_err *err)
{
	struct reuse_sink *s = (struct reuse_sink *)sink;
	const struct trc_guarantee *g = &meta->guarantee;

	if (g->sad || g->window || g->sets || g->sample > 1 || g->reduced)
		return trc_fail(err, "the trace was reduced, and the dropped references count as "
		                     "reuse; use the original");
	if (trc_sink_finish(inner(s, 0), meta, err) || trc_sink_finish(inner(s, 1), meta, err))
		return -1;
	return agree(s->reuse) ? 0 : trc_state_fail(err);
}

static void
reuse_state(struct trc_sink *sink, struct trc_state *t)
{
	struct reuse_sink *s = (struct reuse_sink *)sink;

	for (size_t i = 0; i < 2; i++)
		inner(s, i)->state(s->both[i], t);
}

static void
reuse_close(struct trc_sink *sink)
{
	struct reuse_sink *s = (struct reuse_sink *)sink;

	for (size_t i = 0; i < 2; i++)
		if (s->both[i])
			trc_sink_close(inner(s, i));
	free(s);
}

struct trc_sink *
trc_reuse_sink(struct trc_reuse *reuse, uint32_t have, bool by_space, struct trc_err *err)
{
	struct reuse_sink *s = trc_alloc(1, sizeof(*s), err);

	*reuse = (struct trc_reuse){ .mrc = { 0 } };
	if (!s)
		return NULL;
	s->sink = (struct trc_sink){
		.put = reuse_put, .finish = reuse_finish, .close = reuse_close, .state = reuse_state
	};
	s->reuse = reuse;
	s->both[0] = trc_mrc_sink(&reuse->mrc, have, by_space, false, err);
	s->both[1] = s->both[0] ? trc_ws_sink(&reuse->ws, TRC_COL_RTIME,
	                                      by_space && have & TRC_HAS_ASID, err) :
	                          NULL;
	if (!s->both[1]) {
		reuse_close(&s->sink);
		return NULL;
	}
	return &s->sink;
}

void
trc_reuse_release(void *of)
{
	struct trc_reuse *reuse = of;

	trc_mrc_release(&reuse->mrc);
	trc_ws_release(&reuse->ws);
}

int
trc_reuse_subtract(void *all, void *first, struct trc_err *err)
{
	struct trc_reuse *reuse = all, *before = first;

	return trc_ws_subtract(&reuse->ws, &before->ws, err) ?
	               -1 :
	               trc_mrc_subtract(&reuse->mrc, &before->mrc, err);
}

size_t
trc_reuse_count(const struct trc_reuse *reuse)
{
	return reuse->mrc.n;
}

/* Returns the number of touches at a finite distance above `least`. */
static uint64_t
farther(const struct trc_mrc_curve *c, uint64_t least)
{
	return least < c->pages ? trc_mrc_misses(c, least) - c->again : 0;
}

/* Returns the number of touches more than `least` references after the previous one to their
 * page. */
static uint64_t
later(const struct trc_ws *ws, const struct trc_ws_pages *of, uint64_t least)
{
	return (least ? trc_ws_at(ws, of, least).misses : trc_ws_refs(ws, of)) -
	       trc_ws_first(ws, of);
}

void
trc_reuse_at(const struct trc_reuse *reuse, size_t i, struct trc_reuse_histogram *h)
{
	const struct trc_mrc_curve *c = &reuse->mrc.curve[i];
	const struct trc_ws_pages *of = pages_of(&reuse->ws, c->space);

	*h = (struct trc_reuse_histogram){ .space = c->space };
	/* A trace without references has no times. */
	if (!of)
		return;
	assert(of->pages == c->pages);
	h->touches = trc_ws_refs(&reuse->ws, of);
	h->cold = trc_ws_first(&reuse->ws, of) + c->again;
	for (size_t k = 0; k < TRC_REUSE_BINS; k++) {
		const uint64_t from = k ? trc_reuse_edge(k - 1) : 0, to = trc_reuse_edge(k);

		h->distance[k] = farther(c, from) - farther(c, to);
		h->time[k] = later(&reuse->ws, of, from) -
		             (k < 64 ? later(&reuse->ws, of, to) : c->again);
		if (h->distance[k] || h->time[k])
			h->bins = k + 1;
	}
}
