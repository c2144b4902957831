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
#include "stage/simulate/mrc_growing.h"

#include <stdlib.h>

#include "base/numbers.h"
#include "batch/flow.h"

/* The pages of a state. */
struct pages {
	uint32_t n;
	uint64_t *page;
	uint32_t *space, *level, *open, *order;
	uint32_t *id; /* that they have got here */
};

/* ---- saving ---- */

static int
save_names(const struct trc_mrc_growing *g, struct trc_buf *state, struct trc_err *err)
{
	struct trc_numbers_out page = { .to = state }, space = { .to = state };
	struct trc_page_name last = { 0, 0 };

	for (uint32_t i = 0; i < g->pages.n; last = g->pages.name[i++])
		if (trc_numbers_put(&page, trc_zigzag(g->pages.name[i].page - last.page), err))
			return -1;
	if (trc_numbers_end(&page, err))
		return -1;
	last.space = 0;
	for (uint32_t i = 0; i < g->pages.n; last = g->pages.name[i++])
		if (trc_numbers_put(&space,
		                    trc_zigzag((uint64_t)g->pages.name[i].space - last.space), err))
			return -1;
	return trc_numbers_end(&space, err);
}

static int
save_order(const struct trc_mrc_growing *g, struct trc_buf *state, struct trc_err *err)
{
	uint32_t *id = trc_alloc_room((size_t)g->pages.n + 1, sizeof(*id), err);
	int ret;

	if (!id)
		return -1;
	trc_stack_order(&g->stack, id);
	ret = trc_numbers_put32(state, id, g->pages.n, err);
	free(id);
	return ret;
}

