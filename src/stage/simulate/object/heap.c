/* SPDX-License-Identifier: MIT */
#include "stage/simulate/object/heap.h"

#include <stdlib.h>

static bool
is_before(struct trc_heap_key a, struct trc_heap_key b)
{
	return a.first < b.first || (a.first == b.first && a.then < b.then);
}

static void
set(struct trc_heap *h, uint32_t at, struct trc_heap_node node)
{
	h->node[at] = node;
	h->place[node.id] = at;
}

/* Moves a node from position `at` to the position of its key. */
static void
sift(struct trc_heap *h, uint32_t at, struct trc_heap_node node)
{
	for (; at > 0 && is_before(node.key, h->node[(at - 1) / 2].key); at = (at - 1) / 2)
		set(h, at, h->node[(at - 1) / 2]);
	for (uint32_t child; (child = 2 * at + 1) < h->n; at = child) {
		child += child + 1 < h->n && is_before(h->node[child + 1].key, h->node[child].key);
		if (!is_before(h->node[child].key, node.key))
			break;
		set(h, at, h->node[child]);
	}
	set(h, at, node);
}

int
trc_heap_room(struct trc_heap *h, uint32_t most, struct trc_err *err)
{
	if (trc_grow(&h->node, &h->nodes, (size_t)most + 1, sizeof(*h->node), err) ||
	    trc_grow(&h->place, &h->places, (size_t)most + 1, sizeof(*h->place), err))
		return -1;
	return 0;
}

void
trc_heap_release(struct trc_heap *h)
{
	free(h->node);
	free(h->place);
	*h = (struct trc_heap){ 0 };
}

void
trc_heap_add(struct trc_heap *h, uint32_t id, struct trc_heap_key key)
{
	sift(h, h->n++, (struct trc_heap_node){ key, id });
}

void
trc_heap_change(struct trc_heap *h, uint32_t id, struct trc_heap_key key)
{
	sift(h, h->place[id], (struct trc_heap_node){ key, id });
}

void
trc_heap_take(struct trc_heap *h, uint32_t id)
{
	const uint32_t at = h->place[id];

	if (at < --h->n)
		sift(h, at, h->node[h->n]);
}
