/* SPDX-License-Identifier: MIT
 * Reads and writes parity frames of sectors. */
#include "container/frame/parity.h"

#include <xxhash.h>

#include "container/frame/reed_solomon.h"
#include "container/frame/kinds.h"

uint16_t
trc_parity_sum(const uint8_t *sector, size_t n)
{
	return (uint16_t)XXH3_64bits(sector, n);
}

int
trc_parity_frame_write(struct trc_buf *frame, const struct trc_parity_shape *shape, size_t j,
                       uint64_t back, const uint8_t *parity, struct trc_err *err)
{
	const uint64_t number[] = { back, shape->bytes, shape->sector, shape->parity, shape->last };
	struct trc_buf payload = { 0 };
	int ret = 0;

	for (size_t i = 0; ret == 0 && i < TRC_COUNT(number); i++)
		ret = trc_buf_put_num(&payload, number[i], err);
	if (ret == 0 && (trc_buf_put(&payload, shape->sums, TRC_PARITY_SUM * shape->sectors, err) ||
	                 trc_buf_put(&payload, parity, shape->sector, err)))
		ret = -1;
	if (ret == 0)
		ret = trc_frame_put(frame, TRC_KIND_PARITY, j, &payload, err);
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
