/* SPDX-License-Identifier: MIT
 * Groups of frames, and their parity. */
#include "container/frame/parity.h"

#include <stdlib.h>
#include <xxhash.h>

#include "base/reed_solomon.h"
#include "container/frame/kinds.h"

/* ---- shapes ---- */

/* Sums are repeated in each parity frame. With sectors of the root of eight times the bytes they
 * are an eighth of the parity or, in small groups, a fourth, and sectors are as many as that
 * allows. */
struct trc_parity_shape
trc_parity_shape(uint64_t bytes, unsigned percent, bool last)
{
	struct trc_parity_shape s = { .bytes = bytes, .last = last };
	uint64_t sector = TRC_PARITY_SECTOR_LEAST;

	while (sector * sector < 8 * bytes)
		sector += sector / 8 / 2 * 2;
	s.sector = (size_t)sector;
	s.sectors = (size_t)((bytes + sector - 1) / sector);
	s.parity = (s.sectors * percent + 99) / 100;
	if (s.parity < TRC_PARITY_FRAMES_LEAST)
		s.parity = TRC_PARITY_FRAMES_LEAST;
	return s;
}

uint16_t
trc_parity_sum(const uint8_t *sector, size_t n)
{
	return (uint16_t)XXH3_64bits(sector, n);
}

/* ---- frames ---- */

int
trc_parity_frame_write(struct trc_buf *frame, const struct trc_parity_shape *shape, size_t j,
                       uint64_t back, const uint8_t *parity, struct trc_err *err)
{
	const uint64_t number[] = { back, shape->bytes, shape->sector, shape->parity, shape->last };
	uint8_t head[TRC_FRAME_HEAD_MOST];
	struct trc_buf payload = { 0 };
	size_t n;
	int ret = 0;

	for (size_t i = 0; ret == 0 && i < TRC_COUNT(number); i++)
		ret = trc_buf_put_num(&payload, number[i], err);
	if (ret == 0 && (trc_buf_put(&payload, shape->sums, TRC_PARITY_SUM * shape->sectors, err) ||
	                 trc_buf_put(&payload, parity, shape->sector, err)))
		ret = -1;
	if (ret == 0) {
		n = trc_frame_put_head(head, TRC_KIND_PARITY, j, payload.p, payload.n);
		ret = trc_buf_put(frame, head, n, err) ||
		                      trc_buf_put(frame, payload.p, payload.n, err) ?
		              -1 :
		              0;
	}
	trc_buf_release(&payload);
	return ret;
}

bool
trc_parity_frame_read(const struct trc_frame *f, struct trc_parity_shape *shape, uint64_t *back,
                      const uint8_t **parity)
{
	struct trc_view v = { f->payload, f->payload + f->len };
	uint64_t sector, sectors, count, flags;

	if (!trc_view_num(&v, back) || !trc_view_num(&v, &shape->bytes) ||
	    !trc_view_num(&v, &sector) || !trc_view_num(&v, &count) || !trc_view_num(&v, &flags) ||
	    flags > 1 || sector < 2 || sector % 2 || sector > f->len || shape->bytes == 0 ||
	    shape->bytes > *back || count > TRC_RS_MOST || f->number >= count)
		return false;
	sectors = (shape->bytes - 1) / sector + 1;
	if (sectors > TRC_RS_MOST)
		return false;
	shape->sector = (size_t)sector;
	shape->sectors = (size_t)sectors;
	shape->parity = (size_t)count;
	shape->last = flags & 1;
	shape->sums = trc_view_bytes(&v, TRC_PARITY_SUM * shape->sectors);
	*parity = shape->sums ? trc_view_bytes(&v, shape->sector) : NULL;
	return *parity && v.p == v.end;
}

/* ---- writing ---- */

void
trc_protected_release(struct trc_protected_out *p)
{
	trc_buf_release(&p->group);
}

int
trc_protected_frame(struct trc_protected_out *p, uint8_t kind, uint64_t number,
                    const struct trc_buf *payload, struct trc_err *err)
{
	uint8_t head[TRC_FRAME_HEAD_MOST];
	const size_t n = trc_frame_put_head(head, kind, number, payload->p, payload->n);

	if (trc_out_put(p->out, head, n, err) || trc_out_put(p->out, payload->p, payload->n, err))
		return -1;
	if (p->percent == 0)
		return 0;
	return trc_buf_put(&p->group, head, n, err) ||
	                       trc_buf_put(&p->group, payload->p, payload->n, err) ?
	               -1 :
	               0;
}

/* The bytes of sector `i`, all of them; the first is in `first`, filled. */
static const uint8_t *
sector_of(const struct trc_protected_out *p, const struct trc_parity_shape *shape,
          const uint8_t *first, size_t i)
{
	return i ? p->group.p + trc_parity_sector_at(shape, i) : first;
}

/* Writes the parity frames. There is room for a sector at `first`, and one at `parity`. */
static int
write_parity(const struct trc_protected_out *p, const struct trc_parity_shape *shape,
             uint8_t *first, uint8_t *parity, struct trc_err *err)
{
	struct trc_buf frame = { 0 };
	uint64_t back = shape->bytes;
	int ret = 0;

	memset(first, 0, shape->sector);
	memcpy(first, p->group.p, trc_parity_sector_bytes(shape, 0));
	for (size_t j = 0; ret == 0 && j < shape->parity; j++) {
		memset(parity, 0, shape->sector);
		for (size_t i = 0; i < shape->sectors; i++)
			trc_rs_add(parity, sector_of(p, shape, first, i), shape->sector,
			           trc_rs_factor(j, i));
		frame.n = 0;
		ret = trc_parity_frame_write(&frame, shape, j, back, parity, err) ||
		                      trc_out_put(p->out, frame.p, frame.n, err) ?
		              -1 :
		              0;
		back += frame.n;
	}
	trc_buf_release(&frame);
	return ret;
}

int
trc_protected_end(struct trc_protected_out *p, bool last, struct trc_err *err)
{
	struct trc_parity_shape shape;
	uint8_t *room, *sums;
	int ret;

	if (p->group.n == 0 || (!last && p->group.n < TRC_PARITY_GROUP))
		return 0;
	shape = trc_parity_shape(p->group.n, p->percent, last);
	room = trc_alloc_room(2 * shape.sector + TRC_PARITY_SUM * shape.sectors, 1, err);
	if (!room)
		return -1;
	sums = room + 2 * shape.sector;
	for (size_t i = 0; i < shape.sectors; i++)
		trc_put_le16(sums + TRC_PARITY_SUM * i,
		             trc_parity_sum(p->group.p + trc_parity_sector_at(&shape, i),
		                            trc_parity_sector_bytes(&shape, i)));
	shape.sums = sums;
	ret = write_parity(p, &shape, room, room + shape.sector, err);
	p->group.n = 0;
	free(room);
	return ret;
}
