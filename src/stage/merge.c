/* SPDX-License-Identifier: MIT
 *
 * Merges several traces into one, in order of time. The source that is next gives all rows that
 * come before the next row of any other source, so that long runs are copied at once; a heap finds
 * the next source.
 */
#include <stdlib.h>
#include <string.h>

#include "stage/stage.h"

/* A source with its waiting rows. */
struct input {
	struct trc_source *src;
	const char *name;
	struct trc_batch in;
	size_t at;
	uint64_t row;  /* number of its first waiting row, from 0 */
	uint64_t last; /* clock of the previous row */
	bool ended;
};

/* The source: a heap of inputs by the key of their next row. */
struct merge {
	struct trc_source src;
	enum trc_column clock;
	struct input *input;
	size_t inputs;
	uint32_t *heap; /* inputs with waiting rows, the next input first */
	size_t heaped;
	bool begun;
	struct trc_gap *gap; /* of all inputs */
	struct trc_provenances provenances;
	size_t gap_cap;

	/* The last reference given and its input; NULL: none yet. */
	uint64_t last_rtime;
	const struct input *last_of;
};

/* The sort key of a row; smaller keys come first. */
struct key {
	uint64_t clock, second, third;
	size_t input;
};

/* Returns the key of row `i`. By time, events precede references of the same time; by reference
 * time, they follow the reference after which they occurred. */
static struct key
key_of(const struct merge *s, const struct input *x, size_t i)
{
	const struct trc_batch *b = &x->in;
	const bool event = trc_batch_is_event(b, i);

	if (s->clock == TRC_COL_TIME)
		return (struct key){ b->time[i], !event, b->rtime ? b->rtime[i] : 0,
			             (size_t)(x - s->input) };
	return (struct key){ b->rtime[i], event, b->time ? b->time[i] : 0, (size_t)(x - s->input) };
}

static bool
before(const struct key *a, const struct key *b)
{
	if (a->clock != b->clock)
		return a->clock < b->clock;
	if (a->second != b->second)
		return a->second < b->second;
	if (a->third != b->third)
		return a->third < b->third;
	return a->input < b->input;
}

static bool
heap_before(const struct merge *s, size_t a, size_t b)
{
	const struct input *x = &s->input[s->heap[a]], *y = &s->input[s->heap[b]];
	const struct key k = key_of(s, x, x->at), l = key_of(s, y, y->at);

	return before(&k, &l);
}

static void
sink_down(struct merge *s, size_t at)
{
	for (;;) {
		size_t child = 2 * at + 1;
		uint32_t swap;

		if (child >= s->heaped)
			return;
		if (child + 1 < s->heaped && heap_before(s, child + 1, child))
			child++;
		if (!heap_before(s, child, at))
			return;
		swap = s->heap[at];
		s->heap[at] = s->heap[child];
		s->heap[child] = swap;
		at = child;
	}
}

static uint64_t
time_of(const struct merge *s, const struct trc_batch *b, size_t i)
{
	return s->clock == TRC_COL_TIME ? b->time[i] : b->rtime[i];
}

/* Fails unless each source by itself is in order: a row that comes too late could not be
 * inserted. */
static int
check_order(const struct merge *s, struct input *x, struct trc_err *err)
{
	for (size_t i = 0; i < x->in.n; i++) {
		const uint64_t now = time_of(s, &x->in, i);

		if (now < x->last)
			return trc_fail(err,
			                "%s: record %llu has time 0x%llx, after one with 0x%llx; "
			                "only traces in order of time can be merged",
			                x->name, (ull)(x->row + i + 1), (ull)now, (ull)x->last);
		x->last = now;
	}
	return 0;
}

/* Reads rows of `x`; sets x->ended if there are no more. */
static int
pull(struct merge *s, struct input *x, struct trc_err *err)
{
	enum trc_flow flow;

	x->row += x->in.n;
	x->at = 0;
	flow = trc_source_next(x->src, &x->in, err);
	x->ended = flow == TRC_FLOW_END;
	if (flow == TRC_FLOW_FAILED)
		return -1;
	return x->ended ? 0 : check_order(s, x, err);
}

static int
begin(struct merge *s, struct trc_err *err)
{
	s->begun = true;
	for (size_t i = 0; i < s->inputs; i++) {
		if (pull(s, &s->input[i], err))
			return -1;
		if (!s->input[i].ended)
			s->heap[s->heaped++] = (uint32_t)i;
	}
	for (size_t i = s->heaped / 2; i-- > 0;)
		sink_down(s, i);
	return 0;
}

