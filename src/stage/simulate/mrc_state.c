/* SPDX-License-Identifier: MIT
 *
 * The state of a miss curve (mrc_growing.h) in few bytes per page: numbers, then arrays with an
 * element for each page.
 *
 *   numbers   references, rows, the first and the last reference time, pages
 *   page      by first reference: signed difference from the page before
 *   space     likewise
 *   level, open
 *   order     of the stack, from the top: the index of the page in the arrays above
 *   distance  the number of references at distance 1, 2, ...
 *   dirty     the change of the write-backs from memories of 1, 2, ... pages on, signed
 *   requests  with --requests, for each page the bytes of its first reference, the largest known
 *             distance of its request, and flags; then, for distance 1, 2, ..., the bytes and the
 *             change of the number of requests, signed
 *   groups    the number of buckets of a sample, then for each the misses and the change of the
 *             write-backs
 */
#include "stage/simulate/mrc_joined.h"

#include <assert.h>
#include <stdlib.h>

static uint32_t
pages_of(const struct trc_mrc_growing *g)
{
	return g->joined ? (uint32_t)g->joined->n : g->pages.n;
}

/* The places where the data of each page is stored. */
struct places {
	struct trc_strided page, space, level, open;
};

/* Returns those in g->joined, if it exists, from page `at` on. */
static struct places
places_of(const struct trc_mrc_growing *g, size_t at)
{
	struct trc_page_name *name = g->pages.name;
	struct trc_mrc_page *of;

	if (!g->joined)
		return (struct places){ TRC_STRIDED(&name->page, sizeof(*name)),
			                TRC_STRIDED(&name->space, sizeof(*name)),
			                TRC_STRIDED(g->level, sizeof(*g->level)),
			                TRC_STRIDED(g->open, sizeof(*g->open)) };
	of = g->joined->state + at;
	return (struct places){ TRC_STRIDED(g->joined->page + at, sizeof(uint64_t)),
		                TRC_STRIDED(g->joined->space + at, sizeof(uint32_t)),
		                TRC_STRIDED(&of->level, sizeof(*of)),
		                TRC_STRIDED(&of->open, sizeof(*of)) };
}

/* Lists the pages of the stack, from the top. */
static void
list_order(const struct trc_mrc_growing *g, uint32_t *id)
{
	const uint32_t n = pages_of(g);

	if (!g->joined)
		trc_stack_order(&g->stack, id);
	for (uint32_t i = 0; g->joined && i < n; i++)
		id[n - 1 - g->joined->state[i].at] = i;
}

/* Sets the order of the pages; returns false if it is not a permutation. */
static bool
take_order(struct trc_mrc_page *p, const uint32_t *id, uint32_t n)
{
	for (uint32_t i = 0; i < n; i++)
		p[i].at = UINT32_MAX;
	for (uint32_t i = 0; i < n; i++) {
		if (p[id[i]].at != UINT32_MAX)
			return false;
		p[id[i]].at = n - 1 - i;
	}
	return true;
}

/* The requests of a curve whose pages have their first references in `first`. */
static void
requests_state(struct trc_mrc_requests *r, struct trc_mrc_first *first, uint32_t n,
               struct trc_state *s)
{
	const unsigned all = TRC_MRC_BEGINS | TRC_MRC_SEVERAL | TRC_MRC_COUNTS;

	trc_state_array(s, TRC_STRIDED(&first->bytes, sizeof(*first)), n, 0, UINT32_MAX);
	trc_state_array(s, TRC_STRIDED(&first->most, sizeof(*first)), n, 0, n);
	trc_state_array(s, TRC_STRIDED(&first->flags, sizeof(*first)), n, 0, all);
	trc_state_array(s, TRC_STRIDED(r->bytes + 1, sizeof(*r->bytes)), n, TRC_STATE_SUM,
	                UINT64_MAX);
	trc_state_array(s, TRC_STRIDED(r->change + 1, sizeof(*r->change)), n,
	                TRC_STATE_SUM | TRC_STATE_SIGNED, UINT64_MAX);
}

