/* SPDX-License-Identifier: MIT
 *
 * Rows are reduced in parts of about 2^16, and of each part those are kept that are looked at when
 * parts are joined (settled.h): head, tail, and those with marks; the others are counted. Of a
 * trace that is reduced these are some four for each page of a memory, of whatever the part has.
 * Which page it is of is all that matters of a row, and whether it is a delete. The state is
 * numbers, as in base/buf.h:
 *
 *   parts            how many; and of each
 *   rows             that were counted, and are not kept
 *   settled          of those that are, as in settled.c
 *   bytes, rows      how many; as in batch/packed.h, in batches as kept.c has them
 */
#include "stage/reduce/again.h"

#include <stdlib.h>
#include <string.h>

#include "batch/batches.h"
#include "batch/packed.h"
#include "stage/reduce/join.h"

enum { BATCHES = 16 };

/* Columns that name a page, and the one with deletes. */
#define NAMES(have) (((have) & (TRC_HAS_VPN | TRC_HAS_ASID | TRC_HAS_CPN)) | TRC_HAS_TYPE)

/* What is kept of a part. */
struct part {
	uint64_t counted;
	struct trc_settled settled;
	struct trc_buf rows;
};

struct trc_again {
	uint32_t have;
	struct trc_reduction how;
	struct trc_batches waiting; /* rows of the next part */
	struct part *part;
	size_t parts, cap;
};

struct trc_again *
trc_again_open(uint32_t have, const struct trc_reduction *how, struct trc_err *err)
{
	struct trc_again *s = trc_alloc(1, sizeof(*s), err);

	if (!s)
		return NULL;
	s->have = have;
	s->how = *how;
	return s;
}

void
trc_again_close(struct trc_again *s)
{
	if (!s)
		return;
	for (size_t i = 0; i < s->parts; i++) {
		trc_settled_release(&s->part[i].settled);
		trc_buf_release(&s->part[i].rows);
	}
	free(s->part);
	trc_batches_release(&s->waiting);
	free(s);
}

static struct part *
add_part(struct trc_again *s, struct trc_err *err)
{
	if (trc_grow(&s->part, &s->cap, s->parts + 1, sizeof(*s->part), err))
		return NULL;
	s->part[s->parts] = (struct part){ .counted = 0 };
	return &s->part[s->parts++];
}

/* ---- a part ---- */

/* A source of the rows that wait. */
struct waiting {
	struct trc_source src;
	const struct trc_batches *list;
	struct trc_batches_at at;
};

static enum trc_flow
waiting_next(struct trc_source *src, struct trc_batch *b, struct trc_err *err)
{
	struct waiting *s = (struct waiting *)src;

	(void)err;
	trc_batches_copy(s->list, &s->at, b);
	return b->n ? TRC_FLOW_ROWS : TRC_FLOW_END;
}

static void
free_source(struct trc_source *src)
{
	free(src);
}

/* The rows that wait, reduced as a part. */
static struct trc_source *
open_part(const struct trc_again *s, uint64_t *refs, struct trc_err *err)
{
	struct waiting *w = trc_alloc(1, sizeof(*w), err);
	struct trc_reduction how = s->how;
	struct trc_source *src, *pages;

	if (!w)
		return NULL;
	w->src = (struct trc_source){ .have = s->have, .next = waiting_next, .close = free_source };
	w->list = &s->waiting;
	how.part = true;
	pages = trc_stage_page(&w->src, 0, refs, err);
	if (!pages) {
		free(w);
		return NULL;
	}
	src = trc_stage_drop(pages, &how, err);
	if (!src)
		trc_source_close(pages);
	return src;
}

/* Appends the names in some rows of `b`. */
static int
save_names(struct part *p, const struct trc_batch *b, const uint32_t *row, size_t n,
           struct trc_err *err)
{
	struct trc_batch names;
	int ret;

	if (n == 0)
		return 0;
	if (trc_batch_init(&names, NAMES(b->have), n, err))
		return -1;
	trc_batch_pick(&names, b, row, n);
	for (size_t i = 0; i < n; i++)
		names.type[i] = names.type[i] == TRC_INVALIDATE ? TRC_INVALIDATE : TRC_READ;
	ret = trc_rows_pack(&names, &p->rows, err);
	trc_batch_release(&names);
	return ret;
}

