/* SPDX-License-Identifier: MIT */
#include "stage/wrap.h"

#include <stdlib.h>

void *
trc_wrap_open(size_t size, struct trc_source *from, uint32_t have, trc_next_fn next,
              struct trc_err *err)
{
	struct trc_wrap *w = trc_alloc(1, size, err);

	if (!w)
		return NULL;
	if (trc_batch_init(&w->in, from->have, TRC_BATCH_ROWS, err)) {
		free(w);
		return NULL;
	}
	w->src = (struct trc_source){ .have = have,
		                      .spare = from->spare & have,
		                      .meta_at_end = from->meta_at_end,
		                      .meta = from->meta,
		                      .next = next,
		                      .close = trc_wrap_close };
	w->from = from;
	return w;
}

enum trc_flow
trc_wrap_pull(struct trc_wrap *w, struct trc_err *err)
{
	enum trc_flow flow = TRC_FLOW_ROWS;

	if (w->at == w->in.n) {
		w->at = 0;
		flow = trc_source_next(w->from, &w->in, err);
		w->src.meta = w->from->meta;
	}
	return flow;
}

void
trc_wrap_close(struct trc_source *src)
{
	struct trc_wrap *w = (struct trc_wrap *)src;

	trc_source_close(w->from);
	trc_batch_release(&w->in);
	free(w);
}