/* Returns how many rows of the first input precede the next row of every other input. */
static size_t
run_length(const struct merge *s, size_t most)
{
	const struct input *x = &s->input[s->heap[0]], *y;
	size_t second = 1, n = 1;
	struct key next;

	most = x->in.n - x->at < most ? x->in.n - x->at : most;
	if (s->heaped == 1)
		return most;
	if (s->heaped > 2 && heap_before(s, 2, 1))
		second = 2;
	y = &s->input[s->heap[second]];
	next = key_of(s, y, y->at);
	for (; n < most; n++) {
		const struct key k = key_of(s, x, x->at + n);

		if (!before(&k, &next))
			break;
	}
	return n;
}

/* Copies `n` rows of an input, with zeros in columns that it lacks. */
static void
copy_rows(struct trc_batch *b, const struct input *x, size_t n)
{
	trc_batch_copy(b, &x->in, x->in.have & b->have, x->at, n);
	for (int c = 0; c < TRC_COLUMNS; c++) {
		const size_t width = trc_column[c].width;
		char *at = trc_batch_column(b, (enum trc_column)c);

		if (at && !(x->in.have >> c & 1))
			memset(at + b->n * width, 0, n * width);
	}
	b->n += n;
}

/* Fails if two inputs have the same reference time, because parts of one trace have each reference
 * only once; these traces were counted separately. The next `n` rows are from `x`. */
static int
check_parts(struct merge *s, const struct input *x, size_t n, struct trc_err *err)
{
	const struct trc_batch *b = &x->in;
	size_t first = x->at, last = x->at + n;

	while (first < last && !trc_batch_is_reference(b, first))
		first++;
	if (first == last)
		return 0;
	if (s->last_of && s->last_of != x && s->last_rtime == b->rtime[first])
		return trc_fail(err,
		                "%s and %s both have a reference %llu, so they are not parts "
		                "of one trace",
		                s->last_of->name, x->name, (ull)s->last_rtime);
	while (!trc_batch_is_reference(b, --last))
		;
	s->last_rtime = b->rtime[last];
	s->last_of = x;
	return 0;
}

/* Returns true if a guarantee holds only for the trace by itself: in memory shared with others,
 * more lies between two uses of a page than the reduction took into account. */
static bool
holds_alone(const struct trc_guarantee *p)
{
	return p->sad || p->window || p->sample || p->reduced & TRC_MERGED ||
	       (p->sets && !(p->reduced & TRC_BELOW_CACHE));
}

/* Returns true if both may be parts of one trace that was reduced before it was split. */
static bool
of_one(const struct trc_meta *a, const struct trc_meta *b)
{
	return a->guarantee.reduced & TRC_PART &&
	       trc_guarantee_same(&a->guarantee, &b->guarantee) && a->totals && b->totals &&
	       a->refs == b->refs && a->insns == b->insns && a->last_time == b->last_time;
}

/* Adds to *meta, which describes the inputs before, the meta of `next`. */
static int
join_meta(const struct merge *s, struct trc_meta *meta, const struct input *next,
          struct trc_err *err)
{
	const struct trc_meta *m = &next->src->meta;
	struct trc_guarantee *p = &meta->guarantee;

	if (strcmp(meta->format, m->format) != 0)
		meta->format[0] = 0;
	if (s->clock == TRC_COL_RTIME && of_one(meta, m))
		return 0;
	if (holds_alone(&meta->guarantee) || holds_alone(&m->guarantee))
		return trc_fail(err,
		                "%s was reduced separately, so the merged trace would not be "
		                "exact; merge the originals, then reduce",
		                holds_alone(&m->guarantee) ? next->name : s->input[0].name);
	if (meta->page_bits && m->page_bits && meta->page_bits != m->page_bits)
		return trc_fail(err, "%s has pages of %llu bytes, but %s of %llu", s->input[0].name,
		                1ull << meta->page_bits, next->name, 1ull << m->page_bits);
	if (!meta->page_bits)
		meta->page_bits = m->page_bits;
	if (p->sets != m->guarantee.sets || p->ways != m->guarantee.ways ||
	    p->line != m->guarantee.line)
		p->sets = p->ways = p->line = 0;
	p->reduced |= m->guarantee.reduced;
	meta->totals = meta->totals && m->totals;
	if (meta->touches || m->touches)
		meta->touches = trc_meta_touches(meta) + trc_meta_touches(m);
	meta->refs += m->refs;
	meta->insns += m->insns;
	meta->last_time = meta->last_time > m->last_time ? meta->last_time : m->last_time;
	meta->rows = meta->rows && m->rows ? meta->rows + m->rows : 0;
	for (size_t i = 0; i < TRC_CAVEATS; i++)
		trc_caveat_add(meta->caveat, &m->caveat[i]);
	return 0;
}

