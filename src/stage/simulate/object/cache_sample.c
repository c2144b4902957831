/* SPDX-License-Identifier: MIT */
#include "stage/simulate/object/cache_sample.h"

#include <math.h>

enum { WHOLE = 16 };

/* In sixteenths of the capacity: the capacity itself, then larger ones, then smaller ones. */
static const unsigned factor[TRC_CACHE_SAMPLE_FACTORS] = {
	16, 17, 18, 20, 24, 32, 15, 14, 12, 8, 4
};

uint64_t
trc_cache_sample_capacity(uint64_t capacity, uint64_t one_in, size_t i)
{
	const double scaled = (double)capacity / (double)one_in * factor[i] / WHOLE;

	return scaled >= 1 ? (uint64_t)scaled : 1;
}

/* Returns the nearest factor that differs by at least `part` of the capacity; 0: there is none. */
static size_t
find_factor(double part, bool larger)
{
	for (size_t i = 1; i < TRC_CACHE_SAMPLE_FACTORS; i++) {
		const double away = (double)factor[i] / WHOLE - 1;

		if (larger ? away >= part : -away >= part)
			return i;
	}
	return 0;
}

static struct trc_replicates_sum
sum_of(const struct trc_byte_sample_bucket *b, bool bytes, uint64_t one_in)
{
	return trc_replicates_estimate(bytes ? b->bytes : b->requests, NULL, one_in);
}

bool
trc_cache_sample_at(const struct trc_object_cache *c, const struct trc_byte_sample_bucket *missed,
                    const struct trc_cache_sample *s, bool bytes, struct trc_byte_estimate *e)
{
	const double capacity = (double)c->capacity * (double)s->one_in;
	const double off = TRC_REPLICATES_Z * sqrt((double)(s->one_in - 1) * s->mean / capacity);
	const size_t up = find_factor(off, true), down = find_factor(off, false);
	const struct trc_replicates_sum here = sum_of(missed, bytes, s->one_in);
	const struct trc_replicates_sum low = sum_of(&missed[up], bytes, s->one_in);
	const struct trc_replicates_sum high = sum_of(&missed[down], bytes, s->one_in);

	if (up == 0 || down == 0 || c[down].largest < s->largest || !trc_replicates_is_even(here) ||
	    !trc_replicates_is_even(low))
		return false;
	e->misses = (uint64_t)((double)s->one_in * here.sum);
	e->in.low = trc_replicates_low(low, s->one_in);
	e->in.high = trc_replicates_high(high, s->one_in);
	/* With some policies, a larger cache may miss more. */
	e->in.low = e->in.low < e->misses ? e->in.low : e->misses;
	e->in.high = e->in.high > e->misses ? e->in.high : e->misses;
	return true;
}
