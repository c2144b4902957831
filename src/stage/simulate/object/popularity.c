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
	size_t rooms;            /* room in found->requests */
	bool times;              /* times occurred */
	struct trc_tally *tally; /* NULL: rows are not counted */

	uint64_t every;  /* length of a period; 0: no periods */
	uint32_t *seen;  /* for each object, 1 + the period of its last request; or NULL */
	uint32_t *first; /* in a slice: size of the first request to each object; or NULL */
	size_t sees, firsts;
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

/* Returns the period of a request, which is the last one or a new one. */
static struct trc_period *
period_of(struct popularity_sink *s, uint64_t time, struct trc_err *err)
{
	struct trc_popularity *p = s->found;
	const uint64_t begin = time - time % s->every;

	if (p->periods > 0 && begin <= p->period[p->periods - 1].begin)
		return &p->period[p->periods - 1];
	if (p->periods == TRC_PERIODS_MOST) {
		trc_fail(err, "--every: more than %d periods; use longer ones", TRC_PERIODS_MOST);
		return NULL;
	}
	if (trc_grow(&p->period, &p->room, p->periods + 1, sizeof(*p->period), err))
		return NULL;
	p->period[p->periods] = (struct trc_period){ .begin = begin };
	return &p->period[p->periods++];
}

static int
count_in_period(struct popularity_sink *s, const struct trc_request *r, struct trc_err *err)
{
	struct trc_period *p = period_of(s, r->time, err);
	uint32_t *seen = &s->seen[r->id];

	if (!p)
		return -1;
	if (r->kind == TRC_REQUEST_DELETE) {
		p->deletes++;
		return 0;
	}
	p->requests[r->kind == TRC_REQUEST_WRITE]++;
	p->bytes += r->size;
	p->new_objects += *seen == 0;
	p->new_bytes += *seen == 0 ? r->size : 0;
	p->objects += *seen != s->found->periods;
	p->object_bytes += *seen != s->found->periods ? r->size : 0;
	*seen = (uint32_t)s->found->periods;
	return 0;
}

/* Makes room for all objects that have a number. */
static int
make_room(struct popularity_sink *s, struct trc_err *err)
{
	struct trc_popularity *p = s->found;
	const size_t n = s->requests.objects.n;

	if (trc_grow_zeros(&p->requests, &s->rooms, n, sizeof(*p->requests), err) ||
	    (s->every && trc_grow_zeros(&s->seen, &s->sees, n, sizeof(*s->seen), err)) ||
	    (s->sink.partial && trc_grow_zeros(&s->first, &s->firsts, n, sizeof(*s->first), err)))
		return -1;
	return 0;
}

