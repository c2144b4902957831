/* SPDX-License-Identifier: MIT
 *
 * The state has numbers and rows for each slice of the trace:
 *
 *   parts                     their number; and for each
 *   references, instructions  their numbers, also of those that are not among the rows
 *   columns, merged           a bit for each column; 1 if adjacent rows were merged
 *   decided                   of the rows, as in stage/reduce/decided.c
 *   bytes                     their number; and as many bytes of batches, each:
 *   rows, bytes, rows         number of rows; number of bytes; rows as in batch/packed.h
 *
 * Times that were counted begin at 0 in each slice. Rows are unpacked when all slices are there: so
 * a merge needs no memory for them, but errors under a correct check sum are found only then.
 */
#include "stage/reduce/shard_rows.h"

#include <stdlib.h>

#include "batch/packed.h"

/* The rows of one slice of the trace. */
struct part {
	uint64_t refs, insns;
	bool merged;
	struct trc_decided decided;
	struct trc_buf batches;
};

/* The sink. */
struct kept {
	struct trc_sink sink;
	struct trc_source *from;
	const struct trc_source *pages;
	bool block, decides;
	uint64_t refs;         /* in the slices that were appended */
	struct trc_batch rows; /* rows that came and are not packed yet */
	struct part own;       /* the slice of the rows that came */
	struct part *part;     /* slices that were appended */
	size_t parts, cap;
};

static void
release_part(struct part *p)
{
	trc_decided_release(&p->decided);
	trc_buf_release(&p->batches);
}

/* ---- new rows ---- */

static int
pack_rows(struct kept *s, struct trc_err *err)
{
	if (s->rows.n == 0)
		return 0;
	if (trc_batch_check(&s->rows, err) || trc_rows_pack(&s->rows, &s->own.batches, err))
		return -1;
	s->own.decided.rows += s->rows.n;
	trc_batch_clear(&s->rows);
	return 0;
}

static int
kept_put(struct trc_sink *sink, const struct trc_batch *b, struct trc_err *err)
{
	struct kept *s = (struct kept *)sink;

	for (size_t at = 0; at < b->n;) {
		const size_t room = s->rows.cap - s->rows.n;
		const size_t n = b->n - at < room ? b->n - at : room;

		trc_batch_append(&s->rows, b, at, n);
		at += n;
		if (s->rows.n == s->rows.cap && pack_rows(s, err))
			return -1;
	}
	return 0;
}

/* ---- a state ---- */

/* Completes the slice of the rows that came. */
static int
end_own(struct kept *s, struct trc_err *err)
{
	const struct trc_page_totals counted = trc_page_counted(s->pages);
	struct part *own = &s->own;

	if (pack_rows(s, err))
		return -1;
	own->refs = counted.refs;
	own->insns = counted.insns;
	own->merged = s->from->meta.guarantee.reduced & TRC_MERGED;
	own->decided.head = own->decided.tail = own->decided.rows;
	if (s->decides)
		trc_drop_decided(s->from, &own->decided);
	return 0;
}

static void
part_state(const struct kept *s, struct part *p, struct trc_state *t)
{
	uint32_t have = s->from->have;

	trc_state_nums(t, &p->refs, &p->insns);
	trc_state_u32(t, &have);
	trc_state_flag(t, &p->merged);
	trc_decided_state(&p->decided, t);
	trc_state_bytes(t, &p->batches);
	if (!t->failed &&
	    (have != s->from->have ||
	     (!t->writes && !trc_rows_check(trc_buf_view(&p->batches), p->decided.rows))))
		trc_state_damaged(t);
}

static void
kept_state(struct trc_sink *sink, struct trc_state *t)
{
	struct kept *s = (struct kept *)sink;
	size_t n = s->parts;

	if (t->writes && trc_state_failed(t, end_own(s, t->err)))
		return;
	n += t->writes && s->own.refs > 0;
	trc_state_count(t, &n, UINT32_MAX);
	if (t->writes) {
		for (size_t i = 0; i < n; i++)
			part_state(s, i < s->parts ? &s->part[i] : &s->own, t);
		return;
	}
	for (size_t i = 0; i < n && !t->failed; i++) {
		struct part *p;

		if (trc_state_failed(t, trc_grow(&s->part, &s->cap, s->parts + 1, sizeof(*s->part),
		                                 t->err)))
			return;
		p = &s->part[s->parts++];
		*p = (struct part){ .refs = 0 };
		part_state(s, p, t);
		s->refs += p->refs;
	}
}

static void
kept_close(struct trc_sink *sink)
{
	struct kept *s = (struct kept *)sink;

	for (size_t i = 0; i < s->parts; i++)
		release_part(&s->part[i]);
	release_part(&s->own);
	free(s->part);
	trc_batch_release(&s->rows);
	free(s);
}

struct trc_sink *
trc_shard_rows_sink(struct trc_source *from, const struct trc_source *pages, bool block,
                    bool decides, struct trc_err *err)
{
	struct kept *s = trc_alloc(1, sizeof(*s), err);

	if (!s)
		return NULL;
	s->sink = (struct trc_sink){ .put = kept_put, .close = kept_close, .state = kept_state };
	s->from = from;
	s->pages = pages;
	s->block = block;
	s->decides = decides;
	if (trc_batch_init(&s->rows, from->have, TRC_BATCH_ROWS, err)) {
		free(s);
		return NULL;
	}
	return &s->sink;
}

