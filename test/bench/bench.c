/* SPDX-License-Identifier: MIT
 *
 * bench RUNS NAME FILE [COMMAND...]: how fast the library works on the trace in FILE, which lies in
 * memory while it is measured, and how fast each COMMAND of the shell does, for comparison. Prints a
 * table; every time is the median of RUNS runs.
 *
 *   read    text or records in memory -> batches
 *   write   batches in memory -> the format they came from, at /dev/null
 *   pages   batches in memory -> page references, blocked
 *   sad R   page references in memory, not blocked -> what SAD leaves of them
 *   reduce  text in memory -> blocked, SAD at 64, blocked: all of `trc reduce --sad 64` but its output
 *
 * Cycles are those of the processor's time stamp counter, where it has one, which runs at its nominal
 * frequency. References are the records of FILE.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "format/format.h"
#include "stage/stage.h"

#if defined(__x86_64__)
#include <x86intrin.h>
#endif

enum { RUNS_MOST = 99, STEP = 256 << 10, PAGE_BITS = 12 };

/* The trace in both of its forms. */
struct trace {
	const char *name;
	uint8_t *text;
	size_t len;
	const struct trc_format *format;
	struct trc_batch *batch;
	size_t n, cap; /* batches */
	uint64_t rows;
};

struct measure {
	double seconds, cycles;
};

/* Batches in memory as a source. */
struct replay {
	struct trc_source src;
	const struct trace *t;
	size_t at;
};

static void
die(const struct trc_err *err)
{
	fprintf(stderr, "bench: %s\n", err->text);
	exit(1);
}

