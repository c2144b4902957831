/* SPDX-License-Identifier: MIT */
#include "stage/last_fetch.h"
#include "base/map_find.h"

#include <stdlib.h>

int
trc_last_fetch_init(struct trc_last_fetch *l, struct trc_err *err)
{
	*l = (struct trc_last_fetch){ .n = 0 };
	return trc_map_init(&l->at, err);
}

void
trc_last_fetch_release(struct trc_last_fetch *l)
{
	trc_map_release(&l->at);
	free(l->task);
	l->task = NULL;
}

/* Returns the entry of a task, or NULL; most rows have the task of the previous row. */
static struct trc_last_fetch_task *
find_task(struct trc_last_fetch *l, uint32_t task)
{
	uint32_t at;

	if (TRC_LIKELY(l->n && l->task[l->recent].task == task))
		return &l->task[l->recent];
	at = trc_map_find(&l->at, 0, task)->value;
	if (at == TRC_MAP_NONE)
		return NULL;
	l->recent = at;
	return &l->task[at];
}

int
trc_last_fetch_set(struct trc_last_fetch *l, uint32_t task, uint64_t pc, struct trc_err *err)
{
	struct trc_last_fetch_task *t = find_task(l, task);

	if (TRC_LIKELY(t)) {
		t->pc = pc;
		return 0;
	}
	if (trc_grow(&l->task, &l->cap, l->n + 1, sizeof(*l->task), err) ||
	    trc_map_add(&l->at, 0, task, (uint32_t)l->n, err))
		return -1;
	l->task[l->n++] = (struct trc_last_fetch_task){ task, pc };
	return 0;
}

const uint64_t *
trc_last_fetch_of(struct trc_last_fetch *l, uint32_t task)
{
	const struct trc_last_fetch_task *t = find_task(l, task);

	return t ? &t->pc : NULL;
}

int
trc_last_fetch_row(struct trc_last_fetch *l, const struct trc_batch *b, size_t i, uint64_t *pc,
                   struct trc_err *err)
{
	const bool event = trc_batch_is_event(b, i);
	const uint32_t task = b->task ? b->task[i] : 0;
	const uint64_t *last;

	if (!event && (b->type[i] & TRC_TYPE_MASK) == TRC_FETCH) {
		*pc = b->addr[i];
		return trc_last_fetch_set(l, task, *pc, err) ? -1 : 1;
	}
	last = event ? NULL : trc_last_fetch_of(l, task);
	*pc = last ? *last : 0;
	return last != NULL;
}
