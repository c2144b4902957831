/* SPDX-License-Identifier: MIT */
#include "container/frame/end.h"

int
trc_end_write(struct trc_buf *b, const struct trc_end *end, struct trc_err *err)
{
	uint8_t rows[8];

	trc_put_le64(rows, end->rows);
	return trc_buf_put_num(b, end->index, err) || trc_buf_put_num(b, end->start, err) ||
	                       trc_buf_put(b, rows, sizeof(rows), err) ?
	               -1 :
	               0;
}

bool
trc_end_read(struct trc_view v, uint64_t rows, struct trc_end *end)
{
	const uint8_t *p;

	if (!trc_view_num(&v, &end->index) || !trc_view_num(&v, &end->start))
		return false;
	p = trc_view_bytes(&v, 8);
	if (!p || v.p != v.end)
		return false;
	end->rows = trc_le64(p);
	return end->index <= end->start && end->rows == rows;
}
