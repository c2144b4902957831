/* SPDX-License-Identifier: MIT */
#include "stage/reduce/lru_pairs.h"

#include <stdlib.h>

#include "base/map_find.h"
#include "stage/reduce/certify.h"

#define NOBODY TRC_LRU_NOBODY

int
trc_lru_pairs_init(struct trc_lru_pairs *t, uint64_t r, const struct trc_scope *scope,
                   struct trc_err *err)
{
	*t = (struct trc_lru_pairs){ .r = r, .scope = *scope };
	return trc_pages_init(&t->pages, err) || trc_map_init(&t->map, err) ? -1 : 0;
}

void
trc_lru_pairs_release(struct trc_lru_pairs *t)
{
	trc_pages_release(&t->pages);
	trc_map_release(&t->map);
	free(t->page);
	free(t->pair);
	*t = (struct trc_lru_pairs){ 0 };
}

int
trc_lru_pairs_number(struct trc_lru_pairs *t, const uint64_t *page, const uint32_t *space, size_t n,
                     uint32_t *id, struct trc_err *err)
{
	if (trc_pages_number(&t->pages, page, space, n, id, err) ||
	    trc_grow(&t->page, &t->cap, t->pages.n, sizeof(*t->page), err))
		return -1;
	for (size_t i = 0; i < n; i++)
		if (id[i] >= t->known) {
			t->page[id[i]] = (struct trc_lru_pairs_page){ .number = page[i],
				                                      .space = space ? space[i] :
				                                                       0 };
			t->known = (size_t)id[i] + 1;
		}
	return 0;
}

struct trc_lru_pair *
trc_lru_pairs_of(struct trc_lru_pairs *t, uint32_t space, struct trc_err *err)
{
	const struct trc_lru_pairs_memory empty = { NOBODY, NOBODY, 0 };
	uint32_t known;

	if (!t->scope.by_space)
		space = 0;
	known = trc_map_find(&t->map, space, 0)->value;
	if (known != TRC_MAP_NONE)
		return &t->pair[known];
	if (t->n == TRC_CERTIFY_SPACES_MOST) {
		trc_fail(err, "more than %d address spaces", TRC_CERTIFY_SPACES_MOST);
		return NULL;
	}
	if (trc_grow(&t->pair, &t->pairs_cap, t->n + 1, sizeof(*t->pair), err) ||
	    trc_map_add(&t->map, space, 0, (uint32_t)t->n, err))
		return NULL;
	t->pair[t->n] = (struct trc_lru_pair){ space, { empty, empty } };
	return &t->pair[t->n++];
}
