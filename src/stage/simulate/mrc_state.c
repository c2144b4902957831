/* SPDX-License-Identifier: MIT
 *
 * The state of a miss curve (mrc_growing.h), in few bytes a page: numbers, then arrays of as many
 * numbers as there are pages (base/numbers.h).
 *
 *   numbers   references, rows, the first and the last reference time, pages
 *   page      by first reference: signed difference from the page before
 *   space     likewise
 *   level, open
 *   order     of the stack, from the top: the place of the page in the arrays above
 *   distance  how many references had distance 1, 2, ...
 *   dirty     what to add to the write-backs from memories of 1, 2, ... pages on, signed
 *   groups    how many buckets there are for a sample, then of each the misses and what to add to
 *             the write-backs
 */
#include "stage/simulate/mrc_joined.h"

#include <assert.h>
#include <stdlib.h>

#include "base/numbers.h"
#include "batch/flow.h"

/* ---- saving ---- */

static uint32_t
pages_of(const struct trc_mrc_growing *g)
{
	return g->joined ? (uint32_t)g->joined->n : g->pages.n;
}

static struct trc_page_name
name_of(const struct trc_mrc_growing *g, uint32_t i)
{
	if (!g->joined)
		return g->pages.name[i];
	return (struct trc_page_name){ g->joined->page[i], g->joined->space[i] };
}

static int
save_names(const struct trc_mrc_growing *g, struct trc_buf *state, struct trc_err *err)
{
	struct trc_numbers_out page = { .to = state }, space = { .to = state };
	struct trc_page_name last = { 0, 0 };
	const uint32_t n = pages_of(g);

	for (uint32_t i = 0; i < n; last = name_of(g, i++))
		if (trc_numbers_put(&page, trc_zigzag(name_of(g, i).page - last.page), err))
			return -1;
	if (trc_numbers_end(&page, err))
		return -1;
	last.space = 0;
	for (uint32_t i = 0; i < n; last = name_of(g, i++))
		if (trc_numbers_put(&space, trc_zigzag((uint64_t)name_of(g, i).space - last.space),
		                    err))
			return -1;
	return trc_numbers_end(&space, err);
}

static int
save_levels(const struct trc_mrc_growing *g, struct trc_buf *state, struct trc_err *err)
{
	struct trc_numbers_out level = { .to = state }, open = { .to = state };
	const uint32_t n = pages_of(g);

	for (uint32_t i = 0; i < n; i++)
		if (trc_numbers_put(&level, g->joined ? g->joined->state[i].level : g->level[i],
		                    err))
			return -1;
	if (trc_numbers_end(&level, err))
		return -1;
	for (uint32_t i = 0; i < n; i++)
		if (trc_numbers_put(&open, g->joined ? g->joined->state[i].open : g->open[i], err))
			return -1;
	return trc_numbers_end(&open, err);
}

static int
save_order(const struct trc_mrc_growing *g, struct trc_buf *state, struct trc_err *err)
{
	const uint32_t n = pages_of(g);
	uint32_t *id = trc_alloc_room((size_t)n + 1, sizeof(*id), err);
	int ret;

	if (!id)
		return -1;
	if (!g->joined)
		trc_stack_order(&g->stack, id);
	for (uint32_t i = 0; g->joined && i < n; i++)
		id[n - 1 - g->joined->state[i].at] = i;
	ret = trc_numbers_put32(state, id, n, err);
	free(id);
	return ret;
}

/* Those of distances 1 to n. */
static int
save_histograms(const struct trc_mrc_growing *g, struct trc_buf *state, struct trc_err *err)
{
	struct trc_numbers_out distance = { .to = state }, dirty = { .to = state };

	for (size_t d = 1; d <= pages_of(g); d++)
		if (trc_numbers_put(&distance, g->distances[d], err))
			return -1;
	if (trc_numbers_end(&distance, err))
		return -1;
	for (size_t d = 1; d <= pages_of(g); d++)
		if (trc_numbers_put(&dirty, trc_zigzag(g->dirty[d]), err))
			return -1;
	return trc_numbers_end(&dirty, err);
}

static int
save_groups(const struct trc_replicates *r, struct trc_buf *state, struct trc_err *err)
{
	struct trc_numbers_out out = { .to = state };

	if (trc_buf_put_num(state, r ? r->n : 0, err))
		return -1;
	for (size_t i = 0; r && i < r->n; i++) {
		for (size_t g = 0; g < TRC_REPLICATES; g++)
			if (trc_numbers_put(&out, r->bucket[i].misses[g], err))
				return -1;
		for (size_t g = 0; g < TRC_REPLICATES; g++)
			if (trc_numbers_put(&out, trc_zigzag(r->bucket[i].writebacks[g]), err))
				return -1;
	}
	return trc_numbers_end(&out, err);
}

