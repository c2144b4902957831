/* SPDX-License-Identifier: MIT
 *
 * SAD reduction on all cores: slices of the trace are converted to pages, blocked and reduced
 * independently (sad.c explains why that is exact), and come out one after another, with the times
 * of the whole trace. Another stage then joins them: trc_stage_join(), or, if that does not support
 * the reduction, a second reduction, which receives only a small part of the rows.
 */
#include <stdlib.h>

#include "stage/chunks.h"
#include "stage/reduce/join.h"

/* The remaining rows of a slice stay in memory: 2^16 rows are read, 2^19 at most. */
static const struct trc_chunk_sizes sizes = { .read = 16, .most = 128 };

/* The remaining rows of a slice. */
struct left {
	struct trc_batches list;
	struct trc_meta meta;
	struct trc_decided decided; /* of its rows, if slices are joined */
	uint64_t refs, rows;        /* number that came in */
};

/* The stage. */
struct drop_chunks {
	struct trc_source src;
	struct trc_source *from;
	unsigned page_bits;
	bool block, joins; /* joins: slices are joined, not reduced again */
	struct trc_reduction how;
	uint64_t *total; /* counts references that came in, for the caller */
	int threads;
	struct trc_chunks *chunks; /* NULL until the first row is requested */

	struct left *left;
	size_t i, at; /* the next row of `left`: of batch i, number `at` */
	struct trc_page_totals before;

	/* With blocking and a second reduction: the last row of the slices so far; 0 or 1 rows. */
	struct trc_batch held;
	bool merged;
};

static void
forget(void *result)
{
	struct left *left = result;

	if (left) {
		trc_batches_release(&left->list);
		trc_decided_release(&left->decided);
	}
	free(left);
}

/* Replaces *src by a stage around it; returns -1 if there is none. */
static int
wrap(struct trc_source **src, struct trc_source *stage)
{
	if (stage)
		*src = stage;
	return stage ? 0 : -1;
}

/* Wraps the stages for a slice around *src. */
static int
wrap_chunk(const struct drop_chunks *s, bool first, struct trc_source **src, uint64_t *refs,
           struct trc_err *err)
{
	struct trc_reduction how = s->how;

	how.part = !first || s->joins;
	if (wrap(src, (s->block ? trc_stage_page_merged : trc_stage_page)(*src, s->page_bits, refs,
	                                                                  err)) ||
	    (s->block && wrap(src, trc_stage_block(*src, err))))
		return -1;
	return wrap(src, trc_stage_drop(*src, &how, err));
}

/* Appends all rows of `src`. */
static int
collect(struct left *left, struct trc_source *src, struct trc_err *err)
{
	enum trc_flow flow;

	do {
		struct trc_batch *b = trc_batches_next(&left->list, src->have, err);

		if (!b)
			return -1;
		flow = trc_source_next(src, b, err);
		left->list.n += flow == TRC_FLOW_ROWS;
	} while (flow == TRC_FLOW_ROWS);
	left->meta = src->meta;
	return flow == TRC_FLOW_END ? 0 : -1;
}

/* Reduces a slice. */
static int
work(void *arg, struct trc_chunk *chunk, struct trc_err *err)
{
	const struct drop_chunks *s = arg;
	struct left *left = trc_alloc(1, sizeof(*left), err);
	struct trc_source *src;
	int ret = -1;

	chunk->result = left;
	chunk->meta.totals = false; /* its own totals are counted */
	src = left ? trc_chunk_source(chunk, s->from->have, err) : NULL;
	if (src && wrap_chunk(s, chunk->first, &src, &left->refs, err) == 0)
		ret = collect(left, src, err);
	if (ret == 0 && s->joins)
		trc_drop_decided(src, &left->decided);
	if (src)
		trc_source_close(src);
	if (left)
		left->rows = chunk->rows;
	return ret;
}

/* Converts the times of the rows of a slice to those of the whole trace. */
static void
shift_times(struct drop_chunks *s, struct left *left)
{
	for (size_t i = 0; i < left->list.n; i++) {
		struct trc_batch *b = &left->list.batch[i];

		for (size_t k = 0; k < b->n; k++) {
			b->rtime[k] += s->before.refs;
			b->itime[k] += s->before.insns;
		}
	}
}

/* Merges the row that was held with the first row of the slice, if they are of the same page. */
static void
join_rows(struct drop_chunks *s)
{
	const struct trc_batch *first = s->left->list.batch;

	if (s->joins || s->held.n == 0 || s->left->list.n == 0 ||
	    !trc_same_page(&s->held, 0, first, 0))
		return;
	s->held.type[0] |= first->type[0];
	s->merged = true;
	s->at = 1;
}

/* Takes the remaining rows of the next slice; sets *more to false at the end. */
static int
next_chunk(struct drop_chunks *s, bool *more, struct trc_err *err)
{
	struct trc_chunk *chunk;

	*more = false;
	if (!s->chunks)
		s->chunks = trc_chunks_open(s->from, sizes, s->threads, work, forget, s, err);
	if (!s->chunks || trc_chunks_next(s->chunks, &chunk, err))
		return -1;
	if (!chunk)
		return 0;
	*more = true;
	s->left = chunk->result;
	chunk->result = NULL;
	s->i = s->at = 0;
	if (!(s->from->have & TRC_HAS_RTIME)) {
		shift_times(s, s->left);
		s->before.insns += s->left->meta.insns;
	}
	s->before.refs += s->left->refs;
	s->before.touches += trc_meta_touches(&s->left->meta);
	if (!(s->from->have & TRC_HAS_TIME))
		s->before.last_time = s->before.refs;
	else if (s->left->rows > 0)
		s->before.last_time = s->left->meta.last_time;
	s->merged |= (s->left->meta.guarantee.reduced & TRC_MERGED) != 0;
	*s->total = s->before.refs;
	join_rows(s);
	return 0;
}

