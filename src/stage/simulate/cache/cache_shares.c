/* SPDX-License-Identifier: MIT */
#include "stage/simulate/cache/cache_shares.h"

#include <stdlib.h>
#include <string.h>

#include "base/numbers.h"

void
trc_cache_shares_release(struct trc_cache_shares *s)
{
	free(s->sum);
	s->sum = NULL;
	s->n = s->cap = 0;
}

int
trc_cache_shares_room(struct trc_cache_shares *s, size_t n, struct trc_err *err)
{
	if (n <= s->n)
		return 0;
	if (trc_grow(&s->sum, &s->cap, n * s->caches, sizeof(*s->sum), err))
		return -1;
	memset(&s->sum[s->n * s->caches], 0, (n - s->n) * s->caches * sizeof(*s->sum));
	s->n = n;
	return 0;
}

static struct trc_cache_sum
sum_of(const struct trc_cache_counts *c)
{
	struct trc_cache_sum s = { 0, 0, 0 };

	for (size_t t = 0; t < TRC_TYPES; t++) {
		s.refs += c->refs[t];
		s.misses += c->misses[t];
		s.writebacks += c->writebacks[t];
	}
	return s;
}

int
trc_cache_shares_take(struct trc_cache_shares *s, const struct trc_cache_counts *counts,
                      struct trc_err *err)
{
	const bool anybody = s->now < TRC_CACHE_NOBODY;

	if (anybody && trc_cache_shares_room(s, (size_t)s->now + 1, err))
		return -1;
	for (size_t i = 0; i < s->caches; i++) {
		const struct trc_cache_sum all = sum_of(&counts[i]), *b = &s->before[i];
		const struct trc_cache_sum more = { all.refs - b->refs, all.misses - b->misses,
			                            all.writebacks - b->writebacks };

		if (anybody)
			trc_cache_sum_add(&s->sum[s->now * s->caches + i], &more);
		s->before[i] = all;
	}
	/* A warm-up is what comes first. */
	if (s->now == TRC_CACHE_WARM)
		memcpy(s->warm, counts, s->caches * sizeof(*counts));
	return 0;
}

void
trc_cache_shares_pass(struct trc_cache_shares *s, const struct trc_cache_counts *counts)
{
	for (size_t i = 0; i < s->caches; i++)
		s->before[i] = sum_of(&counts[i]);
}

void
trc_cache_shares_miss(struct trc_cache_shares *s, uint32_t share, size_t cache, uint8_t type,
                      bool filled)
{
	if (share == TRC_CACHE_WARM) {
		s->warm[cache].misses[type]++;
		s->warm[cache].filled += filled;
	} else if (share < s->n) {
		s->sum[share * s->caches + cache].misses++;
	}
}

void
trc_cache_shares_write_back(struct trc_cache_shares *s, uint32_t share, size_t cache, uint8_t type)
{
	if (share == TRC_CACHE_WARM)
		s->warm[cache].writebacks[type]++;
	else if (share < s->n)
		s->sum[share * s->caches + cache].writebacks++;
}

int
trc_cache_shares_number(const struct trc_cache_shares *s, uint32_t of, uint32_t *share,
                        struct trc_err *err)
{
	if (of >= TRC_CACHE_NOBODY)
		*share = of;
	else if (of < (s->joined ? s->joins : s->n))
		*share = s->joined ? s->joined[of] : of;
	else
		return trc_sink_damaged(err);
	return 0;
}

/* ---- a state ---- */

enum { COUNTS = 3 * TRC_TYPES + 1, FIELDS = 3 };

/* Those that are not 0 where a cache has parts. */
static void
counts_of(struct trc_cache_counts *k, uint64_t **number)
{
	for (size_t t = 0; t < TRC_TYPES; t++) {
		number[3 * t] = &k->refs[t];
		number[3 * t + 1] = &k->misses[t];
		number[3 * t + 2] = &k->writebacks[t];
	}
	number[COUNTS - 1] = &k->filled;
}

int
trc_cache_counts_save(const struct trc_cache_counts *counts, struct trc_buf *state,
                      struct trc_err *err)
{
	struct trc_cache_counts k = *counts;
	uint64_t *number[COUNTS];

	counts_of(&k, number);
	for (size_t i = 0; i < COUNTS; i++)
		if (trc_buf_put_num(state, *number[i], err))
			return -1;
	return 0;
}

int
trc_cache_counts_append(struct trc_cache_counts *counts, struct trc_view *state,
                        struct trc_err *err)
{
	uint64_t *number[COUNTS], v;

	counts_of(counts, number);
	for (size_t i = 0; i < COUNTS; i++) {
		if (!trc_view_num(state, &v))
			return trc_sink_damaged(err);
		*number[i] += v;
	}
	return 0;
}

static uint64_t *
field_of(struct trc_cache_sum *s, size_t field)
{
	return field == 0 ? &s->refs : field == 1 ? &s->misses : &s->writebacks;
}

int
trc_cache_shares_save(const struct trc_cache_shares *s, struct trc_buf *state, struct trc_err *err)
{
	for (size_t c = 0; c < s->caches; c++)
		if (trc_cache_counts_save(&s->warm[c], state, err))
			return -1;
	if (trc_buf_put_num(state, s->n, err))
		return -1;
	for (size_t f = 0; f < FIELDS; f++) {
		struct trc_numbers_out out = { .to = state };

		for (size_t i = 0; i < s->n * s->caches; i++)
			if (trc_numbers_put(&out, *field_of(&s->sum[i], f), err))
				return -1;
		if (trc_numbers_end(&out, err))
			return -1;
	}
	return 0;
}

static int
append_sums(struct trc_cache_shares *s, size_t n, size_t field, struct trc_view *state,
            struct trc_err *err)
{
	struct trc_numbers_in in;

	trc_numbers_begin(&in, state, n * s->caches);
	for (uint32_t i = 0; i < n; i++) {
		uint32_t share = 0;

		if (trc_cache_shares_number(s, i, &share, err))
			return -1;
		for (size_t c = 0; c < s->caches; c++)
			*field_of(&s->sum[share * s->caches + c], field) += trc_numbers_get(&in);
	}
	return in.damaged ? trc_sink_damaged(err) : 0;
}

int
trc_cache_shares_append(struct trc_cache_shares *s, struct trc_view *state, struct trc_err *err)
{
	uint64_t n;

	for (size_t c = 0; c < s->caches; c++)
		if (trc_cache_counts_append(&s->warm[c], state, err))
			return -1;
	if (!trc_view_num(state, &n) || n > trc_numbers_most(state) || n >= TRC_CACHE_NOBODY ||
	    (s->joined && n > s->joins))
		return trc_sink_damaged(err);
	if (!s->joined && trc_cache_shares_room(s, (size_t)n, err))
		return -1;
	for (size_t f = 0; f < FIELDS; f++)
		if (append_sums(s, (size_t)n, f, state, err))
			return -1;
	return 0;
}
