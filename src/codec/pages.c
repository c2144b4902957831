/* SPDX-License-Identifier: MIT
 * Columns that go on: a table of values, and a ranker of indices in it. */
#include "codec/pages.h"

#include <stdlib.h>

#include "base/map.h"
#include "codec/pack.h"
#include "codec/rank.h"

enum { TABLE_MOST = 65536, VALUE = 8 };

struct trc_pages {
	struct trc_ranker *ranker; /* NULL: nothing came yet */
	struct trc_map map;        /* of values to indices, for writing */
	uint64_t *table;           /* of indices to values, for reading */
	size_t n, cap;             /* values in the table, and room */
	uint16_t *index;           /* for writing */
	size_t index_cap;
	struct trc_buf fresh;
};

size_t
trc_pages_memory(size_t n)
{
	return trc_ranker_memory(n) + 2 * VALUE * TABLE_MOST;
}

struct trc_pages *
trc_pages_open(struct trc_err *err)
{
	struct trc_pages *p = trc_alloc(1, sizeof(*p), err);

	if (!p)
		return NULL;
	if (trc_map_init(&p->map, err)) {
		free(p);
		return NULL;
	}
	return p;
}

void
trc_pages_close(struct trc_pages *p)
{
	if (!p)
		return;
	trc_ranker_close(p->ranker);
	trc_map_release(&p->map);
	free(p->table);
	free(p->index);
	trc_buf_release(&p->fresh);
	free(p);
}

/* The ranker; what it can remember depends on the first block. */
static struct trc_ranker *
ranker_of(struct trc_pages *p, size_t n, struct trc_err *err)
{
	if (!p->ranker)
		p->ranker = trc_ranker_open(n, err);
	return p->ranker;
}

/* Puts indices of values into p->index, and values that are new into p->fresh. */
static int
find_indices(struct trc_pages *p, const uint64_t *v, size_t n, bool *fits, struct trc_err *err)
{
	p->fresh.n = 0;
	if (trc_grow(&p->index, &p->index_cap, n, sizeof(*p->index), err))
		return -1;
	*fits = true;
	for (size_t i = 0; i < n; i++) {
		uint32_t index = trc_map_find(&p->map, 0, v[i])->value;

		if (index == TRC_MAP_NONE) {
			uint8_t value[VALUE];

			index = (uint32_t)p->map.n;
			*fits = index < TABLE_MOST;
			if (!*fits)
				break;
			trc_put_be64(value, v[i]);
			if (trc_map_add(&p->map, 0, v[i], index, err) ||
			    trc_buf_put(&p->fresh, value, VALUE, err))
				return -1;
		}
		p->index[i] = (uint16_t)index;
	}
	return 0;
}

int
trc_pages_write(struct trc_pages *p, const uint64_t *v, size_t n, int level, struct trc_buf *out,
                bool *fits, struct trc_err *err)
{
	struct trc_buf *ranked = &p->fresh; /* once that is packed */

	if (find_indices(p, v, n, fits, err))
		return -1;
	if (!*fits)
		return 0;
	if (trc_pack(p->fresh.p, p->fresh.n, TRC_PACK_WORDS8, level, out, err) ||
	    !ranker_of(p, n, err))
		return -1;
	ranked->n = 0;
	if (trc_ranker_write(p->ranker, p->index, n, level, ranked, err) ||
	    trc_buf_put_num(out, ranked->n, err))
		return -1;
	return trc_buf_put(out, ranked->p, ranked->n, err);
}

static int
damaged(struct trc_err *err)
{
	return trc_fail(err, "a column of a block is damaged");
}

int
trc_pages_read(struct trc_pages *p, struct trc_view *in, uint64_t *v, size_t n,
               struct trc_err *err)
{
	const uint8_t *ranked;
	const uint16_t *index;
	uint64_t len;

	if (trc_unpack(in, (TABLE_MOST - p->n) * VALUE, &p->fresh, err))
		return -1;
	if (trc_grow(&p->table, &p->cap, p->n + p->fresh.n / VALUE, sizeof(*p->table), err))
		return -1;
	for (size_t i = 0; i < p->fresh.n / VALUE; i++)
		p->table[p->n++] = trc_be64(p->fresh.p + VALUE * i);
	if (!trc_view_num(in, &len) || len > SIZE_MAX / 2)
		return damaged(err);
	ranked = trc_view_bytes(in, (size_t)len);
	if (!ranked)
		return damaged(err);
	if (!ranker_of(p, n, err) ||
	    trc_ranker_read(p->ranker, ranked, (size_t)len, n, &index, err))
		return -1;
	for (size_t i = 0; i < n; i++) {
		if (index[i] >= p->n)
			return damaged(err);
		v[i] = p->table[index[i]];
	}
	return 0;
}
