/* SPDX-License-Identifier: MIT */
#include "stage/simulate/object/popularity.h"

#include <math.h>
#include <stdlib.h>

#include "stage/simulate/object/requests.h"

/* The sink. */
struct popularity_sink {
	struct trc_sink sink;
	struct trc_popularity *found;
	struct trc_requests requests;
	size_t room; /* of found->requests */
	bool times;  /* some came */
};

static void
note_times(struct popularity_sink *s, const struct trc_batch *b)
{
	struct trc_popularity *p = s->found;

	for (size_t i = 0; b->time && i < b->n; i++) {
		if (!s->times || b->time[i] < p->first_time)
			p->first_time = b->time[i];
		if (!s->times || b->time[i] > p->last_time)
			p->last_time = b->time[i];
		s->times = true;
	}
}

static int
popularity_put(struct trc_sink *sink, const struct trc_batch *b, struct trc_err *err)
{
	struct popularity_sink *s = (struct popularity_sink *)sink;
	struct trc_popularity *p = s->found;

	note_times(s, b);
	for (size_t at = 0; at < b->n;) {
		if (trc_requests_take(&s->requests, b, &at, err) ||
		    trc_grow_zeros(&p->requests, &s->room, s->requests.objects.n,
		                   sizeof(*p->requests), err))
			return -1;
		for (size_t i = 0; i < s->requests.n; i++) {
			const struct trc_request *r = &s->requests.request[i];

			p->requests[r->id] += r->kind != TRC_REQUEST_DELETE;
		}
	}
	return 0;
}

static int
most_first(const void *a, const void *b)
{
	const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return x > y ? -1 : x < y;
}

static int
least_first(const void *a, const void *b)
{
	return most_first(b, a);
}

static void
fit_zipf(struct trc_popularity *p)
{
	double w = 0, x = 0, y = 0, xx = 0, xy = 0, yy = 0, dx, dy, dxy;

	for (size_t r = 1; r <= p->n; r++) {
		const double weight = 1 / (double)r, lx = log((double)r);
		const double ly = log((double)p->requests[r - 1]);

		w += weight;
		x += weight * lx;
		y += weight * ly;
		xx += weight * lx * lx;
		xy += weight * lx * ly;
		yy += weight * ly * ly;
	}
	dx = xx - x * x / w;
	dy = yy - y * y / w;
	dxy = xy - x * y / w;
	p->slope = -dxy / dx;
	p->fit = dy > 0 ? dxy * dxy / (dx * dy) : 1;
}

static int
popularity_finish(struct trc_sink *sink, const struct trc_meta *meta, struct trc_err *err)
{
	struct popularity_sink *s = (struct popularity_sink *)sink;
	struct trc_popularity *p = s->found;
	const size_t objects = s->requests.objects.n;

	(void)meta, (void)err;
	p->totals = s->requests.totals;
	if (objects == 0)
		return 0;
	qsort(s->requests.size, objects, sizeof(*s->requests.size), least_first);
	qsort(p->requests, objects, sizeof(*p->requests), most_first);
	while (p->n < objects && p->requests[p->n] > 0)
		p->once += p->requests[p->n++] == 1;
	/* Those that were only deleted come first. */
	for (size_t d = 0; d < TRC_DECILES && p->n > 0; d++)
		p->decile[d] = s->requests.size[objects - p->n + p->n * (d + 1) / 10] - 1;
	if (p->n > 2)
		fit_zipf(p);
	return 0;
}

static void
popularity_close(struct trc_sink *sink)
{
	struct popularity_sink *s = (struct popularity_sink *)sink;

	trc_requests_release(&s->requests);
	free(s);
}

struct trc_sink *
trc_popularity_sink(struct trc_popularity *popularity, uint32_t have, struct trc_err *err)
{
	struct popularity_sink *s = trc_alloc(1, sizeof(*s), err);

	*popularity = (struct trc_popularity){ .n = 0 };
	if (!s || trc_requests_init(&s->requests, have, err)) {
		free(s);
		return NULL;
	}
	s->sink = (struct trc_sink){ .put = popularity_put,
		                     .finish = popularity_finish,
		                     .close = popularity_close };
	s->found = popularity;
	return &s->sink;
}

void
trc_popularity_release(void *of)
{
	struct trc_popularity *p = of;

	free(p->requests);
	*p = (struct trc_popularity){ .n = 0 };
}
