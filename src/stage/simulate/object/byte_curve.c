/* SPDX-License-Identifier: MIT */
#include "stage/simulate/object/byte_curve.h"

#include <stdlib.h>

#include "stage/simulate/buckets.h"
#include "stage/simulate/object/byte_stack.h"
#include "stage/simulate/object/requests.h"

/* An object: its bytes, and its dirty level; 0: it is not dirty. */
struct state {
	uint64_t size, level;
};

/* One of the two curves. Where deleted objects stay, one that comes back has another number in the
 * stack. */
struct side {
	struct trc_byte_buckets *to;
	struct trc_byte_stack stack;
	struct state *state; /* of each number */
	size_t states;
};

/* The sink. */
struct curve_sink {
	struct trc_sink sink;
	struct trc_byte_curve *curve;
	struct trc_requests requests;
	struct side least, most;
	bool deletes; /* some came, so both sides are there */

	/* In `most`, an object has the number that is 1 less than `number`; if that is 0, its own,
	 * if it is below `begun`, and none yet if not. */
	uint32_t begun, *number;
	size_t room;
	uint32_t numbers; /* so far */
};

/* Room for the bucket of a distance. */
static int
make_room(struct trc_byte_buckets *c, uint64_t distance, struct trc_err *err)
{
	const size_t i = trc_bucket_of(distance);

	if (i < c->n)
		return 0;
	if (trc_grow_zeros(&c->bucket, &c->room, i + 1, sizeof(*c->bucket), err))
		return -1;
	c->n = i + 1;
	return 0;
}

/* Caches from `level` up to below `distance` have written an object back. */
static void
write_back(struct trc_byte_buckets *c, const struct state *o, uint64_t distance)
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

/* A request for the object of a number. */
static int
refer(struct side *s, uint32_t number, const struct trc_request *r, struct trc_err *err)
{
	struct state *o = &s->state[number];
	const bool write = r->kind == TRC_REQUEST_WRITE;
	struct trc_byte_bucket *b;
	uint64_t distance;

	if (trc_byte_stack_room(&s->stack, (uint32_t)s->states, err))
		return -1;
	distance = trc_byte_stack_refer(&s->stack, number, r->size);
	if (distance) {
		b = &s->to->bucket[trc_bucket_of(distance)];
		b->hits[write]++;
		b->hit_bytes[write] += r->size;
		write_back(s->to, o, distance);
	}
	o->size = r->size;
	if (write)
		o->level = r->size + (r->size == 0);
	else if (o->level && o->level < distance)
		o->level = distance;
	return 0;
}

/* Room for `n` numbers, and for any distance that `requests` requests more can have: none is larger
 * than all objects at their largest. */
static int
side_room(struct side *s, size_t n, uint64_t requests, uint64_t largest, struct trc_err *err)
{
	if (trc_grow_zeros(&s->state, &s->states, n, sizeof(*s->state), err))
		return -1;
	return make_room(s->to, s->stack.bytes + requests * largest + 1, err);
}

/* The other side, which was the same so far, and whose numbers go on from there. */
static int
begin_deletes(struct curve_sink *s, struct trc_err *err)
{
	const struct trc_byte_buckets *from = &s->curve->least;
	struct trc_byte_buckets *to = &s->curve->most;

	s->deletes = true;
	s->numbers = s->begun = s->requests.objects.n;
	s->most.to = to;
	if (trc_grow_zeros(&to->bucket, &to->room, from->n, sizeof(*to->bucket), err))
		return -1;
	for (size_t i = 0; i < from->n; i++)
		to->bucket[i] = from->bucket[i];
	to->n = from->n;
	if (side_room(&s->most, s->least.states, 0, 0, err))
		return -1;
	for (size_t i = 0; i < s->least.states; i++)
		s->most.state[i] = s->least.state[i];
	return trc_byte_stack_copy(&s->most.stack, &s->least.stack, err);
}

/* The number of an object where deleted ones stay. */
static uint32_t
number_of(struct curve_sink *s, uint32_t id)
{
	if (!s->number[id] && id < s->begun)
		return id;
	if (!s->number[id])
		s->number[id] = ++s->numbers;
	return s->number[id] - 1;
}

static void
delete_object(struct curve_sink *s, uint32_t id)
{
	trc_byte_stack_remove(&s->least.stack, id);
	s->least.state[id].level = 0;
	s->most.state[number_of(s, id)].level = 0;
	s->number[id] = ++s->numbers;
}

/* Room for what comes, where there were deletes: two numbers more for each request at most. */
static int
room_of_both(struct curve_sink *s, struct trc_err *err)
{
	const struct trc_requests *r = &s->requests;

	if (!s->deletes && begin_deletes(s, err))
		return -1;
	if (trc_grow_zeros(&s->number, &s->room, r->objects.n, sizeof(*s->number), err))
		return -1;
	return side_room(&s->most, s->numbers + 2 * r->n, r->n, r->totals.largest, err);
}

