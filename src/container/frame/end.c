/* SPDX-License-Identifier: MIT */
#include "container/frame/end.h"

int
trc_end_write(struct trc_buf *b, const struct trc_end *end, struct trc_err *err)
{
	return trc_buf_put_num(b, end->index, err) || trc_buf_put_num(b, end->start, err) ? -1 : 0;
}

bool
trc_end_read(struct trc_view v, struct trc_end *end)
{
	return trc_view_num(&v, &end->index) && trc_view_num(&v, &end->start) && v.p == v.end &&
	       end->index <= end->start;
}