/* Those of distances 1 to n. */
static int
save_histograms(const struct trc_mrc_growing *g, struct trc_buf *state, struct trc_err *err)
{
	struct trc_numbers_out distance = { .to = state }, dirty = { .to = state };

	for (size_t d = 1; d <= g->pages.n; d++)
		if (trc_numbers_put(&distance, g->distances[d], err))
			return -1;
	if (trc_numbers_end(&distance, err))
		return -1;
	for (size_t d = 1; d <= g->pages.n; d++)
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
trc_mrc_save(const struct trc_mrc_growing *g, struct trc_buf *state, struct trc_err *err)
{
	const uint64_t number[] = { g->refs, g->rows, g->first_rtime, g->last_rtime, g->pages.n };

	for (size_t i = 0; i < TRC_COUNT(number); i++)
		if (trc_buf_put_num(state, number[i], err))
			return -1;
	if (save_names(g, state, err) || trc_numbers_put32(state, g->level, g->pages.n, err) ||
	    trc_numbers_put32(state, g->open, g->pages.n, err) || save_order(g, state, err) ||
	    save_histograms(g, state, err))
		return -1;
	return save_groups(g->groups, state, err);
}

/* ---- loading ---- */

static void
pages_release(struct pages *p)
{
	free(p->page);
	free(p->space);
	free(p->level);
	free(p->open);
	free(p->order);
	free(p->id);
}

static bool
read_names(struct pages *p, struct trc_view *state)
{
	struct trc_numbers_in in;
	uint64_t page = 0, space = 0;

	trc_numbers_begin(&in, state, p->n);
	for (uint32_t i = 0; i < p->n; i++)
		p->page[i] = page += trc_unzigzag(trc_numbers_get(&in));
	if (in.damaged)
		return false;
	trc_numbers_begin(&in, state, p->n);
	for (uint32_t i = 0; i < p->n; i++) {
		space += trc_unzigzag(trc_numbers_get(&in));
		p->space[i] = (uint32_t)space;
		in.damaged |= space > UINT32_MAX;
	}
	return !in.damaged;
}

static int
read_pages(struct pages *p, struct trc_view *state, struct trc_err *err)
{
	uint32_t **const array[] = { &p->space, &p->level, &p->open, &p->order, &p->id };
	const size_t n = p->n;

	p->page = trc_alloc_room(n + 1, sizeof(*p->page), err);
	if (!p->page)
		return -1;
	for (size_t i = 0; i < TRC_COUNT(array); i++) {
		*array[i] = trc_alloc_room(n + 1, sizeof(**array[i]), err);
		if (!*array[i])
			return -1;
	}
	if (!read_names(p, state) || !trc_numbers_get32(state, p->level, n, (uint64_t)n + 1) ||
	    !trc_numbers_get32(state, p->open, n, (uint64_t)n + 1) ||
	    !trc_numbers_get32(state, p->order, n, n))
		return trc_sink_damaged(err);
	return 0;
}

/* All that the whole counts about a page: its first reference, at distance `d`, what was
 * open behind it, and the level that it has got. */
static void
join_page(struct trc_mrc_growing *g, uint32_t id, uint32_t d, uint32_t level, uint32_t open)
{
	const bool write = level > 0 && open == 0;
	uint32_t before;

	if (g->open && g->level[id] == 0 && open > g->open[id])
		g->open[id] = open;
	trc_mrc_add(g, id, d, write);
	before = g->level[id];
	if (!write) {
		trc_mrc_write_back(g, id, before, open);
		g->level[id] = before > 0 && open > before ? open : before;
	}
	if (level > 0)
		g->level[id] = level;
}

/* The first references, in their order. What is open is as many pages as there will be. */
static int
join_first(struct trc_mrc_growing *g, struct pages *p, struct trc_err *err)
{
	uint32_t distance[TRC_MRC_RUN];

	if (trc_pages_number(&g->pages, p->page, p->space, p->n, p->id, err) ||
	    trc_mrc_make_room(g, err))
		return -1;
	if (g->pages.n < p->n) /* some came twice */
		return trc_sink_damaged(err);
	for (uint32_t at = 0, n; at < p->n; at += n) {
		n = p->n - at < TRC_MRC_RUN ? p->n - at : TRC_MRC_RUN;
		if (trc_stack_refs(&g->stack, p->id + at, n, g->pages.n, distance, err))
			return -1;
		for (uint32_t i = 0; i < n; i++)
			join_page(g, p->id[at + i], distance[i], p->level[at + i], p->open[at + i]);
	}
	return 0;
}

/* The order at the end, the page on top last. */
static int
join_order(struct trc_mrc_growing *g, const struct pages *p, struct trc_err *err)
{
	uint32_t id[TRC_MRC_RUN], distance[TRC_MRC_RUN];

	for (uint32_t left = p->n, n; left > 0; left -= n) {
		n = left < TRC_MRC_RUN ? left : TRC_MRC_RUN;
		for (uint32_t i = 0; i < n; i++)
			id[i] = p->id[p->order[left - 1 - i]];
		if (trc_stack_refs(&g->stack, id, n, g->pages.n, distance, err))
			return -1;
	}
	return 0;
}

static int
join_histograms(struct trc_mrc_growing *g, uint32_t n, struct trc_view *state, struct trc_err *err)
{
	struct trc_numbers_in in;

	trc_numbers_begin(&in, state, n);
	for (uint32_t d = 1; d <= n; d++)
		g->distances[d] += trc_numbers_get(&in);
	if (in.damaged)
		return trc_sink_damaged(err);
	trc_numbers_begin(&in, state, n);
	for (uint32_t d = 1; d <= n; d++)
		g->dirty[d] += trc_unzigzag(trc_numbers_get(&in));
	return in.damaged ? trc_sink_damaged(err) : 0;
}

static int
join_groups(struct trc_mrc_growing *g, struct trc_view *state, struct trc_err *err)
{
	struct trc_numbers_in in;
	uint64_t n;

	if (!trc_view_num(state, &n) || (n > 0 && (!g->groups || n > g->groups->n)))
		return trc_sink_damaged(err);
	trc_numbers_begin(&in, state, 2 * TRC_REPLICATES * n);
	for (size_t i = 0; i < n; i++) {
		struct trc_replicate_bucket *b = &g->groups->bucket[i];

		for (size_t k = 0; k < TRC_REPLICATES; k++)
			b->misses[k] += trc_numbers_get(&in);
		for (size_t k = 0; k < TRC_REPLICATES; k++)
			b->writebacks[k] += trc_unzigzag(trc_numbers_get(&in));
	}
	return in.damaged ? trc_sink_damaged(err) : 0;
}

static int
join_pages(struct trc_mrc_growing *g, uint32_t n, struct trc_view *state, struct trc_err *err)
{
	struct pages p = { .n = n };
	const int ret = read_pages(&p, state, err) || join_first(g, &p, err) ||
	                                join_order(g, &p, err) ?
	                        -1 :
	                        0;

	pages_release(&p);
	return ret;
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
	return join_pages(g, (uint32_t)n, state, err) ||
	                       join_histograms(g, (uint32_t)n, state, err) ||
	                       join_groups(g, state, err) ?
	               -1 :
	               0;
}
