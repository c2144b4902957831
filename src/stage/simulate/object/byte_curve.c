/* SPDX-License-Identifier: MIT */
#include "stage/simulate/object/byte_curve.h"

#include <stdlib.h>

#include "stage/simulate/object/byte_growing.h"
#include "stage/simulate/pages.h"

/* ---- a request ---- */

/* Hits of a request in caches of a range of capacities. */
struct hits {
	struct trc_byte_side *side, *most; /* `most`: of those that hit for certain; or NULL */
	const struct trc_request *request;
	const struct trc_byte_sampled *sampled; /* NULL: there is no sample */
	bool passed;                            /* the request does not count in the sample */
};

static void
hit_side(const struct hits *h, struct trc_byte_buckets *c, uint64_t from, uint64_t to)
{
	const bool write = h->request->kind == TRC_REQUEST_WRITE;
	struct trc_byte_bucket *end;

	trc_byte_hit(c, trc_byte_level(from), write, h->request->size);
	if (to == UINT64_MAX)
		return;
	end = &c->bucket[trc_bucket_of(to)];
	end->hits[write]--;
	end->hit_bytes[write] -= h->request->size;
}

static void
hit(void *of, uint64_t from, uint64_t to, bool sure)
{
	const struct hits *h = of;

	if (h->passed)
		return;
	if (h->sampled) {
		trc_byte_sample_hit(&h->side->to->sample, h->sampled, from, to);
		if (h->most && sure)
			trc_byte_sample_hit(&h->most->to->sample, h->sampled, from, to);
		return;
	}
	hit_side(h, h->side->to, from, to);
	if (h->most && sure)
		hit_side(h, h->most->to, from, to);
}

/* Notes the first request to an object in this slice. */
static int
note_first(struct trc_byte_growing *g, uint32_t id, const struct trc_request *r,
           struct trc_err *err)
{
	if (trc_grow_tight(&g->first, &g->firsts, (size_t)id + 1, sizeof(*g->first), err))
		return -1;
	g->first[id] = (struct trc_byte_first){ g->least.stack.bytes, (uint32_t)r->size,
		                                r->kind == TRC_REQUEST_WRITE };
	return 0;
}

/* Returns true if a request does not count in the sample. */
static bool
is_passed(const struct trc_byte_growing *g, const struct trc_request *r)
{
	return g->requests.one_in && r->kind == TRC_REQUEST_WRITE && g->shape->reads;
}

/* Counts a request in the sample, if there is one. */
static int
count_sampled(struct trc_byte_growing *g, struct trc_byte_side *s, const struct trc_request *r,
              uint64_t distance, struct trc_err *err)
{
	const struct trc_byte_sampled sampled = trc_byte_sampled_of(g, r);

	return g->requests.one_in && !is_passed(g, r) ?
	               trc_byte_sample_request(&s->to->sample, &sampled, distance, err) :
	               0;
}

/* Counts hits. With a time to live, only copies that are young enough hit. In a sample, distances
 * are scaled. */
static int
count_hits(struct trc_byte_growing *g, struct trc_byte_side *s, uint32_t number,
           const struct trc_request *r, uint64_t distance, bool *over, struct trc_err *err)
{
	const struct trc_byte_sampled sampled = trc_byte_sampled_of(g, r);
	struct hits h = { s, NULL, r, g->requests.one_in ? &sampled : NULL, is_passed(g, r) };
	const uint64_t until = g->requests.until[r - g->requests.request];
	const struct trc_byte_use use = { distance, distance, r->time, until,
		                          r->kind == TRC_REQUEST_WRITE };

	if (count_sampled(g, s, r, distance, err))
		return -1;
	if (s->ages)
		return trc_byte_ages_use(&s->ages[number], &use, hit, &h, over, err);
	if (distance)
		hit(&h, distance, UINT64_MAX, true);
	return 0;
}

