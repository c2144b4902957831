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

/* The objects of a stack, the most recently used first. */
struct thinning {
	uint32_t *number;
	size_t n;
};

static void
list(void *of, uint32_t number, uint64_t distance)
{
	struct thinning *t = of;

	(void)distance;
	t->number[t->n++] = number;
}

/* Keeps an object, which gets a new number. */
static int
keep(struct trc_byte_growing *g, const struct trc_byte_growing *was, uint32_t id, uint32_t *to,
     struct trc_err *err)
{
	const struct trc_names *names = &was->requests.objects;
	const uint32_t size = was->requests.size[id], space = trc_names_space(names, id);

	if (trc_names_number(&g->requests.objects, &names->name[id], &space, 1, to, err) ||
	    trc_requests_room(&g->requests, err) ||
	    (was->least.ages && trc_grow_zeros(&g->least.ages, &g->least.aged, *to + (size_t)1,
	                                       sizeof(*g->least.ages), err)))
		return -1;
	if (trc_requests_asked(&was->requests, id)) {
		trc_requests_ask(&g->requests, *to, size);
		g->requests.totals.objects++;
		g->requests.totals.object_bytes += size;
	}
	if (was->least.ages) {
		g->least.ages[*to] = was->least.ages[id];
		was->least.ages[id] = (struct trc_byte_ages){ .age = NULL };
	}
	return 0;
}

/* Keeps the objects whose hash is at most hash_most. Sets kept[id] to 1 + the new number of each,
 * or 0. */
static int
keep_names(struct trc_byte_growing *g, const struct trc_byte_growing *was, uint32_t *kept,
           struct trc_err *err)
{
	const struct trc_names *names = &was->requests.objects;

	for (uint32_t id = 0; id < names->n; id++) {
		if (trc_requests_hash(trc_names_space(names, id), names->name[id]) >
		    g->requests.hash_most)
			continue;
		if (keep(g, was, id, &kept[id], err))
			return -1;
		kept[id]++;
	}
	return 0;
}

/* Puts an object on top of a new stack; in `most` it gets a new number, as do copies that were
 * deleted, which stay there. */
static int
push(struct trc_byte_growing *g, struct trc_byte_side *side, const struct trc_byte_growing *was,
     uint32_t number, uint32_t id, struct trc_err *err)
{
	const bool most = side == &g->most;
	const struct trc_byte_stack *from = most ? &was->most.stack : &was->least.stack;
	const uint32_t to = most ? g->numbers : id;

	if (trc_byte_stack_room(&side->stack, to + 1, err) ||
	    (most && trc_grow(&g->owner, &g->owners, to + (size_t)1, sizeof(*g->owner), err)))
		return -1;
	(void)trc_byte_stack_refer(&side->stack, to, (uint32_t)trc_byte_stack_size(from, number));
	if (!most)
		return 0;
	g->owner[to] = id;
	g->numbers++;
	if (was->number[was->owner[number]] == number + 1 ||
	    (was->number[was->owner[number]] == 0 && number < was->begun))
		g->number[id] = to + 1;
	return 0;
}

/* Fills a new stack with the objects that are kept. */
static int
keep_stack(struct trc_byte_growing *g, struct trc_byte_side *side,
           const struct trc_byte_growing *was, const uint32_t *kept, struct trc_err *err)
{
	const bool most = side == &g->most;
	const struct trc_byte_stack *from = most ? &was->most.stack : &was->least.stack;
	struct thinning t = { .number = trc_alloc(from->n + (size_t)1, sizeof(*t.number), err) };
	int ret = t.number ? trc_byte_stack_each(from, list, &t, err) : -1;

	while (ret == 0 && t.n-- > 0) {
		const uint32_t number = t.number[t.n];
		const uint32_t id = kept[most ? was->owner[number] : number];

		ret = id ? push(g, side, was, number, id - 1, err) : 0;
	}
	free(t.number);
	return ret;
}

static int
keep_half(struct trc_byte_growing *g, const struct trc_byte_growing *was, struct trc_err *err)
{
	uint32_t *kept = trc_alloc(was->requests.objects.n, sizeof(*kept), err);
	int ret = kept ? keep_names(g, was, kept, err) : -1;

	if (ret == 0)
		ret = keep_stack(g, &g->least, was, kept, err);
	if (ret == 0 && g->deletes)
		ret = trc_grow_zeros(&g->number, &g->room, g->requests.objects.n,
		                     sizeof(*g->number), err) ||
		                      keep_stack(g, &g->most, was, kept, err) ?
		              -1 :
		              0;
	free(kept);
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
	g->most = (struct trc_byte_side){ .to = was.most.to };
	g->requests.size = NULL;
	g->requests.asked = NULL;
	g->requests.sizes = g->requests.asks = 0;
	g->number = g->owner = NULL;
	g->room = g->owners = 0;
	g->begun = g->numbers = 0;
	ret = trc_names_init(&g->requests.objects, err) || keep_half(g, &was, err) ? -1 : 0;
	trc_byte_sample_drop(&g->curve->least.sample, g->halves);
	trc_byte_sample_drop(&g->curve->most.sample, g->halves++);
	trc_byte_side_release(&was.least);
	trc_byte_side_release(&was.most);
	trc_requests_release(&was.requests);
	free(was.number);
	free(was.owner);
	return ret;
}

int
trc_byte_curve_thin(struct trc_byte_growing *g, struct trc_err *err)
{
	const uint64_t most = g->shape->objects;

	/* Copies that were deleted stay in one of the stacks, so they count, too. */
	while (most && (g->requests.objects.n > most || g->most.stack.n / 2 > most) &&
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