static int
popularity_put(struct trc_sink *sink, const struct trc_batch *b, struct trc_err *err)
{
	struct popularity_sink *s = (struct popularity_sink *)sink;
	struct trc_popularity *p = s->found;

	note_times(s, b);
	if (s->tally && trc_tally_add(s->tally, b, err))
		return -1;
	for (size_t at = 0; at < b->n;) {
		if (trc_requests_take(&s->requests, b, &at, err) || make_room(s, err))
			return -1;
		for (size_t i = 0; i < s->requests.n; i++) {
			const struct trc_request *r = &s->requests.request[i];
			const bool asked = r->kind != TRC_REQUEST_DELETE;

			p->requests[r->id] += asked;
			if (s->first && asked && p->requests[r->id] == 1)
				s->first[r->id] = (uint32_t)r->size;
			if (s->every && count_in_period(s, r, err))
				return -1;
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
	const uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;

	return x < y ? -1 : x > y;
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
	p->slope = 0 - dxy / dx; /* never -0 */
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
	if (s->tally)
		p->counts = trc_tally_counts(s->tally);
	if (objects == 0)
		return 0;
	qsort(s->requests.size, objects, sizeof(*s->requests.size), least_first);
	qsort(p->requests, objects, sizeof(*p->requests), most_first);
	while (p->n < objects && p->requests[p->n] > 0)
		p->once += p->requests[p->n++] == 1;
	/* Objects that were only deleted come first. */
	for (size_t d = 0; d < TRC_DECILES && p->n > 0; d++)
		p->decile[d] = s->requests.size[objects - p->n + p->n * (d + 1) / 10];
	if (p->n > 2)
		fit_zipf(p);
	return 0;
}

/* ---- slices ---- */

/* An object in a state. */
struct part {
	uint64_t page, requests;
	uint32_t space, first, size;
};

static void
list_parts(const struct popularity_sink *s, struct part *p, size_t n)
{
	for (size_t id = 0; id < n; id++)
		p[id] = (struct part){ .page = s->requests.objects.name[id],
			               .space = trc_names_space(&s->requests.objects, (uint32_t)id),
			               .requests = s->found->requests[id],
			               .first = s->first[id],
			               .size = s->requests.size[id] };
}

static void
parts_state(struct part *p, size_t n, struct trc_state *t)
{
	const unsigned near = TRC_STATE_DELTA | TRC_STATE_SIGNED;

	trc_state_array(t, TRC_STRIDED(&p->page, sizeof(*p)), n, near, UINT64_MAX);
	trc_state_array(t, TRC_STRIDED(&p->space, sizeof(*p)), n, near, UINT32_MAX);
	trc_state_array(t, TRC_STRIDED(&p->requests, sizeof(*p)), n, 0, UINT64_MAX);
	trc_state_array(t, TRC_STRIDED(&p->first, sizeof(*p)), n, 0, UINT32_MAX);
	trc_state_array(t, TRC_STRIDED(&p->size, sizeof(*p)), n, 0, UINT32_MAX);
}

static int
join(struct popularity_sink *s, const struct part *p, struct trc_err *err)
{
	struct trc_object_totals *t = &s->requests.totals;
	bool first;
	uint32_t id;

	if (trc_names_number(&s->requests.objects, &p->page, &p->space, 1, &id, err) ||
	    trc_requests_room(&s->requests, err) || make_room(s, err))
		return -1;
	s->found->requests[id] += p->requests;
	if (p->requests == 0)
		return 0;
	first = !trc_requests_asked(&s->requests, id);
	t->objects += first;
	t->object_bytes += first ? p->first : 0;
	t->resized += !first && s->requests.size[id] != p->first;
	if (s->first && first)
		s->first[id] = p->first;
	trc_requests_ask(&s->requests, id, p->size);
	return 0;
}

/* Saves or restores the lowest and the highest time. */
static void
times_state(struct popularity_sink *s, struct trc_state *t)
{
	struct trc_popularity *p = s->found;
	uint64_t first = p->first_time, last = p->last_time;
	bool times = s->times;

	trc_state_flag(t, &times);
	trc_state_nums(t, &first, &last);
	if (!times)
		return;
	p->first_time = s->times && p->first_time < first ? p->first_time : first;
	p->last_time = s->times && p->last_time > last ? p->last_time : last;
	s->times = true;
}

static void
popularity_state(struct trc_sink *sink, struct trc_state *t)
{
	struct popularity_sink *s = (struct popularity_sink *)sink;
	size_t n = s->requests.objects.n;
	struct part *p;

	if (s->tally)
		trc_tally_state(s->tally, t);
	trc_object_totals_state(&s->requests.totals, t);
	trc_state_sum(t, &s->requests.totals.deletes);
	times_state(s, t);
	trc_state_count(t, &n, TRC_NAMES_MOST);
	p = n > 0 ? trc_state_room(t, n, sizeof(*p)) : NULL;
	if (!p)
		return;
	if (t->writes)
		list_parts(s, p, n);
	parts_state(p, n, t);
	for (size_t i = 0; i < n && !t->writes && !t->failed; i++)
		trc_state_failed(t, join(s, &p[i], t->err));
	free(p);
}

/* ---- the sink ---- */

static void
popularity_close(struct trc_sink *sink)
{
	struct popularity_sink *s = (struct popularity_sink *)sink;

	trc_requests_release(&s->requests);
	trc_tally_close(s->tally);
	free(s->seen);
	free(s->first);
	free(s);
}

struct trc_sink *
trc_popularity_sink(struct trc_popularity *popularity, uint32_t have, uint64_t every,
                    struct trc_err *err)
{
	struct popularity_sink *s = trc_alloc(1, sizeof(*s), err);

	*popularity = (struct trc_popularity){ .have = have };
	if (!s || trc_requests_init(&s->requests, have, err)) {
		free(s);
		return NULL;
	}
	s->sink = (struct trc_sink){ .put = popularity_put,
		                     .finish = popularity_finish,
		                     .close = popularity_close,
		                     .state = every ? NULL : popularity_state };
	s->every = every;
	s->found = popularity;
	return &s->sink;
}

struct trc_sink *
trc_popularity_counts_sink(struct trc_popularity *popularity, uint32_t have, unsigned page_bits,
                           struct trc_err *err)
{
	struct trc_sink *sink = trc_popularity_sink(popularity, have, 0, err);
	struct popularity_sink *s = (struct popularity_sink *)sink;

	if (!s)
		return NULL;
	s->tally = trc_tally_open(page_bits, 0, err);
	if (s->tally)
		return sink;
	popularity_close(sink);
	return NULL;
}

void
trc_popularity_release(void *of)
{
	struct trc_popularity *p = of;

	free(p->requests);
	free(p->period);
	*p = (struct trc_popularity){ .n = 0 };
}
