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
	if (g->kept && trc_mrc_clear_new(&g->open, &g->opens, need, sizeof(*g->open), err))
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
trc_mrc_after_deletes(struct trc_mrc_growing *g, const uint32_t *id, size_t n, uint32_t *distance,
                      struct trc_err *err)
{
	if (trc_mrc_clear_new(&g->gone, &g->gones, g->pages.n, 1, err))
		return -1;
	for (size_t i = 0; i < n; i++) {
		if (g->gone[id[i]] && g->groups)
			trc_replicates_again(g->groups, trc_mrc_group(g, id[i]));
		g->again += g->gone[id[i]];
		g->gone[id[i]] = 0;
		if (g->opt || g->memories)
			continue;
		distance[i] = distance[i] ? trc_holes_position(&g->holes, distance[i]) : 0;
		(void)trc_holes_fill(&g->holes, distance[i]);
	}
	return 0;
}

/* A page is deleted. */
static int
delete_page(void *what, uint32_t id, struct trc_err *err)
{
	struct trc_mrc_growing *g = what;
	uint32_t position = 0;

	g->gone[id] = 1;
	if (g->memories)
		trc_memories_remove(g->memories, id);
	else if (g->opt && trc_opt_stack_remove(&g->optimal, id, &position, err))
		return -1;
	else if (!g->opt && (position = trc_stack_remove(&g->stack, id)) > 0) {
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