/* Where the rows of a part are gone through. */
struct place {
	uint64_t row, kept;
	size_t mark;
	struct trc_settled settled; /* of the rows that are kept */
};

/* Keeps the rows of `b` that are looked at when parts are joined. */
static int
keep_rows(struct part *p, const struct trc_batch *b, const struct trc_settled *t, struct place *at,
          struct trc_err *err)
{
	uint32_t row[TRC_BATCH_ROWS];
	size_t n = 0;

	for (size_t i = 0; i < b->n; i++, at->row++) {
		const bool marked = at->mark < t->marks && t->mark[at->mark].row == at->row;

		if (marked &&
		    trc_settled_mark(&at->settled, at->settled.rows, t->mark[at->mark++].pops, err))
			return -1;
		if (trc_batch_is_event(b, i) ||
		    (!marked && at->row >= t->head && at->row < t->tail)) {
			p->counted++;
			continue;
		}
		at->settled.head += at->row < t->head;
		at->settled.tail += at->row < t->tail;
		at->settled.rows++;
		row[n++] = (uint32_t)i;
	}
	return save_names(p, b, row, n, err);
}

static int
keep_part(struct part *p, const struct trc_batches *left, const struct trc_settled *t,
          struct trc_err *err)
{
	struct place at = { .row = 0 };
	int ret = 0;

	for (size_t i = 0; ret == 0 && i < left->n; i++)
		ret = keep_rows(p, &left->batch[i], t, &at, err);
	p->settled = at.settled;
	return ret;
}

static int
collect(struct trc_batches *left, struct trc_source *src, struct trc_err *err)
{
	enum trc_flow flow;

	do {
		struct trc_batch *b = trc_batches_next(left, src->have, err);

		flow = b ? trc_source_next(src, b, err) : TRC_FLOW_FAILED;
		left->n += flow == TRC_FLOW_ROWS;
	} while (flow == TRC_FLOW_ROWS);
	return flow == TRC_FLOW_END ? 0 : -1;
}

/* The rows that wait are a part. */
static int
reduce_part(struct trc_again *s, struct trc_err *err)
{
	struct trc_settled settled = { .rows = 0 };
	struct trc_batches left = { .n = 0 };
	struct trc_source *src;
	uint64_t refs;
	struct part *p;
	int ret = -1;

	if (s->waiting.n == 0)
		return 0;
	p = add_part(s, err);
	src = p ? open_part(s, &refs, err) : NULL;
	if (!src)
		return -1;
	if (collect(&left, src, err) == 0) {
		trc_drop_settled(src, &settled);
		ret = keep_part(p, &left, &settled, err);
	}
	trc_settled_release(&settled);
	trc_batches_release(&left);
	trc_source_close(src);
	for (size_t i = 0; i < s->waiting.room; i++)
		trc_batch_clear(&s->waiting.batch[i]);
	s->waiting.n = 0;
	return ret;
}

int
trc_again_put(struct trc_again *s, const struct trc_batch *b, struct trc_err *err)
{
	for (size_t at = 0; at < b->n;) {
		struct trc_batch *to = s->waiting.n ? &s->waiting.batch[s->waiting.n - 1] : NULL;
		size_t n = b->n - at;

		if (!to || to->n == to->cap) {
			if (s->waiting.n == BATCHES && reduce_part(s, err))
				return -1;
			to = trc_batches_next(&s->waiting, s->have, err);
			if (!to)
				return -1;
			s->waiting.n++;
		}
		n = n < to->cap - to->n ? n : to->cap - to->n;
		trc_batch_append(to, b, at, n);
		if (trc_batch_check(to, err))
			return -1;
		at += n;
	}
	return 0;
}

/* ---- states ---- */

int
trc_again_save(struct trc_again *s, struct trc_buf *state, struct trc_err *err)
{
	if (reduce_part(s, err) || trc_buf_put_num(state, s->parts, err))
		return -1;
	for (size_t i = 0; i < s->parts; i++) {
		const struct part *p = &s->part[i];

		if (trc_buf_put_num(state, p->counted, err) ||
		    trc_settled_save(&p->settled, state, err) ||
		    trc_buf_put_counted(state, p->rows.p, p->rows.n, err))
			return -1;
	}
	return 0;
}