/* Scales a distance: with a sample of 1 in N objects, each object above stands for N. */
static uint64_t
scale(const struct trc_byte_growing *g, uint64_t distance, uint64_t own)
{
	const uint64_t one_in = g->requests.one_in, above = distance - own;

	if (one_in == 0 || distance == 0)
		return distance;
	return above < (UINT64_MAX - own) / one_in ? own + one_in * above : UINT64_MAX - 1;
}

/* Updates the dirty copies after a request: caches below level `at` have evicted theirs. */
static void
change_level(const struct trc_byte_growing *g, struct trc_byte_side *s, uint32_t number,
             const struct trc_request *r, uint16_t at, bool over)
{
	struct trc_byte_object *o = &s->object[number];

	if (g->first && o->level == 0 && at > o->open)
		o->open = at;
	trc_byte_write_back(s->to, o, at);
	if (o->level && o->level < at)
		o->level = at;
	if (over && o->level) {
		/* All remaining copies date from the last write, and expire now. */
		s->to->bucket[o->level - 1].writebacks++;
		s->to->bucket[o->level - 1].written_bytes += o->written;
		o->level = 0;
	}
	if (r->kind != TRC_REQUEST_WRITE)
		return;
	o->written = (uint32_t)r->size;
	o->level = trc_byte_level(r->size);
}

/* Moves the object with this number to the top. Returns its distance, and sets *own to the size
 * that it had. */
static uint64_t
move_to_top(struct trc_byte_growing *g, struct trc_byte_side *s, uint32_t number,
            const struct trc_request *r, uint64_t *own)
{
	uint64_t distance;

	*own = trc_byte_stack_size(&s->stack, number);
	distance = trc_byte_stack_refer(&s->stack, number, (uint32_t)r->size);
	if (distance && *own != r->size && s == &g->least && g->requests.stacked)
		g->requests.totals.resized++;
	return distance;
}

/* Processes a request to the object with this number. */
static int
refer(struct trc_byte_growing *g, struct trc_byte_side *s, uint32_t number,
      const struct trc_request *r, struct trc_err *err)
{
	const bool plain = !s->ages && !g->requests.one_in;
	uint64_t distance, own;
	bool over = false;
	uint16_t at;

	if (trc_byte_stack_room(&s->stack, (uint32_t)s->numbers, err))
		return -1;
	distance = move_to_top(g, s, number, r, &own);
	if (s->holes.n > 0) {
		distance = distance ? trc_holes_position(&s->holes, (uint32_t)distance) : 0;
		(void)trc_holes_fill(&s->holes, (uint32_t)distance);
	}
	if (g->requests.one_in)
		return count_hits(g, s, number, r, scale(g, distance, own), &over, err);
	if (s->ages && count_hits(g, s, number, r, distance, &over, err))
		return -1;
	at = distance ? trc_byte_level(distance) : 0;
	if (plain && at)
		trc_byte_hit(s->to, at, r->kind == TRC_REQUEST_WRITE, r->size);
	if (s->object)
		change_level(g, s, number, r, at, over);
	return 0;
}

/* Processes a request to an object that expires, in both curves. */
static int
refer_both(struct trc_byte_growing *g, uint32_t number, const struct trc_request *r,
           struct trc_err *err)
{
	const struct trc_byte_sampled sampled = trc_byte_sampled_of(g, r);
	struct hits h = { &g->least, &g->most, r, g->requests.one_in ? &sampled : NULL,
		          is_passed(g, r) };
	struct trc_byte_use use = { .now = r->time,
		                    .until = g->requests.until[r - g->requests.request],
		                    .write = r->kind == TRC_REQUEST_WRITE };
	uint64_t own;
	bool over;