static void
pages_state(struct trc_mrc_growing *g, uint32_t n, struct trc_state *s)
{
	const unsigned both = TRC_STATE_DELTA | TRC_STATE_SIGNED;
	const size_t at = s->writes ? 0 : g->joined->n;
	const struct places p = places_of(g, at);
	uint32_t *order = trc_state_room(s, n, sizeof(*order));

	if (order && s->writes)
		list_order(g, order);
	trc_state_array(s, p.page, n, both, UINT64_MAX);
	trc_state_array(s, p.space, n, both, UINT32_MAX);
	trc_state_array(s, p.level, n, 0, n);
	trc_state_array(s, p.open, n, 0, n);
	if (g->rule.reads)
		trc_state_array(s, TRC_STRIDED(g->joined ? g->joined->pass + at : g->pass, 1), n, 0,
		                1);
	if (g->rule.page)
		requests_state(&g->requests, g->joined ? g->joined->first + at : g->requests.first,
		               n, s);
	trc_state_array(s, TRC_STRIDED(order, sizeof(*order)), n, 0, n - 1);
	trc_state_array(s, TRC_STRIDED(g->distances + 1, sizeof(*g->distances)), n, TRC_STATE_SUM,
	                UINT64_MAX);
	trc_state_array(s, TRC_STRIDED(g->dirty + 1, sizeof(*g->dirty)), n,
	                TRC_STATE_SUM | TRC_STATE_SIGNED, UINT64_MAX);
	if (!s->writes && !s->failed && !take_order(g->joined->state + at, order, n))
		trc_state_damaged(s);
	free(order);
}

static void
groups_state(struct trc_replicates *r, struct trc_state *s)
{
	size_t n = r ? r->n : 0;

	trc_state_count(s, &n, n);
	for (size_t g = 0; n > 0 && g < TRC_REPLICATES; g++) {
		struct trc_replicate_bucket *b = r->bucket;

		trc_state_array(s, TRC_STRIDED(&b->misses[g], sizeof(*b)), n, TRC_STATE_SUM,
		                UINT64_MAX);
		trc_state_array(s, TRC_STRIDED(&b->writebacks[g], sizeof(*b)), n,
		                TRC_STATE_SUM | TRC_STATE_SIGNED, UINT64_MAX);
	}
}

/* Appends the rows of a state to those so far; `n` pages will follow. */
static int
add_rows(struct trc_mrc_growing *g, const struct trc_mrc_growing *next, bool counted, size_t n,
         struct trc_err *err)
{
	const uint64_t first = next->first_rtime;

	assert(g->pages.n == 0);
	/* The first of them may be another page of the last reference. */
	if (next->rows > 0) {
		g->refs += next->refs - (first != 0) +
		           (counted ? first != 0 : first != g->last_rtime);
		g->first_rtime = g->rows ? g->first_rtime : first;
		g->last_rtime = next->last_rtime;
		g->rows += next->rows;
	}
	if (!g->joined)
		g->joined = trc_alloc(1, sizeof(*g->joined), err);
	if (!g->joined || trc_mrc_joined_room(g->joined, n, &g->rule, err) ||
	    (g->rule.page && trc_mrc_requests_room(&g->requests, (uint32_t)n, err)))
		return -1;
	return trc_mrc_histograms(g, n, err);
}

void
trc_mrc_state(struct trc_mrc_growing *g, struct trc_state *s, bool counted)
{
	struct trc_mrc_growing next = { .refs = 0 }, *const of = s->writes ? g : &next;
	size_t n = 0;

	if (s->writes && g->joined && trc_state_failed(s, trc_mrc_join(g, s->err)))
		return;
	if (s->writes)
		n = pages_of(g);
	trc_state_nums(s, &of->refs, &of->rows, &of->first_rtime, &of->last_rtime);
	if (g->rule.through)
		trc_state_sum(s, &g->written);
	trc_state_count(s, &n, TRC_PAGES_MOST);
	if (s->failed ||
	    (!s->writes && trc_state_failed(s, add_rows(g, &next, counted, n, s->err))))
		return;
	if (n > 0)
		pages_state(g, (uint32_t)n, s);
	groups_state(g->groups, s);
	if (!s->writes && !s->failed)
		s->failed = trc_mrc_joined_part(g, n, s->err) != 0;
}
