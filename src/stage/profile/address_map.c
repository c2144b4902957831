/* SPDX-License-Identifier: MIT */
#include "stage/profile/address_map.h"

#include <stdlib.h>
#include <string.h>

#include "base/map_find.h"

enum {
	SPANS = TRC_ADDRESS_MAP_SPANS,
	GRANULES = TRC_ADDRESS_MAP_GRANULES,
	BITS = 6,    /* log2 of the first granule size: a line */
	LONG = 1024, /* the most granules that one reference may touch */
};

/* The sink. Until the end, the rows of the map are in order of first appearance. */
struct map_sink {
	struct trc_sink sink;
	struct trc_address_map *map;
	struct trc_map index;               /* space and granule -> row */
	size_t span;                        /* the current span */
	uint64_t in_it;                     /* number of references in it so far */
	struct trc_address_map_row last[8]; /* rows found recently, by low bits of granules */
};

static uint8_t *
touches_of(const struct trc_address_map *m, size_t row)
{
	return m->touches + row * SPANS;
}

/* Merges each pair of adjacent spans. */
static void
join_spans(struct map_sink *s)
{
	for (size_t r = 0; r < s->map->rows; r++) {
		uint8_t *touch = touches_of(s->map, r);

		for (size_t i = 0; i < SPANS / 2; i++)
			touch[i] = touch[2 * i] | touch[2 * i + 1];
		memset(touch + SPANS / 2, 0, SPANS / 2);
	}
	s->map->span *= 2;
	s->span = SPANS / 2;
}

static void
forget_last(struct map_sink *s)
{
	memset(s->last, 0, sizeof(s->last));
}

/* Adds a row; there must be room for it. */
static int
add_row(struct map_sink *s, uint32_t space, uint64_t granule, struct trc_err *err)
{
	struct trc_address_map *m = s->map;

	if (trc_map_add(&s->index, space, granule, (uint32_t)m->rows, err))
		return -1;
	m->row[m->rows] = (struct trc_address_map_row){ space, granule, touches_of(m, m->rows) };
	memset(m->row[m->rows++].touch, 0, SPANS);
	return 0;
}

/* Merges each pair of adjacent granules. Rows never move toward the end of the array. */
static int
join_granules(struct map_sink *s, struct trc_err *err)
{
	struct trc_address_map *m = s->map;
	const size_t rows = m->rows;

	if (m->bits == 63)
		return trc_fail(err, "the map has no room for more than %d address spaces",
		                GRANULES);
	trc_map_release(&s->index);
	if (trc_map_init(&s->index, err))
		return -1;
	forget_last(s);
	m->bits++;
	m->rows = 0;
	for (size_t r = 0; r < rows; r++) {
		const uint32_t space = m->row[r].space;
		const uint64_t granule = m->row[r].granule / 2;
		const uint32_t at = trc_map_find(&s->index, space, granule)->value;

		if (at != TRC_MAP_NONE) {
			for (size_t i = 0; i < SPANS; i++)
				m->row[at].touch[i] |= touches_of(m, r)[i];
			continue;
		}
		if (trc_map_add(&s->index, space, granule, (uint32_t)m->rows, err))
			return -1;
		memmove(touches_of(m, m->rows), touches_of(m, r), SPANS);
		m->row[m->rows] = (struct trc_address_map_row){ space, granule,
			                                        touches_of(m, m->rows) };
		m->rows++;
	}
	return 0;
}

/* Returns the touches of an address, making room for it if necessary; NULL if there is no
 * memory. */
static uint8_t *
find_touches(struct map_sink *s, uint32_t space, uint64_t address, struct trc_err *err)
{
	struct trc_address_map *m = s->map;

	for (;;) {
		const uint64_t granule = address >> m->bits;
		struct trc_address_map_row *last = &s->last[granule % TRC_COUNT(s->last)];
		uint32_t at;

		if (last->touch && last->granule == granule && last->space == space)
			return last->touch;
		at = trc_map_find(&s->index, space, granule)->value;
		if (at == TRC_MAP_NONE && m->rows == GRANULES) {
			if (join_granules(s, err))
				return NULL;
			continue;
		}
		if (at == TRC_MAP_NONE) {
			at = (uint32_t)m->rows;
			if (add_row(s, space, granule, err))
				return NULL;
		}
		*last = m->row[at];
		return last->touch;
	}
}

