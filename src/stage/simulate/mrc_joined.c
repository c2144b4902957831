/* SPDX-License-Identifier: MIT */
#include "stage/simulate/mrc_joined.h"

#include <stdlib.h>

#include "stage/simulate/previous.h"
#include "base/hugepages.h"

enum {
	AHEAD = 32,        /* pages to prefetch for */
	RUN = 256,         /* pages processed after prefetching all that they need */
	PENDING = 1 << 18, /* least number of pages that wait */
	BLOCK = 1 << TRC_RANKS_BLOCK_BITS,
	WORDS = BLOCK / 64,
};

#if defined(__GNUC__) && defined(__x86_64__) && !defined(TRC_NO_SIMD)
#define TRC_SIMD 1
#else
#define TRC_SIMD 0
#endif

/* Slices that are being joined. */
struct join {
	struct trc_mrc_growing *g;
	struct trc_mrc_joined *j;

	/* For each page its index in an earlier slice; TRC_PREVIOUS_NONE: not there. */
	uint32_t *before;
	struct trc_ranks ranks; /* of slots in use: no later slice has the page */
	size_t live;            /* number of slots in use */
	uint32_t pages;         /* distinct pages so far */
};

void
trc_mrc_joined_release(struct trc_mrc_joined *j)
{
	free(j->page);
	free(j->space);
	free(j->state);
	free(j->end);
	free(j->pass);
	free(j->first);
	*j = (struct trc_mrc_joined){ .n = 0 };
}

int
trc_mrc_joined_room(struct trc_mrc_joined *j, size_t n, const struct trc_mrc_rule *rule,
                    struct trc_err *err)
{
	const size_t room = j->states;

	if (trc_grow(&j->page, &j->pages, j->n + n, sizeof(*j->page), err) ||
	    trc_grow(&j->space, &j->spaces, j->n + n, sizeof(*j->space), err) ||
	    trc_grow(&j->state, &j->states, j->n + n, sizeof(*j->state), err) ||
	    (rule->reads &&
	     trc_grow_zeros(&j->pass, &j->passes, j->n + n, sizeof(*j->pass), err)) ||
	    (rule->page && trc_grow(&j->first, &j->firsts, j->n + n, sizeof(*j->first), err)))
		return -1;
	if (j->states > room) {
		trc_hugepages_advise(j->page, j->pages * sizeof(*j->page));
		trc_hugepages_advise(j->state, j->states * sizeof(*j->state));
	}
	return 0;
}

/* Continues a page that had the state *was after the earlier slices, and is first used in this one
 * at distance `d`: *p becomes its state after both, as if its references had come one by one.
 * Returns the largest distance up to its first write in the slice, or its last reference. */
static inline uint32_t
go_on(const struct trc_mrc_page *was, struct trc_mrc_page *p, uint32_t d)
{
	const uint32_t most = d > p->open ? d : p->open;

	if (p->level == 0 && was->level > 0)
		p->level = was->level > most ? was->level : most;
	p->open = was->level > 0 || was->open > most ? was->open : most;
	return most;
}

/* What to count for a page: its distance, 0 if it is new; and a write-back by memories of `level`
 * to `most` - 1 pages. */
struct counted {
	uint32_t distance, level, most;
};

static inline void
count(struct trc_mrc_growing *g, const struct counted *c, size_t x, size_t n)
{
	const uint8_t *pass = g->joined->pass ? g->joined->pass + x : NULL;

	for (size_t i = 0; i < n; i++) {
		g->distances[c[i].distance] += !(pass && pass[i]);
		trc_mrc_write_back(g, (uint32_t)(x + i), c[i].level, c[i].most);
	}
	for (size_t i = 0; g->joined->first && i < n; i++)
		trc_mrc_requests_join(&g->requests, &g->joined->first[x + i], c[i].distance);
	for (size_t i = 0; g->groups && i < n; i++)
		if (c[i].distance > 0 && !(pass && pass[i]))
			trc_replicates_add(g->groups, trc_mrc_group(g, (uint32_t)(x + i)),
			                   c[i].distance);
}

/* Joins at most RUN pages from index `x` on, in order of their first reference. Their slice begins
 * at index `begin`, and its slots at `slot`. */
static TRC_ALWAYS_INLINE void
join_run(struct join *w, size_t x, size_t n, size_t begin, uint32_t slot)
{
	struct trc_mrc_page *const state = w->j->state;
	const uint32_t *before = w->before + x;
	struct counted counted[RUN];

	for (size_t i = 0; i < n; i++)
		if (before[i] != TRC_PREVIOUS_NONE)
			TRC_PREFETCH(&state[before[i]]);
	for (size_t i = 0; i < n; i++)
		if (before[i] != TRC_PREVIOUS_NONE)
			trc_ranks_prefetch(&w->ranks, state[before[i]].at);
	for (size_t i = 0; i < n; i++) {
		struct trc_mrc_page *p = &state[x + i];
		struct counted *c = &counted[i];
		const struct trc_mrc_page *was;

		*c = (struct counted){ 0, 0, 0 };
		p->at += slot;
		p->first = w->pages;
		if (before[i] == TRC_PREVIOUS_NONE) {
			w->pages++;
			continue;
		}
		was = &state[before[i]];
		p->first = was->first;
		c->distance = (uint32_t)(x + i - begin + 1 + w->live -
		                         trc_ranks_up_to(&w->ranks, was->at));
		trc_ranks_take(&w->ranks, was->at);
		w->live--;
		c->level = was->level;
		c->most = go_on(was, p, c->distance);
		TRC_PREFETCH(&w->g->distances[c->distance]);
		TRC_PREFETCH(&w->g->dirty[c->most]);
	}
	count(w->g, counted, x, n);
}

