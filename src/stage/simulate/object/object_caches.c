/* SPDX-License-Identifier: MIT */
#include "stage/simulate/object/object_caches.h"

#include <stdlib.h>

#include "base/pool.h"
#include "stage/simulate/object/bound.h"

enum { RUN = 1 << 14 }; /* requests that each cache processes at a time */

extern const struct trc_object_policy trc_object_lists[], trc_object_shared_queues[],
        trc_object_ranked[], trc_object_w_tinylfu[]; /* each ends with a row without a name */

const struct trc_object_policy *
trc_object_policy(size_t i)
{
	static const struct trc_object_policy *const family[] = {
		trc_object_lists, trc_object_shared_queues, trc_object_ranked, trc_object_w_tinylfu
	};

	for (size_t f = 0; f < TRC_COUNT(family); f++)
		for (const struct trc_object_policy *p = family[f]; p->name; p++)
			if (i-- == 0)
				return p;
	return NULL;
}

/* The sink. */
struct caches_sink {
	struct trc_sink sink;
	struct trc_object_caches *caches;
	struct trc_requests requests;
	const struct trc_object_shape *shape;

	/* Requests in order; the caches have processed those before `taken`. With policies that
	 * look ahead, all requests of the trace, and in `next` the time of the next use. */
	bool keeps;
	struct trc_request *kept;
	uint64_t *until; /* of each, as struct trc_requests has it; NULL: for ever */
	size_t n, taken, room, untils;
	uint64_t *next;
};

/* Processes a request in one cache. */
static int
refer(struct trc_object_cache *c, const struct trc_request *r, enum trc_object_writes writes,
      struct trc_err *err)
{
	c->now = r->time;
	if (r->kind != TRC_REQUEST_DELETE)
		return trc_object_cache_refer(c, r->id, r->size, r->kind == TRC_REQUEST_WRITE,
		                              writes, err);
	trc_object_cache_delete(c, r->id);
	return 0;
}

/* Processes a request in the caches of a sample, and counts misses by groups. */
static int
refer_sampled(const struct caches_sink *s, size_t k, const struct trc_request *r,
              struct trc_err *err)
{
	struct trc_object_cache *c = &s->caches->cache[k];
	struct trc_byte_sample_bucket *missed = &s->caches->missed[k];
	const bool write = r->kind == TRC_REQUEST_WRITE;
	const uint64_t before = c->counts.misses[write];

	if (refer(c, r, s->shape->writes, err))
		return -1;
	if (r->kind == TRC_REQUEST_DELETE || (write && s->shape->reads))
		return 0;
	missed->requests[r->group] += c->counts.misses[write] - before;
	missed->bytes[r->group] += c->counts.misses[write] > before ? r->size : 0;
	return 0;
}

/* Processes the pending requests in cache `k`, on any thread. A cache that looks ahead processes
 * all of them at the end. */
static int
take_pending(void *arg, size_t k, struct trc_err *err)
{
	struct caches_sink *s = arg;
	struct trc_object_cache *c = &s->caches->cache[k];
	const struct trc_request *r = s->kept;

	if (c->policy->bound || c->policy->ahead != (s->next != NULL))
		return 0;
	if (trc_object_cache_room(c, s->requests.objects.n, err))
		return -1;
	for (size_t i = s->next ? 0 : s->taken; i < s->n; i++) {
		TRC_PREFETCH(&c->entry[r[i + 8 < s->n ? i + 8 : i].id]);
		c->at = i;
		c->next = s->next ? s->next[i] : 0;
		c->until = s->until ? s->until[i] : UINT64_MAX;
		if (s->caches->missed ? refer_sampled(s, k, &r[i], err) :
		                        refer(c, &r[i], s->shape->writes, err))
			return -1;
	}
	return 0;
}

static int
take_all(struct caches_sink *s, struct trc_err *err)
{
	if (trc_pool_run(s->shape->threads, take_pending, s, s->caches->n, err))
		return -1;
	s->n = s->keeps ? s->n : 0;
	s->taken = s->n;
	return 0;
}

static int
keep(struct caches_sink *s, struct trc_err *err)
{
	if (trc_grow(&s->kept, &s->room, s->n + s->requests.n, sizeof(*s->kept), err))
		return -1;
	if (s->shape->lives.there &&
	    trc_grow(&s->until, &s->untils, s->n + s->requests.n, sizeof(*s->until), err))
		return -1;
	for (size_t i = 0; i < s->requests.n; i++) {
		s->kept[s->n + i] = s->requests.request[i];
		if (s->until)
			s->until[s->n + i] = s->requests.until[i];
	}
	s->n += s->requests.n;
	return s->n - s->taken >= RUN ? take_all(s, err) : 0;
}

static int
caches_put(struct trc_sink *sink, const struct trc_batch *b, struct trc_err *err)
{
	struct caches_sink *s = (struct caches_sink *)sink;

	for (size_t at = 0; at < b->n;)
		if (trc_requests_take(&s->requests, b, &at, err) || keep(s, err))
			return -1;
	return 0;
}

/* Returns when the object of each request is used again; UINT64_MAX: not before it is deleted. */
static uint64_t *
next_uses(const struct caches_sink *s, struct trc_err *err)
{
	uint64_t *next = trc_alloc(s->n + 1, sizeof(*next), err);
	uint64_t *use = trc_alloc(s->requests.objects.n + (size_t)1, sizeof(*use), err);

	for (size_t o = 0; next && use && o < s->requests.objects.n; o++)
		use[o] = UINT64_MAX;
	for (size_t i = s->n; next && use && i-- > 0;) {
		const struct trc_request *r = &s->kept[i];

		next[i] = use[r->id];
		use[r->id] = r->kind == TRC_REQUEST_DELETE ? UINT64_MAX : i;
	}
	if (!use) {
		free(next);
		next = NULL;
	}
	free(use);
	return next;
}