static int
touch(struct map_sink *s, uint32_t space, uint64_t first, uint64_t last, uint8_t how,
      struct trc_err *err)
{
	while ((last >> s->map->bits) - (first >> s->map->bits) > LONG)
		if (join_granules(s, err))
			return -1;
	for (uint64_t at = first;;) {
		uint8_t *touch = find_touches(s, space, at, err);
		const uint64_t end = at | ((UINT64_C(1) << s->map->bits) - 1);

		if (!touch)
			return -1;
		touch[s->span] |= how;
		if (end >= last)
			return 0;
		at = end + 1;
	}
}

/* Counts a reference. */
static void
go_on(struct map_sink *s)
{
	s->map->refs++;
	if (++s->in_it < s->map->span)
		return;
	s->in_it = 0;
	if (++s->span == SPANS)
		join_spans(s);
}

static int
map_put(struct trc_sink *sink, const struct trc_batch *b, struct trc_err *err)
{
	static const uint8_t how[TRC_TYPES] = { [TRC_READ] = TRC_TOUCH_READ,
		                                [TRC_WRITE] = TRC_TOUCH_WRITE,
		                                [TRC_FETCH] = TRC_TOUCH_FETCH,
		                                [TRC_MODIFY] = TRC_TOUCH_READ | TRC_TOUCH_WRITE,
		                                [TRC_MISC] = TRC_TOUCH_READ };
	struct map_sink *s = (struct map_sink *)sink;
	const uint64_t *address = b->addr ? b->addr : b->vpn;

	for (size_t i = 0; i < b->n; i++) {
		const uint8_t type = trc_batch_type(b, i);
		const uint64_t size = b->addr && b->size && b->size[i] ? b->size[i] : 1;
		const uint64_t last = address[i] + (size - 1);

		if (trc_batch_is_event(b, i) || type >= TRC_TYPES || !how[type])
			continue;
		/* Both references of a modify count as read and written. */
		for (unsigned k = 0; k < trc_type_refs(type); k++) {
			if (touch(s, b->asid ? b->asid[i] : 0, address[i],
			          last < address[i] ? UINT64_MAX : last, how[type], err))
				return -1;
			go_on(s);
		}
		s->map->seen |= b->type ? how[type] : 0;
	}
	return 0;
}

static int
by_address(const void *a, const void *b)
{
	const struct trc_address_map_row *x = a, *y = b;

	if (x->space != y->space)
		return x->space < y->space ? -1 : 1;
	return x->granule < y->granule ? -1 : x->granule > y->granule;
}

static int
map_finish(struct trc_sink *sink, const struct trc_meta *meta, struct trc_err *err)
{
	struct map_sink *s = (struct map_sink *)sink;
	struct trc_address_map *m = s->map;

	(void)err;
	m->spans = s->span + (s->in_it > 0);
	if (m->pages && meta->page_bits) {
		m->bits += meta->page_bits;
		m->pages = false;
	}
	qsort(m->row, m->rows, sizeof(*m->row), by_address);
	return 0;
}

static void
map_close(struct trc_sink *sink)
{
	struct map_sink *s = (struct map_sink *)sink;

	trc_map_release(&s->index);
	free(s);
}

struct trc_sink *
trc_address_map_sink(struct trc_address_map *map, uint32_t have, struct trc_err *err)
{
	struct map_sink *s;

	*map = (struct trc_address_map){ .span = 1 };
	if (!(have & (TRC_HAS_ADDR | TRC_HAS_VPN))) {
		trc_fail(err, "the trace has neither addresses nor pages");
		return NULL;
	}
	s = trc_alloc(1, sizeof(*s), err);
	if (!s)
		return NULL;
	*s = (struct map_sink){
		.sink = { .put = map_put, .finish = map_finish, .close = map_close },
		.map = map,
	};
	map->pages = !(have & TRC_HAS_ADDR);
	map->bits = map->pages ? 0 : BITS;
	map->row = trc_alloc(GRANULES, sizeof(*map->row), err);
	map->touches = map->row ? trc_alloc_room(GRANULES, SPANS, err) : NULL;
	if (!map->touches || trc_map_init(&s->index, err)) {
		map_close(&s->sink);
		return NULL;
	}
	return &s->sink;
}

void
trc_address_map_release(void *of)
{
	struct trc_address_map *map = of;

	free(map->row);
	free(map->touches);
	map->row = NULL;
	map->touches = NULL;
}