	if (trc_byte_stack_room(&g->least.stack, (uint32_t)g->least.numbers, err) ||
	    trc_byte_stack_room(&g->most.stack, (uint32_t)g->most.numbers, err))
		return -1;
	use.distance = move_to_top(g, &g->least, r->id, r, &own);
	use.distance = scale(g, use.distance, own);
	use.sure = move_to_top(g, &g->most, number, r, &own);
	use.sure = scale(g, use.sure, own);
	/* Ranges of ages may begin at either, and use.sure is not less. */
	if (count_sampled(g, &g->least, r, use.sure, err) ||
	    count_sampled(g, &g->most, r, use.sure, err))
		return -1;
	return trc_byte_ages_use(&g->least.ages[r->id], &use, hit, &h, &over, err);
}

/* Returns true if data is kept for each object: once one was written, or in a slice. */
static bool
keeps_objects(const struct trc_byte_growing *g)
{
	return g->sink.partial || (g->requests.totals.requests[1] && !g->requests.one_in);
}

/* Makes room for `n` numbers, and for all distances that may occur within `requests` requests: none
 * exceeds the sum of all objects at their largest sizes. */
static int
side_room(struct trc_byte_growing *g, struct trc_byte_side *s, size_t n, uint64_t requests,
          struct trc_err *err)
{
	const uint64_t most = s->stack.bytes + s->holes.n + requests * g->requests.totals.largest +
	                      1;

	s->numbers = n;
	if ((keeps_objects(g) &&
	     trc_grow_zeros(&s->object, &s->objects, n, sizeof(*s->object), err)) ||
	    (g->shape->lives.there && s == &g->least &&
	     trc_grow_zeros(&s->ages, &s->aged, n, sizeof(*s->ages), err)))
		return -1;
	return g->requests.one_in ? 0 : trc_byte_buckets_room(s->to, most, err);
}

/* ---- deletes ---- */

/* Begins the second curve, which was the same so far, and continues with new numbers. */
static int
begin_deletes(struct trc_byte_growing *g, struct trc_err *err)
{
	const struct trc_byte_buckets *from = &g->curve->least;
	struct trc_byte_buckets *to = &g->curve->most;

	g->deletes = true;
	g->numbers = g->begun = g->requests.objects.n;
	g->most.to = to;
	if (trc_grow_zeros(&to->bucket, &to->room, from->n, sizeof(*to->bucket), err))
		return -1;
	for (size_t i = 0; i < from->n; i++)
		to->bucket[i] = from->bucket[i];
	to->n = from->n;
	if (side_room(g, &g->most, g->least.numbers, 0, err) ||
	    (g->shape->objects &&
	     trc_grow(&g->owner, &g->owners, g->numbers, sizeof(*g->owner), err)))
		return -1;
	for (uint32_t i = 0; g->owner && i < g->numbers; i++)
		g->owner[i] = i;
	for (size_t i = 0; g->least.object && i < g->least.numbers; i++)
		g->most.object[i] = g->least.object[i];
	return trc_byte_stack_copy(&g->most.stack, &g->least.stack, err) ||
	                       trc_byte_sample_copy(&to->sample, &from->sample, err) ?
	               -1 :
	               0;
}

/* Gives an object a new number in the curve where deleted objects stay. */
static void
give_number(struct trc_byte_growing *g, uint32_t id)
{
	if (g->owner)
		g->owner[g->numbers] = id;
	g->number[id] = ++g->numbers;
}

/* Returns the current number of an object there. */
static uint32_t
number_of(struct trc_byte_growing *g, uint32_t id)
{
	if (!g->number[id] && id < g->begun)
		return id;
	if (!g->number[id])
		give_number(g, id);
	return g->number[id] - 1;
}

/* In the first curve the object is removed; in the second it stays, and loses its number. */
static void
delete_object(struct trc_byte_growing *g, uint32_t id)
{
	const uint32_t number = number_of(g, id);

	trc_byte_stack_remove(&g->least.stack, id);
	if (g->least.object) {
		g->least.object[id].level = 0;
		g->most.object[number].level = 0;
	}
	if (trc_byte_stack_distance(&g->most.stack, number) != UINT64_MAX)
		give_number(g, id);
}

