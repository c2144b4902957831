/* SPDX-License-Identifier: MIT */
#include "stage/simulate/cache/cache_shares.h"

#include <stdlib.h>
#include <string.h>

void
trc_cache_shares_release(void *of)
{
	struct trc_cache_shares *s = of;

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
trc_cache_shares_take(struct trc_cache_shares *s, struct trc_cache_counts *counts,
                      struct trc_err *err)
{
	const bool anybody = s->now < TRC_CACHE_NOBODY;

	if (anybody && trc_cache_shares_room(s, (size_t)s->now + 1, err))
		return -1;
	if (s->now == TRC_CACHE_WARM)
		memset(counts, 0, s->caches * sizeof(*counts));
	for (size_t i = 0; i < s->caches; i++) {
		const struct trc_cache_sum all = sum_of(&counts[i]), *b = &s->before[i];
		const struct trc_cache_sum more = { all.refs - b->refs, all.misses - b->misses,
			                            all.writebacks - b->writebacks };

		if (anybody)
			trc_cache_sum_add(&s->sum[s->now * s->caches + i], &more);
		s->before[i] = all;
	}
	return 0;
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
		return trc_state_fail(err);
	return 0;
}

/* ---- a state ---- */

/* Saves or restores the counts that can be nonzero with slices. */
void
trc_cache_counts_state(struct trc_cache_counts *k, struct trc_state *s)
{
	for (size_t t = 0; t < TRC_TYPES; t++) {
		trc_state_sum(s, &k->refs[t]);
		trc_state_sum(s, &k->misses[t]);
		trc_state_sum(s, &k->evictions[t]);
		trc_state_sum(s, &k->writebacks[t]);
	}
	trc_state_sum(s, &k->filled);
}

static int
add_sums(struct trc_cache_shares *s, const struct trc_cache_sum *sum, size_t n, struct trc_err *err)
{
	for (uint32_t i = 0; i < n; i++) {
		uint32_t share = 0;

		if (trc_cache_shares_number(s, i, &share, err))
			return -1;
		for (size_t c = 0; c < s->caches; c++)
			trc_cache_sum_add(&s->sum[share * s->caches + c], &sum[i * s->caches + c]);
	}
	return 0;
}

void
trc_cache_shares_state(struct trc_cache_shares *s, struct trc_state *t)
{
	struct trc_cache_sum *next;
	size_t n = s->n;

	trc_state_count(t, &n, TRC_CACHE_NOBODY - 1);
	next = t->writes ? s->sum : trc_state_room(t, n * s->caches, sizeof(*next));
	trc_state_structs(t, next, sizeof(*next), n * s->caches);
	if (t->writes)
		return;
	if (!t->failed)
		t->failed = (!s->joined && trc_cache_shares_room(s, n, t->err)) ||
		            add_sums(s, next, n, t->err);
	free(next);
}
