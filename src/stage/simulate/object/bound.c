/* SPDX-License-Identifier: MIT */
#include "stage/simulate/object/bound.h"

#include <float.h>
#include <stdlib.h>

#define ROUNDING 1e-9 /* relative; larger than the rounding error of a sum of this many reals */

/* A potential hit: an object of `size` bytes is requested again after this many requests. */
struct hit {
	uint64_t size, bytes, time;
	bool write;
};

/* Returns the size times the time that a hit occupies; as a real, since it may exceed 64 bits. */
static double
cost(const struct hit *h)
{
	return (double)h->size * (double)h->time;
}

/* Returns the cost of each byte that hits; hits without bytes come last. */
static double
cost_of_a_byte(const struct hit *h)
{
	return h->bytes ? cost(h) / (double)h->bytes : DBL_MAX;
}

/* Orders hits of equal cost in a way that is the same on all machines. */
static int
by_fields(const struct hit *h, const struct hit *i)
{
	const uint64_t x[] = { h->bytes, h->size, h->time, h->write };
	const uint64_t y[] = { i->bytes, i->size, i->time, i->write };

	for (size_t k = 0; k < TRC_COUNT(x); k++)
		if (x[k] != y[k])
			return x[k] < y[k] ? -1 : 1;
	return 0;
}

static int
by_cost(const void *a, const void *b)
{
	const double x = cost(a), y = cost(b);

	return x < y ? -1 : x > y ? 1 : by_fields(a, b);
}

static int
by_cost_of_a_byte(const void *a, const void *b)
{
	const double x = cost_of_a_byte(a), y = cost_of_a_byte(b);

	return x < y ? -1 : x > y ? 1 : by_fields(a, b);
}

/* Lists all potential hits. A cache may have fetched the object at any earlier request, with the
 * size of that request: `least` has 1 + the smallest size of each object so far, 0 for none. */
static size_t
list_hits(const struct trc_request *request, const uint64_t *next, size_t n, uint64_t *least,
          struct hit *hit)
{
	size_t hits = 0;

	for (size_t i = 0; i < n; i++) {
		const struct trc_request *r = &request[i];
		uint64_t *size = &least[r->id];

		if (r->kind == TRC_REQUEST_DELETE) {
			*size = 0;
			continue;
		}
		if (*size == 0 || *size > r->size + 1)
			*size = r->size + 1;
		if (next[i] != UINT64_MAX)
			hit[hits++] = (struct hit){ *size - 1, request[next[i]].size, next[i] - i,
				                    request[next[i]].kind == TRC_REQUEST_WRITE };
	}
	return hits;
}

/* Takes hits in order while they fit into a cache; counts them in requests, or in bytes. */
static void
take_cheapest(const struct hit *hit, size_t hits, uint64_t capacity, size_t n, uint64_t *misses,
              bool bytes)
{
	const double all = (double)capacity * (double)n * (1 + ROUNDING);
	double used = 0;

	for (size_t i = 0; i < hits && used <= all; i++) {
		if (hit[i].size > capacity)
			continue;
		misses[hit[i].write] -= bytes ? hit[i].bytes : 1;
		used += cost(&hit[i]);
	}
}

int
trc_object_bound(const struct trc_request *request, const uint64_t *next, size_t n,
                 uint32_t objects, const uint64_t *capacity, size_t capacities,
                 struct trc_object_counts *counts, struct trc_err *err)
{
	struct hit *hit = trc_alloc(n + 1, sizeof(*hit), err);
	uint64_t *least = trc_alloc((size_t)objects + 1, sizeof(*least), err);
	struct trc_object_counts none = { .writebacks = 0 };
	size_t hits;

	if (!hit || !least) {
		free(hit);
		free(least);
		return -1;
	}
	for (size_t i = 0; i < n; i++)
		if (request[i].kind != TRC_REQUEST_DELETE) {
			none.misses[request[i].kind]++;
			none.missed_bytes[request[i].kind] += request[i].size;
		}
	hits = list_hits(request, next, n, least, hit);
	free(least);
	qsort(hit, hits, sizeof(*hit), by_cost);
	for (size_t k = 0; k < capacities; k++) {
		counts[k] = none;
		take_cheapest(hit, hits, capacity[k], n, counts[k].misses, false);
	}
	qsort(hit, hits, sizeof(*hit), by_cost_of_a_byte);
	for (size_t k = 0; k < capacities; k++)
		take_cheapest(hit, hits, capacity[k], n, counts[k].missed_bytes, true);
	free(hit);
	return 0;
}