/* If capacities are in objects, each cache from the object's position on has room for one more. */
static int
leave_hole(struct trc_byte_side *s, uint32_t id, struct trc_err *err)
{
	uint64_t distance = trc_byte_stack_distance(&s->stack, id);

	if (distance == UINT64_MAX)
		return 0;
	distance = trc_holes_position(&s->holes, (uint32_t)distance);
	trc_byte_stack_remove(&s->stack, id);
	if (s->object) {
		trc_byte_write_back(s->to, &s->object[id], trc_byte_level(distance));
		s->object[id].level = 0;
	}
	return trc_holes_put(&s->holes, (uint32_t)distance, err);
}

static int
take_out(struct trc_byte_growing *g, uint32_t id, struct trc_err *err)
{
	if (g->shape->ones)
		return leave_hole(&g->least, id, err);
	delete_object(g, id);
	return 0;
}

/* Processes a write that removes its object: it misses everywhere. */
static int
write_out(struct trc_byte_growing *g, const struct trc_request *r, struct trc_err *err)
{
	if (count_sampled(g, &g->least, r, 0, err) || count_sampled(g, &g->most, r, 0, err))
		return -1;
	return take_out(g, r->id, err);
}

/* Refuses deletes in a slice, and in samples that would have to know what they leave free. */
static int
check_deletes(const struct trc_byte_growing *g, struct trc_err *err)
{
	const char *deletes = g->requests.totals.deletes ?
	                              "the trace has deletes, which leave" :
	                              "--writes none deletes objects, which leaves";

	if (g->sink.partial)
		return trc_pages_no_deletes(false, g->requests.totals.deletes, err);
	if (g->shape->objects && g->shape->ones)
		return trc_fail_as(err, TRC_USAGE,
		                   "--sample-objects: %s room for objects that are dropped "
		                   "later; use --sample 1/N",
		                   deletes);
	return 0;
}

/* Returns true if there was a delete so far, or a write that acts as one. */
static bool
deletes(const struct trc_byte_growing *g)
{
	const struct trc_object_totals *t = &g->requests.totals;

	return g->deletes || t->deletes || (g->shape->none && t->requests[1]);
}

/* Makes room in both curves after a delete: a request may add two numbers. */
static int
room_of_both(struct trc_byte_growing *g, struct trc_err *err)
{
	const struct trc_requests *r = &g->requests;

	if (check_deletes(g, err) || (!g->deletes && !g->shape->ones && begin_deletes(g, err)))
		return -1;
	if (g->shape->ones)
		return 0;
	if (trc_grow_zeros(&g->number, &g->room, r->objects.n, sizeof(*g->number), err) ||
	    (g->shape->objects && trc_grow(&g->owner, &g->owners, g->numbers + 2 * (size_t)r->n,
	                                   sizeof(*g->owner), err)))
		return -1;
	return side_room(g, &g->most, g->numbers + 2 * r->n, r->n, err);
}

/* ---- the sink ---- */

static int
take_request(struct trc_byte_growing *g, const struct trc_request *r, struct trc_err *err)
{
	if (r->kind == TRC_REQUEST_DELETE)
		return take_out(g, r->id, err);
	if (r->kind == TRC_REQUEST_WRITE && g->shape->none)
		return write_out(g, r, err);
	if (g->deletes && g->least.ages)
		return refer_both(g, number_of(g, r->id), r, err);
	return refer(g, &g->least, r->id, r, err) ||
	                       (g->deletes && refer(g, &g->most, number_of(g, r->id), r, err)) ?
	               -1 :
	               0;
}

/* Processes the last requests that were taken. */
static int
refer_all(struct trc_byte_growing *g, struct trc_err *err)
{
	const struct trc_requests *r = &g->requests;
	uint32_t known = g->known;

	for (size_t i = 0; i < r->n; i++) {
		const struct trc_request *q = &r->request[i];
		const uint32_t ahead = r->request[i + 16 < r->n ? i + 16 : i].id;

		if (g->least.object)
			TRC_PREFETCH(&g->least.object[ahead]);
		trc_byte_stack_prefetch(&g->least.stack, ahead,
		                        r->request[i + 8 < r->n ? i + 8 : i].id);
		if (g->sink.partial && q->id == known && note_first(g, known++, q, err))
			return -1;
		if (take_request(g, q, err))
			return -1;
	}
	g->known = known;
	return 0;
}

