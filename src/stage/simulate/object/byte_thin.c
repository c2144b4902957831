/* SPDX-License-Identifier: MIT
 *
 * A curve of capacities from a sample of the objects.
 */
#include <stdlib.h>

#include "stage/simulate/object/byte_growing.h"

/* Returns the number of the halving that removes this hash. */
static unsigned
half_of(uint64_t hash)
{
	const unsigned half = hash ? (unsigned)trc_clz64(hash) : 64;

	return half < TRC_BYTE_SAMPLE_HALVES ? half : TRC_BYTE_SAMPLE_HALVES - 1;
}

struct trc_byte_sampled
trc_byte_sampled_of(const struct trc_byte_growing *g, const struct trc_request *r)
{
	const uint64_t hash = g->requests.hash[r - g->requests.request];

	return (struct trc_byte_sampled){ hash, r->size, g->shape->objects ? half_of(hash) : 0 };
}

/* Halves the objects of a stack, the most recently used first. */
struct thinning {
	struct trc_byte_growing *g;
	uint32_t *id;
	size_t n;
};

static void
list(void *of, uint32_t id, uint64_t distance)
{
	struct thinning *t = of;

	(void)distance;
	t->id[t->n++] = id;
}

/* Keeps an object, which gets a new number. */
static int
keep(struct trc_byte_growing *g, const struct trc_byte_growing *was, uint32_t id,
     struct trc_err *err)
{
	const struct trc_names *names = &was->requests.objects;
	const uint32_t size = was->requests.size[id], space = trc_names_space(names, id);
	uint32_t to;

	if (trc_names_number(&g->requests.objects, &names->name[id], &space, 1, &to, err) ||
	    trc_requests_room(&g->requests, err) ||
	    (was->least.ages && trc_grow_zeros(&g->least.ages, &g->least.aged, to + (size_t)1,
	                                       sizeof(*g->least.ages), err)) ||
	    trc_byte_stack_room(&g->least.stack, to + 1, err))
		return -1;
	trc_requests_ask(&g->requests, to, size);
	g->requests.totals.objects++;
	g->requests.totals.object_bytes += size;
	if (was->least.ages) {
		g->least.ages[to] = was->least.ages[id];
		was->least.ages[id] = (struct trc_byte_ages){ .age = NULL };
	}
	(void)trc_byte_stack_refer(&g->least.stack, to, size);
	return 0;
}

/* Keeps the objects whose hash is at most hash_most, in a new table and a new stack. */
static int
keep_half(struct trc_byte_growing *g, struct trc_byte_growing *was, struct trc_err *err)
{
	struct thinning t = { .id = trc_alloc(was->least.stack.n + (size_t)1, sizeof(*t.id), err) };
	const struct trc_names *names = &was->requests.objects;
	int ret = t.id ? trc_byte_stack_each(&was->least.stack, list, &t, err) : -1;

	while (ret == 0 && t.n-- > 0) {
		const uint32_t id = t.id[t.n];

		if (trc_requests_hash(trc_names_space(names, id), names->name[id]) <=
		    g->requests.hash_most)
			ret = keep(g, was, id, err);
	}
	free(t.id);
	return ret;
}

static int
halve(struct trc_byte_growing *g, struct trc_err *err)
{
	struct trc_byte_growing was = *g;
	int ret;

	g->requests.hash_most /= 2;
	g->requests.one_in *= 2;
	g->requests.totals.objects = g->requests.totals.object_bytes = 0;
	g->least = (struct trc_byte_side){ .to = was.least.to };
	g->requests.size = NULL;
	g->requests.asked = NULL;
	g->requests.sizes = g->requests.asks = 0;
	ret = trc_names_init(&g->requests.objects, err) || keep_half(g, &was, err) ? -1 : 0;
	trc_byte_sample_drop(&g->curve->least.sample, g->halves++);
	trc_byte_side_release(&was.least);
	trc_requests_release(&was.requests);
	return ret;
}

int
trc_byte_curve_thin(struct trc_byte_growing *g, struct trc_err *err)
{
	while (g->shape->objects && g->requests.objects.n > g->shape->objects &&
	       g->halves + 1 < TRC_BYTE_SAMPLE_HALVES)
		if (halve(g, err))
			return -1;
	return 0;
}

int
trc_byte_curve_end_sample(struct trc_byte_growing *g, struct trc_byte_side *s, struct trc_err *err)
{
	struct trc_object_totals *t = &g->curve->totals;
	const struct trc_requests *r = &g->requests;
	struct trc_byte_sample *sample = &s->to->sample;

	sample->one_in = r->one_in;
	sample->mean = trc_requests_mean(r);
	if (s == &g->least) {
		t->objects *= r->one_in;
		t->object_bytes *= r->one_in;
	}
	return trc_byte_sample_finish(sample, err);
}
