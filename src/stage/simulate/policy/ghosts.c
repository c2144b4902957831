/* SPDX-License-Identifier: MIT */
#include "stage/simulate/policy/ghosts.h"

#include <stdlib.h>

#include "base/map_find.h"

int
trc_ghosts_init(struct trc_ghosts *g, size_t sets, size_t most, struct trc_err *err)
{
	const size_t places = sets * most + 1;
	size_t buckets = 1;

	while (buckets < places)
		buckets *= 2;
	*g = (struct trc_ghosts){ .most = most, .bucket_mask = buckets - 1 };
	g->queue = trc_alloc(sets, sizeof(*g->queue), err);
	g->spare = g->queue ? trc_alloc(sets, sizeof(*g->spare), err) : NULL;
	g->link = g->spare ? trc_alloc(places, sizeof(*g->link), err) : NULL;
	g->line = g->link ? trc_alloc(places, sizeof(*g->line), err) : NULL;
	g->chain = g->line ? trc_alloc(places, sizeof(*g->chain), err) : NULL;
	g->bucket = g->chain ? trc_alloc(buckets, sizeof(*g->bucket), err) : NULL;
	if (!g->bucket) {
		trc_ghosts_release(g);
		return -1;
	}
	return 0;
}

void
trc_ghosts_release(struct trc_ghosts *g)
{
	free(g->queue);
	free(g->spare);
	free(g->link);
	free(g->line);
	free(g->chain);
	free(g->bucket);
	*g = (struct trc_ghosts){ 0 };
}

static uint32_t *
bucket_of(const struct trc_ghosts *g, uint64_t line)
{
	return &g->bucket[trc_map_hash(0, line) & g->bucket_mask];
}

static void
forget(struct trc_ghosts *g, size_t set, uint32_t *at)
{
	const uint32_t id = *at;

	*at = g->chain[id];
	trc_queue_take(&g->queue[set], g->link, id);
	g->chain[id] = g->spare[set];
	g->spare[set] = id;
}

bool
trc_ghosts_take(struct trc_ghosts *g, size_t set, uint64_t line)
{
	uint32_t *at = bucket_of(g, line);

	while (*at && g->line[*at] != line)
		at = &g->chain[*at];
	if (!*at)
		return false;
	forget(g, set, at);
	return true;
}

void
trc_ghosts_take_oldest(struct trc_ghosts *g, size_t set)
{
	(void)trc_ghosts_take(g, set, g->line[g->queue[set].oldest]);
}

void
trc_ghosts_forget(struct trc_ghosts *g, size_t set, const uint64_t *line)
{
	if (line)
		(void)trc_ghosts_take(g, set, *line);
	while (!line && g->queue[set].n > 0)
		trc_ghosts_take_oldest(g, set);
}

void
trc_ghosts_put(struct trc_ghosts *g, size_t set, uint64_t line)
{
	uint32_t *bucket, id;

	if (g->queue[set].n == g->most)
		trc_ghosts_take_oldest(g, set);
	id = g->spare[set];
	if (id)
		g->spare[set] = g->chain[id];
	else
		id = (uint32_t)(set * g->most + g->queue[set].n + 1);
	bucket = bucket_of(g, line);
	g->line[id] = line;
	g->chain[id] = *bucket;
	*bucket = id;
	trc_queue_put(&g->queue[set], g->link, id);
}
