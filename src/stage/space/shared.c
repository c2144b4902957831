/* SPDX-License-Identifier: MIT */
#include "stage/space/shared.h"

#include <stdlib.h>

#include "base/map_find.h"

/* A canonical page and its users. */
struct page {
	uint64_t refs;
	uint32_t spaces; /* number of spaces that touched it */
	uint32_t space;  /* the last space that touched it */
	bool written;
};

/* The sink. */
struct shared_sink {
	struct trc_sink sink;
	struct trc_shared *shared;
	struct trc_map map;     /* canonical page -> index in `page` */
	struct trc_map touched; /* space and canonical page that it touched -> 0 */
	struct page *page;
	size_t pages, cap;
};

static struct page *
find_page(struct shared_sink *s, uint64_t cpn, uint32_t space, struct trc_err *err)
{
	const uint32_t at = trc_map_find(&s->map, 0, cpn)->value;

	if (at != TRC_MAP_NONE)
		return &s->page[at];
	if (trc_grow(&s->page, &s->cap, s->pages + 1, sizeof(*s->page), err) ||
	    trc_map_add(&s->map, 0, cpn, (uint32_t)s->pages, err))
		return NULL;
	s->page[s->pages] = (struct page){ .space = ~space };
	return &s->page[s->pages++];
}

/* Counts the space if it has not touched the page before. */
static int
touch(struct shared_sink *s, struct page *p, uint64_t cpn, uint32_t space, struct trc_err *err)
{
	if (p->space == space)
		return 0;
	p->space = space;
	if (trc_map_find(&s->touched, space, cpn)->value != TRC_MAP_NONE)
		return 0;
	p->spaces++;
	return trc_map_add(&s->touched, space, cpn, 0, err);
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
		p = find_page(s, b->cpn[i], b->asid[i], err);
		if (!p || touch(s, p, b->cpn[i], b->asid[i], err))
			return -1;
		p->refs += trc_type_refs(type);
		p->written |= type == TRC_WRITE || type == TRC_MODIFY;
	}
	return 0;
}

static int
shared_finish(struct trc_sink *sink, const struct trc_meta *meta, struct trc_err *err)
{
	struct shared_sink *s = (struct shared_sink *)sink;
	struct trc_shared *k = s->shared;

	(void)meta;
	for (size_t i = 0; i < s->pages; i++)
		k->n = s->page[i].spaces >= k->n ? s->page[i].spaces + 1 : k->n;
	k->by = trc_alloc(k->n, sizeof(*k->by), err);
	if (!k->by)
		return -1;
	k->pages = s->pages;
	for (size_t i = 0; i < s->pages; i++) {
		const struct page *p = &s->page[i];
		struct trc_shared_by *by = &k->by[p->spaces];

		k->refs += p->refs;
		by->pages++;
		by->written += p->written;
		by->refs += p->refs;
	}
	for (size_t i = 2; i < k->n; i++) {
		k->shared_pages += k->by[i].pages;
		k->shared_refs += k->by[i].refs;
		k->written_pages += k->by[i].written;
	}
	return 0;
}

static void
shared_close(struct trc_sink *sink)
{
	struct shared_sink *s = (struct shared_sink *)sink;

	trc_map_release(&s->map);
	trc_map_release(&s->touched);
	free(s->page);
	free(s);
}

struct trc_sink *
trc_shared_sink(struct trc_shared *shared, struct trc_err *err)
{
	struct shared_sink *s = trc_alloc(1, sizeof(*s), err);

	*shared = (struct trc_shared){ .n = 0 };
	if (!s)
		return NULL;
	s->sink = (struct trc_sink){ .put = shared_put,
		                     .finish = shared_finish,
		                     .close = shared_close };
	s->shared = shared;
	if (trc_map_init(&s->map, err) || trc_map_init(&s->touched, err)) {
		shared_close(&s->sink);
		return NULL;
	}
	return &s->sink;
}

void
trc_shared_release(void *of)
{
	struct trc_shared *shared = of;

	free(shared->by);
	shared->by = NULL;
}