/* Sets the meta of the merged trace. */
static int
take_meta(struct merge *s, struct trc_err *err)
{
	struct trc_meta *meta = &s->src.meta;

	if (s->inputs == 0)
		return 0;
	*meta = s->input[0].src->meta;
	meta->gap = NULL;
	meta->gaps = 0;
	trc_provenances_reset(&s->provenances);
	for (size_t i = 0; i < s->inputs; i++)
		if (trc_provenances_add(&s->provenances, s->input[i].src->meta.provenance, err) ||
		    (i > 0 && join_meta(s, meta, &s->input[i], err)) ||
		    trc_meta_add_gaps(&s->src.meta, &s->input[i].src->meta, s->input[i].name,
		                      &s->gap, &s->gap_cap, err))
			return -1;
	/* Merged parts are no longer parts. */
	meta->guarantee.reduced &= ~(uint64_t)(s->inputs > 1 ? TRC_PART : 0);
	return trc_provenances_view(&s->provenances, &meta->provenance, err);
}

static enum trc_flow
merge_next(struct trc_source *src, struct trc_batch *b, struct trc_err *err)
{
	struct merge *s = (struct merge *)src;

	if (!s->begun && begin(s, err))
		return TRC_FLOW_FAILED;
	while (b->n < b->cap && s->heaped > 0) {
		struct input *x = &s->input[s->heap[0]];
		const size_t n = run_length(s, b->cap - b->n);

		if (s->clock == TRC_COL_RTIME && check_parts(s, x, n, err))
			return TRC_FLOW_FAILED;
		copy_rows(b, x, n);
		x->at += n;
		if (x->at == x->in.n && pull(s, x, err))
			return TRC_FLOW_FAILED;
		if (x->ended)
			s->heap[0] = s->heap[--s->heaped];
		sink_down(s, 0);
	}
	if (b->n > 0)
		return TRC_FLOW_ROWS;
	return take_meta(s, err) ? TRC_FLOW_FAILED : TRC_FLOW_END;
}

static void
release(struct merge *s)
{
	for (size_t i = 0; i < s->inputs; i++)
		trc_batch_release(&s->input[i].in);
	free(s->input);
	free(s->heap);
	free(s->gap);
	trc_provenances_release(&s->provenances);
	free(s);
}

static void
merge_close(struct trc_source *src)
{
	struct merge *s = (struct merge *)src;

	for (size_t i = 0; i < s->inputs; i++)
		trc_source_close(s->input[i].src);
	release(s);
}

/* Returns the name of a trace that has one of these columns. */
static const char *
who_has(const struct trc_merging *from, uint32_t columns)
{
	while (!(from->src->have & columns))
		from++;
	return from->name;
}

/* Fails if the columns do not match. Kernel event traces may lack the columns of references; other
 * traces may lack only events. */
static int
check_columns(const struct trc_merging *from, size_t n, enum trc_column clock, uint32_t have,
              struct trc_err *err)
{
	const uint32_t of_events = TRC_HAS_TYPE | TRC_HAS_TIME | TRC_HAS_TASK | TRC_HAS_EVENT;
	char names[128];

	for (size_t i = 0; i < n; i++) {
		const uint32_t has = from[i].src->have;
		const uint32_t lacks = have & ~has & ~(uint32_t)TRC_HAS_EVENT;

		if (!(has >> clock & 1))
			return trc_fail(err, "%s has no column '%s' to merge by", from[i].name,
			                trc_column[clock].name);
		if (lacks && ((has & ~of_events) || !(has & TRC_HAS_EVENT)))
			return trc_fail(err,
			                "%s lacks '%s', which %s has, so they cannot be "
			                "merged",
			                from[i].name, trc_columns_text(lacks, names, 128),
			                who_has(from, lacks));
	}
	return 0;
}

struct trc_source *
trc_stage_merge(const struct trc_merging *from, size_t n, enum trc_column clock,
                struct trc_err *err)
{
	struct merge *s;
	uint32_t have = 0;

	for (size_t i = 0; i < n; i++)
		have |= from[i].src->have;
	if (check_columns(from, n, clock, have, err))
		return NULL;
	s = trc_alloc(1, sizeof(*s), err);
	if (!s)
		return NULL;
	s->clock = clock;
	s->input = trc_alloc(n, sizeof(*s->input), err);
	s->heap = s->input ? trc_alloc(n, sizeof(*s->heap), err) : NULL;
	if (!s->heap) {
		release(s);
		return NULL;
	}
	for (; s->inputs < n; s->inputs++) {
		struct input *x = &s->input[s->inputs];

		x->src = from[s->inputs].src;
		x->name = from[s->inputs].name;
		if (trc_batch_init(&x->in, x->src->have, from[s->inputs].rows, err)) {
			release(s);
			return NULL;
		}
	}
	s->src = (struct trc_source){ .have = have, .next = merge_next, .close = merge_close };
	for (size_t i = 0; i < n; i++)
		s->src.meta_at_end |= from[i].src->meta_at_end;
	if (take_meta(s, err)) {
		release(s);
		return NULL;
	}
	return &s->src;
}
