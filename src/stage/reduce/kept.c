/* SPDX-License-Identifier: MIT
 *
 * The state is numbers, as in base/buf.h, and rows:
 *
 *   references, instructions  that came, whether they are among the rows or not
 *   columns, merged           a bit for each column; 1 if neighbours were merged
 *   batches                   how many; and of each
 *   rows, bytes, rows         how many; how many; as in batch/packed.h
 *
 * Times that were counted begin with each part, and go on with those of the part before.
 */
#include "stage/reduce/kept.h"

#include <stdlib.h>

#include "batch/batches.h"
#include "batch/packed.h"

/* The sink. */
struct kept {
	struct trc_sink sink;
	const struct trc_source *from, *pages;
	bool block, merged;
	uint64_t refs, insns; /* of parts that were appended */
	struct trc_batches rows;
};

/* A batch with room for a row, the last one. */
static struct trc_batch *
last_batch(struct kept *s, struct trc_err *err)
{
	struct trc_batch *b = s->rows.n ? &s->rows.batch[s->rows.n - 1] : NULL;

	if (b && b->n < b->cap)
		return b;
	b = trc_batches_next(&s->rows, s->from->have, err);
	s->rows.n += b != NULL;
	return b;
}

/* Appends the rows of `b` from `at` on. */
static int
put_rows(struct kept *s, const struct trc_batch *b, size_t at, struct trc_err *err)
{
	while (at < b->n) {
		struct trc_batch *to = last_batch(s, err);
		size_t n = b->n - at;

		if (!to)
			return -1;
		n = n < to->cap - to->n ? n : to->cap - to->n;
		trc_batch_append(to, b, at, n);
		at += n;
		if (trc_batch_check(to, err))
			return -1;
	}
	return 0;
}

static int
kept_put(struct trc_sink *sink, const struct trc_batch *b, struct trc_err *err)
{
	return put_rows((struct kept *)sink, b, 0, err);
}

static int
kept_finish(struct trc_sink *sink, const struct trc_meta *meta, struct trc_err *err)
{
	(void)sink, (void)meta, (void)err;
	return 0;
}

/* ---- saving ---- */

static int
save_batch(const struct trc_batch *b, struct trc_buf *packed, struct trc_buf *state,
           struct trc_err *err)
{
	packed->n = 0;
	if (trc_batch_pack(b, packed, err) || trc_buf_put_num(state, b->n, err) ||
	    trc_buf_put_num(state, packed->n, err))
		return -1;
	return trc_buf_put(state, packed->p, packed->n, err);
}

static int
kept_save(struct trc_sink *sink, struct trc_buf *state, struct trc_err *err)
{
	const struct kept *s = (const struct kept *)sink;
	const struct trc_page_totals counted = trc_page_counted(s->pages);
	const bool merged = s->merged || s->from->meta.guarantee.reduced & TRC_MERGED;
	struct trc_buf packed = { 0 };
	int ret = 0;

	if (trc_buf_put_num(state, s->refs + counted.refs, err) ||
	    trc_buf_put_num(state, s->insns + counted.insns, err) ||
	    trc_buf_put_num(state, s->from->have, err) || trc_buf_put_num(state, merged, err) ||
	    trc_buf_put_num(state, s->rows.n, err))
		return -1;
	for (size_t k = 0; ret == 0 && k < s->rows.n; k++)
		ret = save_batch(&s->rows.batch[k], &packed, state, err);
	trc_buf_release(&packed);
	return ret;
}

/* ---- appending ---- */

/* Goes on with the times of what was there before. */
static void
shift_times(const struct kept *s, struct trc_batch *b)
{
	for (size_t i = 0; i < b->n; i++) {
		if (s->sink.counted & TRC_HAS_RTIME)
			b->rtime[i] += s->refs;
		if (s->sink.counted & TRC_HAS_ITIME)
			b->itime[i] += s->insns;
	}
}

