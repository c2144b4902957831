/* SPDX-License-Identifier: MIT
 * One way through a damaged file, from frame to frame. */
#include "container/frame/repair_scan.h"

#include <stdlib.h>

#include "base/io/patched.h"
#include "container/frame/kinds.h"

enum { FRAME_MOST = 1 << 28 };

static void
release_group(struct trc_group *g)
{
	free((void *)(uintptr_t)g->shape.sums);
	free(g->place);
}

void
trc_groups_release(struct trc_groups *g)
{
	for (size_t i = 0; i < g->n; i++)
		release_group(&g->group[i]);
	free(g->group);
	*g = (struct trc_groups){ 0 };
}

/* ---- parity frames ---- */

/* True if a parity frame is of a group. The same group may follow in a copy of the container. */
static bool
is_of(const struct trc_group *g, const struct trc_parity_shape *b, uint64_t end)
{
	const struct trc_parity_shape *a = &g->shape;

	return a->bytes == b->bytes && a->sector == b->sector && a->parity == b->parity &&
	       a->last == b->last && end < g->end + a->bytes && g->close.at == TRC_NOWHERE &&
	       memcmp(a->sums, b->sums, TRC_PARITY_SUM * a->sectors) == 0;
}

static int
add_group(struct trc_groups *g, const struct trc_parity_shape *shape, uint64_t end,
          struct trc_err *err)
{
	const size_t bytes = TRC_PARITY_SUM * shape->sectors;
	struct trc_group new = { .shape = *shape, .end = end, .close.at = TRC_NOWHERE };
	uint8_t *sums = trc_alloc_room(bytes, 1, err);

	new.shape.sums = sums;
	new.place = sums ? trc_alloc(shape->parity, sizeof(*new.place), err) : NULL;
	if (!new.place || trc_grow(&g->group, &g->cap, g->n + 1, sizeof(*g->group), err)) {
		release_group(&new);
		return -1;
	}
	memcpy(sums, shape->sums, bytes);
	for (size_t j = 0; j < shape->parity; j++)
		new.place[j].frame.at = TRC_NOWHERE;
	g->group[g->n++] = new;
	return 0;
}

/* Takes a parity frame; one that makes no sense is passed over. */
static int
take_parity(struct trc_groups *g, const struct trc_frame *f, struct trc_err *err)
{
	struct trc_group *last = g->n ? &g->group[g->n - 1] : NULL;
	struct trc_parity_place *place;
	struct trc_parity_shape shape;
	const uint8_t *parity;
	uint64_t back, end;

	if (!trc_parity_frame_read(f, &shape, &back, &parity) || back - shape.bytes > f->offset)
		return 0;
	end = f->offset - (back - shape.bytes);
	if (!last || !is_of(last, &shape, end)) {
		if (add_group(g, &shape, end, err))
			return -1;
		last = &g->group[g->n - 1];
	}
	place = &last->place[f->number];
	last->places += place->frame.at == TRC_NOWHERE;
	*place = (struct trc_parity_place){
		.frame = { f->offset, (size_t)trc_frame_bytes(f) },
		.parity = f->offset + f->head + (uint64_t)(parity - f->payload),
	};
	last->tail = f->offset + trc_frame_bytes(f);
	return 0;
}

/* An end frame may be that of the group before it. */
static void
take_end(struct trc_groups *g, const struct trc_frame *f)
{
	struct trc_group *last = g->n ? &g->group[g->n - 1] : NULL;

	if (last && last->shape.last && last->close.at == TRC_NOWHERE)
		last->close = (struct trc_extent){ f->offset, (size_t)trc_frame_bytes(f) };
}

static int
find(struct trc_groups *g, struct trc_in *in, struct trc_err *err)
{
	uint64_t vain = 0, skipped;
	struct trc_frame f;

	for (;;) {
		const enum trc_frame_found found = trc_frame_try(in, FRAME_MOST, &vain, &f, err);

		if (found == TRC_FRAME_END)
			return 0;
		if (found == TRC_FRAME_FAILED && f.len <= FRAME_MOST)
			return -1;
		if (found != TRC_FRAME_GOOD && trc_frame_search(in, &skipped, err))
			return -1;
		if (found != TRC_FRAME_GOOD)
			continue;
		if (f.kind == TRC_KIND_END)
			take_end(g, &f);
		if (f.kind == TRC_KIND_PARITY && take_parity(g, &f, err))
			return -1;
	}
}

int
trc_groups_find(struct trc_groups *g, struct trc_stream *s, struct trc_err *err)
{
	struct trc_patched *again = trc_patched_open(s, err);
	struct trc_in *in = NULL;
	int ret = -1;

	if (again && trc_patched_add_range(again, 0, s->size, err) == 0)
		in = trc_in_stream(trc_patched_stream(again, 0, false), "", err);
	if (in)
		ret = find(g, in, err);
	else
		trc_patched_close(again);
	trc_in_close(in);
	return ret;
}