static struct measure
now(void)
{
	struct timespec t;
	struct measure m = { 0 };

	clock_gettime(CLOCK_MONOTONIC, &t);
	m.seconds = (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
#if defined(__x86_64__)
	m.cycles = (double)__rdtsc();
#endif
	return m;
}

static enum trc_flow
replay_next(struct trc_source *src, struct trc_batch *b, struct trc_err *err)
{
	struct replay *r = (struct replay *)src;

	(void)err;
	if (r->at == r->t->n)
		return TRC_FLOW_END;
	trc_batch_append(b, &r->t->batch[r->at], 0, r->t->batch[r->at].n);
	r->at++;
	return TRC_FLOW_ROWS;
}

static void
replay_close(struct trc_source *src)
{
	free(src);
}

static struct trc_source *
open_replay(const struct trace *t, struct trc_err *err)
{
	struct replay *r = trc_alloc(1, sizeof(*r), err);

	if (!r)
		die(err);
	*r = (struct replay){ { .have = t->batch[0].have, .next = replay_next,
		                .close = replay_close }, t, 0 };
	return &r->src;
}

static struct trc_source *
open_text(const struct trace *t, struct trc_err *err)
{
	struct trc_stream *s = trc_stream_memory(t->text, t->len, STEP, err);
	struct trc_in *in = s ? trc_in_stream(s, t->name, err) : NULL;
	struct trc_source *src = in ? trc_format_source(t->format, in, err) : NULL;

	if (!src)
		die(err);
	return src;
}

static struct trc_source *
open_pages(struct trc_source *from, bool block, struct trc_err *err)
{
	static uint64_t refs;
	struct trc_source *src = trc_stage_page(from, PAGE_BITS, &refs, err);

	if (src && block)
		src = trc_stage_block(src, err);
	if (!src)
		die(err);
	return src;
}

static struct trc_source *
open_sad(struct trc_source *from, uint64_t r, struct trc_err *err)
{
	struct trc_source *src = trc_stage_sad(from, r, err);

	if (!src)
		die(err);
	return src;
}

/* Pulls everything, and keeps it in `into` unless NULL. */
static void
drain(struct trc_source *src, struct trace *into, struct trc_err *err)
{
	struct trc_batch b;
	enum trc_flow flow;

	if (trc_batch_init(&b, src->have, TRC_BATCH_ROWS, err))
		die(err);
	while ((flow = trc_source_next(src, &b, err)) == TRC_FLOW_ROWS) {
		struct trc_batch *copy;

		if (!into)
			continue;
		if (trc_grow(&into->batch, &into->cap, into->n + 1, sizeof(*into->batch), err))
			die(err);
		copy = &into->batch[into->n++];
		if (trc_batch_init(copy, src->have, b.n, err))
			die(err);
		trc_batch_append(copy, &b, 0, b.n);
		into->rows += b.n;
	}
	if (flow == TRC_FLOW_FAILED)
		die(err);
	trc_batch_release(&b);
	trc_source_close(src);
}

static void
release(struct trace *t)
{
	for (size_t i = 0; i < t->n; i++)
		trc_batch_release(&t->batch[i]);
	free(t->batch);
	free(t->text);
}

static void
write_all(const struct trace *t, struct trc_err *err)
{
	struct trc_out *out = trc_out_open("/dev/null", false, err);
	const struct trc_meta meta = { 0 };
	struct trc_sink *sink = out ? trc_format_sink(t->format, out, t->batch[0].have, &meta, err) :
	                              NULL;

	for (size_t i = 0; sink && i < t->n; i++)
		if (trc_sink_put(sink, &t->batch[i], err))
			die(err);
	if (!sink || trc_sink_finish(sink, &meta, err))
		die(err);
	trc_sink_close(sink);
}

/* What is measured: one of the library's, or a command of the shell. */
enum what { READ, WRITE, PAGES, SAD, REDUCE, COMMAND };

struct job {
	enum what what;
	const struct trace *text, *pages;
	uint64_t r;
	const char *command;
};

static void
run_once(const struct job *j, struct trc_err *err)
{
	switch (j->what) {
	case READ: drain(open_text(j->text, err), NULL, err); break;
	case WRITE: write_all(j->text, err); break;
	case PAGES: drain(open_pages(open_replay(j->text, err), true, err), NULL, err); break;
	case SAD: drain(open_sad(open_replay(j->pages, err), j->r, err), NULL, err); break;
	case REDUCE:
		drain(trc_stage_block(open_sad(open_pages(open_text(j->text, err), true, err), j->r,
		                               err),
		                      err),
		      NULL, err);
		break;
	case COMMAND:
		if (system(j->command) != 0) {
			trc_fail(err, "'%s' failed", j->command);
			die(err);
		}
	}
}

static int
by_seconds(const void *a, const void *b)
{
	const struct measure *x = a, *y = b;

	return x->seconds < y->seconds ? -1 : x->seconds > y->seconds;
}

static struct measure
median(const struct job *j, int runs, struct trc_err *err)
{
	struct measure m[RUNS_MOST];

	for (int i = 0; i < runs; i++) {
		struct measure start = now(), end;

		run_once(j, err);
		end = now();
		m[i].seconds = end.seconds - start.seconds;
		m[i].cycles = end.cycles - start.cycles;
	}
	qsort(m, (size_t)runs, sizeof(m[0]), by_seconds);
	return m[runs / 2];
}

/* One line of the table: references a second, cycles a reference, and time as a multiple of `unit`. */
static void
print_line(const char *what, struct measure m, uint64_t rows, double unit)
{
	const char *aside = strstr(what, " >/dev/null");

	printf("  %-40.*s %8.1f %8.1f %8.2f\n", aside ? (int)(aside - what) : 40, what,
	       (double)rows / m.seconds / 1e6, m.cycles / (double)rows, m.seconds / unit);
}

static void
load(struct trace *t, const char *path, struct trc_err *err)
{
	uint64_t size;
	struct trc_stream *s = trc_stream_file(path, &size, err);
	struct trc_in *in;
	size_t got = 0;

	if (!s)
		die(err);
	t->text = trc_alloc((size_t)size, 1, err);
	if (!t->text)
		die(err);
	do {
		t->len += got;
		if (s->read(s, t->text + t->len, (size_t)size - t->len, &got, err))
			die(err);
	} while (got > 0 && t->len + got < size);
	t->len += got;
	trc_stream_close(s);
	s = trc_stream_memory(t->text, t->len, STEP, err);
	in = s ? trc_in_stream(s, path, err) : NULL;
	t->format = in ? trc_format_recognise(in, err) : NULL;
	if (!t->format)
		die(err);
	trc_in_close(in);
	drain(open_text(t, err), t, err);
	if (t->n == 0) {
		trc_fail(err, "'%s' has no records", path);
		die(err);
	}
}

int
main(int argc, char **argv)
{
	static const uint64_t r[] = { 16, 64, 1024 };
	struct trc_err err = { 0 };
	struct trace text = { 0 }, pages = { 0 };
	const int runs = argc > 3 ? atoi(argv[1]) : 0;
	struct job j = { .text = &text, .pages = &pages };
	struct measure m;
	double unit = 0;
	char what[64];

	if (runs < 1 || runs > RUNS_MOST) {
		fprintf(stderr, "usage: bench RUNS NAME FILE [COMMAND...], RUNS from 1 to %d\n",
		        RUNS_MOST);
		return 2;
	}
	text.name = argv[2];
	load(&text, argv[3], &err);
	drain(open_pages(open_replay(&text, &err), false, &err), &pages, &err);
	printf("%s: %llu records of %s, %.1f bytes each\n", text.name, (unsigned long long)text.rows,
	       text.format->name, (double)text.len / (double)text.rows);
	printf("  %-40s %8s %8s %8s\n", "", "M refs/s", "cycles", argc > 4 ? "times" : "");

	/* The first command is what all others are compared to. */
	for (int i = 4; i < argc; i++) {
		j.what = COMMAND;
		j.command = argv[i];
		m = median(&j, runs, &err);
		unit = unit > 0 ? unit : m.seconds;
		print_line(j.command, m, text.rows, unit);
	}
	unit = unit > 0 ? unit : 1;
	for (int i = READ; i <= REDUCE; i++) {
		const char *const name[] = { "read", "write", "pages", "sad", "reduce" };

		for (size_t k = 0; k < (i == SAD ? TRC_COUNT(r) : 1); k++) {
			j.what = (enum what)i;
			j.r = i == SAD ? r[k] : 64;
			snprintf(what, sizeof(what), i == SAD ? "%s %llu" : "%s", name[i],
			         (unsigned long long)j.r);
			m = median(&j, runs, &err);
			print_line(what, m, text.rows, unit);
		}
	}
	release(&text);
	release(&pages);
	return 0;
}
