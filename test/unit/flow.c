/* SPDX-License-Identifier: MIT
 * The pump, and how sources, sinks and watchers end it. */
#include <string.h>

#include "generate.h"
#include "stage/wrap.h"
#include "test.h"

/* A sink that notes how it is called, and fails at the `fail_at`-th put or at its end. */
struct noting {
	struct trc_sink sink;
	size_t puts, rows, fail_at, most;
	bool finished, fail_finish, totals;
};

static int
noting_put(struct trc_sink *sink, const struct trc_batch *b, struct trc_err *err)
{
	struct noting *s = (struct noting *)sink;

	CHECK(b->n > 0 && b->n <= b->cap && !s->finished);
	s->most = b->n > s->most ? b->n : s->most;
	s->rows += b->n;
	return ++s->puts == s->fail_at ? trc_fail(err, "put") : 0;
}

static int
noting_finish(struct trc_sink *sink, const struct trc_meta *meta, struct trc_err *err)
{
	struct noting *s = (struct noting *)sink;

	CHECK(!s->finished);
	s->finished = true;
	s->totals = meta->totals;
	return s->fail_finish ? trc_fail(err, "finish") : 0;
}

static struct noting
noting(void)
{
	return (struct noting){ .sink = { .put = noting_put, .finish = noting_finish } };
}

struct counting_watch {
	struct trc_watch watch;
	size_t rows, fail_from;
};

static int
count_rows(struct trc_watch *watch, size_t rows, struct trc_err *err)
{
	struct counting_watch *w = (struct counting_watch *)watch;

	w->rows += rows;
	return w->fail_from && w->rows >= w->fail_from ? trc_fail(err, "watch") : 0;
}

static struct trc_batch rows;

static void
everything_is_pumped(void)
{
	for (size_t most = 1; most <= 1000; most = most * 3 + 1) {
		struct counting_watch watch = { { count_rows }, 0, 0 };
		struct trc_source *src = generate_source(&rows, most);
		struct noting sink = noting();
		struct trc_err err;

		src->meta.totals = true;
		CHECK(trc_pump(src, &sink.sink, 100, &watch.watch, &err) == 0);
		CHECK(sink.rows == rows.n && watch.rows == rows.n && sink.finished && sink.totals);
		CHECK(sink.most == (most < 100 ? most : 100));
		trc_source_close(src);
	}
}

static void
an_empty_source_is_finished(void)
{
	struct trc_batch none = rows;
	struct noting sink = noting();
	struct trc_source *src;
	struct trc_err err;

	none.n = 0;
	src = generate_source(&none, 1);
	CHECK(trc_pump(src, &sink.sink, 10, NULL, &err) == 0);
	CHECK(sink.puts == 0 && sink.finished);
	trc_source_close(src);
}

static void
failures_end_the_pump(void)
{
	struct counting_watch watch = { { count_rows }, 0, 0 };
	struct noting sink = noting();
	struct trc_source *src;
	struct trc_err err;

	sink.fail_at = 3;
	src = generate_source(&rows, 10);
	CHECK(trc_pump(src, &sink.sink, 10, NULL, &err) == -1 && strcmp(err.text, "put") == 0);
	CHECK(sink.puts == 3 && !sink.finished);
	trc_source_close(src);

	sink = noting();
	sink.fail_finish = true;
	src = generate_source(&rows, 10);
	CHECK(trc_pump(src, &sink.sink, 10, NULL, &err) == -1 && strcmp(err.text, "finish") == 0);
	trc_source_close(src);

	sink = noting();
	watch.fail_from = 50;
	src = generate_source(&rows, 10);
	CHECK(trc_pump(src, &sink.sink, 10, &watch.watch, &err) == -1 &&
	      strcmp(err.text, "watch") == 0);
	CHECK(sink.rows == 50 && !sink.finished);
	trc_source_close(src);
}

static void
closing_nothing_is_allowed(void)
{
	trc_source_close(NULL);
	trc_sink_close(NULL);
	trc_stream_close(NULL);
	trc_in_close(NULL);
	trc_out_close(NULL);
}

/* Stages as people write them by the recipe, each with one mistake. */
struct mistaken {
	struct trc_wrap wrap;
	enum { LOOPS_OVER_WAITING, GIVES_ROWS_AT_ITS_END, PASSES_ON_NONE } mistake;
};

static enum trc_flow
mistaken_next(struct trc_source *src, struct trc_batch *b, struct trc_err *err)
{
	struct mistaken *s = (struct mistaken *)src;
	struct trc_wrap *w = &s->wrap;
	const enum trc_flow flow = trc_wrap_pull_for(w, b, err);

	if (flow == TRC_FLOW_FAILED)
		return flow;
	if (s->mistake == LOOPS_OVER_WAITING)
		for (; w->at < w->in.n && b->n < b->cap; w->at++)
			trc_batch_append(b, &w->in, w->at, 1);
	if (s->mistake == GIVES_ROWS_AT_ITS_END)
		trc_batch_append(b, &w->in, 0, w->in.n);
	return s->mistake == GIVES_ROWS_AT_ITS_END ? TRC_FLOW_END : flow;
}

/* In a release build the first wrote an empty file, exit 0. */
static void
a_stage_that_loses_rows_is_refused(void)
{
	for (unsigned mistake = 0; mistake <= PASSES_ON_NONE; mistake++) {
		struct noting sink = noting();
		struct trc_source *src = generate_source(&rows, 10);
		struct trc_err err;
		struct mistaken *s = trc_wrap_open(sizeof(*s), src, src->have, mistaken_next, &err);

		CHECK(s);
		s->mistake = mistake;
		CHECK(trc_pump(&s->wrap.src, &sink.sink, 100, NULL, &err) == -1);
		CHECK_MSG(strstr(err.text, "faulty"), "%s", err.text);
		CHECK(!sink.finished);
		trc_source_close(&s->wrap.src);
	}
}

int
main(void)
{
	struct generate_spec spec = { .have = TRC_HAS_ALL, .rows = 1000 };

	test_start();
	generate_rows(&rows, &spec, test_seed);
	RUN(everything_is_pumped);
	RUN(an_empty_source_is_finished);
	RUN(failures_end_the_pump);
	RUN(closing_nothing_is_allowed);
	RUN(a_stage_that_loses_rows_is_refused);
	trc_batch_release(&rows);
	return 0;
}
