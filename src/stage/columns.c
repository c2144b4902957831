/* SPDX-License-Identifier: MIT
 * Losing columns that a format cannot hold, and supplying ones that it needs. */
#include "stage/stage.h"

#include <string.h>

#include "stage/wrap.h"

/* The stage. */
struct columns {
	struct trc_wrap wrap;
	bool drop_kernel;
	bool drop_events; /* rows and all */
	struct trc_fill fill[TRC_COLUMNS];
	size_t fills;
};

static void
fill_column(const struct trc_batch *b, enum trc_column c, uint64_t value)
{
	void *at = trc_batch_column(b, c);

	for (size_t i = 0; i < b->n; i++)
		switch (trc_column[c].width) {
		case 1: ((uint8_t *)at)[i] = (uint8_t)value; break;
		case 4: ((uint32_t *)at)[i] = (uint32_t)value; break;
		default: ((uint64_t *)at)[i] = value; break;
		}
}

/* Moves what waits into `b`, in columns that both have. */
static void
move_common(struct columns *s, struct trc_batch *b)
{
	const struct trc_batch *in = &s->wrap.in;
	const uint32_t have = b->have & in->have;
	size_t *at = &s->wrap.at, n;

	while (*at < in->n && b->n < b->cap) {
		if (s->drop_events && trc_batch_is_event(in, *at)) {
			++*at;
			continue;
		}
		n = in->n - *at < b->cap - b->n ? in->n - *at : b->cap - b->n;
		for (size_t i = 1; s->drop_events && i < n; i++)
			if (trc_batch_is_event(in, *at + i))
				n = i;
		trc_batch_copy(b, in, have, *at, n);
		b->n += n;
		*at += n;
	}
}

static enum trc_flow
columns_next(struct trc_source *src, struct trc_batch *b, struct trc_err *err)
{
	struct columns *s = (struct columns *)src;
	struct trc_wrap *w = &s->wrap;

	while (b->n == 0) {
		enum trc_flow flow = trc_wrap_pull(w, err);

		if (flow != TRC_FLOW_ROWS)
			return flow;
		move_common(s, b);
	}
	for (size_t i = 0; i < s->fills; i++)
		fill_column(b, s->fill[i].column, s->fill[i].value);
	if (s->drop_kernel && b->type)
		for (size_t i = 0; i < b->n; i++)
			b->type[i] &= (uint8_t)~TRC_KERNEL;
	return TRC_FLOW_ROWS;
}

struct trc_source *
trc_stage_columns(struct trc_source *from, uint32_t drop, bool drop_kernel,
                  const struct trc_fill *fill, size_t fills, struct trc_err *err)
{
	uint32_t have = from->have & ~drop;
	struct columns *s;

	for (size_t i = 0; i < fills; i++)
		have |= UINT32_C(1) << fill[i].column;
	s = trc_wrap_open(sizeof(*s), from, have, columns_next, err);
	if (!s)
		return NULL;
	s->drop_kernel = drop_kernel;
	s->drop_events = drop & TRC_HAS_EVENT;
	if (fills > 0)
		memcpy(s->fill, fill, fills * sizeof(*fill));
	s->fills = fills;
	return &s->wrap.src;
}
