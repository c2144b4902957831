/* SPDX-License-Identifier: MIT */
#include "stage/profile/marks.h"

#include <stdlib.h>

#include "batch/extent.h"

/* The sink. */
struct marks_sink {
	struct trc_sink sink;
	struct trc_sink *inner;
	struct trc_marks *marks;
	uint64_t last, next; /* the last stop and the next one, or UINT64_MAX */
};

struct trc_batch
trc_marks_rows(const struct trc_batch *b, size_t first, size_t n)
{
	struct trc_batch part = *b;

	part.n = n;
#define COLUMN(NAME, field, type, doc) \
	if (part.field)                \
		part.field += first;
#include "batch/columns.def"
#undef COLUMN
	return part;
}

/* Returns the next place to stop. */
static uint64_t
next_of(const struct trc_marks *m)
{
	uint64_t last;

	if (m->rows < m->first)
		return m->first;
	if (!m->every)
		return UINT64_MAX;
	last = m->first + (m->rows - m->first) / m->every * m->every;
	return last <= UINT64_MAX - m->every ? last + m->every : UINT64_MAX;
}

static int
stop(struct marks_sink *s, struct trc_err *err)
{
	s->next = next_of(s->marks);
	s->last = s->marks->rows;
	return s->marks->at(s->marks, s->marks->rows, err);
}

static int
marks_put(struct trc_sink *sink, const struct trc_batch *b, struct trc_err *err)
{
	struct marks_sink *s = (struct marks_sink *)sink;
	struct trc_marks *m = s->marks;

	trc_sink_inherit(sink, s->inner);
	for (size_t i = 0, n; i < b->n; i += n) {
		uint64_t left = s->next - m->rows;
		struct trc_batch part;

		n = trc_extent_rows(b, i, b->n - i, &left, m->insns);
		part = trc_marks_rows(b, i, n);
		if (n > 0 && trc_sink_put(s->inner, &part, err))
			return -1;
		m->rows = s->next - left;
		if (left == 0 && (!m->insns || i + n < b->n) && stop(s, err))
			return -1;
	}
	return 0;
}

static int
marks_finish(struct trc_sink *sink, const struct trc_meta *meta, struct trc_err *err)
{
	struct marks_sink *s = (struct marks_sink *)sink;

	trc_sink_inherit(sink, s->inner);
	if (s->marks->rows > s->last &&
	    (s->marks->every || (s->marks->insns && s->marks->rows == s->next)) && stop(s, err))
		return -1;
	return trc_sink_finish(s->inner, meta, err);
}

static void
marks_state(struct trc_sink *sink, struct trc_state *t)
{
	struct marks_sink *s = (struct marks_sink *)sink;
	struct trc_marks *m = s->marks;
	uint64_t rows = m->rows;

	trc_sink_inherit(sink, s->inner);
	if (t->writes && rows > s->last && trc_state_failed(t, m->at(m, rows, t->err)))
		return;
	trc_state_num(t, &rows);
	m->rows = rows > m->rows ? rows : m->rows;
	s->last = m->rows;
	s->inner->state(s->inner, t);
}

static void
marks_close(struct trc_sink *sink)
{
	struct marks_sink *s = (struct marks_sink *)sink;

	trc_sink_inherit(sink, s->inner);
	trc_sink_close(s->inner);
	free(s);
}

struct trc_sink *
trc_marks_sink(struct trc_sink *inner, struct trc_marks *marks, struct trc_err *err)
{
	struct marks_sink *s = trc_alloc(1, sizeof(*s), err);

	if (!s)
		return NULL;
	*s = (struct marks_sink){
		.sink = { .put = marks_put, .finish = marks_finish, .close = marks_close },
		.inner = inner,
		.marks = marks,
		.last = marks->rows,
		.next = next_of(marks),
	};
	s->sink.state = inner->state && !marks->insns ? marks_state : NULL;
	return &s->sink;
}
