/* SPDX-License-Identifier: MIT */
#include "stage/simulate/mrc_companion.h"

#include <stdlib.h>
#include <string.h>

#include "base/pool.h"

enum {
	AHEAD = 64,     /* references to prefetch for */
	PART = 1 << 16, /* references that are worth a thread */
};

struct part {
	uint32_t id[PART];
	uint8_t type[PART];
	size_t n, merged;
	uint32_t pages; /* pages that had numbers when it was full */
};

struct trc_mrc_companion {
	struct trc_helper helper;
	struct part part[2];
	int filling; /* index of the part that is being filled; the other one is being counted */
	bool failed;
	struct trc_err err;
};

/* ---- counting ---- */

/* Prefetches what counting `n` references will access, and a part of it for those from `n` up to
 * `end`. */
static TRC_ALWAYS_INLINE void
prefetch(const struct trc_mrc_growing *g, const uint32_t *id, const uint32_t *distance, size_t n,
         size_t end)
{
	for (size_t i = n; i < end; i++) {
		TRC_PREFETCH(&g->level[id[i]]);
		TRC_PREFETCH(&g->distances[distance[i]]);
	}
	for (size_t i = 0; i < n; i++) {
		const uint32_t level = g->level[id[i]];

		TRC_PREFETCH(&g->dirty[level]);
		TRC_PREFETCH(&g->dirty[level ? distance[i] : 0]);
	}
}

/* Does what count() does where nothing but the curve is asked for. Which references count
 * write-backs is not to be predicted, so these are collected without a branch. */
static void
count_plain(struct trc_mrc_growing *g, const uint32_t *id, const uint32_t *distance,
            const uint8_t *type, size_t n)
{
	uint32_t level[TRC_MRC_RUN], to[TRC_MRC_RUN], *const levels = g->level;
	uint64_t *const distances = g->distances;
	size_t dirty = 0;

	for (size_t i = 0; i < n; i++) {
		const uint32_t l = levels[id[i]], d = distance[i];
		const uint32_t top = l == 0 || l > d ? l : d;

		distances[d]++;
		level[dirty] = l;
		to[dirty] = d;
		dirty += top != l;
		levels[id[i]] = type[i] == TRC_WRITE ? 1 : top;
	}
	for (size_t k = 0; k < dirty; k++) {
		g->dirty[level[k]]++;
		g->dirty[to[k]]--;
	}
}

static TRC_ALWAYS_INLINE void
count(struct trc_mrc_growing *g, const uint32_t *id, const uint32_t *distance, const uint8_t *type,
      size_t n)
{
	for (size_t i = 0; i < n; i++)
		trc_mrc_add(g, id[i], distance[i], type[i] == TRC_WRITE);
}

/* Counts references to many pages. */
static TRC_NO_INLINE void
count_ahead(struct trc_mrc_growing *g, const uint32_t *id, const uint32_t *distance,
            const uint8_t *type, size_t n)
{
	for (size_t i = 0; i < n; i += AHEAD) {
		const size_t left = n - i, some = left < AHEAD ? left : AHEAD;

		prefetch(g, id + i, distance + i, some, left < 2 * AHEAD ? left : 2 * AHEAD);
		count(g, id + i, distance + i, type + i, some);
	}
}

/* Processes references to numbered pages with write-around. */
static int
take_around(struct trc_mrc_growing *g, const uint32_t *id, const uint8_t *type, size_t n,
            uint32_t pages, uint32_t *distance, struct trc_err *err)
{
	for (size_t i = 0; i < n; i++) {
		const unsigned group = g->groups ? trc_mrc_group(g, id[i]) : 0;
		const bool known = g->level[id[i]];

		if (trc_around_stack_refer(&g->around, id[i], type[i] == TRC_WRITE, pages,
		                           &distance[i], err))
			return -1;
		g->level[id[i]] = 1;
		if (!trc_mrc_counts(&g->rule, type[i]))
			continue;
		g->distances[distance[i]]++;
		g->again += known && !distance[i];
		if (g->groups)
			trc_replicates_add(g->groups, group, distance[i]);
		if (g->groups && known && !distance[i])
			trc_replicates_again(g->groups, group);
	}
	return 0;
}

