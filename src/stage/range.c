/* SPDX-License-Identifier: MIT
 * A window of a trace by row number. */
#include "batch/index.h"
#include "stage/stage.h"
#include "stage/wrap.h"

/* The stage. */
struct range {
	struct trc_wrap wrap;
	uint64_t skip, left;
	uint64_t skipped;              /* rows that were pulled to be skipped */
	bool begun, ended, given;      /* rows behind those that were skipped */
	bool jumped;                   /* those were passed over without a pull */
	bool part;                     /* there is more of the trace, or may be */
	const struct trc_index *index; /* NULL: there is none */
};

/* Reads what is behind the range, for the meta at the end of the trace. */
static int
read_on(struct trc_wrap *w, struct trc_err *err)
{
	enum trc_flow flow;

	do
		w->at = w->in.n;
	while ((flow = trc_wrap_pull(w, err)) == TRC_FLOW_ROWS);
	return flow == TRC_FLOW_END ? 0 : -1;
}

/* The end of the range. How the trace was reduced is known at its end: an index has it, or traces
 * that may be reduced are read on. Others may be without end. */
static enum trc_flow
end(struct range *s, struct trc_err *err)
{
	struct trc_meta *meta = &s->wrap.src.meta;
	struct trc_meta read;

	if (s->left == 0 && !s->index && s->wrap.from->meta_at_end && !s->ended &&
	    read_on(&s->wrap, err))
		return TRC_FLOW_FAILED;
	s->ended = true;
	read = *meta;
	if (s->left == 0 && s->index) {
		*meta = s->index->meta;
		meta->gap = read.gap;
		meta->gaps = read.gaps;
	}
	if (s->part)
		trc_meta_part(meta);
	return TRC_FLOW_END;
}

/* Limits the source to the rows that will be used. */
static int
begin(struct range *s, struct trc_err *err)
{
	struct trc_source *from = s->wrap.from;
	const struct trc_seekable *seek = from->seek;

	s->begun = true;
	if (trc_source_index(from, &s->index, err))
		return -1;
	if (s->left > 0 && s->skip > 0 && seek && seek->skip) {
		if (seek->skip(from, s->skip, err))
			return -1;
		s->skip = 0;
		s->jumped = true;
	}
	if (s->skip == 0 && seek && seek->limit)
		seek->limit(from, s->left);
	return 0;
}

static enum trc_flow
range_next(struct trc_source *src, struct trc_batch *b, struct trc_err *err)
{
	struct range *s = (struct range *)src;
	struct trc_wrap *w = &s->wrap;
	size_t n;

	if (!s->begun && begin(s, err))
		return TRC_FLOW_FAILED;
	if (s->left == 0) {
		s->part = true;
		return end(s, err);
	}
	for (;;) {
		enum trc_flow flow = trc_wrap_pull(w, err);

		if (flow != TRC_FLOW_ROWS)
			return flow == TRC_FLOW_END ? end(s, err) : flow;
		n = w->in.n - w->at;
		if (n > s->skip)
			break;
		s->skip -= n;
		s->skipped += n;
		w->at = w->in.n;
	}
	w->at += (size_t)s->skip;
	n -= (size_t)s->skip;
	s->skip = 0;
	n = n < b->cap ? n : b->cap;
	n = n < s->left ? n : (size_t)s->left;
	trc_batch_append(b, &w->in, w->at, n);
	w->at += n;
	s->left -= n;
	s->given = true;
	return TRC_FLOW_ROWS;
}

struct trc_source *
trc_stage_range(struct trc_source *from, uint64_t skip, uint64_t limit, struct trc_err *err)
{
	struct range *s = trc_wrap_open(sizeof(*s), from, from->have, range_next, err);

	if (!s)
		return NULL;
	s->skip = skip;
	s->left = limit;
	s->part = skip > 0;
	return &s->wrap.src;
}

bool
trc_stage_range_beyond(const struct trc_source *range, uint64_t *rows)
{
	const struct range *s = (const struct range *)range;

	*rows = !s->jumped ? s->skipped : s->index ? s->index->counts.rows : 0;
	return s->ended && !s->given && s->left > 0 && s->part;
}
