/* SPDX-License-Identifier: MIT */
#include "stage/simulate/object/byte_sample.h"

#include <math.h>
#include <stdlib.h>

#include "stage/simulate/buckets.h"

enum { GROUPS = TRC_REPLICATES };

void
trc_byte_sample_release(struct trc_byte_sample *s)
{
	for (unsigned k = 0; k < TRC_BYTE_SAMPLE_HALVES; k++)
		trc_byte_sample_drop(s, k);
}

void
trc_byte_sample_drop(struct trc_byte_sample *s, unsigned half)
{
	if (s->half[half])
		free(s->half[half]->bucket);
	free(s->half[half]);
	s->half[half] = NULL;
}

static int
make_room(struct trc_byte_sample_half **half, size_t n, struct trc_err *err)
{
	struct trc_byte_sample_half *h = *half;

	if (!h)
		h = *half = trc_alloc(1, sizeof(*h), err);
	if (!h)
		return -1;
	if (n <= h->n)
		return 0;
	if (trc_grow_zeros(&h->bucket, &h->room, n, sizeof(*h->bucket), err))
		return -1;
	h->n = n;
	return 0;
}

int
trc_byte_sample_copy(struct trc_byte_sample *to, const struct trc_byte_sample *from,
                     struct trc_err *err)
{
	for (unsigned k = 0; k < TRC_BYTE_SAMPLE_HALVES; k++) {
		const struct trc_byte_sample_half *h = from->half[k];

		if (h && make_room(&to->half[k], h->n, err))
			return -1;
		if (h)
			to->half[k]->all = h->all;
		for (size_t i = 0; h && i < h->n; i++)
			to->half[k]->bucket[i] = h->bucket[i];
	}
	return 0;
}

static void
add(struct trc_byte_sample_bucket *b, const struct trc_byte_sampled *r, uint64_t times)
{
	const size_t group = r->hash % GROUPS;

	b->requests[group] += times;
	b->bytes[group] += times * r->bytes;
}

int
trc_byte_sample_request(struct trc_byte_sample *s, const struct trc_byte_sampled *r,
                        uint64_t distance, struct trc_err *err)
{
	if (make_room(&s->half[r->half], trc_bucket_of(distance) + 1, err))
		return -1;
	add(&s->half[r->half]->all, r, 1);
	return 0;
}

void
trc_byte_sample_hit(struct trc_byte_sample *s, const struct trc_byte_sampled *r, uint64_t from,
                    uint64_t to)
{
	struct trc_byte_sample_half *h = s->half[r->half];

	add(&h->bucket[trc_bucket_of(from)], r, 1);
	if (to < UINT64_MAX)
		add(&h->bucket[trc_bucket_of(to)], r, UINT64_MAX);
}

/* Adds all halves to the first. */
static int
join_halves(struct trc_byte_sample *s, struct trc_err *err)
{
	struct trc_byte_sample_half *first;

	if (make_room(&s->half[0], 1, err))
		return -1;
	first = s->half[0];
	for (unsigned k = 1; k < TRC_BYTE_SAMPLE_HALVES; k++) {
		const struct trc_byte_sample_half *h = s->half[k];

		if (!h)
			continue;
		if (make_room(&s->half[0], h->n, err))
			return -1;
		for (size_t g = 0; g < GROUPS; g++) {
			first->all.requests[g] += h->all.requests[g];
			first->all.bytes[g] += h->all.bytes[g];
		}
		for (size_t i = 0; i < h->n; i++)
			for (size_t g = 0; g < GROUPS; g++) {
				first->bucket[i].requests[g] += h->bucket[i].requests[g];
				first->bucket[i].bytes[g] += h->bucket[i].bytes[g];
			}
		trc_byte_sample_drop(s, k);
	}
	return 0;
}

static const uint64_t *
groups_of(const struct trc_byte_sample_bucket *b, bool bytes)
{
	return bytes ? b->bytes : b->requests;
}

int
trc_byte_sample_finish(struct trc_byte_sample *s, struct trc_err *err)
{
	struct trc_byte_sample_half *h;

	if (join_halves(s, err))
		return -1;
	h = s->half[0];
	for (size_t g = 0; g < GROUPS; g++)
		for (size_t i = 0; i < h->n; i++) {
			const struct trc_byte_sample_bucket *b = i ? &h->bucket[i - 1] : &h->all;

			h->bucket[i].requests[g] = b->requests[g] - h->bucket[i].requests[g];
			h->bucket[i].bytes[g] = b->bytes[g] - h->bucket[i].bytes[g];
		}
	for (int bytes = 0; bytes < 2; bytes++) {
		size_t i = h->n;

		while (i > 0 && trc_replicates_is_even(trc_replicates_estimate(
		                        groups_of(&h->bucket[i - 1], bytes), NULL, s->one_in)))
			i--;
		s->even[bytes] = i;
	}
	return 0;
}

/* Returns the last bucket whose edge is at most `bytes`, which is above 0. */
static size_t
bucket_below(double bytes)
{
	const uint64_t most = bytes < 0x1p63 ? (uint64_t)bytes : UINT64_C(1) << 63;
	const size_t i = trc_bucket_of(most);

	return i - (i > 0 && trc_bucket_edge_at(i) > most);
}

bool
trc_byte_sample_at(const struct trc_byte_sample *s, uint64_t capacity, bool bytes,
                   struct trc_byte_estimate *e)
{
	const struct trc_byte_sample_half *h = s->half[0];
	const double all = (double)s->one_in, c = (double)capacity;
	const double off = TRC_REPLICATES_Z * sqrt((all - 1) * s->mean * c);
	const size_t last = h->n - 1;
	size_t at = bucket_below(c), high, low;

	if (c - off < 1)
		return false;
	high = bucket_below(c - off);
	low = trc_bucket_of(c + off < 0x1p63 ? (uint64_t)ceil(c + off) : UINT64_C(1) << 63);
	at = at < last ? at : last;
	high = high < last ? high : last;
	low = low < last ? low : last;
	if (high < s->even[bytes])
		return false;
	e->misses = s->one_in * (uint64_t)trc_replicates_estimate(groups_of(&h->bucket[at], bytes),
	                                                          NULL, s->one_in)
	                                .sum;
	e->in.low = trc_replicates_low(trc_replicates_estimate(groups_of(&h->bucket[low], bytes),
	                                                       NULL, s->one_in),
	                               s->one_in);
	e->in.high = trc_replicates_high(trc_replicates_estimate(groups_of(&h->bucket[high], bytes),
	                                                         NULL, s->one_in),
	                                 s->one_in);
	return true;
}

static void
limit(uint64_t *v, uint64_t most)
{
	*v = *v < most ? *v : most;
}

void
trc_byte_estimate_limit(struct trc_byte_estimate *e, uint64_t most)
{
	limit(&e->misses, most);
	limit(&e->in.low, most);
	limit(&e->in.high, most);
}
