/* SPDX-License-Identifier: MIT
 *
 * As numbers: rows, head, tail, marks; of each mark how many rows it is behind the one before, and
 * how many candidates ended.
 */
#include "stage/reduce/settled.h"

#include <stdlib.h>

#include "batch/flow.h"

void
trc_settled_release(struct trc_settled *s)
{
	free(s->mark);
	*s = (struct trc_settled){ 0 };
}

int
trc_settled_mark(struct trc_settled *s, uint64_t row, uint32_t pops, struct trc_err *err)
{
	if (trc_grow(&s->mark, &s->cap, s->marks + 1, sizeof(*s->mark), err))
		return -1;
	s->mark[s->marks++] = (struct trc_mark){ row, pops };
	return 0;
}

int
trc_settled_save(const struct trc_settled *s, struct trc_buf *to, struct trc_err *err)
{
	uint64_t last = 0;

	if (trc_buf_put_num(to, s->rows, err) || trc_buf_put_num(to, s->head, err) ||
	    trc_buf_put_num(to, s->tail, err) || trc_buf_put_num(to, s->marks, err))
		return -1;
	for (size_t i = 0; i < s->marks; i++) {
		if (trc_buf_put_num(to, s->mark[i].row - last, err) ||
		    trc_buf_put_num(to, s->mark[i].pops, err))
			return -1;
		last = s->mark[i].row;
	}
	return 0;
}

static int
load_mark(struct trc_settled *s, struct trc_view *from, uint64_t *row, struct trc_err *err)
{
	uint64_t more, pops;

	if (!trc_view_num(from, &more) || !trc_view_num(from, &pops) || (s->marks && more == 0) ||
	    more >= s->rows - *row || pops == 0 || pops > UINT32_MAX)
		return trc_sink_damaged(err);
	*row += more;
	return trc_settled_mark(s, *row, (uint32_t)pops, err);
}

int
trc_settled_load(struct trc_settled *s, struct trc_view *from, struct trc_err *err)
{
	uint64_t marks, row = 0;

	if (!trc_view_num(from, &s->rows) || !trc_view_num(from, &s->head) ||
	    !trc_view_num(from, &s->tail) || !trc_view_num(from, &marks) || s->head > s->tail ||
	    s->tail > s->rows)
		return trc_sink_damaged(err);
	for (uint64_t i = 0; i < marks; i++)
		if (load_mark(s, from, &row, err))
			return -1;
	return 0;
}
