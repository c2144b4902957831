/* SPDX-License-Identifier: MIT */
#include "stage/simulate/object/byte_curve.h"

#include <stdlib.h>
#include <string.h>

#include "stage/simulate/buckets.h"
#include "stage/simulate/object/byte_stack.h"
#include "stage/simulate/object/requests.h"

/* An object: its bytes, and its dirty level; 0: it is not dirty. */
struct state {
	uint64_t size, level;
};

/* The sink. */
struct curve_sink {
	struct trc_sink sink;
	struct trc_byte_curve *curve;
	struct trc_requests requests;
	struct trc_byte_stack stack;
	struct state *state; /* of each object */
	size_t states;
};

/* Room for the bucket of a distance. */
static int
make_room(struct trc_byte_curve *c, uint64_t distance, struct trc_err *err)
{
	const size_t i = trc_bucket_of(distance), old = c->room;

	if (i < c->buckets)
		return 0;
	if (trc_grow(&c->bucket, &c->room, i + 1, sizeof(*c->bucket), err))
		return -1;
	memset(c->bucket + old, 0, (c->room - old) * sizeof(*c->bucket));
	c->buckets = i + 1;
	return 0;
}

/* Caches from `level` up to below `distance` have written an object back. */
static void
write_back(struct trc_byte_curve *c, const struct state *o, uint64_t distance)
{
	struct trc_byte_bucket *from, *to;

	if (o->level == 0 || o->level >= distance)
		return;
	from = &c->bucket[trc_bucket_of(o->level)];
	to = &c->bucket[trc_bucket_of(distance)];
	from->writebacks++;
	from->written_bytes += o->size;
	to->writebacks--;
	to->written_bytes -= o->size;
}

static int
refer(struct curve_sink *s, const struct trc_request *r, struct trc_err *err)
{
	struct state *o = &s->state[r->id];
	const bool write = r->kind == TRC_REQUEST_WRITE;
	struct trc_byte_bucket *b;
	uint64_t distance;

	if (trc_byte_stack_room(&s->stack, s->requests.objects.n, err))
		return -1;
	distance = trc_byte_stack_refer(&s->stack, r->id, r->size);
	if (distance) {
		b = &s->curve->bucket[trc_bucket_of(distance)];
		b->hits[write]++;
		b->hit_bytes[write] += r->size;
		write_back(s->curve, o, distance);
	}
	o->size = r->size;
	if (write)
		o->level = r->size + (r->size == 0);
	else if (o->level && o->level < distance)
		o->level = distance;
	return 0;
}

static int
curve_put(struct trc_sink *sink, const struct trc_batch *b, struct trc_err *err)
{
	struct curve_sink *s = (struct curve_sink *)sink;
	struct trc_requests *r = &s->requests;

	for (size_t at = 0; at < b->n;) {
		const size_t old = s->states;

		if (trc_requests_take(r, b, &at, err) ||
		    trc_grow(&s->state, &s->states, r->objects.n, sizeof(*s->state), err))
			return -1;
		memset(s->state + old, 0, (s->states - old) * sizeof(*s->state));
		/* No distance is larger than all objects at their largest. */
		if (make_room(s->curve, s->stack.bytes + r->n * r->totals.largest + 1, err))
			return -1;
		for (size_t i = 0; i < r->n; i++) {
			TRC_PREFETCH(&s->state[r->request[i + 16 < r->n ? i + 16 : i].id]);
			trc_byte_stack_prefetch(&s->stack,
			                        r->request[i + 16 < r->n ? i + 16 : i].id,
			                        r->request[i + 8 < r->n ? i + 8 : i].id);
			if (r->request[i].kind != TRC_REQUEST_DELETE &&
			    refer(s, &r->request[i], err))
				return -1;
		}
	}
	return 0;
}

/* What is evicted last. */
static void
end(void *of, uint32_t id, uint64_t distance)
{
	struct curve_sink *s = of;

	write_back(s->curve, &s->state[id], distance);
}

static int
curve_finish(struct trc_sink *sink, const struct trc_meta *meta, struct trc_err *err)
{
	struct curve_sink *s = (struct curve_sink *)sink;

	(void)meta, (void)err;
	trc_byte_stack_each(&s->stack, end, s);
	s->curve->totals = s->requests.totals;
	return 0;
}

static void
curve_close(struct trc_sink *sink)
{
	struct curve_sink *s = (struct curve_sink *)sink;

	trc_byte_stack_release(&s->stack);
	trc_requests_release(&s->requests);
	free(s->state);
	free(s);
}

struct trc_sink *
trc_byte_curve_sink(struct trc_byte_curve *curve, uint32_t have, struct trc_err *err)
{
	struct curve_sink *s = trc_alloc(1, sizeof(*s), err);

	*curve = (struct trc_byte_curve){ 0 };
	if (!s || trc_requests_init(&s->requests, have, err)) {
		free(s);
		return NULL;
	}
	s->sink =
	        (struct trc_sink){ .put = curve_put, .finish = curve_finish, .close = curve_close };
	s->curve = curve;
	return &s->sink;
}

void
trc_byte_curve_release(void *of)
{
	struct trc_byte_curve *curve = of;

	free(curve->bucket);
	*curve = (struct trc_byte_curve){ 0 };
}

void
trc_byte_curve_add(const struct trc_byte_curve *curve, size_t i, struct trc_object_counts *counts)
{
	const struct trc_object_totals *t = &curve->totals;
	const struct trc_byte_bucket *b = &curve->bucket[i];

	for (int k = 0; k < 2; k++) {
		const uint64_t misses = i == 0 ? t->requests[k] : counts->misses[k];
		const uint64_t bytes = i == 0 ? t->bytes[k] : counts->missed_bytes[k];

		counts->misses[k] = misses - b->hits[k];
		counts->missed_bytes[k] = bytes - b->hit_bytes[k];
	}
	counts->writebacks += b->writebacks;
	counts->written_bytes += b->written_bytes;
}
