/* SPDX-License-Identifier: MIT
 *
 * Counting what is in a trace. Distinct pages and spaces are kept in hash maps; a small
 * direct-mapped table in front answers for the pages of the last references.
 */
#include "stage/stage.h"

#include <stdlib.h>

#include "base/map.h"

enum { RECENT = 512 };

struct set {
	struct trc_map map;
	struct {
		uint64_t page;
		uint32_t space;
		bool used;
	} recent[RECENT];
};

struct counts_sink {
	struct trc_sink sink;
	struct trc_counts *counts;
	unsigned page_bits;
	struct set pages, spaces, tasks;
};

static int
set_add(struct set *set, uint32_t space, uint64_t page, struct trc_err *err)
{
	const size_t at = (page ^ space) % RECENT;

	if (TRC_LIKELY(set->recent[at].used && set->recent[at].page == page &&
	               set->recent[at].space == space))
		return 0;
	set->recent[at].page = page;
	set->recent[at].space = space;
	set->recent[at].used = true;
	if (trc_map_find(&set->map, space, page)->value != TRC_MAP_NONE)
		return 0;
	return trc_map_add(&set->map, space, page, 0, err);
}

static int
count_pages(struct counts_sink *s, const struct trc_batch *b, struct trc_err *err)
{
	struct trc_counts *k = s->counts;

	for (size_t i = 0; i < b->n; i++) {
		const uint32_t space = b->asid ? b->asid[i] : 0;
		uint64_t first, last;

		if (trc_batch_is_event(b, i))
			continue;
		if (b->vpn) {
			if (set_add(&s->pages, space, b->vpn[i], err))
				return -1;
			continue;
		}
		first = b->addr[i];
		last = first + (b->size && b->size[i] ? b->size[i] - 1 : 0);
		last = last < first ? UINT64_MAX : last;
		k->addr_first = first < k->addr_first ? first : k->addr_first;
		k->addr_last = last > k->addr_last ? last : k->addr_last;
		if (set_add(&s->pages, space, first >> s->page_bits, err))
			return -1;
		for (uint64_t page = first >> s->page_bits; page < last >> s->page_bits;)
			if (set_add(&s->pages, space, ++page, err))
				return -1;
	}
	return 0;
}

static void
count_types(struct trc_counts *k, const struct trc_batch *b)
{
	uint64_t by[32] = { 0 };

	for (size_t i = 0; i < b->n; i++)
		by[b->type                   ? b->type[i] % TRC_COUNT(by)
		   : trc_batch_is_event(b, i) ? TRC_EVENT
		                              : TRC_READ]++;
	for (uint8_t t = 0; t < TRC_COUNT(by); t++) {
		k->refs += by[t] * trc_type_refs(t);
		if (t & TRC_KERNEL)
			k->by_kernel += by[t];
		if ((t & TRC_TYPE_MASK) < TRC_TYPES)
			k->by_type[t & TRC_TYPE_MASK] += by[t];
	}
}

static void
count_times(struct trc_counts *k, const struct trc_batch *b)
{
	if (k->rows == 0)
		k->time_first = k->time_last = b->time[0];
	for (size_t i = 0; i < b->n; i++) {
		k->time_backwards |= b->time[i] < k->time_last;
		k->time_first = b->time[i] < k->time_first ? b->time[i] : k->time_first;
		k->time_last = b->time[i] > k->time_last ? b->time[i] : k->time_last;
	}
}

static int
counts_put(struct trc_sink *sink, const struct trc_batch *b, struct trc_err *err)
{
	struct counts_sink *s = (struct counts_sink *)sink;

	count_types(s->counts, b);
	if (b->time)
		count_times(s->counts, b);
	if ((b->addr || b->vpn) && count_pages(s, b, err))
		return -1;
	for (size_t i = 0; b->asid && i < b->n; i++)
		if (!trc_batch_is_event(b, i) && set_add(&s->spaces, b->asid[i], 0, err))
			return -1;
	for (size_t i = 0; b->task && i < b->n; i++)
		if (!trc_batch_is_event(b, i) && set_add(&s->tasks, b->task[i], 0, err))
			return -1;
	s->counts->rows += b->n;
	return 0;
}

static int
counts_finish(struct trc_sink *sink, const struct trc_meta *meta, struct trc_err *err)
{
	struct counts_sink *s = (struct counts_sink *)sink;

	(void)meta, (void)err;
	s->counts->pages = s->pages.map.n;
	s->counts->spaces = s->spaces.map.n;
	s->counts->tasks = s->tasks.map.n;
	return 0;
}

static void
counts_close(struct trc_sink *sink)
{
	struct counts_sink *s = (struct counts_sink *)sink;

	trc_map_release(&s->pages.map);
	trc_map_release(&s->spaces.map);
	trc_map_release(&s->tasks.map);
	free(s);
}

struct trc_sink *
trc_counts_sink(struct trc_counts *counts, unsigned page_bits, struct trc_err *err)
{
	struct counts_sink *s = trc_alloc(1, sizeof(*s), err);

	if (!s)
		return NULL;
	s->sink = (struct trc_sink){ counts_put, counts_finish, counts_close };
	s->counts = counts;
	s->page_bits = page_bits;
	*counts = (struct trc_counts){ .addr_first = UINT64_MAX };
	if (trc_map_init(&s->pages.map, err) || trc_map_init(&s->spaces.map, err) ||
	    trc_map_init(&s->tasks.map, err)) {
		counts_close(&s->sink);
		return NULL;
	}
	return &s->sink;
}
