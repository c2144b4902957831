/* SPDX-License-Identifier: MIT
 * Builds the rows of a block from its references and its other columns. */
#include "container/row_block.h"

#include "container/index.h"

void
trc_row_block_release(struct trc_row_block *b)
{
	trc_sections_release(&b->sections);
	trc_block_refs_release(&b->refs);
}

/* ---- references ---- */

int
trc_row_block_follow(struct trc_row_block *b, const struct trc_packed_block *from,
                     struct trc_err *err)
{
	const struct trc_block_frame *f = trc_packed_block_refs(from);

	trc_block_refs_clear(&b->refs, f->first);
	return trc_block_refs_follow(&b->refs, &from->version, from, f, err) ?
	               trc_packed_block_fail(from, f, err) :
	               0;
}

/* Adds one frame. They are added in order, because each needs the program as of its position. */
static int
add_frame(struct trc_row_block *b, struct trc_packed_block *from, const struct trc_block_frame *f,
          struct trc_program_versions *v, struct trc_err *err)
{
	switch (f->kind) {
	case TRC_KIND_TRACE: trc_program_versions_lose(v); return 0;
	case TRC_KIND_PROGRAM:
		return trc_program_versions_add(v, trc_packed_block_payload(from, f), f->number,
		                                from->set.have, err);
	case TRC_KIND_REFS: return trc_block_refs_add(&b->refs, &v->newest, from, f, err);
	default: return 0;
	}
}

int
trc_row_block_refs(struct trc_row_block *b, struct trc_packed_block *from,
                   struct trc_program_versions *v, struct trc_err *err)
{
	if (from->single)
		return trc_block_refs_begin(&b->refs, from, err) ?
		               trc_packed_block_fail(from, trc_packed_block_refs(from), err) :
		               0;
	trc_block_refs_clear(&b->refs, UINT64_MAX);
	/* In a salvage, errors are ignored here: trc_row_block_finish() finds what is missing. */
	for (size_t i = 0; i < from->frames; i++)
		if (add_frame(b, from, &from->frame[i], v, err) &&
		    (!from->set.salvage || err->code != TRC_FAILED))
			return trc_packed_block_fail(from, &from->frame[i], err);
	return 0;
}

/* ---- rows ---- */

/* If the index has other times than the block, it may also have caused blocks with selected rows to
 * be skipped. */
static int
check_times(const struct trc_sections *s, const struct trc_block_range *range, struct trc_err *err)
{
	uint64_t first, last;

	if (!range->timed || !(s->have & TRC_HAS_TIME) || s->end < s->rows)
		return 0;
	trc_times_range(s->column.time, (size_t)s->rows, &first, &last);
	return first == range->time_first && last == range->time_last ?
	               0 :
	               trc_fail(err, "the index does not match the times of a block");
}

int
trc_row_block_finish(struct trc_row_block *b, const struct trc_packed_block *from,
                     struct trc_err *err)
{
	const struct trc_sections *s = &b->sections;

	if (trc_block_refs_check(&b->refs, &s->refs, s->first, &s->column, s->rows, err) ||
	    check_times(s, &from->range, err))
		return trc_packed_block_fail(from, trc_packed_block_last(from), err);
	b->at = s->begin;
	b->end = s->end;
	b->whole = b->at == 0 && b->end == s->rows;
	trc_block_refs_skip(&b->refs, b->at);
	return 0;
}

size_t
trc_row_block_take(struct trc_row_block *b, struct trc_batch *to, struct trc_fingerprint *sum)
{
	const struct trc_sections *s = &b->sections;
	const size_t at = to->n;
	size_t n = to->cap - at;

	if (n > b->end - b->at)
		n = (size_t)(b->end - b->at);
	if (b->refs.contexts)
		n = trc_block_refs_take(&b->refs, b->at, s->refs.pcs, to, n);
	trc_batch_copy(to, &s->column, s->have, (size_t)b->at, n);
	trc_fingerprint_update(sum, to, at, n);
	to->n += n;
	b->at += n;
	return n;
}