static int
curve_put(struct trc_sink *sink, const struct trc_batch *b, struct trc_err *err)
{
	struct trc_byte_growing *g = (struct trc_byte_growing *)sink;
	struct trc_requests *r = &g->requests;

	for (size_t at = 0; at < b->n;)
		if (trc_requests_take(r, b, &at, err) ||
		    side_room(g, &g->least, r->objects.n, r->n, err) ||
		    (deletes(g) && room_of_both(g, err)) || refer_all(g, err) ||
		    trc_byte_curve_thin(g, err))
			return -1;
	return 0;
}

/* Counts the write-backs of an object at the end of the trace, if it is in the stack. */
static void
end(struct trc_byte_side *s, uint32_t number)
{
	uint64_t distance = trc_byte_stack_distance(&s->stack, number);

	if (distance == UINT64_MAX)
		return;
	distance = s->holes.n ? trc_holes_position(&s->holes, (uint32_t)distance) : distance;
	trc_byte_write_back(s->to, &s->object[number], trc_byte_level(distance));
}

static int
end_side(struct trc_byte_growing *g, struct trc_byte_side *s, struct trc_err *err)
{
	if (g->requests.one_in)
		return trc_byte_curve_end_sample(g, s, err);
	if (trc_byte_buckets_room(s->to, s->stack.bytes + s->holes.n + 1, err))
		return -1;
	for (uint32_t number = 0; s->object && number < s->stack.objects; number++)
		end(s, number);
	return 0;
}

static int
curve_finish(struct trc_sink *sink, const struct trc_meta *meta, struct trc_err *err)
{
	struct trc_byte_growing *g = (struct trc_byte_growing *)sink;

	(void)meta;
	g->curve->totals = g->requests.totals;
	if (end_side(g, &g->least, err) || (g->deletes && end_side(g, &g->most, err)))
		return -1;
	return 0;
}

static void
curve_close(struct trc_sink *sink)
{
	struct trc_byte_growing *g = (struct trc_byte_growing *)sink;

	trc_byte_side_release(&g->least);
	trc_byte_side_release(&g->most);
	trc_requests_release(&g->requests);
	free(g->number);
	free(g->owner);
	free(g->first);
	free(g);
}

struct trc_sink *
trc_byte_curve_sink(struct trc_byte_curve *curve, uint32_t have, const struct trc_byte_shape *shape,
                    struct trc_err *err)
{
	struct trc_byte_growing *g = trc_alloc(1, sizeof(*g), err);

	*curve = (struct trc_byte_curve){ .least = { 0 } };
	if (!g || trc_requests_init(&g->requests, have, err)) {
		free(g);
		return NULL;
	}
	g->sink = (struct trc_sink){ .put = curve_put,
		                     .finish = curve_finish,
		                     .close = curve_close,
		                     .state = shape->lives.there || shape->one_in ||
		                                              shape->objects ?
		                                      NULL :
		                                      trc_byte_curve_state };
	g->shape = shape;
	g->curve = curve;
	g->least.to = &curve->least;
	g->requests.lives = shape->lives;
	g->requests.ones = shape->ones;
	g->requests.one_in = shape->objects ? 1 : shape->one_in;
	g->requests.stacked = !g->requests.one_in;
	g->requests.hash_most = g->requests.one_in ? UINT64_MAX / g->requests.one_in : 0;
	return &g->sink;
}

static void
buckets_release(struct trc_byte_buckets *b)
{
	free(b->bucket);
	trc_byte_sample_release(&b->sample);
}

void
trc_byte_curve_release(void *of)
{
	struct trc_byte_curve *curve = of;

	buckets_release(&curve->least);
	buckets_release(&curve->most);
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
