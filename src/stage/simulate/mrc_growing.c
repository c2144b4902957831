/* SPDX-License-Identifier: MIT */
#include "stage/simulate/mrc_growing.h"

#include <string.h>

#include "base/hugepages.h"
#include "stage/simulate/mrc_joined.h"

int
trc_mrc_clear_new(void *mem, size_t *cap, size_t need, size_t size, struct trc_err *err)
{
	const size_t old = *cap;
	char *p;

	if (trc_grow(mem, cap, need, size, err))
		return -1;
	memcpy(&p, mem, sizeof(p));
	if (*cap > old)
		trc_hugepages_advise(p, *cap * size);
	memset(p + old * size, 0, (*cap - old) * size);
	return 0;
}

int
trc_mrc_histograms(struct trc_mrc_growing *g, size_t pages, struct trc_err *err)
{
	if (trc_mrc_clear_new(&g->distances, &g->caps, pages + 1, sizeof(*g->distances), err) ||
	    trc_mrc_clear_new(&g->dirty, &g->dirties, pages + 1, sizeof(*g->dirty), err))
		return -1;
	return g->groups ? trc_replicates_room(g->groups, (uint32_t)pages, err) : 0;
}

int
trc_mrc_make_room(struct trc_mrc_growing *g, uint32_t pages, struct trc_err *err)
{
	const size_t need = (size_t)pages + 1;

	if (trc_mrc_clear_new(&g->level, &g->levels, need, sizeof(*g->level), err))
		return -1;
	if (g->kept && (trc_mrc_clear_new(&g->open, &g->opens, need, sizeof(*g->open), err) ||
	                (g->rule.reads &&
	                 trc_mrc_clear_new(&g->pass, &g->passes, need, sizeof(*g->pass), err))))
		return -1;
	return trc_mrc_histograms(g, pages, err);
}

unsigned
trc_mrc_group(const struct trc_mrc_growing *g, uint32_t id)
{
	if (g->joined)
		return trc_replicates_group(g->joined->space[id], g->joined->page[id]);
	return trc_replicates_group(g->pages.name[id].space, g->pages.name[id].page);
}

void
trc_mrc_write_back(struct trc_mrc_growing *g, uint32_t id, uint32_t level, uint32_t to)
{
	if (level == 0 || level >= to)
		return;
	g->dirty[level]++;
	g->dirty[to]--;
	if (g->groups)
		trc_replicates_write_back(g->groups, trc_mrc_group(g, id), level, to);
}

/* ---- deletes ---- */

int
trc_mrc_after_deletes(struct trc_mrc_growing *g, const uint32_t *id, const uint8_t *type, size_t n,
                      uint32_t *distance, struct trc_err *err)
{
	if (trc_mrc_clear_new(&g->gone, &g->gones, g->pages.n, 1, err))
		return -1;
	for (size_t i = 0; i < n; i++) {
		const bool again = g->gone[id[i]] && trc_mrc_counts(&g->rule, type[i]);

		if (again && g->groups)
			trc_replicates_again(g->groups, trc_mrc_group(g, id[i]));
		g->again += again;
		g->gone[id[i]] = 0;
		if (g->opt || g->memories)
			continue;
		distance[i] = distance[i] ? trc_holes_position(&g->holes, distance[i]) : 0;
		(void)trc_holes_fill(&g->holes, distance[i]);
	}
	return 0;
}

/* Notes that a page is deleted. */
static int
delete_page(void *what, uint32_t id, struct trc_err *err)
{
	struct trc_mrc_growing *g = what;
	uint32_t position = 0;

	g->gone[id] = 1;
	if (g->memories)
		trc_memories_remove(g->memories, id);
	else if (g->opt ? trc_opt_stack_remove(&g->optimal, id, &position, err) :
	                  g->rule.around && trc_around_stack_remove(&g->around, id, err))
		return -1;
	else if (!g->opt && !g->rule.around && (position = trc_stack_remove(&g->stack, id)) > 0) {
		position = trc_holes_position(&g->holes, position);
		if (trc_holes_put(&g->holes, position, err))
			return -1;
	}
	if (position) {
		trc_mrc_write_back(g, id, g->level[id], position);
		g->level[id] = 0;
	}
	return 0;
}

int
trc_mrc_delete(struct trc_mrc_growing *g, uint32_t space, uint64_t first, uint64_t pages,
               struct trc_err *err)
{
	g->deletes++;
	if (g->kept || g->ranges)
		return trc_pages_no_deletes(g->ranges, g->deletes, err);
	if (trc_mrc_clear_new(&g->gone, &g->gones, (size_t)g->pages.n + 1, 1, err))
		return -1;
	return trc_pages_each(&g->pages, space, first, pages, delete_page, g, err);
}

/* Handles a write that bypasses memory: it misses, and its page is removed. */
static int
write_out(struct trc_mrc_growing *g, uint32_t space, uint64_t page, struct trc_err *err)
{
	const uint32_t known = g->pages.n;
	const bool counts = !g->rule.reads;
	uint32_t id;

	if (trc_pages_number(&g->pages, &page, &space, 1, &id, err) ||
	    trc_mrc_clear_new(&g->gone, &g->gones, (size_t)g->pages.n + 1, 1, err) ||
	    (!g->memories && trc_mrc_make_room(g, g->pages.n, err)))
		return -1;
	if (!g->memories)
		g->distances[0] += counts;
	if (g->groups && counts)
		trc_replicates_add(g->groups, trc_mrc_group(g, id), 0);
	if (g->groups && counts && id < known)
		trc_replicates_again(g->groups, trc_mrc_group(g, id));
	g->again += counts && id < known;
	g->passed += !counts && id == known;
	return delete_page(g, id, err);
}

int
trc_mrc_write_out(struct trc_mrc_growing *g, uint32_t space, uint64_t first, uint64_t pages,
                  uint64_t bytes, struct trc_err *err)
{
	for (uint64_t k = 0; k < pages; k++)
		if (write_out(g, space, first + k, err))
			return -1;
	if (g->rule.reads)
		return 0;
	if (g->memories)
		trc_memories_miss(g->memories, pages, bytes);
	return g->rule.page && !g->memories ?
	               trc_mrc_requests_miss(&g->requests, pages, bytes, err) :
	               0;
}

uint64_t
trc_mrc_passed(const struct trc_mrc_growing *g)
{
	uint64_t n = 0;

	if (!g->rule.reads)
		return 0;
	if (g->memories)
		return g->passed;
	if (g->ranges)
		return g->ranges->passed;
	for (size_t i = 0; g->joined && i < g->joined->n; i++)
		n += g->joined->pass[i];
	if (g->joined)
		return n;
	/* References without a distance are first ones, or first ones after a delete. */
	return g->pages.n ? g->pages.n + g->again - g->distances[0] : 0;
}