/* Those that were taken last. */
static int
refer_all(struct curve_sink *s, struct trc_err *err)
{
	const struct trc_requests *r = &s->requests;

	for (size_t i = 0; i < r->n; i++) {
		const struct trc_request *q = &r->request[i];
		const uint32_t ahead = r->request[i + 16 < r->n ? i + 16 : i].id;

		TRC_PREFETCH(&s->least.state[ahead]);
		trc_byte_stack_prefetch(&s->least.stack, ahead,
		                        r->request[i + 8 < r->n ? i + 8 : i].id);
		if (q->kind == TRC_REQUEST_DELETE)
			delete_object(s, q->id);
		else if (refer(&s->least, q->id, q, err) ||
		         (s->deletes && refer(&s->most, number_of(s, q->id), q, err)))
			return -1;
	}
	return 0;
}

static int
curve_put(struct trc_sink *sink, const struct trc_batch *b, struct trc_err *err)
{
	struct curve_sink *s = (struct curve_sink *)sink;
	struct trc_requests *r = &s->requests;

	for (size_t at = 0; at < b->n;)
		if (trc_requests_take(r, b, &at, err) ||
		    side_room(&s->least, r->objects.n, r->n, r->totals.largest, err) ||
		    ((s->deletes || r->totals.deletes) && room_of_both(s, err)) ||
		    refer_all(s, err))
			return -1;
	return 0;
}

/* What is evicted last. */
static void
end(void *of, uint32_t number, uint64_t distance)
{
	struct side *s = of;

	write_back(s->to, &s->state[number], distance);
}

static int
curve_finish(struct trc_sink *sink, const struct trc_meta *meta, struct trc_err *err)
{
	struct curve_sink *s = (struct curve_sink *)sink;

	(void)meta, (void)err;
	trc_byte_stack_each(&s->least.stack, end, &s->least);
	if (s->deletes)
		trc_byte_stack_each(&s->most.stack, end, &s->most);
	s->curve->totals = s->requests.totals;
	return 0;
}

static void
side_release(struct side *s)
{
	trc_byte_stack_release(&s->stack);
	free(s->state);
}

static void
curve_close(struct trc_sink *sink)
{
	struct curve_sink *s = (struct curve_sink *)sink;

	side_release(&s->least);
	side_release(&s->most);
	trc_requests_release(&s->requests);
	free(s->number);
	free(s);
}

struct trc_sink *
trc_byte_curve_sink(struct trc_byte_curve *curve, uint32_t have, struct trc_err *err)
{
	struct curve_sink *s = trc_alloc(1, sizeof(*s), err);

	*curve = (struct trc_byte_curve){ .least = { 0 } };
	if (!s || trc_requests_init(&s->requests, have, err)) {
		free(s);
		return NULL;
	}
	s->sink =
	        (struct trc_sink){ .put = curve_put, .finish = curve_finish, .close = curve_close };
	s->curve = curve;
	s->least.to = &curve->least;
	return &s->sink;
}

void
trc_byte_curve_release(void *of)
{
	struct trc_byte_curve *curve = of;

	free(curve->least.bucket);
	free(curve->most.bucket);
	*curve = (struct trc_byte_curve){ .least = { 0 } };
}

void
trc_byte_curve_add(const struct trc_byte_curve *curve, const struct trc_byte_buckets *of, size_t i,
                   struct trc_object_counts *counts)
{
	const struct trc_object_totals *t = &curve->totals;
	const struct trc_byte_bucket *b = &of->bucket[i];

	for (int k = 0; k < 2; k++) {
		const uint64_t misses = i == 0 ? t->requests[k] : counts->misses[k];
		const uint64_t bytes = i == 0 ? t->bytes[k] : counts->missed_bytes[k];

		counts->misses[k] = misses - b->hits[k];
		counts->missed_bytes[k] = bytes - b->hit_bytes[k];
	}
	counts->writebacks += b->writebacks;
	counts->written_bytes += b->written_bytes;
}

static void
subtract_buckets(struct trc_byte_buckets *of, const struct trc_byte_buckets *before)
{
	for (size_t i = 0; i < before->n && i < of->n; i++) {
		struct trc_byte_bucket *b = &of->bucket[i];
		const struct trc_byte_bucket *v = &before->bucket[i];

		for (int k = 0; k < 2; k++) {
			b->hits[k] -= v->hits[k];
			b->hit_bytes[k] -= v->hit_bytes[k];
		}
		b->writebacks -= v->writebacks;
		b->written_bytes -= v->written_bytes;
	}
}

void
trc_byte_curve_subtract(struct trc_byte_curve *curve, const struct trc_byte_curve *before)
{
	subtract_buckets(&curve->least, &before->least);
	subtract_buckets(&curve->most, before->most.n ? &before->most : &before->least);
	trc_object_totals_subtract(&curve->totals, &before->totals);
}