uint64_t
trc_shard_rows_refs(const struct trc_sink *sink)
{
	return ((const struct kept *)sink)->refs;
}

/* ---- reading the rows ---- */

/* A batch of a slice, whose rows from `at` on are not read yet. */
struct some {
	struct trc_batch rows;
	size_t part, at;
	bool first; /* it is the first of the slice */
};

/* The source. */
struct rows {
	struct trc_source src;
	const struct kept *kept;
	struct some now, ahead; /* without rows: there are no more */
	size_t part; /* index of the slice that is being read, and its remaining batches */
	struct trc_view batches;
	bool begun;
	uint64_t refs, insns; /* sums over the earlier slices */
	bool merged;
};

/* Adds the times of the earlier slices. */
static void
shift_times(const struct rows *s, struct trc_batch *b)
{
	const uint32_t counted = s->kept->sink.counted;

	for (size_t i = 0; counted & TRC_HAS_RTIME && i < b->n; i++)
		b->rtime[i] += s->refs;
	for (size_t i = 0; counted & TRC_HAS_ITIME && i < b->n; i++)
		b->itime[i] += s->insns;
}

/* Moves to the next slice with rows; returns false at the end. */
static bool
find_part(struct rows *s)
{
	const struct kept *k = s->kept;

	while (s->part < k->parts) {
		const struct part *p = &k->part[s->part];

		if (!s->begun)
			s->batches = trc_buf_view(&p->batches);
		s->merged |= p->merged;
		if (s->batches.p < s->batches.end)
			return true;
		s->refs += p->refs;
		s->insns += p->insns;
		s->begun = false;
		s->part++;
	}
	return false;
}

/* Unpacks the next batch into `ahead`. */
static int
look_ahead(struct rows *s, struct trc_err *err)
{
	struct some *a = &s->ahead;

	trc_batch_clear(&a->rows);
	a->at = 0;
	if (!find_part(s))
		return 0;
	a->part = s->part;
	a->first = !s->begun;
	s->begun = true;
	if (trc_rows_unpack(&s->batches, &a->rows, err) ||
	    trc_types_check(a->rows.type, a->rows.n, err))
		return -1;
	shift_times(s, &a->rows);
	return 0;
}

/* Makes the next batch the current one. Unless slices are joined, the first row of a slice may
 * continue the run of the same page that ended the slice before. */
static int
move_on(struct rows *s, struct trc_err *err)
{
	struct some *now = &s->now, *ahead = &s->ahead;
	const struct some last = *now;

	*now = *ahead;
	*ahead = last;
	if (look_ahead(s, err))
		return -1;
	if (!s->kept->block || s->kept->decides || now->rows.n == 0)
		return 0;
	while (ahead->rows.n && ahead->first && ahead->at == 0 &&
	       trc_same_page(&now->rows, now->rows.n - 1, &ahead->rows, 0)) {
		now->rows.type[now->rows.n - 1] |= ahead->rows.type[0];
		s->merged = true;
		ahead->at = 1;
		if (ahead->rows.n == 1 && look_ahead(s, err))
			return -1;
	}
	return 0;
}

static enum trc_flow
rows_next(struct trc_source *src, struct trc_batch *b, struct trc_err *err)
{
	struct rows *s = (struct rows *)src;
	struct some *now = &s->now;
	size_t n;

	if (now->at == now->rows.n && move_on(s, err))
		return TRC_FLOW_FAILED;
	n = now->rows.n - now->at < b->cap ? now->rows.n - now->at : b->cap;
	if (now->at == 0 && b->cap == now->rows.cap) {
		/* Exchanges the batch for an empty one of the same kind. */
		const struct trc_batch empty = *b;

		*b = now->rows;
		now->rows = empty;
	} else {
		trc_batch_append(b, &now->rows, now->at, n);
		now->at += n;
	}
	if (b->n == 0 && s->merged && trc_meta_merged(&src->meta, err))
		return TRC_FLOW_FAILED;
	return b->n ? TRC_FLOW_ROWS : TRC_FLOW_END;
}

static void
rows_close(struct trc_source *src)
{
	struct rows *s = (struct rows *)src;

	trc_batch_release(&s->now.rows);
	trc_batch_release(&s->ahead.rows);
	free(s);
}

const struct trc_decided *
trc_shard_rows_decided(const struct trc_source *src)
{
	const struct rows *s = (const struct rows *)src;

	return &s->kept->part[s->now.part].decided;
}

struct trc_source *
trc_shard_rows_source(const struct trc_sink *sink, const struct trc_meta *meta, struct trc_err *err)
{
	const struct kept *kept = (const struct kept *)sink;
	struct rows *s = trc_alloc(1, sizeof(*s), err);

	if (!s)
		return NULL;
	s->src = (struct trc_source){
		.have = kept->from->have, .meta = *meta, .next = rows_next, .close = rows_close
	};
	s->kept = kept;
	if (trc_batch_init(&s->now.rows, s->src.have, TRC_BATCH_ROWS, err) ||
	    trc_batch_init(&s->ahead.rows, s->src.have, TRC_BATCH_ROWS, err) ||
	    look_ahead(s, err)) {
		rows_close(&s->src);
		return NULL;
	}
	return &s->src;
}