static TRC_ALWAYS_INLINE void
join_pages(struct join *w, size_t begin, size_t end, uint32_t slot)
{
	for (size_t x = begin; x < end; x += RUN)
		join_run(w, x, end - x < RUN ? end - x : RUN, begin, slot);
}

static void
join_pages_portable(struct join *w, size_t begin, size_t end, uint32_t slot)
{
	join_pages(w, begin, end, slot);
}

#if TRC_SIMD
TRC_TARGET("avx2,bmi,popcnt")
static void
join_pages_avx2(struct join *w, size_t begin, size_t end, uint32_t slot)
{
	join_pages(w, begin, end, slot);
}
#endif

/* Makes slots from `slot` on for the `n` pages of a slice. */
static void
fill(struct join *w, size_t slot, size_t n)
{
	for (size_t k = 0; k < n; k += BLOCK) {
		uint64_t *block = &w->ranks.live[(slot + k) / 64];
		const size_t pages = n - k < BLOCK ? n - k : BLOCK;

		trc_ranks_begin_block(&w->ranks, slot + k, w->live);
		for (size_t i = 0; i < pages; i++)
			block[i / 64] |= UINT64_C(1) << i % 64;
		w->live += pages;
	}
}

/* Finds each page in the earlier slices; no slice has a page twice. */
static int
look_back(struct join *w, struct trc_err *err)
{
	const struct trc_mrc_joined *j = w->j;
	size_t pages = 0, x = 0;

	w->before = trc_alloc_room(j->n, sizeof(*w->before), err);
	if (!w->before || trc_previous_index(j->page, j->space, j->n, w->before, err))
		return -1;
	for (size_t part = 0, begin = 0; part < j->parts; begin = j->end[part++])
		for (; x < j->end[part]; x++) {
			pages += w->before[x] == TRC_PREVIOUS_NONE;
			if (w->before[x] != TRC_PREVIOUS_NONE && w->before[x] >= begin)
				return trc_state_fail(err);
		}
	if (pages > TRC_PAGES_MOST)
		return trc_pages_too_many(err);
	if (j->first && trc_mrc_requests_room(&w->g->requests, (uint32_t)pages, err))
		return -1;
	return trc_mrc_histograms(w->g, pages, err);
}

/* Joins the slices one after another. */
static void
join_parts(struct join *w)
{
	void (*join)(struct join *, size_t, size_t, uint32_t) = join_pages_portable;
	size_t slot = 0;

#if TRC_SIMD
	if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi"))
		join = join_pages_avx2;
#endif
	for (size_t part = 0, begin = 0; part < w->j->parts; begin = w->j->end[part++]) {
		const size_t n = w->j->end[part] - begin;

		join(w, begin, w->j->end[part], (uint32_t)slot);
		trc_mrc_requests_join_end(&w->g->requests);
		fill(w, slot, n);
		slot += (n + BLOCK - 1) / BLOCK * BLOCK;
	}
}

/* Sums up the slots in use before each 64 of them. */
static uint32_t *
sum_up(const struct trc_ranks *r, struct trc_err *err)
{
	uint32_t *sum = trc_alloc_room(r->slots / 64, sizeof(*sum), err), before = 0;

	for (size_t i = 0; sum && i < r->slots / 64; i++) {
		sum[i] = before;
		before += trc_ranks_ones(r->live[i]);
	}
	return sum;
}

/* Keeps one entry for each page, at the index of its first. The data is that of its last entry; it
 * moves to an index that was already processed. */
static int
leave_one_of_each(struct join *w, struct trc_err *err)
{
	struct trc_mrc_joined *j = w->j;
	uint32_t *sum = sum_up(&w->ranks, err);
	size_t pages = 0;

	if (!sum)
		return -1;
	for (size_t x = 0; x < j->n; x++) {
		const struct trc_mrc_page p = j->state[x];
		const uint64_t live = w->ranks.live[p.at / 64], bit = UINT64_C(1) << p.at % 64;

		if (x + AHEAD < j->n)
			TRC_PREFETCH(&j->state[j->state[x + AHEAD].first]);
		if (w->before[x] == TRC_PREVIOUS_NONE) {
			if (j->pass)
				j->pass[pages] = j->pass[x];
			if (j->first)
				j->first[pages] = j->first[x];
			j->page[pages] = j->page[x];
			j->space[pages++] = j->space[x];
		}
		if (live & bit) {
			j->state[p.first] = p;
			j->state[p.first].at = sum[p.at / 64] + trc_ranks_ones(live & (bit - 1));
		}
	}
	j->n = j->end[0] = pages;
	j->parts = 1;
	free(sum);
	return 0;
}

int
trc_mrc_join(struct trc_mrc_growing *g, struct trc_err *err)
{
	struct join w = { .g = g, .j = g->joined };
	const size_t slots = w.j->n + BLOCK * w.j->parts + TRC_RANKS_LEAST - 1;
	int ret = -1;

	if (w.j->parts <= 1)
		return 0;
	if (look_back(&w, err) == 0 &&
	    trc_ranks_room(&w.ranks, slots / TRC_RANKS_LEAST * TRC_RANKS_LEAST, err) == 0) {
		join_parts(&w);
		ret = leave_one_of_each(&w, err);
	}
	trc_ranks_release(&w.ranks);
	free(w.before);
	return ret;
}

int
trc_mrc_joined_part(struct trc_mrc_growing *g, size_t n, struct trc_err *err)
{
	struct trc_mrc_joined *j = g->joined;
	size_t pending;

	if (trc_grow(&j->end, &j->ends, j->parts + 1, sizeof(*j->end), err))
		return -1;
	j->end[j->parts++] = j->n += n;
	pending = j->n - j->end[0];
	return pending < PENDING || pending < j->end[0] ? 0 : trc_mrc_join(g, err);
}
