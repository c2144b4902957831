/* SPDX-License-Identifier: MIT */
#include "stage/phase/misses.h"

#include <stdlib.h>

int
trc_misses_init(struct trc_misses *m, unsigned bits, const uint64_t *size, size_t n,
                struct trc_err *err)
{
	*m = (struct trc_misses){ .bits = bits, .sizes = n };
	/* A stack cannot have more lines. */
	for (size_t i = 0; i < n; i++)
		m->size[i] = size[i] < UINT32_MAX ? size[i] : UINT32_MAX;
	trc_stack_init(&m->stack);
	return trc_pages_init(&m->lines, err);
}

void
trc_misses_release(struct trc_misses *m)
{
	trc_pages_release(&m->lines);
	trc_stack_release(&m->stack);
	free(m->holes.hole);
}

int
trc_misses_settle(struct trc_misses *m, struct trc_err *err)
{
	uint32_t id[TRC_MISSES_RUN], distance[TRC_MISSES_RUN];

	if (trc_pages_number(&m->lines, m->line, m->space, m->n, id, err) ||
	    trc_stack_refs(&m->stack, id, m->n, m->lines.n, distance, err))
		return -1;
	for (size_t i = 0; m->holes.n && i < m->n; i++) {
		distance[i] = distance[i] ? trc_holes_position(&m->holes, distance[i]) : 0;
		(void)trc_holes_fill(&m->holes, distance[i]);
	}
	for (size_t s = 0; s < m->sizes; s++) {
		uint64_t misses = 0;

		/* A first reference has distance 0. */
		for (size_t i = 0; i < m->n; i++)
			misses += distance[i] - 1u >= m->size[s];
		m->count.misses[s] += misses;
	}
	m->count.touches += m->n;
	m->n = 0;
	return 0;
}

/* Touches the line `first` and the `more` lines after it. */
static int
refer(struct trc_misses *m, uint32_t space, uint64_t first, uint64_t more, struct trc_err *err)
{
	for (uint64_t i = 0; i <= more; i++) {
		if (m->n == TRC_MISSES_RUN && trc_misses_settle(m, err))
			return -1;
		m->line[m->n] = first + i;
		m->space[m->n++] = space;
	}
	return 0;
}

/* Deletes a line. */
static int
delete_line(void *what, uint32_t id, struct trc_err *err)
{
	struct trc_misses *m = what;
	const uint32_t rank = trc_stack_remove(&m->stack, id);

	return rank ? trc_holes_put(&m->holes, trc_holes_position(&m->holes, rank), err) : 0;
}

int
trc_misses_put(struct trc_misses *m, const struct trc_batch *b, size_t from, size_t to,
               struct trc_err *err)
{
	for (size_t i = from; i < to; i++) {
		const uint8_t type = b->type[i] & TRC_TYPE_MASK;
		const unsigned refs = trc_batch_is_event(b, i) ? 0 : trc_type_refs(type);
		const uint64_t last = b->addr[i] + (b->size && b->size[i] ? b->size[i] - 1 : 0);
		const uint64_t first = b->addr[i] >> m->bits, more = (last >> m->bits) - first;
		const uint32_t space = b->asid ? b->asid[i] : 0;

		if ((refs > 0 || type == TRC_INVALIDATE) && trc_batch_past_end(b, i))
			return trc_batch_fail_past_end(b, i, err);
		if (type == TRC_INVALIDATE &&
		    (trc_misses_settle(m, err) ||
		     trc_pages_each(&m->lines, space, first,
		                    b->size && b->size[i] == 0 ? 0 : more + 1, delete_line, m,
		                    err)))
			return -1;
		/* All loads precede the stores. */
		for (unsigned k = 0; k < refs; k++)
			if (refer(m, space, first, more, err))
				return -1;
		m->count.refs += refs;
		m->count.insns += refs > 0 && type == TRC_FETCH;
	}
	return 0;
}
