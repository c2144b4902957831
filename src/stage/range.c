/* SPDX-License-Identifier: MIT
 * Selects a range of rows of a trace, by number of records or instructions. */
#include "batch/extent.h"
#include "batch/index.h"
#include "stage/stage.h"
#include "stage/wrap.h"

/* The stage. */
struct range {
	struct trc_wrap wrap;
	uint64_t skip, left; /* records or instructions */
	bool skips_insns, limits_insns;
	bool skipping;
	uint64_t skipped;              /* skipped so far, of what was pulled */
	bool seen, fetched;            /* any row; and any fetch, if instructions are counted */
	bool begun, ended, given;      /* given: rows after the skipped ones were returned */
	bool jumped;                   /* the source skipped them without a pull */
	bool part;                     /* the trace has more rows, or may have */
	const struct trc_index *index; /* NULL: there is none */
};

/* Reads the rows after the range to get the meta at the end of the trace. */
static int
read_on(struct trc_wrap *w, struct trc_err *err)
{
	enum trc_flow flow;

	do
		w->at = w->in.n;
	while ((flow = trc_wrap_pull(w, err)) == TRC_FLOW_ROWS);
	return flow == TRC_FLOW_END ? 0 : -1;
}

/* Ends the range; `more` is true if rows follow it. How a trace was reduced is known at its end: it
 * comes from the index, or a trace that may be reduced is read to its end. Other traces may be
 * endless and are not. */
static enum trc_flow
end(struct range *s, bool more, struct trc_err *err)
{
	struct trc_meta *meta = &s->wrap.src.meta;
	struct trc_meta read;

	if ((s->skips_insns || s->limits_insns) && !s->fetched && s->seen)
		return trc_extent_fail_none(err), TRC_FLOW_FAILED;
	if (more && !s->index && s->wrap.from->meta_at_end && !s->ended && read_on(&s->wrap, err))
		return TRC_FLOW_FAILED;
	s->ended = true;
	read = *meta;
	if (more && s->index) {
		*meta = s->index->meta;
		meta->gap = read.gap;
		meta->gaps = read.gaps;
	}
	if (s->part)
		trc_meta_excerpt(meta);
	return TRC_FLOW_END;
}

/* Limits the source to the rows that are used. */
static int
begin(struct range *s, struct trc_err *err)
{
	struct trc_source *from = s->wrap.from;
	const struct trc_seekable *seek = from->seek;

	s->begun = true;
	if (trc_source_index(from, &s->index, err))
		return -1;
	if (s->left > 0 && s->skip > 0 && !s->skips_insns && seek && seek->skip) {
		if (seek->skip(from, s->skip, err))
			return -1;
		s->skip = 0;
		s->skipping = false;
		s->jumped = true;
	}
	if (s->skip == 0 && !s->limits_insns && seek && seek->limit)
		seek->limit(from, s->left);
	return 0;
}

/* Counts down *left for up to `n` rows from row `i` on; returns how many rows are among them. */
static size_t
count_down(struct range *s, size_t i, size_t n, uint64_t *left, bool insns)
{
	const uint64_t before = *left;
	const size_t k = trc_extent_rows(&s->wrap.in, i, n, left, insns);

	s->seen |= n > 0;
	s->fetched |= insns && (before != *left || k < n);
	return k;
}

/* Skips rows of the batch; returns false if all of them are skipped. */
static bool
pass(struct range *s)
{
	struct trc_wrap *w = &s->wrap;
	const uint64_t before = s->skip;

	if (s->skipping)
		w->at += count_down(s, w->at, w->in.n - w->at, &s->skip, s->skips_insns);
	s->skipped += before - s->skip;
	s->skipping &= w->at == w->in.n;
	return !s->skipping;
}

static enum trc_flow
range_next(struct trc_source *src, struct trc_batch *b, struct trc_err *err)
{
	struct range *s = (struct range *)src;
	struct trc_wrap *w = &s->wrap;
	size_t n;

	if (!s->begun && begin(s, err))
		return TRC_FLOW_FAILED;
	if (s->left == 0 && !s->limits_insns) {
		s->part = true;
		return end(s, true, err);
	}
	do {
		enum trc_flow flow = trc_wrap_pull(w, err);

		if (flow != TRC_FLOW_ROWS)
			return flow == TRC_FLOW_END ? end(s, false, err) : flow;
	} while (!pass(s));
	n = w->in.n - w->at;
	n = count_down(s, w->at, n < b->cap ? n : b->cap, &s->left, s->limits_insns);
	if (n == 0) {
		s->part = true;
		return end(s, true, err);
	}
	trc_batch_append(b, &w->in, w->at, n);
	w->at += n;
	s->given = true;
	return TRC_FLOW_ROWS;
}

struct trc_source *
trc_stage_range(struct trc_source *from, uint64_t skip, uint64_t limit, struct trc_err *err)
{
	struct range *s = trc_wrap_open(sizeof(*s), from, from->have, range_next, err);

	if (!s)
		return NULL;
	s->skips_insns = skip != UINT64_MAX && skip & TRC_OPT_INSNS;
	s->limits_insns = limit != UINT64_MAX && limit & TRC_OPT_INSNS;
	s->skip = s->skips_insns ? skip & ~TRC_OPT_INSNS : skip;
	s->left = s->limits_insns ? limit & ~TRC_OPT_INSNS : limit;
	s->skipping = s->part = s->skip > 0;
	return &s->wrap.src;
}

bool
trc_stage_range_beyond(const struct trc_source *range, uint64_t *rows)
{
	const struct range *s = (const struct range *)range;

	*rows = !s->jumped ? s->skipped : s->index ? s->index->counts.rows : 0;
	return s->ended && !s->given && s->left > 0 && s->part;
}
