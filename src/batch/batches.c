/* SPDX-License-Identifier: MIT */
#include "batch/batches.h"

#include <stdlib.h>

void
trc_batches_release(struct trc_batches *l)
{
	for (size_t i = 0; i < l->room; i++)
		trc_batch_release(&l->batch[i]);
	free(l->batch);
	*l = (struct trc_batches){ 0 };
}

struct trc_batch *
trc_batches_next(struct trc_batches *l, uint32_t have, struct trc_err *err)
{
	if (l->n < l->room)
		return &l->batch[l->n];
	if (trc_grow(&l->batch, &l->cap, l->room + 1, sizeof(*l->batch), err) ||
	    trc_batch_init(&l->batch[l->room], have, TRC_BATCH_ROWS, err))
		return NULL;
	return &l->batch[l->room++];
}

void
trc_batches_copy(const struct trc_batches *l, struct trc_batches_at *place, struct trc_batch *b)
{
	while (place->i < l->n && b->n < b->cap) {
		const struct trc_batch *from = &l->batch[place->i];
		const size_t left = from->n - place->at, room = b->cap - b->n;
		const size_t n = left < room ? left : room;

		trc_batch_append(b, from, place->at, n);
		place->at += n;
		if (place->at == from->n)
			*place = (struct trc_batches_at){ place->i + 1, 0 };
	}
}