int
trc_mrc_numbered(struct trc_mrc_growing *g, const uint32_t *id, const uint8_t *type, size_t n,
                 uint32_t pages, struct trc_err *err)
{
	uint32_t distance[TRC_MRC_RUN];

	if (trc_mrc_make_room(g, pages, err) ||
	    (g->opt         ? trc_opt_stack_refs(&g->optimal, id, n, pages, distance, err) :
	     g->rule.around ? take_around(g, id, type, n, pages, distance, err) :
	                      trc_stack_refs(&g->stack, id, n, pages, distance, err)))
		return -1;
	if (g->gone && !g->rule.around && trc_mrc_after_deletes(g, id, type, n, distance, err))
		return -1;
	if (g->rule.around)
		; /* counted already */
	else if (pages < TRC_MRC_MANY && !g->rule.reads && !g->groups && !g->open)
		count_plain(g, id, distance, type, n);
	else if (pages < TRC_MRC_MANY)
		count(g, id, distance, type, n);
	else
		count_ahead(g, id, distance, type, n);
	return g->weight ? trc_mrc_requests_add(&g->requests, &g->rule, distance, type, g->weight,
	                                        n, pages, err) :
	                   0;
}

/* ---- on another thread ---- */

int
trc_mrc_companion_open(struct trc_mrc_growing *g, struct trc_err *err)
{
	g->companion = trc_alloc(1, sizeof(*g->companion), err);
	return g->companion ? 0 : -1;
}

void
trc_mrc_companion_close(struct trc_mrc_growing *g)
{
	if (g->companion)
		trc_helper_cancel(&g->companion->helper);
	free(g->companion);
	g->companion = NULL;
}

/* Counts a part. Meanwhile no other thread uses anything of the curve but its page numbers. */
static void
work(void *of)
{
	struct trc_mrc_growing *g = of;
	struct trc_mrc_companion *b = g->companion;
	const struct part *p = &b->part[!b->filling];

	for (size_t i = 0; i < p->n && !b->failed; i += TRC_MRC_RUN) {
		const size_t n = p->n - i < TRC_MRC_RUN ? p->n - i : TRC_MRC_RUN;

		b->failed = trc_mrc_numbered(g, p->id + i, p->type + i, n, p->pages, &b->err) != 0;
	}
	if (p->merged > 0 && !b->failed)
		g->distances[1] += p->merged;
}

/* Waits for the previous part, and starts counting the one that was filled. */
static int
hand_over(struct trc_mrc_growing *g, struct trc_err *err)
{
	struct trc_mrc_companion *b = g->companion;

	trc_helper_wait(&b->helper);
	if (b->failed) {
		*err = b->err;
		return -1;
	}
	b->part[b->filling].pages = g->pages.n;
	b->filling = !b->filling;
	b->part[b->filling].n = b->part[b->filling].merged = 0;
	trc_helper_start(&b->helper, true, work, g);
	return 0;
}

int
trc_mrc_companion_take(struct trc_mrc_growing *g, const uint64_t *page, const uint32_t *space,
                       const uint8_t *type, size_t n, size_t merged, struct trc_err *err)
{
	struct part *p = &g->companion->part[g->companion->filling];

	if (p->n + n > PART) {
		if (hand_over(g, err))
			return -1;
		p = &g->companion->part[g->companion->filling];
	}
	if (trc_pages_number(&g->pages, page, space, n, p->id + p->n, err))
		return -1;
	memcpy(p->type + p->n, type, n);
	p->n += n;
	p->merged += merged;
	return 0;
}

int
trc_mrc_companion_end(struct trc_mrc_growing *g, struct trc_err *err)
{
	int ret = 0;

	g->may_wait = false;
	for (int part = 0; g->companion && part < 2 && ret == 0; part++)
		ret = hand_over(g, err);
	trc_mrc_companion_close(g);
	return ret;
}
