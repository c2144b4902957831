/* SPDX-License-Identifier: MIT
 * Scans a damaged file once, frame by frame. */
#include "container/frame/repair_scan.h"

#include <stdlib.h>

#include "base/io/patched.h"
#include "container/frame/kinds.h"

static void
release_group(struct trc_parity_group *g)
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
	free(g->good);
	*g = (struct trc_groups){ 0 };
}

/* ---- parity frames ---- */

/* Returns true if a parity frame belongs to group `g`. A copy of the container may contain the same
 * group again. */
static bool
is_of(const struct trc_parity_group *g, const struct trc_parity_shape *b, uint64_t end)
{
	const struct trc_parity_shape *a = &g->shape;

	return !g->banded && a->bytes == b->bytes && a->sector == b->sector &&
	       a->parity == b->parity && a->last == b->last && end < g->end + a->bytes &&
	       g->close.at == TRC_NOWHERE &&
	       memcmp(a->sums, b->sums, TRC_PARITY_SUM * a->sectors) == 0;
}

/* Adds a group with room for the positions of `frames` parity frames. */
static int
add_group(struct trc_groups *g, struct trc_parity_group new, size_t frames, struct trc_err *err)
{
	new.close.at = TRC_NOWHERE;
	new.place = trc_alloc(frames, sizeof(*new.place), err);
	if (!new.place || trc_grow(&g->group, &g->cap, g->n + 1, sizeof(*g->group), err)) {
		release_group(&new);
		return -1;
	}
	for (size_t j = 0; j < frames; j++)
		new.place[j].frame.at = TRC_NOWHERE;
	g->group[g->n++] = new;
	return 0;
}

static int
add_sectors(struct trc_groups *g, const struct trc_parity_shape *shape, uint64_t end,
            struct trc_err *err)
{
	const size_t bytes = TRC_PARITY_SUM * shape->sectors;
	struct trc_parity_group new = { .bytes = shape->bytes,
		                        .last = shape->last,
		                        .reach = (uint64_t)shape->parity * shape->sector,
		                        .shape = *shape,
		                        .end = end };
	uint8_t *sums = trc_alloc_room(bytes, 1, err);

	if (!sums)
		return -1;
	new.shape.sums = memcpy(sums, shape->sums, bytes);
	return add_group(g, new, shape->parity, err);
}

/* Records the position of a parity frame of the last group. */
static void
put_place(struct trc_groups *g, size_t nth, const struct trc_frame *f, uint64_t parity)
{
	struct trc_parity_group *last = &g->group[g->n - 1];
	struct trc_parity_place *place = &last->place[nth];

	last->places += place->frame.at == TRC_NOWHERE;
	*place = (struct trc_parity_place){
		.frame = { f->offset, (size_t)trc_frame_bytes(f) },
		.parity = parity,
	};
	last->tail = f->offset + trc_frame_bytes(f);
}

/* Handles a parity frame; ignores an invalid one. */
static int
take_parity(struct trc_groups *g, const struct trc_frame *f, struct trc_err *err)
{
	struct trc_parity_group *last = g->n ? &g->group[g->n - 1] : NULL;
	struct trc_parity_shape shape;
	const uint8_t *parity;
	uint64_t back, end;

	if (!trc_parity_frame_read(f, &shape, &back, &parity) || back - shape.bytes > f->offset)
		return 0;
	end = f->offset - (back - shape.bytes);
	if ((!last || !is_of(last, &shape, end)) && add_sectors(g, &shape, end, err))
		return -1;
	put_place(g, f->number, f, f->offset + f->head + (uint64_t)(parity - f->payload));
	return 0;
}

/* Returns true if a frame of bands belongs to group `g`, in which bytes may have been lost or
 * inserted. */
static bool
is_banded(const struct trc_parity_group *g, const struct trc_bands *b, unsigned nth, uint64_t end)
{
	const uint64_t moved = end > g->end ? end - g->end : g->end - end;

	return g->banded && g->bytes == b->bytes && g->bands.parity == b->parity &&
	       g->last == b->last && g->close.at == TRC_NOWHERE && moved <= g->reach &&
	       g->place[nth].frame.at == TRC_NOWHERE;
}

/* Handles a frame of bands whose header is intact; ignores an invalid one. */
static int
take_bands(struct trc_groups *g, const struct trc_frame *f, uint64_t size, struct trc_err *err)
{
	struct trc_parity_group *last = g->n ? &g->group[g->n - 1] : NULL;
	struct trc_parity_group new = { .banded = true };
	unsigned nth;

	if (!trc_bands_read(&new.bands, &nth, f))
		return 0;
	new.bytes = new.bands.bytes;
	new.last = new.bands.last;
	new.reach = new.bands.parity *(uint64_t) new.bands.band;
	new.end = f->offset - (trc_bands_frame(&new.bands, nth) - new.bytes);
	if (new.end > f->offset || new.bytes > size)
		return 0;
	if ((!last || !is_banded(last, &new.bands, nth, new.end)) &&
	    add_group(g, new, new.bands.frames, err))
		return -1;
	put_place(g, nth, f, 0);
	last = &g->group[g->n - 1];
	last->tail = last->tail < size ? last->tail : size;
	return 0;
}

/* Handles an end frame, which may be that of the preceding group. */
static void
take_end(struct trc_groups *g, const struct trc_frame *f)
{
	struct trc_parity_group *last = g->n ? &g->group[g->n - 1] : NULL;

	if (last && last->last && last->close.at == TRC_NOWHERE)
		last->close = (struct trc_span){ f->offset, (size_t)trc_frame_bytes(f) };
}

static int
add_frame(struct trc_groups *g, const struct trc_frame *f, struct trc_err *err)
{
	if (trc_grow(&g->good, &g->good_cap, g->goods + 1, sizeof(*g->good), err))
		return -1;
	g->good[g->goods++] = (struct trc_span){ f->offset, (size_t)trc_frame_bytes(f) };
	if (f->kind == TRC_KIND_END)
		take_end(g, f);
	return f->kind == TRC_KIND_PARITY ? take_parity(g, f, err) : 0;
}

static int
find_groups(struct trc_groups *g, struct trc_in *in, struct trc_err *err)
{
	uint64_t vain = 0, skipped;
	struct trc_frame f = { 0 };

	for (;;) {
		enum trc_frame_found found = trc_frame_peek(in, &f, err);

		if (found == TRC_FRAME_GOOD && f.kind == TRC_KIND_BANDS &&
		    take_bands(g, &f, trc_in_size(in), err))
			return -1;
		if (found != TRC_FRAME_FAILED)
			found = trc_frame_try(in, TRC_PAYLOAD_MOST, &vain, &f, err);
		if (found == TRC_FRAME_END)
			return 0;
		if (found == TRC_FRAME_FAILED && f.len <= TRC_PAYLOAD_MOST)
			return -1;
		if (found == TRC_FRAME_GOOD && add_frame(g, &f, err))
			return -1;
		if (found != TRC_FRAME_GOOD && trc_frame_search(in, &skipped, err))
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
		ret = find_groups(g, in, err);
	else
		trc_patched_close(again);
	trc_in_close(in);
	return ret;
}
