/* SPDX-License-Identifier: MIT */
#include "stage/simulate/object/requests.h"

#include <stdlib.h>
#define XXH_INLINE_ALL
#include <xxhash.h>

#include "base/bytes.h"
#include "base/map.h"
#include "stage/simulate/replicates.h"

int
trc_requests_init(struct trc_requests *r, uint32_t have, struct trc_err *err)
{
	*r = (struct trc_requests){ .spaces = have & TRC_HAS_ASID, .types = have & TRC_HAS_TYPE };
	return trc_names_init(&r->objects, err);
}

void
trc_requests_release(struct trc_requests *r)
{
	trc_names_release(&r->objects);
	free(r->size);
	free(r->asked);
	r->size = NULL;
	r->asked = NULL;
}

int
trc_requests_room(struct trc_requests *r, struct trc_err *err)
{
	const size_t n = r->objects.n;

	if (!r->stacked && trc_grow_zeros(&r->size, &r->sizes, n, sizeof(*r->size), err))
		return -1;
	return trc_grow_zeros(&r->asked, &r->asks, (n + 63) / 64, sizeof(*r->asked), err);
}

/* Returns the kind of request of a type; -1: not a request. */
static int
kind_of(uint8_t type)
{
	switch (type & TRC_TYPE_MASK) {
	case TRC_READ:
	case TRC_FETCH:
	case TRC_MISC: return TRC_REQUEST_READ;
	case TRC_WRITE:
	case TRC_MODIFY: return TRC_REQUEST_WRITE;
	case TRC_INVALIDATE: return TRC_REQUEST_DELETE;
	default: return -1;
	}
}

/* Counts a request. */
static void
count(struct trc_requests *r, const struct trc_request *q)
{
	struct trc_object_totals *t = &r->totals;
	const bool write = q->kind == TRC_REQUEST_WRITE;

	if (q->kind == TRC_REQUEST_DELETE) {
		t->deletes++;
		return;
	}
	t->requests[write]++;
	t->bytes[write] += q->size;
	t->empty += q->size == 0;
	t->largest = q->size > t->largest ? q->size : t->largest;
	if (r->one_in)
		r->squares += (double)q->size * (double)q->size;
}

/* Counts the object of a request. */
static void
count_object(struct trc_requests *r, const struct trc_request *q)
{
	struct trc_object_totals *t = &r->totals;
	const bool first = !trc_requests_asked(r, q->id);

	if (q->kind == TRC_REQUEST_DELETE)
		return;
	t->resized += !r->stacked && !first && q->size != r->size[q->id];
	t->objects += first;
	t->object_bytes += first ? q->size : 0;
	trc_requests_ask(r, q->id, (uint32_t)q->size);
}

double
trc_requests_mean(const struct trc_requests *r)
{
	const double requested = (double)(r->totals.bytes[0] + r->totals.bytes[1]);
	double squares = 0, bytes = 0, mean;

	for (size_t id = 0; id < r->objects.n; id++) {
		const double size = (double)r->size[id];

		bytes += size;
		squares += size * size;
	}
	mean = bytes > 0 ? squares / bytes : 0;
	return requested > 0 && r->squares / requested > mean ? r->squares / requested : mean;
}

uint64_t
trc_requests_hash(uint32_t space, uint64_t name)
{
	uint8_t bytes[16];

	trc_put_le64(bytes, name);
	trc_put_le64(bytes + 8, space);
	return XXH3_64bits_withSeed(bytes, sizeof(bytes), 0x656c706d6173);
}

/* Returns true if request `i` is to an object of the sample. */
static bool
is_drawn(struct trc_requests *r, uint32_t space, uint64_t name, size_t i)
{
	r->hash[i] = trc_requests_hash(space, name);
	return r->hash[i] <= r->hash_most;
}

/* The last time at which what comes in with row `i` may be used. */
static uint64_t
until_of(const struct trc_object_lives *lives, const struct trc_batch *b, size_t i)
{
	const uint64_t own = b->ttl ? b->ttl[i] : 0, ttl = own ? own : lives->other;
	const uint64_t now = b->time ? b->time[i] : 0;

	return ttl && ttl < UINT64_MAX - now ? now + ttl : UINT64_MAX;
}

int
trc_requests_take(struct trc_requests *r, const struct trc_batch *b, size_t *at,
                  struct trc_err *err)
{
	uint64_t name[TRC_REQUESTS_MOST];
	uint32_t space[TRC_REQUESTS_MOST], id[TRC_REQUESTS_MOST];
	size_t n = 0;

	for (; *at < b->n && n < TRC_REQUESTS_MOST; ++*at) {
		const int kind = r->types ? kind_of(b->type[*at]) : TRC_REQUEST_READ;

		if (kind < 0)
			continue;
		name[n] = b->addr[*at];
		space[n] = r->spaces ? b->asid[*at] : 0;
		r->request[n] = (struct trc_request){ .size = r->ones ? 1 :
			                                      b->size ? b->size[*at] :
			                                                0,
			                              .time = b->time ? b->time[*at] : 0,
			                              .kind = (uint8_t)kind };
		if (r->lives.there)
			r->until[n] = until_of(&r->lives, b, *at);
		if (r->one_in)
			count(r, &r->request[n]);
		n += !r->one_in || is_drawn(r, space[n], name[n], n);
	}
	r->n = n;
	if (trc_names_number(&r->objects, name, space, n, id, err) || trc_requests_room(r, err))
		return -1;
	for (size_t i = 0; i < n; i++) {
		r->request[i].id = id[i];
		r->request[i].group = r->one_in ? r->hash[i] % TRC_REPLICATES : 0;
		if (!r->one_in)
			count(r, &r->request[i]);
		count_object(r, &r->request[i]);
	}
	return 0;
}

void
trc_object_totals_state(struct trc_object_totals *totals, struct trc_state *t)
{
	uint64_t *const sum[] = { &totals->requests[0], &totals->requests[1], &totals->bytes[0],
		                  &totals->bytes[1],    &totals->resized,     &totals->empty };
	uint64_t largest = totals->largest;

	for (size_t i = 0; i < TRC_COUNT(sum); i++)
		trc_state_sum(t, sum[i]);
	trc_state_num(t, &largest);
	totals->largest = largest > totals->largest ? largest : totals->largest;
}