int
trc_mrc_save(struct trc_mrc_growing *g, struct trc_buf *state, struct trc_err *err)
{
	uint64_t number[] = { g->refs, g->rows, g->first_rtime, g->last_rtime, 0 };

	if (g->joined && trc_mrc_join(g, err))
		return -1;
	number[4] = pages_of(g);
	for (size_t i = 0; i < TRC_COUNT(number); i++)
		if (trc_buf_put_num(state, number[i], err))
			return -1;
	if (save_names(g, state, err) || save_levels(g, state, err) || save_order(g, state, err) ||
	    save_histograms(g, state, err))
		return -1;
	return save_groups(g->groups, state, err);
}

/* ---- loading ---- */

static bool
read_names(struct trc_mrc_joined *j, size_t n, struct trc_view *state)
{
	struct trc_numbers_in in;
	uint64_t page = 0, space = 0;

	trc_numbers_begin(&in, state, n);
	for (size_t i = 0; i < n; i++)
		j->page[j->n + i] = page += trc_unzigzag(trc_numbers_get(&in));
	if (in.damaged)
		return false;
	trc_numbers_begin(&in, state, n);
	for (size_t i = 0; i < n; i++) {
		space += trc_unzigzag(trc_numbers_get(&in));
		j->space[j->n + i] = (uint32_t)space;
		in.damaged |= space > UINT32_MAX;
	}
	return !in.damaged;
}

/* What the pages have. */
static bool
read_states(struct trc_mrc_page *p, size_t n, struct trc_view *state)
{
	struct trc_numbers_in in;
	bool damaged = false;
	uint64_t v;

	trc_numbers_begin(&in, state, n);
	for (size_t i = 0; i < n; i++) {
		v = trc_numbers_get(&in);
		damaged |= v > n;
		p[i] = (struct trc_mrc_page){ .at = UINT32_MAX, .level = (uint32_t)v };
	}
	damaged |= in.damaged;
	trc_numbers_begin(&in, state, n);
	for (size_t i = 0; i < n; i++) {
		v = trc_numbers_get(&in);
		damaged |= v > n;
		p[i].open = (uint32_t)v;
	}
	damaged |= in.damaged;
	trc_numbers_begin(&in, state, n);
	for (size_t i = n; i-- > 0;) {
		v = trc_numbers_get(&in);
		if (v >= n || p[v].at != UINT32_MAX)
			return false;
		p[v].at = (uint32_t)i;
	}
	return !damaged && !in.damaged;
}

static bool
join_histograms(struct trc_mrc_growing *g, uint32_t n, struct trc_view *state)
{
	struct trc_numbers_in in;

	trc_numbers_begin(&in, state, n);
	for (uint32_t d = 1; d <= n; d++)
		g->distances[d] += trc_numbers_get(&in);
	if (in.damaged)
		return false;
	trc_numbers_begin(&in, state, n);
	for (uint32_t d = 1; d <= n; d++)
		g->dirty[d] += trc_unzigzag(trc_numbers_get(&in));
	return !in.damaged;
}

static bool
join_groups(struct trc_mrc_growing *g, struct trc_view *state)
{
	struct trc_numbers_in in;
	uint64_t n;

	if (!trc_view_num(state, &n) || (n > 0 && (!g->groups || n > g->groups->n)))
		return false;
	trc_numbers_begin(&in, state, 2 * TRC_REPLICATES * n);
	for (size_t i = 0; i < n; i++) {
		struct trc_replicate_bucket *b = &g->groups->bucket[i];

		for (size_t k = 0; k < TRC_REPLICATES; k++)
			b->misses[k] += trc_numbers_get(&in);
		for (size_t k = 0; k < TRC_REPLICATES; k++)
			b->writebacks[k] += trc_unzigzag(trc_numbers_get(&in));
	}
	return !in.damaged;
}

static int
join_pages(struct trc_mrc_growing *g, size_t n, struct trc_view *state, struct trc_err *err)
{
	struct trc_mrc_joined *j = g->joined;

	if (trc_mrc_joined_room(j, n, err) || trc_mrc_histograms(g, n, err))
		return -1;
	if (!read_names(j, n, state) || !read_states(n ? j->state + j->n : j->state, n, state) ||
	    !join_histograms(g, (uint32_t)n, state) || !join_groups(g, state))
		return trc_sink_damaged(err);
	return trc_mrc_joined_part(g, n, err);
}

int
trc_mrc_append(struct trc_mrc_growing *g, struct trc_view *state, bool counted, struct trc_err *err)
{
	uint64_t refs, rows, first, last, n;

	if (!trc_view_num(state, &refs) || !trc_view_num(state, &rows) ||
	    !trc_view_num(state, &first) || !trc_view_num(state, &last) ||
	    !trc_view_num(state, &n) || n > TRC_PAGES_MOST || n > trc_numbers_most(state))
		return trc_sink_damaged(err);
	/* The first of them may be to another page of the reference before. */
	if (rows > 0) {
		g->refs += refs - (first != 0) + (counted ? first != 0 : first != g->last_rtime);
		g->first_rtime = g->rows ? g->first_rtime : first;
		g->last_rtime = last;
		g->rows += rows;
	}
	assert(g->pages.n == 0);
	if (!g->joined)
		g->joined = trc_alloc(1, sizeof(*g->joined), err);
	return g->joined ? join_pages(g, (size_t)n, state, err) : -1;
}
