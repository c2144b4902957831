/* SPDX-License-Identifier: MIT */
#include "stage/space/shared.h"

#include <stdlib.h>

#include "base/map.h"

/* A canonical page, and who used it. */
struct page {
	uint64_t refs;
	uint32_t space; /* that touched it first */
	bool shared, written;
};

/* The sink. */
struct shared_sink {
	struct trc_sink sink;
	struct trc_shared *shared;
	struct trc_map map; /* canonical page -> place in `page` */
	struct page *page;
	size_t pages, cap;
};

static struct page *
find(struct shared_sink *s, uint64_t cpn, uint32_t space, struct trc_err *err)
{
	const uint32_t at = trc_map_find(&s->map, 0, cpn)->value;

	if (at != TRC_MAP_NONE)
		return &s->page[at];
	if (trc_grow(&s->page, &s->cap, s->pages + 1, sizeof(*s->page), err) ||
	    trc_map_add(&s->map, 0, cpn, (uint32_t)s->pages, err))
		return NULL;
	s->page[s->pages] = (struct page){ .space = space };
	return &s->page[s->pages++];
}

static int
shared_put(struct trc_sink *sink, const struct trc_batch *b, struct trc_err *err)
{
	struct shared_sink *s = (struct shared_sink *)sink;

	for (size_t i = 0; i < b->n; i++) {
		const uint8_t type = b->type ? b->type[i] : TRC_READ;
		struct page *p;

		if (trc_batch_is_event(b, i) || type & TRC_KERNEL)
			continue;
		p = find(s, b->cpn[i], b->asid[i], err);
		if (!p)
			return -1;
		p->refs += trc_type_refs(type);
		p->shared |= p->space != b->asid[i];
		p->written |= type == TRC_WRITE || type == TRC_MODIFY;
	}
	return 0;
}

static int
shared_finish(struct trc_sink *sink, const struct trc_meta *meta, struct trc_err *err)
{
	struct shared_sink *s = (struct shared_sink *)sink;
	struct trc_shared *k = s->shared;

	(void)meta, (void)err;
	*k = (struct trc_shared){ .pages = s->pages };
	for (size_t i = 0; i < s->pages; i++) {
		const struct page *p = &s->page[i];

		k->refs += p->refs;
		k->shared_pages += p->shared;
		k->shared_refs += p->shared ? p->refs : 0;
		k->written_pages += p->shared && p->written;
	}
	return 0;
}

static void
shared_close(struct trc_sink *sink)
{
	struct shared_sink *s = (struct shared_sink *)sink;

	trc_map_release(&s->map);
	free(s->page);
	free(s);
}

struct trc_sink *
trc_shared_sink(struct trc_shared *shared, struct trc_err *err)
{
	struct shared_sink *s = trc_alloc(1, sizeof(*s), err);

	if (!s)
		return NULL;
	s->sink = (struct trc_sink){ .put = shared_put,
		                     .finish = shared_finish,
		                     .close = shared_close };
	s->shared = shared;
	if (trc_map_init(&s->map, err)) {
		free(s);
		return NULL;
	}
	return &s->sink;
}
