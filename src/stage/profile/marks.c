/* SPDX-License-Identifier: MIT */
#include "stage/profile/marks.h"

#include <stdlib.h>

/* The sink. */
struct marks_sink {
	struct trc_sink sink;
	struct trc_sink *inner;
	struct trc_marks *marks;
	uint64_t rows, last, next; /* that came; where it stopped, where it will; or UINT64_MAX */
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

static int
marks_put(struct trc_sink *sink, const struct trc_batch *b, struct trc_err *err)
{
	struct marks_sink *s = (struct marks_sink *)sink;

	for (size_t i = 0, n; i < b->n; i += n) {
		const uint64_t left = s->next - s->rows;
		struct trc_batch part;

		n = b->n - i < left ? b->n - i : (size_t)left;
		part = trc_marks_rows(b, i, n);
		if (trc_sink_put(s->inner, &part, err))
			return -1;
		s->rows += n;
		if (s->rows < s->next)
			continue;
		s->next = s->marks->every ? s->next + s->marks->every : UINT64_MAX;
		s->last = s->rows;
		if (s->marks->at(s->marks, s->rows, err))
			return -1;
	}
	return 0;
}

static int
marks_finish(struct trc_sink *sink, const struct trc_meta *meta, struct trc_err *err)
{
	struct marks_sink *s = (struct marks_sink *)sink;

	if (s->marks->every && s->rows > s->last && s->marks->at(s->marks, s->rows, err))
		return -1;
	return trc_sink_finish(s->inner, meta, err);
}

static void
marks_close(struct trc_sink *sink)
{
	struct marks_sink *s = (struct marks_sink *)sink;

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
		.next = marks->first ? marks->first :
		        marks->every ? marks->every :
		                       UINT64_MAX,
	};
	return &s->sink;
}
