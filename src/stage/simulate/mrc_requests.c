/* SPDX-License-Identifier: MIT */
#include "stage/simulate/mrc_requests.h"

#include <stdlib.h>

void
trc_mrc_requests_release(struct trc_mrc_requests *r)
{
	free(r->bytes);
	free(r->change);
	*r = (struct trc_mrc_requests){ .most = 0 };
}

static int
make_room(struct trc_mrc_requests *r, uint32_t pages, struct trc_err *err)
{
	const size_t need = (size_t)pages + 1;

	if (trc_grow_zeros(&r->bytes, &r->sizes, need, sizeof(*r->bytes), err) ||
	    trc_grow_zeros(&r->change, &r->changes, need, sizeof(*r->change), err))
		return -1;
	return 0;
}

/* Adds a reference of a request to several pages; `more` of it may follow. */
static void
add_to_request(struct trc_mrc_requests *r, uint32_t distance, bool more)
{
	r->change[distance]--;
	r->always |= distance == 0;
	r->most = distance > r->most ? distance : r->most;
	if (more)
		return;
	r->change[r->always ? 0 : r->most]++;
	r->most = 0;
	r->always = false;
}

int
trc_mrc_requests_add(struct trc_mrc_requests *r, const struct trc_mrc_rule *rule,
                     const uint32_t *distance, const uint8_t *type, const uint32_t *weight,
                     size_t n, uint32_t pages, struct trc_err *err)
{
	if (make_room(r, pages, err))
		return -1;
	for (size_t i = 0; i < n; i++) {
		const bool more = weight[i] & TRC_TOUCH_MORE;

		if (!trc_mrc_counts(rule, type[i]))
			continue;
		r->bytes[distance[i]] += weight[i] & ~TRC_TOUCH_MORE;
		if (more || r->most || r->always)
			add_to_request(r, distance[i], more);
	}
	return 0;
}

int
trc_mrc_requests_miss(struct trc_mrc_requests *r, uint64_t pages, uint64_t bytes,
                      struct trc_err *err)
{
	if (make_room(r, 0, err))
		return -1;
	r->bytes[0] += bytes;
	r->change[0] += 1 - pages;
	return 0;
}

int
trc_mrc_requests_finish(struct trc_mrc_requests *r, const uint64_t *distances, uint32_t pages,
                        struct trc_err *err)
{
	uint64_t bytes, requests;

	if (make_room(r, pages, err))
		return -1;
	bytes = r->bytes[0];
	requests = r->change[0] + distances[0];
	for (uint32_t m = pages + 1; m-- > 0;) {
		const uint64_t here = r->bytes[m], more = r->change[m] + distances[m];

		r->bytes[m] = bytes;
		r->change[m] = requests;
		bytes += here;
		requests += more;
	}
	return 0;
}
