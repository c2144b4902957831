/* SPDX-License-Identifier: MIT */
#include "stage/space/tables.h"
#include "base/map_find.h"

#include <stdlib.h>

int
trc_tables_init(struct trc_tables *p, struct trc_err *err)
{
	*p = (struct trc_tables){ .leaves = 1 };
	return trc_map_init(&p->map, err);
}

void
trc_tables_release(struct trc_tables *p)
{
	trc_map_release(&p->map);
	free(p->leaf);
	*p = (struct trc_tables){ 0 };
}

/* Returns the leaf of a chunk, or 0 if there is none. */
static uint32_t
find_leaf(const struct trc_tables *p, const struct trc_page_table *t, uint64_t chunk)
{
	const uint32_t id = trc_map_find(&p->map, t->id, chunk)->value;

	return id == TRC_MAP_NONE ? 0 : id;
}

uint32_t
trc_tables_get(const struct trc_tables *p, const struct trc_page_table *t, uint64_t page)
{
	const uint32_t id = find_leaf(p, t, page >> TRC_LEAF_BITS);

	return id ? p->leaf[id].number[page % TRC_LEAF_PAGES] : 0;
}

static uint32_t
add(struct trc_tables *p, struct trc_page_table *t, uint64_t chunk, struct trc_err *err)
{
	uint32_t id = p->spare;

	if (!id) {
		if (p->leaves >= UINT32_MAX - 1) {
			trc_fail(err, "the trace touches too many pages");
			return 0;
		}
		if (trc_grow(&p->leaf, &p->cap, p->leaves + 1, sizeof(*p->leaf), err))
			return 0;
		id = (uint32_t)p->leaves;
	}
	if (trc_map_add(&p->map, t->id, chunk, id, err))
		return 0;
	if (id == p->spare)
		p->spare = p->leaf[id].next;
	else
		p->leaves++;
	p->leaf[id] = (struct trc_leaf){ .chunk = chunk, .next = t->first };
	if (t->first)
		p->leaf[t->first].before = id;
	t->first = id;
	t->leaves++;
	return id;
}

static void
remove_leaf(struct trc_tables *p, struct trc_page_table *t, uint32_t id)
{
	struct trc_leaf *leaf = &p->leaf[id];

	trc_map_remove(&p->map, t->id, leaf->chunk);
	if (leaf->before)
		p->leaf[leaf->before].next = leaf->next;
	else
		t->first = leaf->next;
	if (leaf->next)
		p->leaf[leaf->next].before = leaf->before;
	leaf->next = p->spare;
	p->spare = id;
	t->leaves--;
}

int
trc_tables_set(struct trc_tables *p, struct trc_page_table *t, uint64_t page, uint32_t number,
               struct trc_err *err)
{
	uint32_t id = find_leaf(p, t, page >> TRC_LEAF_BITS);
	uint32_t *at;

	if (!id)
		id = add(p, t, page >> TRC_LEAF_BITS, err);
	if (!id)
		return -1;
	at = &p->leaf[id].number[page % TRC_LEAF_PAGES];
	p->leaf[id].used += *at == 0;
	*at = number;
	return 0;
}

/* An iteration over the leaves with pages in a range. If the range has fewer chunks than the table
 * has leaves, it looks up each chunk; otherwise it visits all leaves. */
struct walk {
	uint64_t chunk, last; /* chunks */
	uint32_t next;
	bool by_chunk, ended;
};

static struct walk
walk_from(const struct trc_page_table *t, uint64_t first, uint64_t last)
{
	struct walk w = { .chunk = first >> TRC_LEAF_BITS,
		          .last = last >> TRC_LEAF_BITS,
		          .next = t->first };

	w.by_chunk = w.last - w.chunk < t->leaves;
	w.ended = first > last || t->leaves == 0;
	return w;
}

/* Returns the next leaf, or 0 after the last. */
static uint32_t
walk_next(const struct trc_tables *p, const struct trc_page_table *t, struct walk *w,
          uint64_t first)
{
	uint32_t id = 0;

	while (!w->ended && !id) {
		if (w->by_chunk) {
			id = find_leaf(p, t, w->chunk);
			w->ended = w->chunk++ == w->last;
			continue;
		}
		id = w->next;
		w->ended = id == 0;
		if (w->ended)
			break;
		w->next = p->leaf[id].next;
		if (p->leaf[id].chunk < first >> TRC_LEAF_BITS || p->leaf[id].chunk > w->last)
			id = 0;
	}
	return id;
}

void
trc_tables_drop(struct trc_tables *p, struct trc_page_table *t, uint64_t first, uint64_t last)
{
	struct walk w = walk_from(t, first, last);
	uint32_t id;

	while ((id = walk_next(p, t, &w, first))) {
		struct trc_leaf *leaf = &p->leaf[id];

		for (uint64_t i = 0; i < TRC_LEAF_PAGES; i++) {
			const uint64_t page = leaf->chunk << TRC_LEAF_BITS | i;

			if (page < first || page > last || !leaf->number[i])
				continue;
			leaf->number[i] = 0;
			leaf->used--;
		}
		if (leaf->used == 0)
			remove_leaf(p, t, id);
	}
}

/* A leaf to be visited. */
struct visit {
	uint64_t chunk;
	uint32_t leaf;
};

static int
by_chunk(const void *a, const void *b)
{
	const struct visit *x = a, *y = b;

	return (x->chunk > y->chunk) - (x->chunk < y->chunk);
}

/* Lists the leaves of a range in order of their pages; the caller frees *to. */
static int
sort_leaves(const struct trc_tables *p, const struct trc_page_table *t, uint64_t first,
            uint64_t last, struct visit **to, size_t *n, struct trc_err *err)
{
	struct walk w = walk_from(t, first, last);
	size_t cap = 0;
	uint32_t id;

	*to = NULL;
	*n = 0;
	while ((id = walk_next(p, t, &w, first))) {
		if (trc_grow(to, &cap, *n + 1, sizeof(**to), err))
			return -1;
		(*to)[(*n)++] = (struct visit){ p->leaf[id].chunk, id };
	}
	if (*n > 1 && !w.by_chunk)
		qsort(*to, *n, sizeof(**to), by_chunk);
	return 0;
}

static int
visit_leaf(struct trc_tables *p, uint32_t id, uint64_t first, uint64_t last, trc_page_fn each,
           void *arg, struct trc_err *err)
{
	for (uint64_t i = 0; i < TRC_LEAF_PAGES; i++) {
		const uint64_t page = p->leaf[id].chunk << TRC_LEAF_BITS | i;
		uint32_t number = p->leaf[id].number[i];

		if (page < first || page > last || !number)
			continue;
		/* Copied, because leaves may move while others are added. */
		if (each(arg, page, &number, err))
			return -1;
		p->leaf[id].number[i] = number;
	}
	return 0;
}

int
trc_tables_each(struct trc_tables *p, const struct trc_page_table *t, uint64_t first, uint64_t last,
                trc_page_fn each, void *arg, struct trc_err *err)
{
	struct visit *visit;
	size_t n;
	int ret = sort_leaves(p, t, first, last, &visit, &n, err);

	for (size_t i = 0; i < n && ret == 0; i++)
		ret = visit_leaf(p, visit[i].leaf, first, last, each, arg, err);
	free(visit);
	return ret;
}
