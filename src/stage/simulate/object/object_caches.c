/* SPDX-License-Identifier: MIT */
#include "stage/simulate/object/object_caches.h"

#include <stdlib.h>

#include "stage/simulate/object/bound.h"

/* The sink. */
struct caches_sink {
	struct trc_sink sink;
	struct trc_object_caches *caches;
	struct trc_requests requests;
	enum trc_object_writes writes;
	size_t capacities;

	/* What policies that look ahead need: all requests, in order. */
	bool keeps;
	struct trc_request *kept;
	size_t n, room;
};

/* What one cache does with a request. */
static int
refer(struct trc_object_cache *c, const struct trc_request *r, enum trc_object_writes writes,
      struct trc_err *err)
{
	if (r->kind != TRC_REQUEST_DELETE)
		return trc_object_cache_refer(c, r->id, r->size, r->kind == TRC_REQUEST_WRITE,
		                              writes, err);
	trc_object_cache_delete(c, r->id);
	return 0;
}

/* What one cache, which does not look ahead, does with some. */
static int
refer_all(struct trc_object_cache *c, const struct trc_requests *r, enum trc_object_writes writes,
          struct trc_err *err)
{
	if (trc_object_cache_room(c, r->objects.n, err))
		return -1;
	for (size_t i = 0; i < r->n; i++) {
		TRC_PREFETCH(&c->entry[r->request[i + 8 < r->n ? i + 8 : i].id]);
		if (refer(c, &r->request[i], writes, err))
			return -1;
	}
	return 0;
}

static int
keep(struct caches_sink *s, struct trc_err *err)
{
	if (trc_grow(&s->kept, &s->room, s->n + s->requests.n, sizeof(*s->kept), err))
		return -1;
	for (size_t i = 0; i < s->requests.n; i++)
		s->kept[s->n++] = s->requests.request[i];
	return 0;
}

static int
caches_put(struct trc_sink *sink, const struct trc_batch *b, struct trc_err *err)
{
	struct caches_sink *s = (struct caches_sink *)sink;

	for (size_t at = 0; at < b->n;) {
		if (trc_requests_take(&s->requests, b, &at, err) || (s->keeps && keep(s, err)))
			return -1;
		for (size_t k = 0; k < s->caches->n; k++)
			if (!s->caches->cache[k].policy->ahead &&
			    refer_all(&s->caches->cache[k], &s->requests, s->writes, err))
				return -1;
	}
	return 0;
}

/* When the object of each request is used again; UINT64_MAX: never, before it is deleted. */
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

/* One that looks ahead. */
static int
look_ahead(struct caches_sink *s, struct trc_object_cache *c, const uint64_t *next,
           struct trc_err *err)
{
	if (trc_object_cache_room(c, s->requests.objects.n, err))
		return -1;
	for (size_t i = 0; i < s->n; i++) {
		c->next = next[i];
		if (refer(c, &s->kept[i], s->writes, err))
			return -1;
	}
	return 0;
}

/* The bound at each capacity. */
static int
find_bounds(struct caches_sink *s, struct trc_object_cache *c, const uint64_t *next,
            struct trc_err *err)
{
	struct trc_object_counts *counts = trc_alloc(s->capacities, sizeof(*counts), err);
	uint64_t capacity[TRC_OBJECT_CAPACITIES_MOST];
	int ret = counts ? 0 : -1;

	for (size_t k = 0; k < s->capacities; k++)
		capacity[k] = c[k].capacity;
	if (ret == 0)
		ret = trc_object_bound(s->kept, next, s->n, s->requests.objects.n, capacity,
		                       s->capacities, counts, err);
	for (size_t k = 0; k < s->capacities && ret == 0; k++)
		c[k].counts = counts[k];
	free(counts);
	return ret;
}

static int
caches_finish(struct trc_sink *sink, const struct trc_meta *meta, struct trc_err *err)
{
	struct caches_sink *s = (struct caches_sink *)sink;
	uint64_t *next = NULL;
	int ret = 0;

	(void)meta;
	s->caches->totals = s->requests.totals;
	if (s->keeps && !(next = next_uses(s, err)))
		return -1;
	for (size_t k = 0; k < s->caches->n && ret == 0; k++) {
		struct trc_object_cache *c = &s->caches->cache[k];

		if (c->policy->bound && k % s->capacities == 0)
			ret = find_bounds(s, c, next, err);
		else if (c->policy->ahead && !c->policy->bound)
			ret = look_ahead(s, c, next, err);
	}
	free(next);
	return ret;
}

static void
caches_close(struct trc_sink *sink)
{
	struct caches_sink *s = (struct caches_sink *)sink;

	trc_requests_release(&s->requests);
	free(s->kept);
	free(s);
}

struct trc_sink *
trc_object_caches_sink(struct trc_object_caches *caches, uint32_t have,
                       const struct trc_object_shape *shape, struct trc_err *err)
{
	struct caches_sink *s = trc_alloc(1, sizeof(*s), err);
	const size_t n = shape->policies * shape->capacities;

	*caches = (struct trc_object_caches){ .cache = trc_alloc(n, sizeof(*caches->cache), err) };
	if (!s || !caches->cache || trc_requests_init(&s->requests, have, err)) {
		free(s);
		return NULL;
	}
	s->sink = (struct trc_sink){ .put = caches_put,
		                     .finish = caches_finish,
		                     .close = caches_close };
	s->caches = caches;
	s->writes = shape->writes;
	s->capacities = shape->capacities;
	for (; caches->n < n; caches->n++) {
		const struct trc_object_policy *p = shape->policy[caches->n / shape->capacities];

		s->keeps |= p->ahead;
		trc_object_cache_init(&caches->cache[caches->n], p,
		                      shape->capacity[caches->n % shape->capacities], shape->seed);
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
	*caches = (struct trc_object_caches){ 0 };
}