static int
append_part(struct part *p, struct trc_view *state, struct trc_err *err)
{
	struct trc_view rows;

	if (!trc_view_num(state, &p->counted))
		return trc_sink_damaged(err);
	if (trc_settled_load(&p->settled, state, err))
		return -1;
	if (!trc_view_counted(state, UINT64_MAX, &rows) || !trc_rows_check(rows, p->settled.rows))
		return trc_sink_damaged(err);
	return trc_buf_put(&p->rows, rows.p, (size_t)(rows.end - rows.p), err);
}

int
trc_again_append(struct trc_again *s, struct trc_view *state, struct trc_err *err)
{
	uint64_t parts;

	if (!trc_view_num(state, &parts))
		return trc_sink_damaged(err);
	for (uint64_t i = 0; i < parts; i++) {
		struct part *p = add_part(s, err);

		if (!p || append_part(p, state, err))
			return -1;
	}
	return 0;
}

/* ---- all parts ---- */

/* A source of the rows that parts have kept, which have names and no times. */
struct kept {
	struct trc_source src;
	const struct trc_again *again;
	struct trc_batch names;
	size_t part, last; /* the next, the one that a batch was given of */
	bool begun;
	struct trc_view rows; /* of it, if it was begun */
};

/* Copies the names, if the batch has room: it is one of a stage. */
static void
give_names(const struct kept *s, struct trc_batch *b)
{
	const size_t n = s->names.n;

	for (int c = 0; c < TRC_COLUMNS; c++) {
		void *to = trc_batch_column(b, (enum trc_column)c);
		const void *from = trc_batch_column(&s->names, (enum trc_column)c);

		if (to && from)
			memcpy(to, from, n * trc_column[c].width);
		else if (to)
			memset(to, 0, n * trc_column[c].width);
	}
	b->n = n;
}

static enum trc_flow
kept_next(struct trc_source *src, struct trc_batch *b, struct trc_err *err)
{
	struct kept *s = (struct kept *)src;

	for (; s->part < s->again->parts; s->part++, s->begun = false) {
		if (!s->begun)
			s->rows = trc_buf_view(&s->again->part[s->part].rows);
		s->begun = true;
		if (s->rows.p == s->rows.end)
			continue;
		if (trc_rows_unpack(&s->rows, &s->names, err))
			return TRC_FLOW_FAILED;
		s->last = s->part;
		give_names(s, b);
		return TRC_FLOW_ROWS;
	}
	return TRC_FLOW_END;
}

static void
kept_close(struct trc_source *src)
{
	trc_batch_release(&((struct kept *)src)->names);
	free(src);
}

static const struct trc_settled *
settled_of(const struct trc_source *src)
{
	const struct kept *s = (const struct kept *)src;

	return &s->again->part[s->last].settled;
}

static struct trc_source *
open_kept(const struct trc_again *s, struct trc_err *err)
{
	const uint32_t have = NAMES(s->have) | TRC_HAS_ITIME | TRC_HAS_RTIME;
	struct kept *k = trc_alloc(1, sizeof(*k), err);
	struct trc_source *src;

	if (!k)
		return NULL;
	k->src = (struct trc_source){ .have = have, .next = kept_next, .close = kept_close };
	k->again = s;
	if (trc_batch_init(&k->names, NAMES(s->have), TRC_BATCH_ROWS, err)) {
		free(k);
		return NULL;
	}
	src = trc_stage_join(&k->src, settled_of, &s->how, false, err);
	if (!src)
		kept_close(&k->src);
	return src;
}

int
trc_again_rows(const struct trc_again *s, uint64_t *rows, struct trc_err *err)
{
	struct trc_source *src = open_kept(s, err);
	enum trc_flow flow = TRC_FLOW_FAILED;
	struct trc_batch b;

	*rows = 0;
	for (size_t i = 0; i < s->parts; i++)
		*rows += s->part[i].counted;
	if (!src)
		return -1;
	if (trc_batch_init(&b, src->have, TRC_BATCH_ROWS, err) == 0) {
		while ((flow = trc_source_next(src, &b, err)) == TRC_FLOW_ROWS)
			*rows += b.n;
		trc_batch_release(&b);
	}
	trc_source_close(src);
	return flow == TRC_FLOW_END ? 0 : -1;
}
