/* SPDX-License-Identifier: MIT
 *
 * Completes miss curves at the end of the rows, and frees them.
 */
#include <stdlib.h>

#include "stage/simulate/mrc.h"
#include "stage/simulate/mrc_companion.h"
#include "stage/simulate/mrc_joined.h"

/* Counts the write-backs of evicted pages that were not used again, and the first references of
 * groups, if states were joined. */
static void
end_joined(struct trc_mrc_growing *g)
{
	const uint32_t pages = (uint32_t)g->joined->n;

	for (uint32_t id = 0; id < pages; id++) {
		const struct trc_mrc_page *p = &g->joined->state[id];

		trc_mrc_write_back(g, id, p->level, pages - p->at);
		if (g->groups && !(g->joined->pass && g->joined->pass[id]))
			trc_replicates_add(g->groups, trc_mrc_group(g, id), 0);
	}
}

/* Counts the write-backs of evicted pages that were not used again. */
static int
add_last_evictions(struct trc_mrc_growing *g, struct trc_err *err)
{
	uint32_t *id = g->unfinished ? NULL : trc_alloc(g->pages.n, sizeof(*id), err);
	const uint32_t n = g->opt ? g->optimal.n : g->stack.n;

	if (!id)
		return g->unfinished ? 0 : -1;
	if (g->opt)
		trc_opt_stack_order(&g->optimal, id);
	else
		trc_stack_order(&g->stack, id);
	for (uint32_t p = 1; p <= n; p++)
		if (id[p - 1] != UINT32_MAX)
			trc_mrc_write_back(g, id[p - 1], g->level[id[p - 1]],
			                   g->opt ? p : trc_holes_position(&g->holes, p));
	free(id);
	return 0;
}

int
trc_mrc_finish(struct trc_mrc_growing *g, struct trc_mrc_curve *curve, struct trc_err *err)
{
	uint64_t misses, writebacks = 0;
	uint32_t pages = g->pages.n;

	if (trc_mrc_companion_end(g, err))
		return -1;
	misses = g->again;
	*curve = (struct trc_mrc_curve){ .space = g->space,
		                         .refs = g->refs,
		                         .again = g->again,
		                         .through = g->rule.through,
		                         .written = g->written };
	if (g->memories) {
		curve->pages = g->pages.n;
		curve->warm = trc_mrc_passed(g);
		return trc_memories_finish(g->memories, g->unfinished, curve, err);
	}
	if (g->ranges) {
		curve->pages = g->ranges->extents.pages;
		curve->warm = trc_mrc_passed(g);
		return trc_mrc_ranges_finish(g->ranges, &curve->step, &curve->steps, err);
	}
	if (g->joined && trc_mrc_join(g, err))
		return -1;
	curve->warm = trc_mrc_passed(g);
	if (g->joined) {
		pages = (uint32_t)g->joined->n;
		end_joined(g);
	} else if (trc_mrc_make_room(g, pages, err) || add_last_evictions(g, err)) {
		return -1;
	}
	if (g->rule.page) {
		const struct trc_mrc_first *first = g->joined ? g->joined->first :
		                                                g->requests.first;

		if (trc_mrc_requests_finish(&g->requests, g->distances, pages, first, pages, err))
			return -1;
		free(g->requests.first);
		curve->missed_requests = g->requests.change;
		curve->missed_bytes = g->requests.bytes;
		g->requests = (struct trc_mrc_requests){ .most = 0 };
	}
	for (uint32_t m = pages + 1; m-- > 0;) {
		const uint64_t here = g->distances[m];

		g->distances[m] = misses;
		misses += here;
	}
	g->dirty[0] = 0;
	for (uint32_t m = 1; m <= pages; m++)
		g->dirty[m] = writebacks += g->dirty[m];
	if (g->groups)
		trc_replicates_finish(g->groups);
	curve->pages = pages;
	curve->misses = g->distances;
	curve->writebacks = g->dirty;
	curve->groups = g->groups;
	g->distances = g->dirty = NULL;
	g->groups = NULL;
	return 0;
}

void
trc_mrc_release_pages(struct trc_mrc_growing *g)
{
	trc_mrc_companion_close(g);
	trc_pages_release(&g->pages);
	trc_stack_release(&g->stack);
	trc_opt_stack_release(&g->optimal);
	trc_around_stack_release(&g->around);
	free(g->level);
	free(g->open);
	free(g->distances);
	free(g->dirty);
	free(g->gone);
	free(g->pass);
	trc_mrc_requests_release(&g->requests);
	free(g->holes.hole);
	g->holes.hole = NULL;
	g->gone = NULL;
	g->level = g->open = NULL;
	g->distances = g->dirty = NULL;
	g->pass = NULL;
}

void
trc_mrc_growing_close(struct trc_mrc_growing *g)
{
	trc_mrc_release_pages(g);
	if (g->memories)
		trc_memories_release(g->memories);
	free(g->memories);
	if (g->ranges)
		trc_mrc_ranges_release(g->ranges);
	free(g->ranges);
	trc_replicates_close(g->groups);
	if (g->joined)
		trc_mrc_joined_release(g->joined);
	free(g->joined);
	free(g);
}