/* Computes the bound at each capacity, for the caches from `c` on. */
static int
find_bounds(struct caches_sink *s, struct trc_object_cache *c, struct trc_err *err)
{
	struct trc_object_counts *counts = trc_alloc(s->shape->capacities, sizeof(*counts), err);
	int ret = counts ? trc_object_bound(s->kept, s->next, s->n, s->requests.objects.n,
	                                    s->shape->capacity, s->shape->capacities, counts, err) :
	                   -1;

	for (size_t k = 0; k < s->shape->capacities && ret == 0; k++)
		c[k].counts = counts[k];
	free(counts);
	return ret;
}

static void
end_sample(const struct caches_sink *s)
{
	struct trc_object_totals *t = &s->caches->totals;

	s->caches->sample = (struct trc_cache_sample){ s->requests.one_in, t->largest,
		                                       trc_requests_mean(&s->requests) };
	t->objects *= s->requests.one_in;
	t->object_bytes *= s->requests.one_in;
}

static int
caches_finish(struct trc_sink *sink, const struct trc_meta *meta, struct trc_err *err)
{
	struct caches_sink *s = (struct caches_sink *)sink;

	(void)meta;
	s->caches->totals = s->requests.totals;
	if (s->caches->missed)
		end_sample(s);
	if (take_all(s, err))
		return -1;
	if (!s->keeps)
		return 0;
	s->next = next_uses(s, err);
	if (!s->next || take_all(s, err))
		return -1;
	for (size_t k = 0; k < s->caches->n; k += s->shape->capacities)
		if (s->caches->cache[k].policy->bound && find_bounds(s, &s->caches->cache[k], err))
			return -1;
	return 0;
}

static void
caches_close(struct trc_sink *sink)
{
	struct caches_sink *s = (struct caches_sink *)sink;

	trc_requests_release(&s->requests);
	free(s->kept);
	free(s->until);
	free(s->next);
	free(s);
}

struct trc_sink *
trc_object_caches_sink(struct trc_object_caches *caches, uint32_t have,
                       const struct trc_object_shape *shape, struct trc_err *err)
{
	struct caches_sink *s = trc_alloc(1, sizeof(*s), err);
	const size_t factors = shape->one_in ? TRC_CACHE_SAMPLE_FACTORS : 1;
	const size_t n = shape->policies * shape->capacities * factors;

	*caches = (struct trc_object_caches){ .cache = trc_alloc(n, sizeof(*caches->cache), err) };
	if (shape->one_in && caches->cache)
		caches->missed = trc_alloc(n, sizeof(*caches->missed), err);
	if (!s || !caches->cache || (shape->one_in && !caches->missed) ||
	    trc_requests_init(&s->requests, have, err)) {
		free(s);
		return NULL;
	}
	s->sink = (struct trc_sink){ .put = caches_put,
		                     .finish = caches_finish,
		                     .close = caches_close };
	s->caches = caches;
	s->shape = shape;
	s->requests.lives = shape->lives;
	s->requests.ones = shape->ones;
	s->requests.one_in = shape->one_in;
	s->requests.hash_most = shape->one_in ? UINT64_MAX / shape->one_in : 0;
	for (; caches->n < n; caches->n++) {
		const size_t asked = caches->n / factors, k = asked % shape->capacities;
		const struct trc_object_policy *p = shape->policy[asked / shape->capacities];
		uint64_t capacity = shape->capacity[k];

		s->keeps |= p->ahead;
		if (shape->one_in)
			capacity = trc_cache_sample_capacity(capacity, shape->one_in,
			                                     caches->n % factors);
		trc_object_cache_init(&caches->cache[caches->n], p, capacity, shape->ones,
		                      shape->seed);
		caches->cache[caches->n].eager = shape->eager;
	}
	return &s->sink;
}

void
trc_object_caches_release(void *of)
{
	struct trc_object_caches *caches = of;

	for (size_t k = 0; k < caches->n; k++)
		trc_object_cache_release(&caches->cache[k]);
	free(caches->cache);
	free(caches->missed);
	*caches = (struct trc_object_caches){ 0 };
}

static void
subtract_counts(struct trc_object_counts *c, const struct trc_object_counts *before)
{
	for (int k = 0; k < 2; k++) {
		c->misses[k] -= before->misses[k];
		c->missed_bytes[k] -= before->missed_bytes[k];
	}
	c->writebacks -= before->writebacks;
	c->written_bytes -= before->written_bytes;
}

void
trc_object_totals_subtract(struct trc_object_totals *totals, const struct trc_object_totals *before)
{
	for (int k = 0; k < 2; k++) {
		totals->requests[k] -= before->requests[k];
		totals->bytes[k] -= before->bytes[k];
	}
	totals->deletes -= before->deletes;
	totals->empty -= before->empty;
}

void
trc_object_caches_subtract(struct trc_object_caches *caches, const struct trc_object_caches *before)
{
	for (size_t k = 0; k < caches->n; k++)
		subtract_counts(&caches->cache[k].counts, &before->cache[k].counts);
	trc_object_totals_subtract(&caches->totals, &before->totals);
}