static void
put_held(struct drop_chunks *s, struct trc_batch *b)
{
	trc_batch_append(b, &s->held, 0, s->held.n);
	trc_batch_clear(&s->held);
}

/* Appends rows of the slice, except its last one if that is to be held; frees the slice when it is
 * empty. There is room for a row. */
static void
put_rows(struct drop_chunks *s, struct trc_batch *b)
{
	const struct trc_batches *l = &s->left->list;
	const struct trc_batch *from;
	size_t stop, n;
	bool hold;

	if (s->i == l->n) {
		forget(s->left);
		s->left = NULL;
		return;
	}
	from = &l->batch[s->i];
	hold = s->block && !s->joins && s->i + 1 == l->n;
	stop = hold ? from->n - 1 : from->n;
	n = stop > s->at ? stop - s->at : 0;
	if (s->at < from->n)
		put_held(s, b);
	n = n < b->cap - b->n ? n : b->cap - b->n;
	trc_batch_append(b, from, s->at, n);
	s->at += n;
	if (s->at < stop)
		return;
	if (hold && s->at < from->n)
		trc_batch_append(&s->held, from, s->at, 1);
	s->at = 0;
	s->i++;
}

/* Sets the meta of the whole trace at its end. */
static int
end(struct drop_chunks *s, struct trc_err *err)
{
	s->src.meta = s->from->meta;
	if (trc_meta_pages(&s->src.meta, s->page_bits,
	                   s->from->have & TRC_HAS_RTIME ? NULL : &s->before, err))
		return -1;
	return s->merged ? trc_meta_merged(&s->src.meta, err) : 0;
}

static enum trc_flow
drop_chunks_next(struct trc_source *src, struct trc_batch *b, struct trc_err *err)
{
	struct drop_chunks *s = (struct drop_chunks *)src;
	bool more;

	while (b->n < b->cap) {
		/* For joining, a batch must not have rows of two slices. */
		if (s->joins && s->left && b->n && s->i == s->left->list.n)
			break;
		if (s->left) {
			put_rows(s, b);
			continue;
		}
		if (next_chunk(s, &more, err))
			return TRC_FLOW_FAILED;
		if (more)
			continue;
		put_held(s, b);
		break;
	}
	if (b->n == 0 && end(s, err))
		return TRC_FLOW_FAILED;
	return b->n ? TRC_FLOW_ROWS : TRC_FLOW_END;
}

static void
drop_chunks_close(struct trc_source *src)
{
	struct drop_chunks *s = (struct drop_chunks *)src;

	trc_chunks_close(s->chunks);
	forget(s->left);
	trc_batch_release(&s->held);
	if (s->from)
		trc_source_close(s->from);
	free(s);
}

/* Determines the columns by processing a slice without rows. */
static int
find_columns(struct drop_chunks *s, struct trc_err *err)
{
	struct trc_chunk none = { .meta = s->src.meta };
	struct trc_source *src = trc_chunk_source(&none, s->from->have, err);
	uint64_t refs;
	int ret;

	if (!src)
		return -1;
	ret = wrap_chunk(s, true, &src, &refs, err);
	s->src.have = src->have;
	trc_source_close(src);
	return ret;
}

static const struct trc_decided *
decided_of(const struct trc_source *src)
{
	return &((const struct drop_chunks *)src)->left->decided;
}

bool
trc_drop_has_chunks(const struct trc_source *from, const struct trc_reduction *how)
{
	const uint32_t times = from->have & (TRC_HAS_ITIME | TRC_HAS_RTIME);
	const bool groups = how->scope.by_space || how->scope.sets;

	/* Times of the trace may run backwards, and groups measure patience in times. */
	return !how->window && !from->meta_at_end &&
	       (times == 0 || (times == (TRC_HAS_ITIME | TRC_HAS_RTIME) && !groups));
}

struct trc_source *
trc_stage_drop_chunks(struct trc_source *from, unsigned page_bits, bool block,
                      const struct trc_reduction *how, int threads, uint64_t *refs,
                      struct trc_err *err)
{
	struct drop_chunks *s = trc_alloc(1, sizeof(*s), err);
	struct trc_source *all;

	if (!s)
		return NULL;
	s->src = (struct trc_source){ .meta = from->meta,
		                      .next = drop_chunks_next,
		                      .close = drop_chunks_close };
	s->from = from;
	s->page_bits = page_bits;
	s->block = block;
	s->joins = trc_drop_decides(how);
	s->how = *how;
	s->threads = threads;
	s->total = refs;
	if (find_columns(s, err) || trc_batch_init(&s->held, s->src.have, 1, err)) {
		s->from = NULL;
		drop_chunks_close(&s->src);
		return NULL;
	}
	s->src.meta.page_bits = page_bits;
	s->src.spare = from->spare & s->src.have;
	all = s->joins ? trc_stage_join(&s->src, decided_of, how, block, err) :
	                 trc_stage_drop(&s->src, how, err);
	if (!all) {
		s->from = NULL;
		drop_chunks_close(&s->src);
	}
	return all;
}
