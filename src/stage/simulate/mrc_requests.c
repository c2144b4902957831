/* SPDX-License-Identifier: MIT */
#include "stage/simulate/mrc_requests.h"

#include <stdlib.h>

void
trc_mrc_requests_release(struct trc_mrc_requests *r)
{
	free(r->bytes);
	free(r->change);
	free(r->first);
	*r = (struct trc_mrc_requests){ .most = 0 };
}

int
trc_mrc_requests_room(struct trc_mrc_requests *r, uint32_t pages, struct trc_err *err)
{
	const size_t need = (size_t)pages + 1;

	if (trc_grow_zeros(&r->bytes, &r->sizes, need, sizeof(*r->bytes), err) ||
	    trc_grow_zeros(&r->change, &r->changes, need, sizeof(*r->change), err))
		return -1;
	return 0;
}

/* Keeps a first reference. `continues`: others of its request are kept already. */
static int
keep_first(struct trc_mrc_requests *r, uint32_t bytes, bool counts, bool continues,
           struct trc_err *err)
{
	if (trc_grow(&r->first, &r->firsts, r->n + 1, sizeof(*r->first), err))
		return -1;
	if (!continues)
		r->begin = r->n;
	r->first[r->n++] = (struct trc_mrc_first){ .bytes = bytes,
		                                   .flags = (continues ? 0 : TRC_MRC_BEGINS) |
		                                            (counts ? TRC_MRC_COUNTS : 0) };
	return 0;
}

/* Adds a reference of a request to several pages; `more` of it may follow. */
static void
add_to_request(struct trc_mrc_requests *r, uint32_t distance, bool more)
{
	if (distance || !r->kept)
		r->change[distance]--;
	r->always |= distance == 0;
	r->most = distance > r->most ? distance : r->most;
	if (more)
		return;
	if (r->always && r->kept) {
		r->first[r->begin].most = r->most;
		r->first[r->begin].flags |= TRC_MRC_SEVERAL;
	} else {
		r->change[r->always ? 0 : r->most]++;
	}
	r->most = 0;
	r->always = false;
}

int
trc_mrc_requests_add(struct trc_mrc_requests *r, const struct trc_mrc_rule *rule,
                     const uint32_t *distance, const uint8_t *type, const uint32_t *weight,
                     size_t n, uint32_t pages, struct trc_err *err)
{
	if (trc_mrc_requests_room(r, pages, err))
		return -1;
	for (size_t i = 0; i < n; i++) {
		const uint32_t bytes = weight[i] & ~TRC_TOUCH_MORE;
		const bool more = weight[i] & TRC_TOUCH_MORE,
		           counts = trc_mrc_counts(rule, type[i]);

		if (r->kept && distance[i] == 0 && keep_first(r, bytes, counts, r->always, err))
			return -1;
		if (!counts)
			continue;
		if (distance[i] || !r->kept)
			r->bytes[distance[i]] += bytes;
		if (more || r->most || r->always)
			add_to_request(r, distance[i], more);
	}
	return 0;
}

int
trc_mrc_requests_miss(struct trc_mrc_requests *r, uint64_t pages, uint64_t bytes,
                      struct trc_err *err)
{
	if (trc_mrc_requests_room(r, 0, err))
		return -1;
	r->bytes[0] += bytes;
	r->change[0] += 1 - pages;
	return 0;
}

void
trc_mrc_requests_join_end(struct trc_mrc_requests *r)
{
	if (r->several && r->left)
		r->left->most = r->most;
	else if (r->several)
		r->change[r->most]++;
	r->left = NULL;
	r->several = false;
	r->most = 0;
}

/* Lets a first reference stay one. */
static void
stay(struct trc_mrc_requests *r, struct trc_mrc_first *first)
{
	first->flags = TRC_MRC_COUNTS;
	if (r->left)
		return;
	first->flags |= TRC_MRC_BEGINS | (r->several ? TRC_MRC_SEVERAL : 0);
	r->left = first;
}

void
trc_mrc_requests_join(struct trc_mrc_requests *r, struct trc_mrc_first *first, uint32_t distance)
{
	if (first->flags & TRC_MRC_BEGINS) {
		trc_mrc_requests_join_end(r);
		r->several = first->flags & TRC_MRC_SEVERAL;
		r->most = first->most;
	}
	if (!(first->flags & TRC_MRC_COUNTS))
		return;
	if (distance == 0) {
		stay(r, first);
		return;
	}
	r->bytes[distance] += first->bytes;
	if (!r->several)
		return;
	r->change[distance]--;
	r->most = distance > r->most ? distance : r->most;
}

int
trc_mrc_requests_finish(struct trc_mrc_requests *r, const uint64_t *distances, uint32_t pages,
                        const struct trc_mrc_first *first, size_t n, struct trc_err *err)
{
	uint64_t bytes, requests;

	if (trc_mrc_requests_room(r, pages, err))
		return -1;
	bytes = r->bytes[0];
	requests = r->change[0] + (first ? 0 : distances[0]);
	for (size_t i = 0; first && i < n; i++)
		if (first[i].flags & TRC_MRC_COUNTS) {
			bytes += first[i].bytes;
			requests += first[i].flags & TRC_MRC_BEGINS;
		}
	for (uint32_t m = pages + 1; m-- > 0;) {
		const uint64_t here = r->bytes[m], more = r->change[m] + distances[m];

		r->bytes[m] = bytes;
		r->change[m] = requests;
		bytes += here;
		requests += more;
	}
	return 0;
}
