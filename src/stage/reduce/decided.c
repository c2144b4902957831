/* SPDX-License-Identifier: MIT
 *
 * The state is numbers: rows, head, tail, marks; for each mark the number of rows since the
 * previous one, and the number of candidates that ended.
 */
#include "stage/reduce/decided.h"

#include <stdlib.h>

void
trc_decided_release(struct trc_decided *s)
{
	free(s->mark);
	*s = (struct trc_decided){ 0 };
}

int
trc_decided_mark(struct trc_decided *s, uint64_t row, uint32_t pops, struct trc_err *err)
{
	if (trc_grow(&s->mark, &s->cap, s->marks + 1, sizeof(*s->mark), err))
		return -1;
	s->mark[s->marks++] = (struct trc_mark){ row, pops };
	return 0;
}

/* Returns true if the marks are in increasing order. */
static bool
are_marks(const struct trc_decided *s)
{
	for (size_t i = 0; i < s->marks; i++)
		if (s->mark[i].row >= s->rows || s->mark[i].pops == 0 ||
		    (i > 0 && s->mark[i].row <= s->mark[i - 1].row))
			return false;
	return s->head <= s->tail && s->tail <= s->rows;
}

void
trc_decided_state(struct trc_decided *s, struct trc_state *t)
{
	trc_state_nums(t, &s->rows, &s->head, &s->tail);
	trc_state_count(t, &s->marks, UINT32_MAX);
	if (!t->failed && !t->writes)
		t->failed = trc_grow(&s->mark, &s->cap, s->marks + 1, sizeof(*s->mark), t->err) !=
		            0;
	if (t->failed || s->marks == 0)
		return;
	trc_state_array(t, TRC_STRIDED(&s->mark->row, sizeof(*s->mark)), s->marks, TRC_STATE_DELTA,
	                UINT64_MAX);
	trc_state_array(t, TRC_STRIDED(&s->mark->pops, sizeof(*s->mark)), s->marks, 0, UINT32_MAX);
	if (!t->failed && !are_marks(s))
		trc_state_damaged(t);
}