/* The first row may go on with the run of the last; returns how many rows are new. */
static size_t
join_seam(struct kept *s, const struct trc_batch *b)
{
	struct trc_batch *last = s->rows.n ? &s->rows.batch[s->rows.n - 1] : NULL;

	if (!s->block || !last || last->n == 0 || b->n == 0 ||
	    !trc_same_page(last, last->n - 1, b, 0))
		return 0;
	last->type[last->n - 1] |= b->type[0];
	s->merged = true;
	return 1;
}

/* Appends a batch of the state; `b` has room for any. */
static int
append_batch(struct kept *s, struct trc_batch *b, bool first, struct trc_view *state,
             struct trc_err *err)
{
	const uint8_t *packed = NULL;
	uint64_t rows, bytes;

	if (trc_view_num(state, &rows) && trc_view_num(state, &bytes) && rows > 0 &&
	    rows <= TRC_BATCH_ROWS && bytes <= SIZE_MAX)
		packed = trc_view_bytes(state, (size_t)bytes);
	if (!packed)
		return trc_sink_damaged(err);
	trc_batch_clear(b);
	if (trc_batch_unpack((struct trc_view){ packed, packed + bytes }, b, (size_t)rows, err) ||
	    trc_types_check(b->type, b->n, err))
		return -1;
	shift_times(s, b);
	return put_rows(s, b, first ? join_seam(s, b) : 0, err);
}

static int
kept_append(struct trc_sink *sink, struct trc_view *state, struct trc_err *err)
{
	struct kept *s = (struct kept *)sink;
	uint64_t refs, insns, have, merged, batches;
	struct trc_batch b;
	int ret = 0;

	if (!trc_view_num(state, &refs) || !trc_view_num(state, &insns) ||
	    !trc_view_num(state, &have) || !trc_view_num(state, &merged) ||
	    !trc_view_num(state, &batches) || have != s->from->have || merged > 1)
		return trc_sink_damaged(err);
	if (trc_batch_init(&b, s->from->have, TRC_BATCH_ROWS, err))
		return -1;
	for (uint64_t k = 0; ret == 0 && k < batches; k++)
		ret = append_batch(s, &b, k == 0, state, err);
	trc_batch_release(&b);
	s->refs += refs;
	s->insns += insns;
	s->merged |= merged;
	return ret;
}

static void
kept_close(struct trc_sink *sink)
{
	struct kept *s = (struct kept *)sink;

	trc_batches_release(&s->rows);
	free(s);
}

struct trc_sink *
trc_kept_sink(const struct trc_source *from, const struct trc_source *pages, bool block,
              struct trc_err *err)
{
	struct kept *s = trc_alloc(1, sizeof(*s), err);

	if (!s)
		return NULL;
	s->sink = (struct trc_sink){ .put = kept_put,
		                     .finish = kept_finish,
		                     .close = kept_close,
		                     .save = kept_save,
		                     .append = kept_append };
	s->from = from;
	s->pages = pages;
	s->block = block;
	return &s->sink;
}

uint64_t
trc_kept_refs(const struct trc_sink *sink)
{
	const struct kept *s = (const struct kept *)sink;

	return s->refs + trc_page_counted(s->pages).refs;
}

/* ---- the rows again ---- */

struct rows {
	struct trc_source src;
	const struct kept *kept;
	struct trc_batches_at at; /* the next row */
};

static enum trc_flow
rows_next(struct trc_source *src, struct trc_batch *b, struct trc_err *err)
{
	struct rows *s = (struct rows *)src;

	trc_batches_copy(&s->kept->rows, &s->at, b);
	if (b->n == 0 && s->kept->merged && trc_meta_merged(&src->meta, err))
		return TRC_FLOW_FAILED;
	return b->n ? TRC_FLOW_ROWS : TRC_FLOW_END;
}

static void
rows_close(struct trc_source *src)
{
	free(src);
}

struct trc_source *
trc_kept_source(const struct trc_sink *sink, const struct trc_meta *meta, struct trc_err *err)
{
	const struct kept *kept = (const struct kept *)sink;
	struct rows *s = trc_alloc(1, sizeof(*s), err);

	if (!s)
		return NULL;
	s->src = (struct trc_source){
		.have = kept->from->have, .meta = *meta, .next = rows_next, .close = rows_close
	};
	s->kept = kept;
	return &s->src;
}
