/* SPDX-License-Identifier: MIT */
#include "stage/simulate/mrc_growing.h"

#include <string.h>

#include "base/hugepages.h"
#include "stage/simulate/mrc_joined.h"

/* trc_grow() that clears the new room. */
static int
grow_clear(void *mem, size_t *cap, size_t need, size_t size, struct trc_err *err)
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
	if (grow_clear(&g->distances, &g->caps, pages + 1, sizeof(*g->distances), err) ||
	    grow_clear(&g->dirty, &g->dirties, pages + 1, sizeof(*g->dirty), err))
		return -1;
	return g->groups ? trc_replicates_room(g->groups, (uint32_t)pages, err) : 0;
}

int
trc_mrc_make_room(struct trc_mrc_growing *g, struct trc_err *err)
{
	const size_t need = (size_t)g->pages.n + 1;

	if (grow_clear(&g->level, &g->levels, need, sizeof(*g->level), err))
		return -1;
	if (g->kept && grow_clear(&g->open, &g->opens, need, sizeof(*g->open), err))
		return -1;
	return trc_mrc_histograms(g, g->pages.n, err);
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
